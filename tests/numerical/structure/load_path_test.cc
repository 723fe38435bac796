#include "numerical/structure/load_path.h"

#include <gtest/gtest.h>

#include "composition/numerical/frame_factory.h"
#include "core/base/setting_error.h"
#include "numerical/structure/beam_model.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::load_path_test {
namespace {

FrameModel bridge() {
  FrameModel model = beam_model({.length = 20.0,
                                 .elements = 4,
                                 .elastic_modulus = testing::kModulus,
                                 .second_moment = testing::kSecondMoment,
                                 .mass_per_length = 1.0});
  model.nodes.front().fixed[1] = true;
  model.nodes.back().fixed[1] = true;
  return model;
}

std::string mistake(const FrameModel& model, const std::vector<std::string>& nodes) {
  try {
    load_path(model, assemble(bridge()), nodes);
  } catch (const SettingError& error) {
    return error.problems()[0].path + " " + error.problems()[0].what;
  }
  return "none";
}

TEST(LoadPath, FollowsTheMembersBetweenItsNodes) {
  const StructuralModel structure = assemble(bridge());
  const std::vector<std::string> ends{"n0", "n4"};
  const LoadPath path = load_path(bridge(), structure, ends);
  ASSERT_EQ(path.size(), 4U);
  EXPECT_EQ(path[0].start_x, 0.0);
  EXPECT_EQ(path[0].end_x, 5.0);
  EXPECT_EQ(path[0].equations[0], -1);  // x is no DOF of a beam
  EXPECT_EQ(path[0].equations[1], -1);  // on the support
  EXPECT_EQ(path[0].equations[2], structure.equation("n0.rz"));
  EXPECT_EQ(path[0].equations[4], structure.equation("n1.y"));
  EXPECT_EQ(path[3].end_x, 20.0);
}

TEST(LoadPath, MayTravelBackwards) {
  const StructuralModel structure = assemble(bridge());
  const std::vector<std::string> nodes{"n2", "n1"};
  const LoadPath path = load_path(bridge(), structure, nodes);
  ASSERT_EQ(path.size(), 1U);
  EXPECT_EQ(path[0].start_x, 10.0);
  EXPECT_EQ(path[0].equations[1], structure.equation("n2.y"));
}

TEST(LoadPath, MistakesHaveTheirSentence) {
  EXPECT_EQ(mistake(bridge(), {"n0", "m2"}), "[1] unknown node `m2`; did you mean `n2`?");
  EXPECT_EQ(mistake(bridge(), {"n0"}),
            " a moving load needs a path of at least two nodes; it has 1");
  FrameModel gap = bridge();
  gap.members.erase(gap.members.begin() + 2);
  EXPECT_EQ(
      mistake(gap, {"n0", "n4"}),
      "[1] no member leads straight from n2 towards n4; a load travels along members");
  FrameModel hinged = bridge();
  hinged.members[1].hinge_to = true;
  EXPECT_EQ(
      mistake(hinged, {"n0", "n4"}),
      "[1] the member from n1 to n2 has a hinge; a moving load needs members without");
}

}  // namespace
}  // namespace trestle::structure::load_path_test
