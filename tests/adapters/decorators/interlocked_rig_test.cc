#include "adapters/decorators/interlocked_rig.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::decorators {
namespace {

constexpr double kLost = std::numeric_limits<double>::quiet_NaN();

/// A rig with an auxiliary channel, a contact among the auxiliary channels, two digital
/// inputs and two outputs.
class ContactRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    RigDescription is;
    is.actuators = {{"1", DofKind::kTranslation}};
    is.extra = {
        {"oil_C", "C"}, {"hatch_0_1", "0/1"}, {"estop_0_1", "0/1"}, {"cage_0_1", "0/1"}};
    is.inputs = 2;
    is.outputs = {"ready", "running"};
    return is;
  }
  void prepare(const RigRun& /*run*/) override { outputs = 0; }
  AdapterStatus read(TimePoint /*now*/, Measurement& /*sensed*/) noexcept override {
    return status;
  }
  AdapterStatus write(const ActuatorVector& /*drive*/) noexcept override {
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  std::string diagnostic_message() const override { return words; }
  std::span<const double> auxiliary_channels() const noexcept override { return channels; }
  int stale_reads() const noexcept override { return stale; }
  void set_outputs(std::uint32_t closed) noexcept override {
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    outputs = closed;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  AdapterStatus status = AdapterStatus::kOk;
  std::string words;
  std::vector<double> channels{40.0, 1.0, 1.0, 1.0};  // oil, hatch, estop, cage
  int stale = 0;
  std::uint32_t outputs = 0;
  std::function<void()> meanwhile;  ///< on another thread, once, before they are set
};

struct Laboratory {
  explicit Laboratory(MappedContacts contacts) {
    auto made = std::make_unique<ContactRig>();
    rig = made.get();
    guarded = std::make_unique<InterlockedRig>(std::move(made), std::move(contacts), "");
  }
  ActiveInterlock read() {
    Measurement sensed = Measurement::zero(1);
    guarded->read(TimePoint{}, sensed);
    return guarded->active_interlock();
  }

  ContactRig* rig = nullptr;
  std::unique_ptr<InterlockedRig> guarded;
};

MappedContacts of_inputs(std::vector<MappedInput> inputs) {
  return {std::move(inputs), {}};
}

TEST(InterlockedRig, ReactsToAContactThatOpensInTheTickThatReadsIt) {
  Laboratory lab(of_inputs({{"cage", false, InterlockReaction::kRamp}}));
  EXPECT_FALSE(lab.read());
  lab.rig->channels[3] = 0.0;
  const ActiveInterlock active = lab.read();
  EXPECT_EQ(active.reaction, InterlockReaction::kRamp);
  EXPECT_EQ(active.index, 0);
  EXPECT_EQ(lab.guarded->diagnostic_message(),
            "interlock cage is open (active: open, reaction: ramp); see to the equipment");
  lab.rig->words = "a call was slow";
  EXPECT_NE(lab.guarded->diagnostic_message().find("interlock cage is open"),
            std::string::npos)
      << "a rig may have something to say although all is well";
  lab.rig->channels[3] = 1.0;
  EXPECT_FALSE(lab.read());
  EXPECT_EQ(lab.guarded->diagnostic_message(), "a call was slow");
}

TEST(InterlockedRig, TakesTheActiveLevelOfItsFile) {
  Laboratory lab(of_inputs({{"estop", true, InterlockReaction::kHold}}));
  EXPECT_EQ(lab.read().reaction, InterlockReaction::kHold) << "closed";
  lab.rig->channels[2] = 0.0;
  EXPECT_FALSE(lab.read());
}

TEST(InterlockedRig, TakesAnInputThatIsLostForOneTickForActiveWhateverItsLevel) {
  for (const bool active_closed : {false, true}) {
    Laboratory lab(of_inputs({{"estop", active_closed, InterlockReaction::kHold}}));
    lab.rig->channels[2] = kLost;
    EXPECT_TRUE(lab.read());
    EXPECT_NE(lab.guarded->diagnostic_message().find("was not read in this tick"),
              std::string::npos)
        << lab.guarded->diagnostic_message();
  }
}

TEST(InterlockedRig, TakesAContactAmongTheAuxiliaryChannelsForLostWithItsMeasurement) {
  Laboratory lab(of_inputs({{"hatch"}, {"estop"}}));
  EXPECT_FALSE(lab.read());
  lab.rig->stale = 1;
  EXPECT_EQ(lab.read().index, 0) << "the digital input is as fresh as it says itself";
  lab.rig->stale = 0;
  EXPECT_FALSE(lab.read());
}

TEST(InterlockedRig, ReactsAsTheStrongestOfSeveral) {
  Laboratory lab(of_inputs({{"hatch", false, InterlockReaction::kRamp},
                            {"estop", false, InterlockReaction::kRelease},
                            {"cage", false, InterlockReaction::kHold}}));
  lab.rig->channels = {40.0, 0.0, 1.0, 0.0};
  EXPECT_EQ(lab.read().index, 2);
  lab.rig->channels[2] = 0.0;
  EXPECT_EQ(lab.read().reaction, InterlockReaction::kRelease);
}

TEST(InterlockedRig, LeavesAFaultOfTheRigToTheRig) {
  Laboratory lab(of_inputs({{"estop"}}));
  lab.rig->channels[2] = 0.0;
  lab.rig->status = AdapterStatus::kTripped;
  lab.rig->words = "oil is too hot";
  EXPECT_FALSE(lab.read());
  EXPECT_EQ(lab.guarded->diagnostic_message(), "oil is too hot");
}

TEST(InterlockedRig, TellsTheEquipmentWhatItsFileSays) {
  Laboratory lab({{}, {{"running", true, true}, {"ready", false, false}}});
  lab.guarded->report({.ready = false, .running = false});
  EXPECT_EQ(lab.rig->outputs, 1U) << "ready is open while that is so";
  lab.guarded->report({.ready = true, .running = true});
  EXPECT_EQ(lab.rig->outputs, 2U);
  lab.guarded->prepare({});
  EXPECT_EQ(lab.rig->outputs, 2U) << "a preparation opens them, and they are told again";
}

TEST(InterlockedRig, KeepsWhatIsToldWhileItIsPrepared) {
  Laboratory lab({{}, {{"running", true, true}, {"ready", false, true}}});
  lab.guarded->report({.ready = true, .running = true});
  lab.rig->meanwhile = [&lab] {
    lab.guarded->report({});
  };
  lab.guarded->prepare({});
  EXPECT_EQ(lab.rig->outputs, 0U) << "as the site told last";
}

TEST(InterlockedRig, RefusesWhatTheRigDoesNotHave) {
  try {
    const Laboratory lab({{{"crate"}}, {{"horn", true, true}}});
    ADD_FAILURE() << "not refused";
  } catch (const SettingError& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_EQ(error.problems()[0].path, "interlocks[0]");
    EXPECT_NE(error.problems()[0].what.find("the rig has no digital input `crate`"),
              std::string::npos)
        << error.problems()[0].what;
    EXPECT_EQ(error.problems()[1].path, "outputs[0]");
  }
}

}  // namespace
}  // namespace trestle::decorators
