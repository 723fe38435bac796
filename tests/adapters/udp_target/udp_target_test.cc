#include "adapters/udp_target/udp_target.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "adapters/plugin/conformance/overtaken_drive.h"
#include "tests/adapters/udp_target/peer.h"

namespace trestle::udp_target {
namespace {

/// Little-endian: u16 0x7254, u16 sequence, u8 command, u8 0, f64 drive [mm]; back: u16
/// 0x7255, u16 sequence, u16 echo, u8 status, u8 0, f64 displacement [mm], f32 force [kN],
/// u32 checksum. A frame stays fresh for an hour: age is looked at in one test alone.
std::string settings(const std::string& target, const std::string& more = "") {
  return "target: " + target +
         "\nlisten: 127.0.0.1:0\nrate: 1 kHz\nwatchdog: 3600 s\n"
         "send[0].field: constant\nsend[0].type: u16\nsend[0].value: 0x7254\n"
         "send[1].field: sequence\nsend[1].type: u16\n"
         "send[2].field: command\nsend[2].type: u8\n"
         "send[3].field: padding\nsend[3].type: u8\n"
         "send[4].field: drive\nsend[4].type: f64\nsend[4].unit: mm\n"
         "receive[0].field: constant\nreceive[0].type: u16\nreceive[0].value: 0x7255\n"
         "receive[1].field: sequence\nreceive[1].type: u16\n"
         "receive[2].field: echo\nreceive[2].type: u16\n"
         "receive[3].field: status\nreceive[3].type: u8\n"
         "receive[4].field: padding\nreceive[4].type: u8\n"
         "receive[5].field: displacement\nreceive[5].type: f64\nreceive[5].unit: mm\n"
         "receive[6].field: force\nreceive[6].type: f32\nreceive[6].unit: kN\n"
         "receive[7].field: checksum\nreceive[7].type: u32\n" +
         (more.empty() ? "stale: 3600 s\n" : more);
}

/// A target and the adapter that speaks with it.
class UdpTargetTest : public testing::Test {
 protected:
  void open(const std::string& more = "") {
    rig_ = std::make_unique<UdpTarget>(
        target_settings(settings(peer_.address(), more).c_str()));
    prepare();
  }

  /// The peer answers the frame that asks for it. Further ones, too, for the first may be
  /// the keeper's on a machine that stands still: what came before the preparation began is
  /// old to it.
  void prepare() {
    peer_.call(rig_->port());
    peer_.newest();
    const std::jthread beside([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (peer_.newest().empty())
          std::this_thread::yield();
        else
          answer(0.0);
      }
    });
    rig_->prepare();
  }

  std::vector<std::uint8_t> frame(double displacement_mm, std::uint16_t sequence,
                                  std::uint8_t status = 0) const {
    std::vector<std::uint8_t> bytes(24);
    const auto put = [&bytes](std::size_t at, const auto& value) {
      std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    put(0, std::uint16_t{0x7255});
    put(2, sequence);
    put(4, echo_);
    put(6, status);
    put(8, displacement_mm);
    put(16, static_cast<float>(2.0 * displacement_mm));
    put(20, crc32(std::span(bytes).first(20)));
    return bytes;
  }
  void answer(double displacement_mm, std::uint8_t status = 0) {
    peer_.send(frame(displacement_mm, ++sequence_, status));
  }

  trestle_adapter_status read() {
    sensed_.displacement = &displacement_;
    sensed_.force = &force_;
    return rig_->read(1'000'000'000, sensed_);
  }
  std::string diagnostic_message() const {
    std::array<char, 400> text{};
    rig_->diagnose(text.data(), static_cast<std::uint32_t>(text.size()));
    return text.data();
  }
  /// Frames that were taken since the preparation began.
  int taken() const {
    const std::string text = diagnostic_message();
    const std::size_t end = text.find(" taken");
    const std::size_t begin = end == std::string::npos ? end : text.rfind(' ', end - 1);
    return begin == std::string::npos ? -1 : std::stoi(text.substr(begin + 1));
  }
  void expect_says(const std::string& words) const {
    EXPECT_NE(diagnostic_message().find(words), std::string::npos) << diagnostic_message();
  }

  Peer peer_;
  std::unique_ptr<UdpTarget> rig_;
  std::uint16_t sequence_ = 65500;  // goes round in the tests
  std::uint16_t echo_ = 0;
  trestle_sensed sensed_{};
  double displacement_ = 0.0;
  double force_ = 0.0;
};

TEST_F(UdpTargetTest, SendsItsDriveInTheDescribedBytes) {
  open();
  const double drive = 0.0125;
  peer_.newest();
  EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_OK);
  const std::vector<std::uint8_t> sent = peer_.newest();
  ASSERT_EQ(sent.size(), 14U);
  EXPECT_EQ(sent[0], 0x54);
  EXPECT_EQ(sent[1], 0x72);
  EXPECT_EQ(sent[4], 1);  // follow
  double millimetres = 0.0;
  std::memcpy(&millimetres, sent.data() + 6, 8);
  EXPECT_DOUBLE_EQ(millimetres, 12.5);
}

TEST_F(UdpTargetTest, SendsItsOutputsInEachFrameUntilItStops) {
  open(
      "stale: 3600 s\nsend[5].field: output\nsend[5].type: u8\nsend[5].name: ready\n"
      "send[6].field: output\nsend[6].type: u16\nsend[6].name: running\n");
  std::uint32_t inputs = 7;
  std::uint32_t outputs = 7;
  rig_->count_contacts(inputs, outputs);
  EXPECT_EQ(inputs, 0U) << "a contact is an auxiliary channel";
  EXPECT_EQ(outputs, 2U);
  const double drive = 0.0;
  const auto sent = [&] {
    peer_.newest();
    EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_OK);
    return peer_.newest();
  };
  ASSERT_EQ(sent().size(), 17U);
  EXPECT_EQ(sent()[14], 0) << "open before the site says otherwise";
  rig_->set_outputs(2);
  EXPECT_EQ(sent()[14], 0);
  EXPECT_EQ(sent()[15], 1);
  rig_->stop();
  EXPECT_EQ(peer_.newest()[15], 0) << "all are open after a stop";
}

TEST_F(UdpTargetTest, ReadsTheNewestOfTheFramesThatCame) {
  open();
  for (const double place : {1.0, 2.0, 3.0}) answer(place);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 3e-3);
  EXPECT_DOUBLE_EQ(force_, 6e3);
  EXPECT_LE(sensed_.measured_at_ns, 1'000'000'000);
}

TEST_F(UdpTargetTest, GoesOnOverLossAndOverTheEndOfTheCounter) {
  open();
  read();  // more than one answer may have come to the preparation
  const int before = taken();
  for (int n = 0; n < 200; ++n) {
    if (n % 3 == 0) ++sequence_;  // lost on the way
    answer(n);
    ASSERT_EQ(read(), TRESTLE_ADAPTER_OK) << n;
    ASSERT_DOUBLE_EQ(displacement_, 1e-3 * n);
  }
  EXPECT_EQ(taken(), before + 200);
  expect_says(" taken, 67 lost, 0 old");
}

TEST_F(UdpTargetTest, DoesNotGoBackToFramesThatComeLateOrTwice) {
  open();
  const std::vector<std::uint8_t> late = frame(1.0, ++sequence_);
  answer(2.0);
  peer_.send(late);
  peer_.send(frame(7.0, sequence_));
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 2e-3);
  expect_says("1 lost, 2 old");
}

TEST_F(UdpTargetTest, HearsNobodyButTheTargetsOwnPort) {
  open();
  answer(1.0);
  Peer stranger;  // the same host, another port
  stranger.call(rig_->port());
  stranger.send(frame(9.0, static_cast<std::uint16_t>(sequence_ + 1)));
  stranger.send(frame(9.0, static_cast<std::uint16_t>(sequence_ + 20000)));
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 1e-3) << "a measurement was forged";
  answer(2.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 2e-3) << "all genuine frames became old";
  expect_says("0 old");
}

TEST_F(UdpTargetTest, TakesNoSequenceThatTheTargetCannotHaveCountedTo) {
  open();
  answer(1.0);
  peer_.send(frame(9.0, static_cast<std::uint16_t>(sequence_ + 30000)));
  answer(2.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 2e-3);
  expect_says("1 not ours");
  expect_says("farther ahead");
}

TEST_F(UdpTargetTest, HearsATargetThatSendsFromAnotherPortWhereThatIsNamed) {
  Peer mouth;
  open("stale: 3600 s\n");
  rig_ = nullptr;
  rig_ = std::make_unique<UdpTarget>(target_settings(
      (settings(peer_.address()) + "from: " + mouth.address() + "\nconnect: 30 s\n")
          .c_str()));
  mouth.call(rig_->port());
  {
    const std::jthread beside([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (peer_.newest().empty())
          std::this_thread::yield();
        else
          mouth.send(frame(3.0, ++sequence_));
      }
    });
    rig_->prepare();
  }
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 3e-3);
}

TEST_F(UdpTargetTest, DropsGarbage) {
  open();
  answer(4.0);
  std::vector<std::uint8_t> wrong = frame(9.0, static_cast<std::uint16_t>(sequence_ + 1));
  wrong[10] ^= 1U;  // a bit falls over
  peer_.send(wrong);
  peer_.send({1, 2, 3});
  peer_.send(std::vector<std::uint8_t>(1400, 0xAB));
  peer_.send({});
  wrong = frame(std::numeric_limits<double>::infinity(),
                static_cast<std::uint16_t>(sequence_ + 1));
  peer_.send(wrong);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 4e-3);
  expect_says("5 not ours (the last had 24 bytes, a frame has 24: a number in it is not");
}

TEST_F(UdpTargetTest, CallsAnOldFrameLateAndANewOneAfterItFresh) {
  open("stale: 1 ns\n");  // every frame is older when it is read
  const double drive = 0.0;
  answer(1.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);  // at rest it is borne for a while
  rig_->write(&drive);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_LATE);
  EXPECT_GE(taken(), 2);  // the answer to the preparation, and that one
  expect_says("ms old; ");
  open();  // the same target again, patient now
  answer(2.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 2e-3);
}

TEST_F(UdpTargetTest, TakesATargetThatBeganAnewAfterTheNextPrepareOnly) {
  open();
  answer(1.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  sequence_ = 40000;  // it was switched off and on
  answer(0.0);
  read();
  EXPECT_DOUBLE_EQ(displacement_, 1e-3);
  expect_says("1 old");
  open();
  answer(5.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 5e-3);
}

TEST_F(UdpTargetTest, TripsWhereTheTargetIsNotWell) {
  open();
  answer(1.0, 3);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
  expect_says("says status 3");
}

TEST_F(UdpTargetTest, TripsWhereTheTargetDoesNotHearIt) {
  open("stale: 3600 s\n");
  rig_ = nullptr;
  std::string deaf = settings(peer_.address());
  deaf.replace(deaf.find("watchdog: 3600 s"), 16, "watchdog: 0.000001 ms");
  rig_ = std::make_unique<UdpTarget>(target_settings(deaf.c_str()));
  prepare();
  const double drive = 0.001;
  rig_->write(&drive);
  answer(0.0);  // the same echo as before
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
  expect_says("hears nothing");
}

TEST_F(UdpTargetTest, HoldsWithTheLastDriveAndSaysThatItLivesAtEveryRead) {
  open();
  const double drive = 0.02;
  rig_->write(&drive);
  peer_.newest();
  rig_->hold();
  std::vector<std::uint8_t> sent = peer_.newest();
  ASSERT_EQ(sent.size(), 14U);
  EXPECT_EQ(sent[4], 2);
  answer(1.0);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  sent = peer_.newest();
  ASSERT_EQ(sent.size(), 14U);
  EXPECT_EQ(sent[4], 2);
  rig_->write(&drive);
  EXPECT_EQ(peer_.newest()[4], 1);
  read();
  EXPECT_TRUE(peer_.newest().empty());
  rig_->stop();
  EXPECT_EQ(peer_.newest()[4], 3);
}

TEST_F(UdpTargetTest, MovesNothingByAWriteThatAHoldOvertakes) {
  // A target without a command field takes the drive of every frame.
  for (const char* const role : {"command", "padding"}) {
    std::string link = settings(peer_.address());
    link.replace(link.find("command"), 7, role);
    rig_ = std::make_unique<UdpTarget>(target_settings(link.c_str()));
    if (role == std::string("command")) prepare();
    double drive = 0.01;
    EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_OK);
    drive = 0.02;
    peer_.frames();
    conformance::OvertakenDrive overtaken([this] { rig_->hold(); });
    EXPECT_EQ(overtaken.write({&drive, 1},
                              [this](const double* late) {
                                EXPECT_EQ(rig_->write(late), TRESTLE_ADAPTER_LATE);
                              }),
              conformance::HoldInWrite::kCame);
    read();
    const auto frames = peer_.frames();
    EXPECT_GE(frames.size(), 2U);
    for (const std::vector<std::uint8_t>& sent : frames) {
      double millimetres = 0.0;
      std::memcpy(&millimetres, sent.data() + 6, 8);
      EXPECT_DOUBLE_EQ(millimetres, 10.0) << role;
      EXPECT_EQ(sent[4], role == std::string("command") ? 2 : 0);
    }
    EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_OK) << "the next write ends the hold";
  }
}

TEST_F(UdpTargetTest, GoesOnSpeakingWhileItIsHeldAndNobodyTicks) {
  open();
  const double drive = 0.02;
  rig_->write(&drive);
  rig_->hold();
  peer_.newest();
  int frames = 0;
  for (int n = 0; n < 10'000 && frames < 5; ++n) {
    const std::vector<std::uint8_t> sent = peer_.newest();
    if (sent.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    EXPECT_EQ(sent[4], 2);
    ++frames;
  }
  EXPECT_EQ(frames, 5);
}

TEST_F(UdpTargetTest, SaysThatNoTargetAnswers) {
  std::string silent = settings(peer_.address());
  silent += "connect: 1 ms\n";
  rig_ = std::make_unique<UdpTarget>(target_settings(silent.c_str()));
  try {
    rig_->prepare();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no frame came from the target"),
              std::string::npos);
  }
  EXPECT_EQ(read(), TRESTLE_ADAPTER_LATE);
}

TEST_F(UdpTargetTest, GivesUpGettingReadyWhereItIsToHold) {
  rig_ = std::make_unique<UdpTarget>(
      target_settings((settings(peer_.address()) + "connect: 3600 s\n").c_str()));
  const std::jthread beside([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) rig_->hold();
  });
  EXPECT_THROW(rig_->prepare(), std::runtime_error);
}

TEST_F(UdpTargetTest, RefusesADriveThatItsFieldCannotHold) {
  std::string narrow = settings(peer_.address());
  narrow.replace(narrow.find("send[4].type: f64"), 17, "send[4].type: i16");
  rig_ = std::make_unique<UdpTarget>(target_settings(narrow.c_str()));
  double drive = 32.767;
  EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_OK);
  drive = 32.768;
  EXPECT_EQ(rig_->write(&drive), TRESTLE_ADAPTER_TRIPPED);
}

}  // namespace
}  // namespace trestle::udp_target
