#include "adapters/modbus_tcp/modbus_rig.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "adapters/plugin/conformance/overtaken_drive.h"
#include "adapters/plugin/monotonic_ns.h"
#include "tests/adapters/modbus_tcp/plc.h"

namespace trestle::modbus_tcp {
namespace {

constexpr std::uint16_t kHeartbeat = 10;
constexpr std::uint16_t kControl = 11;
constexpr std::uint16_t kCommand = 20;
constexpr std::uint8_t kWriteOne = 6;
constexpr std::uint8_t kWriteSeveral = 16;
constexpr std::uint8_t kReadInput = 4;

/// f32 commands in mm at holding 20; input 0: f32 displacement [0.1 mm], 2: i16 force [kN],
/// 3: u16 status; holding 11: hold 2, follow 1, stop 3. Every wait lasts an hour, so that
/// no test depends on how quick this host is.
std::string settings_of(const Plc& plc, const std::string& more) {
  return "server: " + plc.address() + "\n" + more +
         "unit: 9\npoll: 500 Hz\nconnect: 30 s\nresponse: 3600 s\nstale: 3600 s\n"
         "watchdog: 3600 s\nheartbeat.address: 10\n"
         "control.address: 11\ncontrol.stop: 3\n"
         "status.address: 3\nstatus.kind: input\nstatus.type: u16\n"
         "actuators[0].name: jack\n"
         "actuators[0].command.address: 20\nactuators[0].command.type: f32\n"
         "actuators[0].command.unit: mm\nactuators[0].command.range[0]: -60 mm\n"
         "actuators[0].command.range[1]: 60 mm\n"
         "actuators[0].displacement.address: 0\nactuators[0].displacement.kind: input\n"
         "actuators[0].displacement.type: f32\nactuators[0].displacement.scale: 0.1\n"
         "actuators[0].displacement.unit: mm\n"
         "actuators[0].force.address: 2\nactuators[0].force.kind: input\n"
         "actuators[0].force.type: i16\nactuators[0].force.unit: kN\n"
         "actuators[0].force.range[0]: -250 kN\nactuators[0].force.range[1]: 250 kN\n";
}

/// Another actuator, whose registers are no neighbours of the first one's, and two
/// channels.
std::string second_jack() {
  return "actuators[1].command.address: 30\nactuators[1].command.type: f32\n"
         "actuators[1].command.unit: mm\nactuators[1].command.range[0]: -60 mm\n"
         "actuators[1].command.range[1]: 60 mm\n"
         "actuators[1].displacement.address: 40\nactuators[1].displacement.kind: input\n"
         "actuators[1].displacement.type: i16\nactuators[1].displacement.unit: mm\n"
         "actuators[1].force.address: 41\nactuators[1].force.kind: input\n"
         "actuators[1].force.type: i16\nactuators[1].force.unit: kN\n"
         "auxiliary[0].name: oil\nauxiliary[0].address: 50\nauxiliary[0].type: i16\n"
         "auxiliary[0].unit: C\nauxiliary[0].offset: -5\n"
         "auxiliary[1].name: water\nauxiliary[1].address: 51\nauxiliary[1].type: i16\n"
         "auxiliary[1].unit: C\n";
}

/// The two registers of a f32.
std::vector<std::uint16_t> words_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return {static_cast<std::uint16_t>(bits >> 16U), static_cast<std::uint16_t>(bits)};
}

/// Waits for what the other end does; a busy host may need long.
::testing::AssertionResult becomes(const std::function<bool()>& condition) {
  for (int n = 0; n < 60'000; ++n) {
    if (condition()) return ::testing::AssertionSuccess();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return ::testing::AssertionFailure() << "it did not become so within a minute";
}

class ModbusRigTest : public testing::Test {
 protected:
  void open(const std::string& more = "") {
    rig_ = nullptr;
    rig_ = std::make_unique<ModbusRig>(plc_settings(settings_of(plc_, more).c_str()));
  }
  void open_and_prepare(const std::string& more = "") {
    open(more);
    rig_->prepare();
  }
  trestle_adapter_status read() {
    sensed_.displacement = &displacement_;
    sensed_.force = &force_;
    return rig_->read(3'600'000'000'000, sensed_);
  }
  trestle_adapter_status write(double drive) { return rig_->write(&drive); }
  std::string diagnostic_message() const {
    std::array<char, 600> text{};
    rig_->diagnose(text.data(), static_cast<std::uint32_t>(text.size()));
    return text.data();
  }
  void expect_says(const std::string& words) const {
    EXPECT_NE(diagnostic_message().find(words), std::string::npos) << diagnostic_message();
  }
  std::string preparation_error() {
    try {
      rig_->prepare();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
  /// The PLC has this command in force.
  void follow(double drive) {
    ASSERT_EQ(write(drive), TRESTLE_ADAPTER_OK);
    ASSERT_TRUE(becomes([this] { return plc_.holding(kControl) == 1; }));
  }
  /// The read trips, for a reason with these words, and the PLC was told to hold.
  void expect_trip(const std::string& words) {
    EXPECT_TRUE(becomes([this] { return read() == TRESTLE_ADAPTER_TRIPPED; }));
    EXPECT_EQ(write(0.0), TRESTLE_ADAPTER_TRIPPED);
    expect_says(words);
    expect_says(plc_.address());
  }
  /// Two whole turns of the rig's thread have passed.
  void pass_two_turns() {
    const std::size_t polls = plc_.requests(kReadInput, 0).size();
    ASSERT_TRUE(becomes([&] { return plc_.requests(kReadInput, 0).size() >= polls + 3; }));
  }

  // What a PLC that delays its answers looks at.
  std::atomic<bool> delays_{true};
  std::atomic<bool> delayed_{false};
  Plc plc_;
  std::unique_ptr<ModbusRig> rig_;
  trestle_sensed sensed_{};
  double displacement_ = 0.0;
  double force_ = 0.0;
};

TEST_F(ModbusRigTest, SendsAndReadsTheDescribedBytes) {
  plc_.set_input(0, words_of(25.0F));
  plc_.set_input(2, {static_cast<std::uint16_t>(-12)});
  open_and_prepare();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement_, 2.5e-3);
  EXPECT_DOUBLE_EQ(force_, -12e3);
  EXPECT_LE(sensed_.measured_at_ns, 3'600'000'000'000);
  const Plc::Bytes read_request = plc_.requests(kReadInput, 0).front();
  // Transaction, protocol 0, 6 bytes, unit 9, function 4, input 0, 4 registers.
  EXPECT_EQ(Plc::Bytes(read_request.begin() + 2, read_request.end()),
            (Plc::Bytes{0, 0, 0, 6, 9, 4, 0, 0, 0, 4}));
  follow(0.0125);
  const Plc::Bytes written = plc_.requests(kWriteSeveral, kCommand).front();
  // 12.5f is 4148 0000.
  EXPECT_EQ(Plc::Bytes(written.begin() + 2, written.end()),
            (Plc::Bytes{0, 0, 0, 11, 9, 16, 0, 20, 0, 2, 4, 0x41, 0x48, 0, 0}));
  const auto orders = plc_.requests(kWriteOne, kControl);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].back(), 2);
  EXPECT_EQ(orders[1].back(), 1);
  EXPECT_TRUE(becomes([this] { return plc_.holding(kHeartbeat) > 3; }));
}

TEST_F(ModbusRigTest, DescribesItselfAndItsChannels) {
  open(
      "auxiliary[0].name: drive_1\nauxiliary[0].address: 20\nauxiliary[0].type: f32\n"
      "auxiliary[0].unit: mm\n");
  trestle_rig_capabilities is{};
  rig_->describe(is);
  EXPECT_EQ(is.actuators, 1U);
  EXPECT_EQ(is.auxiliary_channels, 1U);
  EXPECT_EQ(is.real_equipment, 1);
  EXPECT_EQ(is.hardware_watchdog, 1);
  trestle_channel channel{};
  rig_->describe_channel(TRESTLE_AUXILIARY, 0, channel);
  EXPECT_STREQ(channel.name, "drive_1");
  EXPECT_STREQ(channel.unit, "mm");
  EXPECT_EQ(read(), TRESTLE_ADAPTER_LATE);
  expect_says("not connected");
}

TEST_F(ModbusRigTest, HoldsAtOnceAndFollowsTheNextWrite) {
  open_and_prepare();
  follow(0.01);
  rig_->hold();
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  const std::size_t before = plc_.requests(kWriteSeveral, kCommand).size();
  pass_two_turns();
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), before);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  follow(0.01);
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), before + 1);
  rig_->stop();
  EXPECT_EQ(plc_.holding(kControl), 3);
  rig_->hold();
  pass_two_turns();
  EXPECT_EQ(plc_.holding(kControl), 3) << "a hold takes no stop back";
}

TEST_F(ModbusRigTest, MovesNothingByAWriteThatAHoldOvertakes) {
  open_and_prepare();
  follow(0.01);
  conformance::OvertakenDrive overtaken([this] { rig_->hold(); });
  const double late = 0.02;
  EXPECT_EQ(overtaken.write({&late, 1},
                            [this](const double* drive) {
                              EXPECT_EQ(rig_->write(drive), TRESTLE_ADAPTER_LATE);
                            }),
            conformance::HoldInWrite::kCame);
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  pass_two_turns();
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), 1U);
  EXPECT_EQ(plc_.holding(kControl), 2);
  follow(0.02);
}

TEST_F(ModbusRigTest, SendsNoCommandThatWaitedForAnAnswerWhileAHoldCame) {
  open_and_prepare();
  follow(0.01);
  // The PLC delays the answer to a reading; meanwhile a command and then a hold are given.
  plc_.on_request([this](const Plc::Bytes& request) {
    if (!Plc::is(request, kReadInput, 0)) return;
    delayed_ = true;
    while (delays_) std::this_thread::yield();
  });
  ASSERT_TRUE(becomes([this] { return delayed_.load(); }));
  EXPECT_EQ(write(0.02), TRESTLE_ADAPTER_OK);
  rig_->hold();
  delays_ = false;
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  pass_two_turns();
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), 1U);
  plc_.on_request({});
}

TEST_F(ModbusRigTest, CallsAnOldReadingLateAndANewOneFresh) {
  open_and_prepare("stale: 100 ms\n");
  plc_.on_request([this](const Plc::Bytes&) {
    while (delays_) std::this_thread::yield();
  });
  EXPECT_TRUE(becomes([this] { return read() == TRESTLE_ADAPTER_LATE; }));
  expect_says("ms old");
  delays_ = false;
  plc_.on_request({});
  EXPECT_TRUE(becomes([this] { return read() == TRESTLE_ADAPTER_OK; }));
}

TEST_F(ModbusRigTest, CountsTheAgeOfAReadingFromItsRequest) {
  constexpr std::int64_t kDelay = 50'000'000;  // [ns]
  open_and_prepare();
  plc_.on_request([this](const Plc::Bytes& request) {
    if (!Plc::is(request, kReadInput, 0)) return;
    // The answer behind this one does not come: the reading stays the newest.
    while (delayed_ && delays_) std::this_thread::yield();
    if (delayed_.exchange(true)) return;
    const std::int64_t until = plugin::monotonic_ns() + kDelay;
    while (plugin::monotonic_ns() < until) std::this_thread::yield();
    plc_.set_input(0, words_of(30.0F));
  });
  EXPECT_TRUE(
      becomes([this] { return read() == TRESTLE_ADAPTER_OK && displacement_ == 3e-3; }));
  EXPECT_LE(sensed_.measured_at_ns, 3'600'000'000'000 - kDelay);
  delays_ = false;
  plc_.on_request({});
}

TEST_F(ModbusRigTest, ReadsAndDrivesEachActuatorByItsOwnRegisters) {
  plc_.set_input(0, words_of(25.0F));
  plc_.set_input(2, {7});
  plc_.set_input(40, {static_cast<std::uint16_t>(-3), 9});
  plc_.set_holding(50, {46, 17});
  open_and_prepare(second_jack());
  std::array<double, 2> displacement{};
  std::array<double, 2> force{};
  std::array<double, 2> auxiliary{};
  sensed_.displacement = displacement.data();
  sensed_.force = force.data();
  sensed_.auxiliary = auxiliary.data();
  EXPECT_EQ(rig_->read(3'600'000'000'000, sensed_), TRESTLE_ADAPTER_OK);
  EXPECT_DOUBLE_EQ(displacement[0], 2.5e-3);
  EXPECT_DOUBLE_EQ(displacement[1], -3e-3);
  EXPECT_DOUBLE_EQ(force[0], 7e3);
  EXPECT_DOUBLE_EQ(force[1], 9e3);
  EXPECT_DOUBLE_EQ(auxiliary[0], 41.0);
  EXPECT_DOUBLE_EQ(auxiliary[1], 17.0);
  const std::array<double, 2> drive{0.0125, -0.0125};
  EXPECT_EQ(rig_->write(drive.data()), TRESTLE_ADAPTER_OK);
  ASSERT_TRUE(becomes([this] { return plc_.holding(kControl) == 1; }));
  EXPECT_EQ(plc_.holding(kCommand), 0x4148);
  EXPECT_EQ(plc_.holding(30), 0xC148);
}

TEST_F(ModbusRigTest, SendsNoFurtherPartOfACommandThatAHoldOvertakes) {
  open_and_prepare(second_jack());
  plc_.on_request([this](const Plc::Bytes& request) {
    if (Plc::is(request, kWriteSeveral, kCommand)) rig_->hold();
  });
  const std::array<double, 2> drive{0.0125, -0.0125};
  EXPECT_EQ(rig_->write(drive.data()), TRESTLE_ADAPTER_OK);
  ASSERT_TRUE(
      becomes([this] { return plc_.requests(kWriteSeveral, kCommand).size() == 1; }));
  pass_two_turns();
  EXPECT_EQ(plc_.requests(kWriteSeveral, 30).size(), 0U);
  EXPECT_EQ(plc_.holding(kControl), 2);
  for (const Plc::Bytes& order : plc_.requests(kWriteOne, kControl))
    EXPECT_EQ(order.back(), 2) << "it was told to follow";
  plc_.on_request({});
}

TEST_F(ModbusRigTest, TripsAtAValueBelowItsRange) {
  open_and_prepare();
  plc_.set_input(2, {static_cast<std::uint16_t>(-251)});
  expect_trip("is -251 kN, outside its range -250 to 250 kN");
}

TEST_F(ModbusRigTest, TripsAtAValueOutsideItsRangeAndHolds) {
  open_and_prepare();
  follow(0.01);
  plc_.set_input(2, {251});
  expect_trip("the force of actuator 1 (input register 2 of the PLC");
  expect_says("is 251 kN, outside its range -250 to 250 kN");
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  plc_.set_input(2, {0});
  pass_two_turns();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED) << "only prepare() takes the rig up again";
  rig_->prepare();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
}

TEST_F(ModbusRigTest, TripsAtANumberThatIsNotFinite) {
  open_and_prepare();
  plc_.set_input(0, {0x7FC0, 0});
  expect_trip("the displacement of actuator 1 (input registers 0 to 1");
  expect_says("no finite number");
}

TEST_F(ModbusRigTest, TripsAtAnInfiniteNumberWithoutARange) {
  open_and_prepare();
  plc_.set_input(0, {0x7F80, 0});
  expect_trip("no finite number");
}

TEST_F(ModbusRigTest, NeverWritesACommandOutsideItsRange) {
  open_and_prepare();
  follow(0.06);
  EXPECT_EQ(write(0.0601), TRESTLE_ADAPTER_TRIPPED);
  expect_says("the command of actuator 1 is 60.1 mm, outside its range -60 to 60 mm");
  EXPECT_EQ(write(0.0), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  pass_two_turns();
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), 1U);
  rig_->prepare();
  follow(0.0);
}

TEST_F(ModbusRigTest, TripsAtAStatusAndNamesIt) {
  open_and_prepare();
  plc_.set_input(3, {17});
  expect_trip("says status 17; clear it there");
  EXPECT_NE(preparation_error().find("says status 17"), std::string::npos);
  plc_.set_input(3, {0});
  rig_->prepare();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
}

TEST_F(ModbusRigTest, TripsAtEachAnswerThatIsNone) {
  const std::vector<std::pair<Plc::Mood, const char*>> answers{
      {Plc::Mood::kRefuses, "exception 2 (Illegal data address)"},
      {Plc::Mood::kGarbage, "answered garbage"},
      {Plc::Mood::kNoise, "answered garbage"},
      {Plc::Mood::kHangsUp, "closed the connection"}};
  for (const auto& [mood, words] : answers) {
    plc_.set_mood(Plc::Mood::kWell);
    open_and_prepare();
    EXPECT_EQ(read(), TRESTLE_ADAPTER_OK) << words;
    plc_.set_mood(mood);
    expect_trip(words);
  }
}

TEST_F(ModbusRigTest, BoundsTheWaitForAnAnswerAndForTheRestOfOne) {
  for (const Plc::Mood mood : {Plc::Mood::kSilent, Plc::Mood::kShort}) {
    plc_.set_mood(mood);
    open("response: 20 ms\n");
    EXPECT_NE(preparation_error().find("did not answer within 20 ms (`response`) to: "
                                       "write holding register 11"),
              std::string::npos);
    expect_trip("did not answer");
  }
}

TEST_F(ModbusRigTest, HoldsAfterALostLinkUntilItIsPreparedAgain) {
  open_and_prepare();
  follow(0.01);
  plc_.switch_off();
  expect_trip("closed the connection");
  expect_says("called again every second");
  plc_.set_holding(kControl, {1});
  plc_.switch_on();
  // It is called again without a word of ours, and told to hold before anything else.
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_EQ(write(0.02), TRESTLE_ADAPTER_TRIPPED);
  EXPECT_TRUE(becomes([this] {
    return diagnostic_message().find("the next preparation takes it up") !=
           std::string::npos;
  }));
  EXPECT_EQ(plc_.requests(kWriteSeveral, kCommand).size(), 1U);
  rig_->prepare();
  EXPECT_EQ(read(), TRESTLE_ADAPTER_OK);
  follow(0.02);
}

// It was held, so nothing new is to be told; but the PLC may have been started anew.
TEST_F(ModbusRigTest, TellsAPlcToHoldAgainAfterALostLink) {
  open_and_prepare();
  EXPECT_EQ(plc_.holding(kControl), 2);
  plc_.switch_off();
  expect_trip("closed the connection");
  plc_.set_holding(kControl, {1});
  plc_.switch_on();
  EXPECT_TRUE(becomes([this] { return plc_.holding(kControl) == 2; }));
}

TEST_F(ModbusRigTest, CallsAtOnceWhereARunIsPrepared) {
  open_and_prepare();
  plc_.switch_off();
  expect_trip("closed the connection");
  const std::size_t polls = plc_.requests(kReadInput, 0).size();
  plc_.switch_on();
  rig_->prepare();
  EXPECT_GT(plc_.requests(kReadInput, 0).size(), polls) << "it is ready, and not connected";
}

TEST_F(ModbusRigTest, SaysThatNoPlcAnswersTheCall) {
  open();
  plc_.switch_off();
  EXPECT_NE(preparation_error().find("the PLC " + plc_.address() + " cannot be reached"),
            std::string::npos);
  EXPECT_EQ(read(), TRESTLE_ADAPTER_TRIPPED);
}

TEST_F(ModbusRigTest, GivesUpGettingReadyWhereItIsToHold) {
  open();
  plc_.set_mood(Plc::Mood::kSilent);
  std::string error;
  std::jthread preparing([&] { error = preparation_error(); });
  EXPECT_TRUE(becomes([this] { return plc_.count() > 0; }));
  rig_->hold();
  preparing.join();
  EXPECT_NE(error.find("a hold ended the preparation"), std::string::npos) << error;
  plc_.switch_off();  // its thread waits no longer
}

TEST_F(ModbusRigTest, StopsItsHeartbeatWhereACommandIsInForceAndNobodyTicks) {
  // Half of 16 ms without a read or write; the PLC's watchdog then holds.
  open_and_prepare("watchdog: 16 ms\n");
  const auto beats = [this] {
    return plc_.requests(kWriteOne, kHeartbeat).size();
  };
  const std::size_t at_rest = beats();
  EXPECT_TRUE(becomes([&] { return beats() > at_rest + 20; })) << "held, it beats";
  const double drive = 0.01;
  rig_->write(&drive);
  // The thread goes on polling, and beats no more.
  EXPECT_TRUE(becomes([&] {
    const std::size_t before = beats();
    const std::size_t polls = plc_.requests(kReadInput, 0).size();
    while (plc_.requests(kReadInput, 0).size() < polls + 10)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return beats() == before;
  }));
  const std::size_t silent = beats();
  rig_->hold();
  EXPECT_TRUE(becomes([&] { return beats() > silent; })) << "held, it beats again";
}

TEST_F(ModbusRigTest, TellsThePlcToHoldWhenItEnds) {
  open_and_prepare();
  follow(0.01);
  rig_ = nullptr;
  EXPECT_EQ(plc_.holding(kControl), 2);
}

}  // namespace
}  // namespace trestle::modbus_tcp
