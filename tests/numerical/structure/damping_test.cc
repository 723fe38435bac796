#include "numerical/structure/damping.h"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "composition/numerical/damping_factory.h"
#include "core/base/setting_error.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"
#include "numerical/structure/shear_building.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::damping_test {
namespace {

StructuralModel building(bool yielding = false) {
  std::vector<Storey> storeys(3);
  for (int i = 0; i < 3; ++i) {
    Storey& storey = storeys[static_cast<std::size_t>(i)];
    storey.name = "s" + std::to_string(i + 1);
    storey.mass = 2e4;
    storey.stiffness = 4e7;
    if (yielding && i == 0)
      storey.law = std::make_unique<materials::BilinearLaw>(
          materials::BilinearLawSettings{.stiffness = 4e7, .yield_force = 1e5});
  }
  return shear_building(std::move(storeys));
}

double ratio(const StructuralModel& structure, int mode) {
  return damping_ratios(structure, lowest_modes(structure, 3))[mode - 1];
}

TEST(Damping, RayleighHoldsItsRatiosAtItsModes) {
  StructuralModel structure = building();
  add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.05}, .modes = {1, 3}});
  EXPECT_NEAR(ratio(structure, 1), 0.02, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.05, 1e-12);
}

TEST(Damping, RayleighHoldsItsRatiosAtItsFrequencies) {
  StructuralModel structure = building();
  const Eigen::VectorXd omega = lowest_modes(structure, 3).frequencies;
  const double hertz = 0.5 / std::numbers::pi;
  add_damping(structure,
              RayleighAtFrequencies{.ratios = {0.03, 0.03},
                                    .frequencies = {omega[0] * hertz, omega[2] * hertz}});
  EXPECT_NEAR(ratio(structure, 1), 0.03, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.03, 1e-12);
  EXPECT_LT(ratio(structure, 2), 0.03);
}

TEST(Damping, FactorsMultiplyMassAndStiffness) {
  StructuralModel structure = building();
  add_damping(structure, RayleighFactors{.mass = 0.5, .stiffness = 1e-3});
  EXPECT_DOUBLE_EQ(structure.damping.coeff(0, 0), 0.5 * 2e4 + 1e-3 * 8e7);
  EXPECT_DOUBLE_EQ(structure.damping.coeff(1, 0), -1e-3 * 4e7);
}

TEST(Damping, RatiosAndFactorsAreOfTheWholeStructure) {
  StructuralModel structure = building();
  structure.experimental_stiffness.coeffRef(0, 0) = 3e7;
  structure.experimental_mass.coeffRef(0, 0) = 1e4;
  add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.02}});
  EXPECT_NEAR(ratio(structure, 1), 0.02, 1e-12);
  EXPECT_NEAR(ratio(structure, 2), 0.02, 1e-12);
  structure.damping.setZero();
  add_damping(structure, RayleighFactors{.mass = 1.0, .stiffness = 1e-3});
  EXPECT_DOUBLE_EQ(structure.damping.coeff(0, 0), 3e4 + 1e-3 * (8e7 + 3e7));
}

// What yields in the model and what yields in a laboratory, as in the model.
TEST(Damping, ElasticStiffnessLeavesOutWhatMayYield) {
  StructuralModel structure = building(true);
  structure.experimental_stiffness.coeffRef(1, 1) = 3e7;
  structure.experimental_stiffness.coeffRef(2, 2) = 5e7;
  structure.experimental_yielding.resize(3, 3);
  structure.experimental_yielding.coeffRef(1, 1) = 3e7;
  add_damping(
      structure,
      RayleighFactors{.mass = 0.0, .stiffness = 1e-3, .of = RayleighStiffness::kElastic});
  EXPECT_DOUBLE_EQ(structure.damping.coeff(0, 0), 1e-3 * 4e7);
  EXPECT_DOUBLE_EQ(structure.damping.coeff(1, 1), 1e-3 * 8e7);
  EXPECT_DOUBLE_EQ(structure.damping.coeff(2, 2), 1e-3 * 9e7);
}

TEST(Damping, ElasticStiffnessHoldsTheRatiosTheSame) {
  StructuralModel structure = building(true);
  add_damping(structure, RayleighAtModes{.ratios = {0.03, 0.05},
                                         .modes = {1, 3},
                                         .stiffness = RayleighStiffness::kElastic});
  EXPECT_NEAR(ratio(structure, 1), 0.03, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.05, 1e-12);
}

/// Two storeys of 3.5 m, one bay of 6 m; hinges that yield, as springs between the ends of
/// members and their joints: at the feet, and at all ends of beams, whose nodes are tied to
/// the joints in x and y.
StructuralModel frame_with_hinges() {
  constexpr double E = 210e9;
  constexpr double column = 11260e-8;
  constexpr double beam = 16270e-8;
  FrameModel model;
  model.sections = {{.elastic_modulus = E, .area = 106e-4, .second_moment = column},
                    {.elastic_modulus = E, .area = 72.7e-4, .second_moment = beam}};
  const std::array<bool, kNodeDofs> pinned{true, true, false};
  using testing::node;
  model.nodes = {node("1", 0, 0, pinned), node("2", 6, 0, pinned), node("11", 0, 3.5),
                 node("12", 6, 3.5),      node("21", 0, 7),        node("22", 6, 7),
                 node("b11", 0, 3.5),     node("b12", 6, 3.5),     node("b21", 0, 7),
                 node("b22", 6, 7)};
  model.members = {{.from = 0, .to = 2},
                   {.from = 1, .to = 3},
                   {.from = 2, .to = 4},
                   {.from = 3, .to = 5},
                   {.from = 6, .to = 7, .section = 1},
                   {.from = 8, .to = 9, .section = 1}};
  for (const int floor : {2, 3})
    model.masses.push_back({.node = floor, .mass = 14e3, .rotational_inertia = 700.0});
  for (const int roof : {4, 5})
    model.masses.push_back({.node = roof, .mass = 11e3, .rotational_inertia = 600.0});
  const auto hinge = [&](int at, int to, double stiffness, double moment) {
    FrameSpring spring;
    spring.node = at;
    spring.to = to;
    spring.dof = NodeDof::kRz;
    spring.law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
        .stiffness = stiffness, .yield_force = moment, .hardening = 0.02});
    model.springs.push_back(std::move(spring));
  };
  for (const int foot : {0, 1}) hinge(foot, -1, 60.0 * E * column / 3.5, 260e3);
  for (int end = 0; end < 4; ++end) hinge(6 + end, 2 + end, 60.0 * E * beam / 6.0, 240e3);
  StructuralModel free = assemble(std::move(model));
  // Ties: q = T·r.
  std::vector<int> kept(static_cast<std::size_t>(free.equations), -1);
  int next = 0;
  for (const NamedDof& dof : free.dofs)
    if (dof.name[0] != 'b' || dof.kind == DofKind::kRotation)
      kept[static_cast<std::size_t>(dof.equation)] = next++;
  for (const NamedDof& dof : free.dofs)
    if (dof.name[0] == 'b' && dof.kind == DofKind::kTranslation)
      kept[static_cast<std::size_t>(dof.equation)] =
          kept[static_cast<std::size_t>(free.equation(dof.name.substr(1)))];
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(free.equations, next);
  for (int i = 0; i < free.equations; ++i) T(i, kept[static_cast<std::size_t>(i)]) = 1.0;
  const auto tied = [&T](const SparseMatrix& matrix) {
    return SparseMatrix((T.transpose() * Eigen::MatrixXd(matrix) * T).sparseView());
  };
  StructuralModel structure;
  structure.equations = next;
  structure.mass = tied(free.mass);
  structure.stiffness = tied(free.stiffness);
  for (SparseMatrix* matrix :
       {&structure.damping, &structure.experimental_mass, &structure.experimental_damping,
        &structure.experimental_stiffness})
    matrix->resize(next, next);
  for (NonlinearSpring& spring : free.springs) {
    for (DofTerm& term : spring.elongation)
      term.equation = kept[static_cast<std::size_t>(term.equation)];
    structure.springs.push_back(std::move(spring));
  }
  return structure;
}

// Of an independent program, 2 % at the first two modes: a = 0.302123811484,
// b = 0.00101321897307, κ = 90.55275973 and 921.34915469 1/s².
TEST(Damping, ElasticStiffnessAgreesWithAnIndependentProgram) {
  StructuralModel structure = frame_with_hinges();
  const Modes modes = lowest_modes(structure, 2);
  const SparseMatrix elastic = elastic_stiffness(structure);
  EXPECT_NEAR(modes.shapes.col(0).dot(elastic * modes.shapes.col(0)), 90.55275973, 1e-7);
  EXPECT_NEAR(modes.shapes.col(1).dot(elastic * modes.shapes.col(1)), 921.34915469, 1e-6);
  add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.02},
                                         .modes = {1, 2},
                                         .stiffness = RayleighStiffness::kElastic});
  const SparseMatrix expected =
      0.302123811484 * structure.mass + 0.00101321897307 * elastic;
  EXPECT_TRUE(structure.damping.isApprox(expected, 1e-10));
}

TEST(Damping, SpringAtRestCountsAsStiffness) {
  StructuralModel elastic = building();
  StructuralModel yielding = building(true);
  const RayleighAtModes model{.ratios = {0.02, 0.02}};
  add_damping(elastic, model);
  add_damping(yielding, model);
  EXPECT_TRUE(yielding.damping.isApprox(elastic.damping, 1e-12));
}

TEST(Damping, ModalHoldsEachRatioAndLeavesTheRestUndamped) {
  StructuralModel structure = building();
  add_damping(structure, ModalRatios{.ratios = {0.01, 0.04}, .modes = 2});
  EXPECT_NEAR(ratio(structure, 1), 0.01, 1e-12);
  EXPECT_NEAR(ratio(structure, 2), 0.04, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.0, 1e-12);
  EXPECT_EQ(structure.modal_damping.weighted_modes.cols(), 2);
}

TEST(Damping, LastModalRatioServesAllFurtherModes) {
  StructuralModel structure = building();
  add_damping(structure, ModalRatios{.ratios = {0.01, 0.04}, .modes = 3});
  EXPECT_NEAR(ratio(structure, 3), 0.04, 1e-12);
}

TEST(Damping, NamesAModeThatDoesNotExist) {
  StructuralModel structure = building();
  try {
    add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.02}, .modes = {1, 4}});
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems()[0].path, "modes");
    EXPECT_EQ(error.problems()[0].what, "mode 4 does not exist; the structure has 3");
  }
}

TEST(Damping, RefusesToFeedEnergyIn) {
  StructuralModel structure = building();
  EXPECT_THROW(add_damping(structure, RayleighAtModes{.ratios = {0.001, 0.2}}),
               SettingError);
}

}  // namespace
}  // namespace trestle::structure::damping_test
