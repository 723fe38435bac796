#include "numerical/structure/load_path.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "composition/numerical/frame_factory.h"
#include "core/base/setting_error.h"
#include "numerical/excitation/moving_load.h"
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
  EXPECT_EQ(path[0].motions[0], DofTerms{});  // x is no DOF of a beam
  EXPECT_EQ(path[0].motions[1], DofTerms{});  // on the support
  EXPECT_EQ(path[0].motions[2], (DofTerms{{structure.equation("n0.rz"), 1.0}}));
  EXPECT_EQ(path[0].motions[4], (DofTerms{{structure.equation("n1.y"), 1.0}}));
  EXPECT_EQ(path[3].end_x, 20.0);
}

TEST(LoadPath, MayTravelBackwards) {
  const StructuralModel structure = assemble(bridge());
  const std::vector<std::string> nodes{"n2", "n1"};
  const LoadPath path = load_path(bridge(), structure, nodes);
  ASSERT_EQ(path.size(), 1U);
  EXPECT_EQ(path[0].start_x, 10.0);
  EXPECT_EQ(path[0].motions[1], (DofTerms{{structure.equation("n2.y"), 1.0}}));
}

FrameModel bridge_with_a_slave() {
  FrameModel model = bridge();
  model.nodes.push_back(testing::node("below", 4.0, -1.0));
  model.rigid_links.push_back({.master = 5, .slaves = {1}});
  for (FrameNode& node : model.nodes) node.fixed[0] = false;
  model.nodes.front().fixed[0] = true;
  return model;
}

// A slave passes its share on to its masters.
TEST(LoadPath, FollowsASlaveToItsMaster) {
  const StructuralModel structure = assemble(bridge_with_a_slave());
  const std::vector<std::string> nodes{"n0", "n1"};
  const LoadPath path = load_path(bridge_with_a_slave(), structure, nodes);
  ASSERT_EQ(path.size(), 1U);
  EXPECT_EQ(path[0].motions[4], (DofTerms{{structure.equation("below.y"), 1.0},
                                          {structure.equation("below.rz"), 1.0}}));
  EXPECT_EQ(path[0].motions[5], (DofTerms{{structure.equation("below.rz"), 1.0}}));
}

/// Three members that rise by 1 in 3, in a vertical plane at an angle in plan.
FrameModel ramp(bool spatial, double hx, double hy) {
  FrameModel model;
  model.spatial = spatial;
  FrameSection steel = testing::section();
  steel.second_moment_y = steel.second_moment;
  steel.torsion_constant = steel.second_moment;
  steel.shear_modulus = 80e9;
  model.sections.push_back(steel);
  for (int i = 0; i <= 3; ++i) {
    FrameNode node = testing::node("n" + std::to_string(i), 3.0 * i * hx, 3.0 * i * hy);
    (spatial ? node.z : node.y) = 1.0 * i;
    model.nodes.push_back(node);
    if (i > 0) model.members.push_back({.from = i - 1, .to = i});
  }
  model.nodes.front().fixed.fill(true);
  return model;
}

/// Forces and moments at the ends of the second member, as a planar frame has them.
std::array<double, 6> shares(bool spatial, double hx, double hy, bool forth) {
  const FrameModel model = ramp(spatial, hx, hy);
  const StructuralModel structure = assemble(ramp(spatial, hx, hy));
  const std::vector<std::string> nodes =
      forth ? std::vector<std::string>{"n1", "n3"} : std::vector<std::string>{"n3", "n1"};
  const excitation::MovingLoad moving(load_path(model, structure, nodes),
                                      {.force = 5000.0, .speed = 2.0, .start = 0.0});
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  moving.add(forth ? 0.6 : 2.5, load);
  const auto at = [&](const std::string& dof) {
    return load[structure.equation(dof)];
  };
  std::array<double, 6> found{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string node = i == 0 ? "n1" : "n2";
    if (!spatial) {
      found[3 * i] = at(node + ".x");
      found[3 * i + 1] = at(node + ".y");
      found[3 * i + 2] = at(node + ".rz");
      continue;
    }
    found[3 * i] = hx * at(node + ".x") + hy * at(node + ".y");
    found[3 * i + 1] = at(node + ".z");
    found[3 * i + 2] = hy * at(node + ".rx") - hx * at(node + ".ry");
    EXPECT_NEAR(hx * at(node + ".y") - hy * at(node + ".x"), 0.0, 1e-9);
    EXPECT_NEAR(hx * at(node + ".rx") + hy * at(node + ".ry"), 0.0, 1e-9);
    EXPECT_EQ(at(node + ".rz"), 0.0);
  }
  return found;
}

// The force goes down, and its moments bend the member in its own vertical plane.
TEST(LoadPath, LoadsAMemberInSpaceAsInItsVerticalPlane) {
  for (const bool forth : {true, false}) {
    const std::array<double, 6> planar = shares(false, 1.0, 0.0, forth);
    EXPECT_NEAR(planar[1] + planar[4], -5000.0, 1e-9);
    EXPECT_LT(planar[2], -100.0);
    EXPECT_GT(planar[5], 100.0);
    for (const auto& [hx, hy] :
         {std::pair{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.6, 0.8}, {0.28, -0.96}}) {
      const std::array<double, 6> spatial = shares(true, hx, hy, forth);
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(spatial[i], planar[i], 1e-12 * 5000.0) << i << " " << hx << " " << hy;
    }
  }
}

// An upright member takes it along its axis.
TEST(LoadPath, LoadsAnUprightMemberInSpaceAlongIt) {
  const auto mast = [] {
    FrameModel model = ramp(true, 0.0, 0.0);
    for (FrameMember& member : model.members) member.z = Eigen::Vector3d::UnitX();
    return model;
  };
  const FrameModel model = mast();
  const StructuralModel structure = assemble(mast());
  const std::vector<std::string> nodes{"n1", "n2"};
  const excitation::MovingLoad moving(load_path(model, structure, nodes),
                                      {.force = 8.0, .speed = 1.0, .start = 0.0});
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  moving.add(0.25, load);
  EXPECT_EQ(load[structure.equation("n1.z")], -6.0);
  EXPECT_EQ(load[structure.equation("n2.z")], -2.0);
  EXPECT_EQ(load.cwiseAbs().sum(), 8.0);
}

// Above one another nodes are not on one line in space, though they are in plan.
TEST(LoadPath, KeepsToTheLineInSpace) {
  const auto kinked = [] {
    FrameModel model = ramp(true, 1.0, 0.0);
    model.nodes[2].z += 0.5;
    return model;
  };
  const FrameModel model = kinked();
  const StructuralModel structure = assemble(kinked());
  const std::vector<std::string> nodes{"n0", "n3"};
  EXPECT_THROW(load_path(model, structure, nodes), SettingError);
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
  FrameModel plastic = bridge();
  plastic.members[1].released[0][2] = true;
  EXPECT_EQ(mistake(plastic, {"n0", "n4"}),
            "[1] the member from n1 to n2 has a release or a plastic end; a moving load "
            "needs members without");
  FrameModel offset = bridge();
  offset.members[3].offsets[1].x() = -0.5;
  EXPECT_EQ(mistake(offset, {"n0", "n4"}),
            "[1] the member from n3 to n4 has an offset; a moving load needs members "
            "without");
}

}  // namespace
}  // namespace trestle::structure::load_path_test
