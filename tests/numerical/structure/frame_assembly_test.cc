#include "numerical/structure/frame_assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "composition/numerical/frame_factory.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/beam_model.h"
#include "numerical/structure/modes.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::frame_assembly_test {
namespace {

using testing::kBending;

TEST(Frame, CantileverTipDeflectsAsTheBookSays) {
  constexpr double L = 3.0;
  const StructuralModel structure = assemble(testing::cantilever(4, L, 0.0));
  const Eigen::VectorXd d = testing::deflection(structure, "n4.y");
  EXPECT_NEAR(d[structure.equation("n4.y")], std::pow(L, 3) / (3.0 * kBending), 1e-15);
  EXPECT_NEAR(d[structure.equation("n4.rz")], L * L / (2.0 * kBending), 1e-15);
}

TEST(Frame, DirectionOfACantileverChangesNothing) {
  const StructuralModel flat = assemble(testing::cantilever(2, 5.0, 0.0));
  const StructuralModel sloped = assemble(testing::cantilever(2, 3.0, 4.0));
  const Eigen::VectorXd a = testing::deflection(flat, "n2.rz");
  const Eigen::VectorXd b = testing::deflection(sloped, "n2.rz");
  const double along = -0.8 * b[sloped.equation("n2.x")] + 0.6 * b[sloped.equation("n2.y")];
  EXPECT_NEAR(along / a[flat.equation("n2.y")], 1.0, 1e-9);
}

TEST(Frame, SimplySupportedBeamDeflectsAsTheBookSays) {
  constexpr double L = 8.0;
  FrameModel model = beam_model({.length = L,
                                 .elements = 2,
                                 .elastic_modulus = testing::kModulus,
                                 .second_moment = testing::kSecondMoment,
                                 .mass_per_length = 1.0});
  model.nodes.front().fixed[1] = true;
  model.nodes.back().fixed[1] = true;
  const StructuralModel structure = assemble(std::move(model));
  const Eigen::VectorXd d = testing::deflection(structure, "n1.y");
  EXPECT_EQ(structure.equations, 4);
  EXPECT_NEAR(d[structure.equation("n1.y")] * 48.0 * kBending / std::pow(L, 3), 1.0, 1e-12);
}

// The frequencies of a uniform cantilever are (βL)²·√(EI/m)/L². Consistent mass gives upper
// bounds (Rayleigh–Ritz) with a relative error of about (β·l)⁴/1440 of ω² for elements of
// length l (Strang and Fix 1973, sec. 6.3).
TEST(Frame, CantileverFrequenciesConvergeFromAboveWithConsistentMass) {
  constexpr double L = 6.0;
  constexpr double m = 61.3;
  constexpr int kElements = 10;
  FrameModel model = testing::cantilever(kElements, L, 0.0, m, MassMatrixKind::kConsistent);
  for (FrameNode& node : model.nodes) node.fixed[0] = true;  // bending alone
  const Modes modes = lowest_modes(assemble(std::move(model)), 3);
  const double betas[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  for (int i = 0; i < 3; ++i) {
    const double exact = betas[i] * betas[i] * std::sqrt(kBending / m) / (L * L);
    const double bound = std::pow(betas[i] / kElements, 4) / 1440.0;
    EXPECT_GT(modes.frequencies[i], exact * (1.0 - 1e-9));
    EXPECT_LT(modes.frequencies[i], exact * (1.0 + bound + 1e-9)) << i;
  }
}

TEST(Frame, AxialFrequenciesOfALumpedBarAreThoseOfAChain) {
  constexpr int kElements = 5;
  constexpr double L = 2.0;
  constexpr double m = 40.0;
  FrameModel model = testing::cantilever(kElements, L, 0.0, m);
  for (FrameNode& node : model.nodes) node.fixed = {node.fixed[0], true, true};
  const Modes modes = lowest_modes(assemble(std::move(model)), 1);
  // A chain of n masses with half a mass at the free end: ω = 2√(k/µ)·sin(π/(4n)).
  const double k = testing::kModulus * testing::kArea * kElements / L;
  const double mu = m * L / kElements;
  EXPECT_NEAR(modes.frequencies[0],
              2.0 * std::sqrt(k / mu) * std::sin(std::numbers::pi / (4.0 * kElements)),
              1e-9 * modes.frequencies[0]);
}

// Portal with clamped feet, no axial strain: k = (12EI/h³)·2·(1 + 6κ)/(4 + 6κ)... with
// κ = (I_b/b)/(I_c/h) (Kleinlogel): k = 24EI/h³·(6κ + 1)/(6κ + 4). Axial strain lowers it.
TEST(Frame, PortalIsAsStiffAsTheBookSays) {
  constexpr double h = 3.0;
  constexpr double b = 6.0;
  FrameModel model = testing::portal(h, b);
  model.sections[0].area = 1e3;  // no axial strain
  const StructuralModel structure = assemble(std::move(model));
  const Eigen::VectorXd d = testing::deflection(structure, "top_w.x");
  constexpr double kappa = h / b;
  const double k =
      24.0 * kBending / std::pow(h, 3) * (6.0 * kappa + 1.0) / (6.0 * kappa + 4.0);
  EXPECT_NEAR(1.0 / d[structure.equation("top_w.x")] / k, 1.0, 1e-5);
}

TEST(Frame, HingedBeamLeavesTwoCantilevers) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.sections[0].area = 1e3;
  model.members[2].hinge_from = model.members[2].hinge_to = true;
  const StructuralModel structure = assemble(std::move(model));
  const Eigen::VectorXd d = testing::deflection(structure, "top_w.x");
  EXPECT_NEAR(1.0 / d[structure.equation("top_w.x")] / (6.0 * kBending / 27.0), 1.0, 1e-5);
}

// ω² = 120 EI/(mL⁴) and 2520 EI/(mL⁴) of two rotations (the continuum: π⁴ and 16π⁴).
TEST(Frame, DoublyHingedBeamKeepsItsBendingModes) {
  FrameModel model;
  model.mass_matrix = MassMatrixKind::kConsistent;
  model.sections.push_back({.elastic_modulus = 210e9,
                            .area = 1e-2,
                            .second_moment = 16270e-8,
                            .mass_per_length = 3057.1});
  model.nodes = {testing::node("a", 0, 0, testing::kClamped),
                 testing::node("b", 6, 0, testing::kClamped)};
  model.members = {
      {.from = 0, .to = 1, .hinge_from = true, .hinge_to = true, .name = "beam"}};
  const StructuralModel structure = assemble(std::move(model));
  EXPECT_EQ(structure.equations, 2);
  EXPECT_EQ(structure.equation("beam.from.rz"), 0);
  EXPECT_EQ(structure.equation("beam.to.rz"), 1);
  const Modes modes = lowest_modes(structure, 2);
  EXPECT_NEAR(modes.frequencies[0] / (2.0 * std::numbers::pi), 5.11984549534, 1e-9);
  EXPECT_NEAR(modes.frequencies[1] / (2.0 * std::numbers::pi), 23.4620795289, 1e-8);
}

// The ground's motion goes into the beam between its supports.
TEST(Frame, DoublyHingedBeamFeelsItsSupportsMove) {
  FrameModel model;
  model.mass_matrix = MassMatrixKind::kConsistent;
  model.sections.push_back({.elastic_modulus = 210e9,
                            .area = 1e-2,
                            .second_moment = 16270e-8,
                            .mass_per_length = 3057.1});
  model.nodes = {testing::node("a", 0, 0, testing::kClamped),
                 testing::node("b", 6, 0, testing::kClamped)};
  model.members = {
      {.from = 0, .to = 1, .hinge_from = true, .hinge_to = true, .name = "beam"}};
  const StructuralModel structure = assemble(std::move(model));
  // mL²/12 at either end: ±(22L + 13L)/420·mL.
  const double coupling = 3057.1 * 36.0 / 12.0;
  EXPECT_NEAR(structure.base_load(0, 1), -coupling, 1e-9 * coupling);
  EXPECT_NEAR(structure.base_load(1, 1), coupling, 1e-9 * coupling);
}

TEST(Frame, NodeWithHingedMembersOnlyHasNoRotation) {
  FrameModel model;
  model.sections.push_back(testing::section());
  model.nodes = {testing::node("a", 0, 0, testing::kClamped),
                 testing::node("b", 6, 0, testing::kClamped), testing::node("c", 3, 4)};
  model.members = {{.from = 0, .to = 2, .hinge_to = true},
                   {.from = 1, .to = 2, .hinge_to = true}};
  const StructuralModel structure = assemble(std::move(model));
  EXPECT_EQ(structure.equations, 2);
  EXPECT_EQ(structure.equation("c.rz"), -1);
}

TEST(Frame, RigidFloorGivesItsNodesOneX) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.floors.push_back({.nodes = {2, 3}, .mass = 8e3, .rigid = true});
  const StructuralModel structure = assemble(std::move(model));
  EXPECT_EQ(structure.equations, 5);
  EXPECT_EQ(structure.equation("top_w.x"), structure.equation("top_e.x"));
  const int x = structure.equation("top_w.x");
  EXPECT_DOUBLE_EQ(structure.mass.coeff(x, x), 8e3);
  EXPECT_DOUBLE_EQ(structure.base_load(x, 0), -8e3);
  const int y = structure.equation("top_e.y");
  EXPECT_DOUBLE_EQ(structure.mass.coeff(y, y), 4e3);
}

TEST(Frame, RigidFloorAgreesWithABeamThatNeverStretches) {
  const auto drift = [](bool rigid, double area) {
    FrameModel model = testing::portal(3.0, 6.0);
    model.sections.push_back(model.sections[0]);
    model.sections[1].area = area;
    model.members[2].section = 1;
    if (rigid) model.floors.push_back({.nodes = {2, 3}, .rigid = true});
    const StructuralModel structure = assemble(std::move(model));
    return testing::deflection(structure, "top_e.x")[structure.equation("top_e.x")];
  };
  EXPECT_NEAR(drift(true, testing::kArea) / drift(false, 1e6 * testing::kArea), 1.0, 1e-6);
}

// Ground acceleration loads with −(M·ι + M_fs·ι_s): for a clamped consistent element the
// tip's y load is −(156 + 54)·mL/420 = −mL/2, its rz load −(−22 − 13... ) as below.
TEST(Frame, ConsistentMassCouplesTheBaseToTheLoad) {
  constexpr double L = 3.0;
  constexpr double m = 100.0;
  const StructuralModel structure =
      assemble(testing::cantilever(1, L, 0.0, m, MassMatrixKind::kConsistent));
  EXPECT_NEAR(structure.base_load(structure.equation("n1.y"), 1), -m * L / 2.0, 1e-9);
  EXPECT_NEAR(structure.base_load(structure.equation("n1.rz"), 1), m * L * L / 12.0, 1e-9);
  EXPECT_NEAR(structure.base_load(structure.equation("n1.x"), 0), -m * L / 2.0, 1e-9);
  EXPECT_NEAR(structure.base_load(structure.equation("n1.y"), 0), 0.0, 1e-9);
}

TEST(Frame, MassOfAFloorIsSharedAndItsInertiaIsNot) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.floors.push_back({.nodes = {2, 3}, .mass = 8e3, .rotational_inertia = 500.0});
  model.masses.push_back({.node = 2, .mass = 1e3, .rotational_inertia = 7.0});
  const StructuralModel structure = assemble(std::move(model));
  const auto mass = [&](const char* dof) {
    return structure.mass.coeff(structure.equation(dof), structure.equation(dof));
  };
  EXPECT_DOUBLE_EQ(mass("top_w.x"), 5e3);
  EXPECT_DOUBLE_EQ(mass("top_e.y"), 4e3);
  EXPECT_DOUBLE_EQ(mass("top_w.rz"), 507.0);
}

TEST(Frame, SpringsStandBetweenNodesOrOnTheGround) {
  FrameModel model = testing::portal(3.0, 6.0);
  const double bare = assemble(testing::portal(3.0, 6.0)).stiffness.coeff(0, 0);
  FrameSpring linear;
  linear.node = 2;
  linear.to = 3;
  linear.stiffness = 5e6;
  linear.damping = 4e3;
  model.springs.push_back(std::move(linear));
  FrameSpring yielding;
  yielding.node = 0;  // on a clamped node: acts on the other alone
  yielding.to = 3;
  yielding.law = std::make_unique<materials::BilinearLaw>(
      materials::BilinearLawSettings{.stiffness = 1e6, .yield_force = 1e3});
  model.springs.push_back(std::move(yielding));
  const StructuralModel structure = assemble(std::move(model));
  const int w = structure.equation("top_w.x");
  const int e = structure.equation("top_e.x");
  EXPECT_DOUBLE_EQ(structure.stiffness.coeff(w, w), bare + 5e6);
  EXPECT_DOUBLE_EQ(structure.damping.coeff(w, e), -4e3);
  ASSERT_EQ(structure.springs.size(), 1U);
  EXPECT_EQ(structure.springs[0].elongation, between(e, -1));
}

TEST(Frame, TellsWhichDofsItsSupportsHold) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.nodes[0].fixed = {false, true, false};
  const std::vector<std::string> expected{"foot_w.y", "foot_e.x", "foot_e.y", "foot_e.rz"};
  EXPECT_EQ(fixed_dofs(model), expected);
}

}  // namespace
}  // namespace trestle::structure::frame_assembly_test
