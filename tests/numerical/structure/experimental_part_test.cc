#include "numerical/structure/experimental_part.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/setting_error.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::experimental_part_test {
namespace {

ExperimentalPart part(const std::string& site, std::vector<std::string> dofs) {
  const auto n = static_cast<Eigen::Index>(dofs.size());
  ExperimentalPart made;
  made.site = site;
  made.dofs = std::move(dofs);
  made.stiffness = Eigen::MatrixXd::Constant(n, n, 2.0);
  return made;
}

std::vector<SettingIssue> problems_of(const std::vector<ExperimentalPart>& parts) {
  FrameModel model = testing::portal(3.0, 6.0);
  const std::vector<std::string> fixed = fixed_dofs(model);
  StructuralModel structure = assemble(std::move(model));
  try {
    add_experimental_parts(structure, parts, fixed);
  } catch (const SettingError& error) {
    return error.problems();
  }
  return {};
}

TEST(ExperimentalParts, StandAtTheirInterfaceInTheirOwnOrder) {
  StructuralModel structure = assemble(testing::portal(3.0, 6.0));
  ExperimentalPart west = part("west", {"top_w.rz", "top_w.x"});
  west.stiffness << 4.0, 6.0, 6.0, 12.0;
  west.mass = Eigen::Vector2d(7.0, 9.0).asDiagonal();
  const std::vector<ExperimentalPart> parts{west, part("east", {"top_e.x"})};
  add_experimental_parts(structure, parts);
  const int rz = structure.equation("top_w.rz");
  const int x = structure.equation("top_w.x");
  const int east = structure.equation("top_e.x");
  EXPECT_EQ(structure.experimental_stiffness.coeff(rz, rz), 4.0);
  EXPECT_EQ(structure.experimental_stiffness.coeff(x, rz), 6.0);
  EXPECT_EQ(structure.experimental_stiffness.coeff(x, x), 12.0);
  EXPECT_EQ(structure.experimental_mass.coeff(rz, rz), 7.0);
  EXPECT_EQ(structure.experimental_stiffness.coeff(east, east), 2.0);
  EXPECT_EQ(structure.experimental_damping.nonZeros(), 0);
}

TEST(ExperimentalParts, AddUpWhereARigidFloorSharesTheEquation) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.floors.push_back({.nodes = {2, 3}, .rigid = true});
  StructuralModel structure = assemble(std::move(model));
  const std::vector<ExperimentalPart> parts{part("west", {"top_w.x"}),
                                            part("east", {"top_e.x"})};
  add_experimental_parts(structure, parts);
  const int x = structure.equation("top_w.x");
  EXPECT_EQ(structure.experimental_stiffness.coeff(x, x), 4.0);
}

TEST(ExperimentalParts, MistakesAreAllToldWithTheirPlace) {
  const auto problems = problems_of(
      {part("west", {"top_w.x", "topw.rz"}), part("east", {"foot_e.x", "top_w.x"})});
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].path, "sites[0].interface[1]");
  EXPECT_EQ(problems[0].what, "the model has no DOF `topw.rz`; did you mean `top_w.rz`?");
  EXPECT_EQ(problems[1].path, "sites[1].interface[0]");
  EXPECT_EQ(problems[1].what,
            "interface DOF foot_e.x is fixed by a support of the model; free it there, or "
            "take it out here");
  EXPECT_EQ(problems[2].what,
            "sites west and east both claim top_w.x; one DOF belongs to one site");
}

TEST(ExperimentalParts, DofTwiceInOneSiteIsAMistake) {
  const auto problems = problems_of({part("west", {"top_w.x", "top_w.x"})});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].what,
            "top_w.x stands twice in the interface of west; name each DOF once");
}

TEST(ExperimentalParts, AForceOnlyDofHasItsOwnPlaceInTheFile) {
  ExperimentalPart west = part("west", {"top_w.x", "top_w.rz", "topw.y"});
  west.force_only = 2;
  auto problems = problems_of({west});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "sites[0].force_only[1]");
  west.dofs = {"top_w.x", "top_w.x"};
  west = part("west", west.dofs);
  west.force_only = 1;
  problems = problems_of({west});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "sites[0].force_only[0]");
  EXPECT_EQ(problems[0].what,
            "top_w.x stands twice in the interface of west; name each DOF once, as "
            "controlled or as force-only");
}

TEST(ExperimentalParts, MatrixOfTheWrongSizeIsAMistake) {
  ExperimentalPart west = part("west", {"top_w.x"});
  west.stiffness.setZero(2, 2);
  const auto problems = problems_of({west});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].what,
            "the specimen's stiffness is 2 x 2; the interface has 1 DOFs");
}

}  // namespace
}  // namespace trestle::structure::experimental_part_test
