#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition/hybrid_test/contacts_factory.h"
#include "composition/hybrid_test/unused_keys.h"
#include "core/base/setting_error.h"

namespace trestle::composition::contacts_test {
namespace {

class ContactRig final : public SiteAdapter {
 public:
  RigDescription description() const override {
    RigDescription is;
    is.extra = {{"cage_0_1", "0/1"}};
    is.outputs = {"lamp"};
    return is;
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& /*sensed*/) noexcept override {
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& /*drive*/) noexcept override {
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  std::span<const double> auxiliary_channels() const noexcept override {
    return {&cage_, 1};
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  double cage_ = 0.0;  // open
};

config::SiteFile file_with(const std::string& input, config::InterlockReaction reaction) {
  config::SiteFile file;
  config::Interlock& interlock = *file.add_interlocks();
  interlock.set_input(input);
  interlock.set_reaction(reaction);
  return file;
}

std::vector<SettingIssue> problems_of(const config::SiteFile& file) {
  try {
    contact_entries(file, "");
  } catch (const SettingError& error) {
    return error.problems();
  }
  return {};
}

TEST(Contacts, AreOpenAndHoldWhereTheFileDoesNotSayOtherwise) {
  const auto rig = with_contacts(std::make_unique<ContactRig>(),
                                 file_with("cage", config::INTERLOCK_REACTION_HOLD));
  Measurement sensed = Measurement::zero(1);
  rig->read(TimePoint{}, sensed);
  EXPECT_EQ(rig->active_interlock().reaction, InterlockReaction::kHold);
}

TEST(Contacts, ReactByARampOnlyWithASafeActionThatMoves) {
  config::SiteFile file = file_with("cage", config::INTERLOCK_REACTION_RAMP);
  const std::vector<SettingIssue> problems = problems_of(file);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "interlocks[0].reaction");
  EXPECT_NE(problems[0].what.find("safe_action moves nothing"), std::string::npos)
      << problems[0].what;
  EXPECT_NE(problems[0].what.find("{kind: ramp-home, ...}"), std::string::npos)
      << "as a file has it: " << problems[0].what;
  file.mutable_safe_action()->mutable_unload();
  EXPECT_TRUE(problems_of(file).empty());
}

TEST(Contacts, AreEachThereOnce) {
  config::SiteFile file = file_with("cage", config::INTERLOCK_REACTION_HOLD);
  *file.add_interlocks() = file.interlocks(0);
  const std::vector<SettingIssue> problems = problems_of(file);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "interlocks[1]");
}

TEST(Contacts, AreThoseOfTheRig) {
  try {
    with_contacts(std::make_unique<ContactRig>(),
                  file_with("crate", config::INTERLOCK_REACTION_HOLD));
    ADD_FAILURE() << "not refused";
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "interlocks[0]");
  }
}

TEST(Contacts, AreInTheContract) {
  config::SiteFile file = file_with("cage", config::INTERLOCK_REACTION_RELEASE);
  config::SignalOutput& output = *file.add_outputs();
  output.set_output("lamp");
  output.set_shows(config::OUTPUT_SIGNAL_TEST_RUNNING);
  EXPECT_EQ(contact_entries(file, ""),
            (session::ContractEntries{{"interlocks", "cage open release"},
                                      {"outputs", "lamp closed: test running"}}));
  EXPECT_TRUE(contact_entries(config::SiteFile{}, "").empty());
}

TEST(Contacts, AreNoneOfASimulatedRig) {
  config::SiteFile file = file_with("cage", config::INTERLOCK_REACTION_HOLD);
  std::vector<SettingIssue> problems;
  refuse_unused_keys(file, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "interlocks");
}

}  // namespace
}  // namespace trestle::composition::contacts_test
