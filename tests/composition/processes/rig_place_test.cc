// A rig is found by its site's name after the process that drove it has ended.
#include "composition/processes/rig_place.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "composition/processes/pending_acts.h"
#include "composition/processes/rig_diary_file.h"
#include "composition/processes/rig_facts.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::composition {
namespace {

class RigPlaceTest : public ::testing::Test {
 protected:
  RigPlaceTest() {
    const char* const before = getenv("TRESTLE_STATE");
    if (before != nullptr) before_ = before;
    setenv("TRESTLE_STATE", state_.path().c_str(), 1);
  }
  ~RigPlaceTest() override {
    if (before_)
      setenv("TRESTLE_STATE", before_->c_str(), 1);
    else
      unsetenv("TRESTLE_STATE");
  }

  /// A process drove it and has ended.
  /// @param fault  latched; empty: none
  /// @returns its place
  static std::string driven(const std::string& rig, std::chrono::hours ago,
                            const std::string& fault = {}) {
    const std::string folder = RigPlace({"lab", rig, {}}, {}).folder();
    if (fault.empty())
      std::filesystem::remove(folder + "/fault");
    else
      std::ofstream(folder + "/fault") << fault << "\n";
    std::filesystem::last_write_time(folder + "/rig",
                                     std::filesystem::file_time_type::clock::now() - ago);
    return folder;
  }

  testing::TemporaryFolder state_;
  std::optional<std::string> before_;
};

using std::chrono::hours;

TEST_F(RigPlaceTest, FindsTheFaultOfARigBehindItsTwinThatWasUsedLater) {
  const std::string real =
      driven("plugin udp_target at 10.0.0.7:5001", hours{8}, "force limit exceeded");
  const std::string twin = driven("simulated rig of site lab", hours{1});
  const std::optional<KnownRig> found = rig_in_fault("lab");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, real);
  EXPECT_EQ(found->fault, "force limit exceeded");
  EXPECT_EQ(known_rig("lab")->folder, twin) << "its operators ask the process of today";
}

TEST_F(RigPlaceTest, FindsOfSeveralFaultsTheLastAndNoneIfAllAreCleared) {
  driven("plugin udp_target at 10.0.0.7:5001", hours{8}, "an old fault");
  const std::string later = driven("simulated rig of site lab", hours{1}, "a later fault");
  EXPECT_EQ(rig_in_fault("lab")->folder, later);
  driven("plugin udp_target at 10.0.0.7:5001", hours{8});
  driven("simulated rig of site lab", hours{1});
  EXPECT_FALSE(rig_in_fault("lab"));
  EXPECT_FALSE(rig_in_fault("another lab"));
}

// A version before this one could keep a fault without its reason.
// The lock of a state folder is seen before a rig is opened, also where the claim of the
// host is not: a container has a network of its own.
TEST_F(RigPlaceTest, FindsWhatPeopleDidToTheRigsOfASiteThatNoRecordHas) {
  const std::string twin = driven("twin of lab", std::chrono::hours(1));
  const std::string real = driven("lab", std::chrono::hours(2));
  RigDiaryFile({.folder = real}).keep({"ada@lab", "operator channel", "rig", "home"});
  RigDiaryFile({.folder = twin}).keep({"bob@lab", "operator channel", "rig", "jog"});
  std::vector<std::string> seen;
  for (const PendingAct& act : pending_acts("lab"))
    seen.push_back(act.rig + " " + act.entry.text);
  std::vector<std::string> expected{real + " home", twin + " jog"};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(seen, expected);
  EXPECT_TRUE(pending_acts("another").empty());
}

TEST_F(RigPlaceTest, TellsWhoDrivesItFromThisStateFolder) {
  std::string folder;
  {
    const RigPlace place({"lab", "plugin udp_target at 10.0.0.7:5001", {}}, {});
    folder = place.folder();
    const RigFacts facts = facts_of_driver(folder);
    EXPECT_EQ(facts.process, std::to_string(getpid()));
    EXPECT_EQ(facts.site, "lab");
  }
  EXPECT_EQ(facts_of_driver(folder).process, "") << "it has ended";
}

TEST_F(RigPlaceTest, FindsAndClearsAFaultWithoutAReason) {
  const std::string folder = driven("plugin udp_target at 10.0.0.7:5001", hours{1});
  std::ofstream(folder + "/fault") << "\n";
  const std::optional<KnownRig> found = rig_in_fault("lab");
  ASSERT_TRUE(found);
  EXPECT_NE(found->fault, "") << "a person reads it";
  EXPECT_EQ(clear_fault(*found, "ada@lab", {}), "");
  EXPECT_FALSE(rig_in_fault("lab"));
}

}  // namespace
}  // namespace trestle::composition
