#include "adapters/scpi_tcp/text_instrument.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "adapters/plugin/conformance/overtaken_drive.h"
#include "adapters/plugin/monotonic_ns.h"
#include "tests/adapters/scpi_tcp/peer.h"

namespace trestle::scpi_tcp {
namespace {

/// One actuator; two values in one line, and one alone. Nothing is stale for an hour: age
/// is looked at in one test alone.
std::string settings(const std::string& server, const std::string& more = "") {
  return "server: " + server +
         "\nconnect: 60 s\nanswer: 60 s\npoll: 1 kHz\nrate: 1 kHz\n"
         "error: ERR {text}\nstatus.send: STAT?\nstatus.answer: READY\n"
         "start.send: REM ON\nstart.answer: OK\nhold.send: HOLD\nhold.answer: HELD\n"
         "stop: STOP\nmove.send: POS 1,{drive:.3f}\nmove.answer: OK\n"
         "drives[0].unit: mm\ndrives[0].range[0]: -60\ndrives[0].range[1]: 60\n"
         "queries[0].send: READ?\nqueries[0].answer: {d},{f}\n"
         "channels[0].channel: displacement\nchannels[0].value: d\nchannels[0].unit: mm\n"
         "channels[0].range[0]: -60\nchannels[0].range[1]: 60\n"
         "channels[1].channel: force\nchannels[1].value: f\nchannels[1].unit: kN\n"
         "channels[1].scale: -2\n"
         "channels[2].channel: auxiliary\nchannels[2].send: MEAS:TEMP?\n"
         "channels[2].answer: TEMP {value} C\nchannels[2].unit: C\n"
         "channels[2].name: oil\n" +
         (more.empty() ? "stale: 3600 s\n" : more);
}

/// Two actuators, each with a line for itself; all readings in one line, the second first.
std::string two_actuators(const std::string& server) {
  return "server: " + server +
         "\nconnect: 60 s\nanswer: 60 s\npoll: 1 kHz\nrate: 1 kHz\nstale: 3600 s\n"
         "hold: HOLD\nmove[0].send: A {drive1:.1f}\nmove[0].answer: OK\n"
         "move[1].send: B {drive2:.1f}\nmove[1].answer: OK\n"
         "drives[0].unit: mm\ndrives[0].range[0]: -60\ndrives[0].range[1]: 60\n"
         "drives[1].unit: mm\ndrives[1].range[0]: -60\ndrives[1].range[1]: 60\n"
         "drives[1].scale: 10\ndrives[1].offset: 1\n"
         "queries[0].send: ALL?\nqueries[0].answer: {d2},{f2},{skip},{d1},{f1}\n"
         "channels[0].channel: displacement\nchannels[0].value: d1\n"
         "channels[0].unit: mm\n"
         "channels[1].channel: displacement\nchannels[1].value: d2\n"
         "channels[1].unit: mm\nchannels[1].offset: -0.5\n"
         "channels[2].channel: force\nchannels[2].value: f1\nchannels[2].unit: kN\n"
         "channels[3].channel: force\nchannels[3].value: f2\nchannels[3].unit: kN\n";
}

class TextInstrumentTest : public testing::Test {
 protected:
  TextInstrumentTest() {
    peer_.answers("REM ON", {"OK\n"});
    peer_.answers("STAT?", {"READY\n"});
    peer_.answers("READ?", {"1.5,-2.25\n"});
    peer_.answers("MEAS:TEMP?", {"TEMP 41.5 C\n"});
    peer_.answers("HOLD", {"HELD\n"});
    for (const char* const line : {"POS 1,12.500", "POS 1,0.000", "POS 1,1.000"})
      peer_.answers(line, {"OK\n"});
  }
  ~TextInstrumentTest() override { rig_.reset(); }  // before the peer

  void open(const std::string& more = "") {
    rig_.reset();
    rig_ = std::make_unique<TextInstrument>(
        instrument_settings(settings(peer_.address(), more).c_str()));
  }
  void prepare(const std::string& more = "") {
    open(more);
    rig_->prepare();
  }
  std::string refusal_to_prepare() {
    try {
      rig_->prepare();
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  trestle_adapter_status read() {
    sensed_.displacement = &displacement_;
    sensed_.force = &force_;
    sensed_.auxiliary = &oil_;
    return rig_->read(1'000'000'000, sensed_);
  }
  trestle_adapter_status write(double millimetres) {
    const double drive = 1e-3 * millimetres;
    return rig_->write(&drive);
  }
  std::string diagnosis() const {
    std::array<char, 512> text{};
    rig_->diagnose(text.data(), static_cast<std::uint32_t>(text.size()));
    return text.data();
  }
  /// Waits for a displacement [m]. A reading may be late before, on a busy host.
  void expect_reading(double displacement) {
    Peer::expect(
        [&] { return read() == TRESTLE_ADAPTER_TRIPPED || displacement_ == displacement; });
    EXPECT_EQ(displacement_, displacement) << diagnosis();
  }
  /// Waits for the trip, and for the line of the hold that follows it.
  void expect_trip(const std::string& words) {
    Peer::expect([this] { return read() == TRESTLE_ADAPTER_TRIPPED; });
    EXPECT_NE(diagnosis().find(words), std::string::npos) << diagnosis();
    EXPECT_EQ(write(1.0), TRESTLE_ADAPTER_TRIPPED);
  }
  /// The same, of an answer to a question in a run.
  void expect_trip_by(const std::string& line, std::vector<std::string> pieces,
                      const std::string& words) {
    prepare();
    const std::size_t holds = peer_.count("HOLD");
    peer_.answers(line, std::move(pieces));
    expect_trip(words);
    Peer::expect([&] { return peer_.count("HOLD") > holds; });
  }

  Peer peer_;
  std::unique_ptr<TextInstrument> rig_;
  trestle_sensed sensed_{};
  double displacement_ = 0.0;
  double force_ = 0.0;
  double oil_ = 0.0;
};

TEST_F(TextInstrumentTest, SpeaksTheLinesOfItsSettings) {
  prepare();
  const std::string begun = "REM ON\nSTAT?\nREAD?\nMEAS:TEMP?\n";
  EXPECT_EQ(peer_.bytes().substr(0, begun.size()), begun);
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK);
  Peer::expect([this] { return peer_.count("POS 1,12.500") == 1; });
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,12.500"), 1U) << "a drive is sent once";
  rig_->stop();
  Peer::expect([this] { return peer_.count("STOP") == 1; });
}

TEST_F(TextInstrumentTest, ReadsSeveralValuesOfALine) {
  prepare();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 1.5e-3);
  EXPECT_DOUBLE_EQ(force_, 4500.0);
  EXPECT_DOUBLE_EQ(oil_, 41.5);
  EXPECT_LE(sensed_.measured_at_ns, 1'000'000'000);
  peer_.answers("READ?", {" +2.5E+00 ", ", 1", "\r\n"});  // in three packets
  expect_reading(2.5e-3);
  EXPECT_DOUBLE_EQ(force_, -2000.0);
}

TEST_F(TextInstrumentTest, HasAnotherEndOfLine) {
  rig_ = std::make_unique<TextInstrument>(
      instrument_settings((settings(peer_.address()) + "line_end: crlf\n").c_str()));
  rig_->prepare();
  EXPECT_EQ(peer_.bytes().substr(0, 15), "REM ON\r\nSTAT?\r\n");
}

TEST_F(TextInstrumentTest, TripsByAnAnswerThatIsNoneAndHolds) {
  expect_trip_by("READ?", {"garbage\x01\n"},
                 "answers `READ?` with `garbage?`; must be `{d},{f}`");
}

TEST_F(TextInstrumentTest, TripsByANumberOutsideItsRange) {
  expect_trip_by("READ?", {"9.9E37,0\n"},
                 "answers `READ?` with 9.9e+37 mm for {d}, outside the range [-60, 60]");
}

TEST_F(TextInstrumentTest, TripsByANumberBelowItsRange) {
  expect_trip_by("READ?", {"-60.5,0\n"}, "-60.5 mm for {d}, outside the range [-60, 60]");
}

TEST_F(TextInstrumentTest, TripsByAnOverloadBelowZero) {
  expect_trip_by("MEAS:TEMP?", {"TEMP -9.91E37 C\n"},
                 "which is SCPI's sign of an overload");
}

TEST_F(TextInstrumentTest, TripsByAnOverloadWithoutARange) {
  expect_trip_by("MEAS:TEMP?", {"TEMP 9.91E37 C\n"}, "which is SCPI's sign of an overload");
}

TEST_F(TextInstrumentTest, TripsByAnErrorOfTheInstrument) {
  expect_trip_by("MEAS:TEMP?", {"ERR 12 overload\n"},
                 "says `ERR 12 overload` to `MEAS:TEMP?`");
}

TEST_F(TextInstrumentTest, TripsWhereTheInstrumentIsNotReadyAnyMore) {
  expect_trip_by("STAT?", {"TRIPPED\n"}, "answers `STAT?` with `TRIPPED`; must be `READY`");
}

TEST_F(TextInstrumentTest, TripsByALineWithoutAnEnd) {
  expect_trip_by("READ?", {std::string(5000, '7')},
                 "sends a line without an end: 1024 bytes so far, beginning with `7777");
}

TEST_F(TextInstrumentTest, TripsByALineThatNoLineAskedFor) {
  expect_trip_by("READ?", {"1,2\n1,2\n"}, "says `1,2`, for which no line has asked");
}

TEST_F(TextInstrumentTest, TripsByAMoveThatIsNotAcknowledged) {
  prepare();
  peer_.answers("POS 1,1.000", {"NO\n"});
  EXPECT_EQ(write(1.0), TRESTLE_ADAPTER_OK);
  expect_trip("answers `POS 1,1.000` with `NO`; must be `OK`");
}

TEST_F(TextInstrumentTest, TripsBySilenceAfterTheLimit) {
  rig_ = nullptr;
  std::string impatient = settings(peer_.address());
  impatient.replace(impatient.find("answer: 60 s"), 12, "answer: 1 s");
  rig_ = std::make_unique<TextInstrument>(instrument_settings(impatient.c_str()));
  rig_->prepare();
  peer_.answers("READ?", {"1.5,"});
  expect_trip("did not answer `READ?` within 1 s; the line `1.5,");
}

TEST_F(TextInstrumentTest, CallsAnOldReadingLate) {
  prepare("stale: 1 ns\n");
  EXPECT_EQ(read(), TRESTLE_ADAPTER_LATE);
  EXPECT_NE(diagnosis().find("was asked"), std::string::npos) << diagnosis();
}

TEST_F(TextInstrumentTest, CountsTheAgeOfAReadingFromItsQuestion) {
  constexpr std::int64_t kDelay = 50'000'000;  // [ns]
  prepare();
  peer_.falls_silent_at("READ?");
  const std::int64_t until = plugin::monotonic_ns() + kDelay;
  Peer::expect([until] { return plugin::monotonic_ns() >= until; });
  peer_.says("2,0\n");  // the next one is not answered: this one stays the newest
  expect_reading(2e-3);
  EXPECT_LE(sensed_.measured_at_ns, 1'000'000'000 - kDelay);
}

TEST_F(TextInstrumentTest, ReadsAndDrivesEachActuatorByItself) {
  peer_.answers("ALL?", {"2,20,99,1,10\n"});
  for (const char* const line : {"A 3.0", "B -0.5"}) peer_.answers(line, {"OK\n"});
  rig_ = std::make_unique<TextInstrument>(
      instrument_settings(two_actuators(peer_.address()).c_str()));
  rig_->prepare();
  std::array<double, 2> displacement{};
  std::array<double, 2> force{};
  sensed_.displacement = displacement.data();
  sensed_.force = force.data();
  EXPECT_EQ(rig_->read(1'000'000'000, sensed_), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement[0], 1e-3);
  EXPECT_DOUBLE_EQ(displacement[1], 1.5e-3);
  EXPECT_DOUBLE_EQ(force[0], 10e3);
  EXPECT_DOUBLE_EQ(force[1], 20e3);
  const std::array<double, 2> drive{3e-3, -4e-3};  // (-4 - 1) / 10
  EXPECT_EQ(rig_->write(drive.data()), TRESTLE_ADAPTER_OK);
  Peer::expect([this] { return peer_.count("A 3.0") == 1 && peer_.count("B -0.5") == 1; });
}

TEST_F(TextInstrumentTest, KeepsATickFreeOfTheInstrumentsDelay) {
  prepare();
  peer_.falls_silent_at("READ?");  // the answer is still on its way
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK);
  EXPECT_EQ(write(0.0), TRESTLE_ADAPTER_OK);
  EXPECT_EQ(peer_.count("POS 1,0.000"), 0U);
  peer_.answers("READ?", {"3,0\n"});
  peer_.says("2,0\n");
  Peer::expect([this] { return peer_.count("POS 1,0.000") == 1; });
  EXPECT_EQ(peer_.count("POS 1,12.500"), 0U) << "only the newest drive is sent";
  expect_reading(3e-3);
}

TEST_F(TextInstrumentTest, HoldsWhileAnAnswerIsMissing) {
  prepare();
  peer_.falls_silent_at("READ?");
  const std::size_t holds = peer_.count("HOLD");
  rig_->hold();
  Peer::expect([&] { return peer_.count("HOLD") == holds + 1; });
  peer_.answers("READ?", {"3,0\n"});
  peer_.says("2,0\n");  // behind HELD
  expect_reading(3e-3);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK) << diagnosis();
}

TEST_F(TextInstrumentTest, MovesNothingByAWriteThatAHoldOvertakes) {
  prepare();
  EXPECT_EQ(write(1.0), TRESTLE_ADAPTER_OK);
  Peer::expect([this] { return peer_.count("POS 1,1.000") == 1; });
  conformance::OvertakenDrive overtaken([this] { rig_->hold(); });
  const double drive = 0.0125;
  EXPECT_EQ(overtaken.write({&drive, 1},
                            [this](const double* late) {
                              EXPECT_EQ(rig_->write(late), TRESTLE_ADAPTER_LATE);
                            }),
            conformance::HoldInWrite::kCame);
  Peer::expect([this] { return peer_.count("HOLD") > 0; });
  peer_.expect_another("READ?");
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,12.500"), 0U);
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK) << "the next write ends the hold";
  Peer::expect([this] { return peer_.count("POS 1,12.500") == 1; });
}

// The drive waits for the thread that speaks when the hold comes.
TEST_F(TextInstrumentTest, MovesNothingByADriveThatIsNotSentYet) {
  prepare();
  peer_.falls_silent_at("READ?");
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK);
  rig_->hold();
  peer_.answers("READ?", {"3,0\n"});
  peer_.says("2,0\n");
  peer_.expect_another("READ?");
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,12.500"), 0U);
  EXPECT_EQ(peer_.commands().back(), "HOLD");
}

TEST_F(TextInstrumentTest, EndsWithTheHoldWhateverOvertakesWhat) {
  prepare();
  for (int n = 0; n < 50; ++n) {
    EXPECT_EQ(write(n % 2 == 0 ? 1.0 : 0.0), TRESTLE_ADAPTER_OK);
    std::jthread([this] { rig_->hold(); }).join();
    const std::size_t rounds = peer_.count("READ?");
    Peer::expect([&] { return peer_.count("READ?") > rounds + 1; });
    ASSERT_EQ(peer_.commands().back(), "HOLD") << n;
  }
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK) << diagnosis();
}

TEST_F(TextInstrumentTest, RefusesADriveOutsideItsRange) {
  prepare();
  EXPECT_EQ(write(60.5), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_NE(diagnosis().find("drive 1 is 60.5 mm, outside its range [-60, 60]"),
            std::string::npos)
      << diagnosis();
  peer_.expect_another("READ?");
  EXPECT_TRUE(peer_.count("POS 1,60.500") == 0);
}

TEST_F(TextInstrumentTest, RefusesADriveBelowItsRange) {
  prepare();
  EXPECT_EQ(write(-60.5), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_NE(diagnosis().find("drive 1 is -60.5 mm, outside its range [-60, 60]"),
            std::string::npos)
      << diagnosis();
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,-60.500"), 0U);
}

// The drive waits for an answer when the connection ends.
TEST_F(TextInstrumentTest, SendsNoDriveOfTheConnectionBefore) {
  prepare();
  peer_.falls_silent_at("READ?");
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK);
  peer_.hang_up();
  expect_trip("closed the connection");
  peer_.answers("READ?", {"3,0\n"});
  EXPECT_EQ(refusal_to_prepare(), "");
  peer_.expect_another("READ?");
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,12.500"), 0U) << "it moved without a write";
}

TEST_F(TextInstrumentTest, TakesNoBytesOfTheConnectionBefore) {
  prepare();
  peer_.answers("READ?", {"9,"});  // and then nothing: the begun line is left behind
  peer_.expect_another("READ?");
  peer_.hang_up();
  expect_trip("closed the connection");
  peer_.answers("READ?", {"3,0\n"});
  EXPECT_EQ(refusal_to_prepare(), "");
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK) << diagnosis();
  EXPECT_DOUBLE_EQ(displacement_, 3e-3);
}

// The answer to a hold gets lost with its connection.
TEST_F(TextInstrumentTest, WaitsForNoAnswerOfTheConnectionBefore) {
  prepare();
  peer_.answers("HOLD", {});
  rig_->hold();
  Peer::expect([this] { return peer_.count("HOLD") > 0; });
  peer_.hang_up();
  expect_trip("closed the connection");
  peer_.answers("HOLD", {"HELD\n"});
  EXPECT_EQ(refusal_to_prepare(), "");
  peer_.says("HELD\n");  // no hold is open on this connection
  expect_trip("`HELD`");
}

TEST_F(TextInstrumentTest, ConnectsAgainByTheNextPreparationOnly) {
  prepare();
  EXPECT_EQ(write(12.5), TRESTLE_ADAPTER_OK);
  Peer::expect([this] { return peer_.count("POS 1,12.500") == 1; });
  peer_.hang_up();
  expect_trip("closed the connection");
  EXPECT_EQ(peer_.connections(), 1U);
  EXPECT_EQ(refusal_to_prepare(), "");
  EXPECT_EQ(peer_.connections(), 2U);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  peer_.expect_another("READ?");
  EXPECT_EQ(peer_.count("POS 1,12.500"), 1U) << "it moved without a write";
  EXPECT_EQ(write(1.0), TRESTLE_ADAPTER_OK);
  Peer::expect([this] { return peer_.count("POS 1,1.000") == 1; });
}

TEST_F(TextInstrumentTest, WaitsUntilTheInstrumentIsReady) {
  peer_.answers("STAT?", {"BUSY\n"});
  open();
  const std::jthread beside([this](const std::stop_token& stop) {
    while (peer_.count("STAT?") < 3 && !stop.stop_requested()) std::this_thread::yield();
    peer_.answers("STAT?", {"READY\n"});
  });
  EXPECT_EQ(refusal_to_prepare(), "");
}

TEST_F(TextInstrumentTest, SaysWhatAnInstrumentIsThatIsNotReady) {
  peer_.answers("STAT?", {"BUSY\n"});
  rig_ = nullptr;
  std::string impatient = settings(peer_.address());
  impatient.replace(impatient.find("connect: 60 s"), 13, "connect: 200 ms");
  rig_ = std::make_unique<TextInstrument>(instrument_settings(impatient.c_str()));
  const std::string why = refusal_to_prepare();
  EXPECT_NE(why.find("answers `STAT?` with `BUSY`; must be `READY`"), std::string::npos)
      << why;
}

TEST_F(TextInstrumentTest, SaysThatNoInstrumentListens) {
  std::string address;
  {
    const Peer gone;
    address = gone.address();
  }
  rig_ = std::make_unique<TextInstrument>(instrument_settings(settings(address).c_str()));
  EXPECT_EQ(read(), TRESTLE_ADAPTER_LATE);
  EXPECT_EQ(refusal_to_prepare(),
            "the instrument " + address + " cannot be reached: Connection refused");
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
}

TEST_F(TextInstrumentTest, GivesUpGettingReadyWhereItIsToHold) {
  peer_.answers("REM ON", {});
  open();
  const std::jthread beside([this](const std::stop_token& stop) {
    while (peer_.count("REM ON") == 0 && !stop.stop_requested()) std::this_thread::yield();
    rig_->hold();
  });
  EXPECT_NE(refusal_to_prepare(), "");
}

}  // namespace
}  // namespace trestle::scpi_tcp
