#include "adapters/plugin/plugin_rig.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::plugin::plugin_rig_test {
namespace {

constexpr double kTick = 1e-3;

/// Time that passes by so much with every look at it.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(Duration step) : step_(step) {}
  TimePoint now() const noexcept override { return now_ += step_; }
  void advance_to(TimePoint until) noexcept override { now_ = until; }

 private:
  mutable TimePoint now_{};
  Duration step_;
};

PluginRigSettings settings(const std::string& text) {
  PluginRigSettings settings;
  settings.file = std::string(TRESTLE_TEST_PLUGINS) + "/misbehaving.so";
  settings.settings = text;
  return settings;
}

std::unique_ptr<PluginRig> rig(const PluginRigSettings& settings,
                               Duration look = std::chrono::microseconds(250)) {
  auto made =
      std::make_unique<PluginRig>(settings, std::make_unique<SteppingClock>(look), "a");
  made->prepare({kTick, 1});
  return made;
}

std::unique_ptr<PluginRig> rig(const std::string& text) {
  return rig(settings(text));
}

TimePoint tick_time(int n) {
  return TimePoint{std::chrono::milliseconds(n)};
}

/// Ticks until the first fault, at most `most` times. @returns the number of good ticks
int ticks_well(PluginRig& rig, int most) {
  Measurement sensed = Measurement::zero(1);
  ActuatorVector drive = ActuatorVector::Zero(1);
  for (int n = 0; n < most; ++n) {
    if (rig.read(tick_time(n), sensed) != AdapterStatus::kOk) return n;
    drive[0] = 1e-4 * n;
    if (rig.write(drive) != AdapterStatus::kOk) return n;
  }
  return most;
}

/// That tick `n` fails, and what is said then.
void expect_fault(const std::string& text, int n, const std::string& words) {
  const auto failing = rig("at: " + std::to_string(n + 1) + "\nfault: " + text + "\n");
  EXPECT_EQ(ticks_well(*failing, 50), n) << text;
  EXPECT_NE(failing->diagnostic_message().find(words), std::string::npos)
      << failing->diagnostic_message();
}

std::string refusal(const std::string& text, std::string* path = nullptr) {
  try {
    rig(text);
  } catch (const SettingError& error) {
    if (path != nullptr) *path = error.problems().front().path;
    return error.problems().front().what;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

// Another program may hold the equipment under load: `check` opens it, and stop() takes its
// pressure.
TEST(PluginRig, StopsNoRigThatItOnlyLookedAt) {
  for (const bool prepared : {false, true}) {
    const std::string log = ::testing::TempDir() + "looked_at_" + std::to_string(getpid()) +
                            (prepared ? ".prepared" : ".looked");
    {
      PluginRigSettings stubborn = settings("device: a\nlog: " + log + "\n");
      stubborn.file = std::string(TRESTLE_TEST_PLUGINS) + "/stubborn.so";
      PluginRig looked(
          stubborn, std::make_unique<SteppingClock>(std::chrono::microseconds(250)), "a");
      if (prepared) looked.prepare({kTick, 1});
    }
    std::ifstream file(log);
    const std::string told(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(told.find("stop ") != std::string::npos, prepared) << told;
    EXPECT_EQ(told.find("hold ") != std::string::npos, prepared) << told;
    std::remove(log.c_str());
  }
}

TEST(PluginRig, TellsTheAccelerationsOfItsChannelsOfThatNameInSi) {
  const auto read = [](const std::string& unit) {
    const std::unique_ptr<PluginRig> made = rig("fault: accelerated: " + unit + "\n");
    Measurement sensed = Measurement::zero(1);
    EXPECT_EQ(made->read(tick_time(0), sensed), AdapterStatus::kOk);
    return std::vector<double>(made->accelerations().begin(), made->accelerations().end());
  };
  EXPECT_EQ(read("m/s2"), std::vector<double>{40.0});
  ASSERT_EQ(read("mm/s2").size(), 1U);
  EXPECT_DOUBLE_EQ(read("mm/s2")[0], 0.04);
  EXPECT_TRUE(read("C").empty()) << "a channel of that name that is none";
}

TEST(PluginRig, ReadsWhatItsDrivesHaveDone) {
  const auto spring = rig("stiffness: 2 kN/mm\n");
  Measurement sensed = Measurement::zero(1);
  EXPECT_EQ(spring->read(tick_time(0), sensed), AdapterStatus::kOk);
  EXPECT_EQ(sensed.displacement[0], 0.0);
  EXPECT_EQ(spring->write(ActuatorVector::Constant(1, 0.01)), AdapterStatus::kOk);
  EXPECT_EQ(spring->read(tick_time(1), sensed), AdapterStatus::kOk);
  EXPECT_EQ(sensed.displacement[0], 0.01);
  EXPECT_EQ(sensed.force[0], 2e6 * 0.01);
  EXPECT_EQ(spring->diagnostic_message(), "");
  ASSERT_EQ(spring->auxiliary_channels().size(), 1U);
  EXPECT_EQ(spring->auxiliary_channels()[0], 40.0);
}

TEST(PluginRig, TellsWhatThePluginSaysOfItself) {
  const RigDescription is = rig("real: 1\n")->description();
  ASSERT_EQ(is.actuators.size(), 1U);
  EXPECT_EQ(is.actuators[0].name, "1");
  EXPECT_TRUE(is.real_equipment);
  EXPECT_TRUE(is.hardware_watchdog);
  EXPECT_NEAR(is.shortest_tick, 1e-4, 1e-12);
  EXPECT_EQ(is.extra, (Channels{{"oil_C", "C"}}));
}

TEST(PluginRig, MakesEveryMisbehaviourAFaultWithASentence) {
  expect_fault("trips", 7, "tripped in read(): oil is too hot");
  expect_fault("write_trips", 7, "tripped in write(): oil is too hot");
  expect_fault("write_late", 7, "the drive may not have reached the rig");
  expect_fault("nonsense", 7, "returned 42, which means nothing");
  expect_fault("nan", 7, "left entry 1 of `force` without a finite number");
  expect_fault("leaves_out", 7, "left entry 1 of `force` without a finite number");
  expect_fault("two_actuators", 7, "beyond the end of the array `displacement`");
  expect_fault("future", 7, "says that it measured 5.000 ms after now");
  expect_fault("late", 7, "it gave no fresh measurement, 1 ticks in a row");
}

TEST(PluginRig, BridgesLateTicksAsManyAsTheSiteAllows) {
  PluginRigSettings patient = settings("at: 8\nfault: late\n");
  patient.late_ticks = 3;
  const auto late = rig(patient);
  EXPECT_EQ(ticks_well(*late, 50), 7 + 3);
  EXPECT_NE(late->diagnostic_message().find("4 ticks in a row"), std::string::npos)
      << late->diagnostic_message();
}

TEST(PluginRig, TakesAnOldMeasurementForNone) {
  PluginRigSettings young = settings("at: 8\nfault: old\n");
  EXPECT_EQ(ticks_well(*rig(young), 50), 50);  // 5 ms old
  young.oldest = std::chrono::milliseconds(4);
  const auto old = rig(young);
  EXPECT_EQ(ticks_well(*old, 50), 7);
  EXPECT_NE(old->diagnostic_message().find("its measurement is too old"),
            std::string::npos);
}

// Two looks at the clock in each of read and write: the step of the clock is what each
// takes, and between two writes four of them pass.
TEST(PluginRig, StopsRealEquipmentWhosePluginOverrunsItsTick) {
  EXPECT_EQ(ticks_well(*rig(settings("real: 1\n"), std::chrono::microseconds(500)), 50),
            50);
  const auto slow = rig(settings("real: 1\n"), std::chrono::microseconds(501));
  EXPECT_EQ(ticks_well(*slow, 50), 0);
  EXPECT_NE(
      slow->diagnostic_message().find("overran 1 ticks in a row, the last in 1.002 ms"),
      std::string::npos)
      << slow->diagnostic_message();
  PluginRigSettings patient = settings("real: 1\n");
  patient.overruns = 4;
  EXPECT_EQ(ticks_well(*rig(patient, std::chrono::microseconds(501)), 50), 4);
}

TEST(PluginRig, StopsASimulatedRigThatOverrunsWhereTicksGoByTheWallClock) {
  const auto slow = rig(settings(""), std::chrono::microseconds(501));
  slow->prepare({kTick, 1, /*timed=*/true});
  EXPECT_EQ(ticks_well(*slow, 50), 2);
  EXPECT_NE(slow->diagnostic_message().find("overran 3 ticks in a row"), std::string::npos);
}

TEST(PluginRig, LetsASimulatedRigTakeItsTimeAndSaysSoWhenAsked) {
  const auto slow = rig(settings(""), std::chrono::milliseconds(2));
  EXPECT_EQ(ticks_well(*slow, 50), 50);
  EXPECT_NE(
      slow->diagnostic_message().find("read() of the plug-in misbehaving.so took up to 2"),
      std::string::npos)
      << slow->diagnostic_message();
}

TEST(PluginRig, DoesNotDriveRealEquipmentFasterThanTime) {
  const auto lock_step = rig(settings("real: 1\n"), std::chrono::nanoseconds(10));
  const int well = ticks_well(*lock_step, 1000);
  // 50 ms and 10 ticks ahead, at nine tenths of a tick each: 66.7.
  EXPECT_NEAR(well, 67, 1);
  EXPECT_NE(lock_step->diagnostic_message().find("faster than time"), std::string::npos);
  EXPECT_EQ(ticks_well(*rig(settings(""), std::chrono::nanoseconds(10)), 1000), 1000);
}

std::vector<double> channels(const PluginRig& rig) {
  return {rig.auxiliary_channels().begin(), rig.auxiliary_channels().end()};
}

TEST(PluginRig, ShowsADigitalInputAsAChannelAndAsLostWhereItIsNotKnown) {
  const auto made = rig("contacts: 1\nat: 3\nfault: loses_input\n");
  EXPECT_EQ(made->description().extra,
            (Channels{{"oil_C", "C"}, {"estop_0_1", "0/1"}, {"cage_0_1", "0/1"}}));
  EXPECT_EQ(made->description().inputs, 2);
  EXPECT_EQ(made->description().outputs, (std::vector<std::string>{"ready", "running"}));
  Measurement sensed = Measurement::zero(1);
  ASSERT_EQ(made->read(tick_time(0), sensed), AdapterStatus::kOk);
  EXPECT_EQ(channels(*made), (std::vector<double>{40.0, 1.0, 1.0}));
  ASSERT_EQ(made->read(tick_time(1), sensed), AdapterStatus::kOk);
  ASSERT_EQ(made->read(tick_time(2), sensed), AdapterStatus::kOk);
  ASSERT_EQ(channels(*made).size(), 3U);
  EXPECT_TRUE(std::isnan(channels(*made)[1]));
  EXPECT_EQ(channels(*made)[2], 1.0);
}

TEST(PluginRig, ReadsDigitalInputsAlsoInATickWithoutAMeasurement) {
  PluginRigSettings patient = settings("contacts: 1\nat: 2\nfault: late\n");
  patient.late_ticks = 5;
  const auto late = rig(patient);
  Measurement sensed = Measurement::zero(1);
  ASSERT_EQ(late->read(tick_time(0), sensed), AdapterStatus::kOk);
  ASSERT_EQ(late->read(tick_time(1), sensed), AdapterStatus::kOk);
  EXPECT_EQ(late->stale_reads(), 1);
  EXPECT_EQ(channels(*late), (std::vector<double>{40.0, 1.0, 1.0}));
}

TEST(PluginRig, GivesTheOutputsToThePlugin) {
  const auto made = rig("contacts: 1\nat: 2\nfault: trips\n");
  made->set_outputs(2);
  EXPECT_EQ(ticks_well(*made, 5), 1);
  EXPECT_NE(made->diagnostic_message().find("with outputs 2"), std::string::npos)
      << made->diagnostic_message();
}

TEST(PluginRig, RefusesAPluginThatLiesAboutItsContacts) {
  expect_fault("odd_input\ncontacts: 1", 7,
               "gives digital inputs that it does not have (it has 2)");
  EXPECT_EQ(refusal("contacts: 1\nfault: many_inputs\n"),
            "the plug-in misbehaving.so has 33 digital inputs; at most 32 are possible");
  EXPECT_EQ(refusal("contacts: 1\nfault: same_names\n"),
            "the plug-in misbehaving.so has two digital inputs of the name estop_0_1; give "
            "each a separate one");
}

TEST(PluginRig, RefusesAPluginThatLiesAboutItself) {
  for (const auto& [lie, words] : {std::pair{"no_actuator", "has no actuator"},
                                   {"many_actuators", "has 17 actuators; at most 16"},
                                   {"odd_flag", "says 7 for a yes or no"},
                                   {"no_rate", "says that it does nan ticks per second"},
                                   {"endless_name", "a name or unit without an end"}}) {
    const std::string why = refusal("fault: " + std::string(lie) + "\n");
    EXPECT_NE(why.find(words), std::string::npos) << why;
  }
  EXPECT_EQ(refusal("at: 0\nfault: changes\n"),
            "the plug-in misbehaving.so says something else of its rig than when it was "
            "opened");
}

TEST(PluginRig, TellsThePluginsRefusalAtItsSetting) {
  std::string path;
  EXPECT_EQ(refusal("gain: 3\n", &path), "gain is no setting that this plug-in knows");
  EXPECT_EQ(path, "a.settings.gain");
  EXPECT_EQ(refusal("stiffness: 3 V/m\n", &path),
            "stiffness is 3 V/m; must be a number, with a unit that is known");
  EXPECT_EQ(path, "a.settings.stiffness");
  EXPECT_EQ(refusal("fault: open\n", &path),
            "the plug-in misbehaving.so refuses to open: the valve is shut");
  EXPECT_EQ(path, "a.settings");
  EXPECT_EQ(refusal("fault: prepare\nat: 0\n"),
            "the plug-in misbehaving.so is not ready for a run: the pump is off");
}

TEST(PluginRig, GivesTheStateOfASimulatedRigAndTakesItBack) {
  const auto first = rig("");
  ticks_well(*first, 20);
  SnapshotWriter kept;
  first->save(kept);
  const auto second = rig("");
  SnapshotReader back(kept.values());
  second->restore(back);
  EXPECT_TRUE(back.at_end());
  Measurement of_first = Measurement::zero(1);
  Measurement of_second = Measurement::zero(1);
  first->read(tick_time(20), of_first);
  second->read(tick_time(20), of_second);
  EXPECT_EQ(of_first.force[0], of_second.force[0]);
  EXPECT_NE(of_first.force[0], 0.0);

  SnapshotWriter of_real;
  rig("real: 1\n")->save(of_real);
  EXPECT_TRUE(of_real.values().empty());
}

}  // namespace
}  // namespace trestle::plugin::plugin_rig_test
