#include "numerical/substructure/structural_substructure.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>

#include "core/math/dense_solve.h"
#include "numerical/materials/bilinear_law.h"
#include "tests/numerical/substructure/divided_frame.h"

namespace trestle::substructure {
namespace {

using testing::all_schemes;
using testing::kStep;
using testing::LinearSite;
using testing::Scheme;
using testing::substructure;

/// Linear specimen, exact stiffness, no memory: the column as the undivided reference has
/// it.
class LinearSpecimenStub final : public SpecimenModel {
 public:
  int dofs() const noexcept override { return 2; }
  Eigen::MatrixXd initial_stiffness() const override { return testing::column_stiffness(); }
  Eigen::MatrixXd damping() const override { return Eigen::Matrix2d::Zero(); }
  Eigen::MatrixXd mass() const override { return Eigen::Matrix2d::Zero(); }
  void prepare(double) override {}
  InterfaceVector advance(const InterfaceVector& displacement, const InterfaceVector&,
                          const InterfaceVector&) noexcept override {
    InterfaceVector force(2);
    force.noalias() = stiffness_ * displacement;
    return force;
  }
  void save(SnapshotWriter&) const override {}
  void restore(SnapshotReader&) override {}

 private:
  Eigen::Matrix2d stiffness_ = testing::column_stiffness();
};

/// Displacements of all DOFs at all steps, one column per step.
template <typename Step>
Eigen::MatrixXd history(StructuralSubstructure& structure, Step step) {
  Eigen::MatrixXd result(testing::kRows, structure.steps());
  for (std::int64_t k = 0; k < structure.steps(); ++k) {
    EXPECT_TRUE(step(structure, k));
    result.col(k) = structure.state().displacement;
  }
  return result;
}

Eigen::MatrixXd with_site(StructuralSubstructure& structure) {
  LinearSite site;
  return history(structure, [&](StructuralSubstructure& s, std::int64_t k) {
    return site.step(s, k);
  });
}

Eigen::MatrixXd without_site(StructuralSubstructure& structure) {
  return history(structure, [](StructuralSubstructure& s, std::int64_t k) {
    s.predict(k, {});
    return s.correct(k, {});
  });
}

double difference(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other) {
  return (one - other).cwiseAbs().maxCoeff() / other.cwiseAbs().maxCoeff();
}

/// The schemes for which the specimen's force enters as if it were part of K.
std::vector<Scheme> exact_schemes() {
  std::vector<Scheme> schemes = all_schemes();
  schemes.erase(schemes.begin() + 1);
  return schemes;
}

class Oracle : public ::testing::TestWithParam<Scheme> {};

// Both runs solve the same equations; they differ by rounding alone, which 5120 steps of a
// damped structure do not amplify.
TEST_P(Oracle, AFrameCutInTwoMovesAsTheUndividedOne) {
  const auto cut = substructure(testing::divided(), GetParam(), true);
  const auto whole = substructure(testing::assembled(), GetParam(), false);
  const Eigen::MatrixXd reference = without_site(*whole);
  EXPECT_GT(reference.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT(difference(with_site(*cut), reference), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Oracle, ::testing::ValuesIn(exact_schemes()),
                         [](const auto& of) { return of.param.name; });

StructuralSubstructureParts undivided_parts(const Scheme& scheme) {
  structure::StructuralModel structure = testing::divided();
  auto integrator = scheme.make(structure, kStep);
  excitation::Excitation excitation = testing::shaking(structure, kStep, 10.0);
  std::vector<structure::NamedDof> recorded = structure.dofs;
  std::vector<std::unique_ptr<SpecimenModel>> specimens;
  specimens.push_back(std::make_unique<LinearSpecimenStub>());
  return {.structure = std::move(structure),
          .integrator = std::move(integrator),
          .excitation = std::move(excitation),
          .interfaces = {{{0, 1}, {0, 1}}},
          .undivided = std::move(specimens),
          .recorded = std::move(recorded),
          .time_step = kStep};
}

TEST(UndividedReference, WithTheSameSplitGivesTheSameBits) {
  for (const Scheme& scheme : testing::all_and_last_step()) {
    StructuralSubstructure undivided(undivided_parts(scheme));
    const auto cut = substructure(testing::divided(), scheme, true);
    EXPECT_EQ(with_site(*cut), without_site(undivided)) << scheme.name;
  }
}

TEST(ConstantAverageAcceleration, CutInTwoApproachesTheUncutWithSecondOrder) {
  const Scheme scheme = all_schemes()[1];
  const auto error = [&](double dt) {
    const auto cut = substructure(testing::divided(), scheme, true, dt, 2.0);
    const auto whole = substructure(testing::assembled(), scheme, false, dt, 2.0);
    return difference(with_site(*cut), without_site(*whole));
  };
  const double order = std::log2(error(1.0 / 2048) / error(1.0 / 4096));
  EXPECT_GT(order, 1.9);
}

// Force one step late: first order in all. M·a + C·v + K·d = p − f as the benchmark writes
// it, in displacements, from rest one step before step 0.
TEST(ForcesOfLastStep, SolveTheStepBeforeItsTargetGoesOut) {
  const auto structure =
      substructure(testing::divided(), testing::last_step_scheme(), true);
  const structure::StructuralModel model = testing::divided();
  const excitation::Excitation shaking = testing::shaking(model, kStep, 10.0);
  const Eigen::Matrix4d M(model.mass);
  const Eigen::Matrix4d C(model.damping);
  const double a0 = 4.0 / (kStep * kStep);
  const double a1 = 2.0 / kStep;
  const Eigen::Matrix4d effective = Eigen::Matrix4d(model.stiffness) + a0 * M + a1 * C;
  Eigen::Vector4d d = Eigen::Vector4d::Zero();
  Eigen::Vector4d v = d;
  Eigen::Vector4d a = d;
  LinearSite site;
  site.answers()[0].force = Eigen::Vector2d(100.0, -20.0);  // the initial measurement
  EXPECT_TRUE(structure->correct(-1, site.answers()));
  double largest = 0.0;
  for (std::int64_t k = 0; k < 2000; ++k) {
    Eigen::VectorXd load(4);
    shaking.load(k, load);
    load.head(2) -= site.answers()[0].force;
    const Eigen::Vector4d before = d;
    d = math::solved(effective, load + M * (a0 * d + 2 * a1 * v + a) + C * (a1 * d + v));
    const Eigen::Vector4d after = a0 * (d - before) - 2 * a1 * v - a;
    v += 0.5 * kStep * (a + after);
    a = after;
    ASSERT_TRUE(site.step(*structure, k));
    largest = std::max(largest, d.cwiseAbs().maxCoeff());
    ASSERT_LT((structure->state().displacement - d).cwiseAbs().maxCoeff(), 1e-10 * largest);
    const InterfaceMotion& target = site.requests()[0].target;
    EXPECT_EQ(target.displacement[1], structure->state().displacement[1]);
    EXPECT_EQ(target.velocity[0], structure->state().velocity[0]);
    EXPECT_EQ(target.acceleration[0], structure->state().acceleration[0]);
  }
}

TEST(ForcesOfLastStep, CutInTwoApproachTheUncutWithFirstOrder) {
  const auto error = [&](double dt) {
    const auto cut =
        substructure(testing::divided(), testing::last_step_scheme(), true, dt, 2.0);
    const auto whole = substructure(testing::assembled(), all_schemes()[1], false, dt, 2.0);
    return difference(with_site(*cut), without_site(*whole));
  };
  EXPECT_NEAR(std::log2(error(1.0 / 2048) / error(1.0 / 4096)), 1.0, 0.1);
}

TEST(ForcesOfLastStep, NeedNoMassAndKnowNoLimit) {
  structure::StructuralModel structure = testing::divided();
  structure.mass = testing::sparse(Eigen::Vector4d(6000.0, 0.0, 5000.0, 0.0).asDiagonal());
  const auto cut =
      substructure(std::move(structure), testing::last_step_scheme(), true, kStep, 1.0);
  EXPECT_TRUE(std::isnan(cut->integrator().stable_time_step()));
  EXPECT_GT(with_site(*cut).cwiseAbs().maxCoeff(), 1e-4);
  const auto whole =
      substructure(testing::assembled(), testing::last_step_scheme(), false, kStep, 1.0);
  EXPECT_TRUE(std::isinf(whole->integrator().stable_time_step()));
}

TEST(StructuralSubstructure, AsksForTheInitialPositionFirst) {
  const auto structure = substructure(testing::divided(), all_schemes()[0], true);
  LinearSite site;
  EXPECT_TRUE(structure->correct(-1, site.answers()));
  site.requests()[0].target.displacement.setOnes();
  structure->predict(0, site.requests());
  EXPECT_EQ(site.requests()[0].target.displacement, InterfaceVector::Zero(2));
}

TEST(StructuralSubstructure, ContinuesFromASnapshotBitForBit) {
  for (const Scheme& scheme : testing::all_and_last_step()) {
    LinearSite site;
    const auto one = substructure(testing::divided(), scheme, true);
    for (std::int64_t k = 0; k < 300; ++k) site.step(*one, k);
    SnapshotWriter writer;
    one->snapshot(writer);
    const auto other = substructure(testing::divided(), scheme, true);
    SnapshotReader reader(writer.values());
    other->restore(reader);
    EXPECT_TRUE(reader.at_end());
    for (std::int64_t k = 300; k < 600; ++k) {
      site.step(*one, k);
      site.step(*other, k);
    }
    EXPECT_EQ(one->state().displacement, other->state().displacement) << scheme.name;
    EXPECT_EQ(one->state().acceleration, other->state().acceleration) << scheme.name;
  }
}

TEST(StructuralSubstructure, PrepareForgetsTheRun) {
  for (const Scheme& scheme : testing::all_and_last_step()) {
    const auto structure = substructure(testing::divided(), scheme, true, kStep, 1.0);
    const Eigen::MatrixXd first = with_site(*structure);
    structure->prepare();
    EXPECT_EQ(with_site(*structure), first) << scheme.name;
  }
}

TEST(StructuralSubstructure, SaysWhenTheResponseIsNoLongerFinite) {
  const auto structure = substructure(testing::divided(), all_schemes()[0], true);
  LinearSite site;
  EXPECT_TRUE(site.step(*structure, 0));
  structure->predict(1, site.requests());
  site.answers()[0].force[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(structure->correct(1, site.answers()));
}

TEST(StructuralSubstructure, NamesItsChannelsWithTheirUnits) {
  structure::StructuralModel structure = testing::divided();
  structure.dofs[0].name = "floor_w.x";
  structure.dofs[1] = {"floor_w.rz", DofKind::kRotation, 1};
  const auto frame = substructure(std::move(structure), all_schemes()[0], true);
  ASSERT_EQ(frame->channels().size(), 12u);
  EXPECT_EQ(frame->channels()[0], (Channel{"floor_w.x.disp_m", "m"}));
  EXPECT_EQ(frame->channels()[2], (Channel{"floor_w.x.acc_m_s2", "m/s^2"}));
  EXPECT_EQ(frame->channels()[4], (Channel{"floor_w.rz.vel_rad_s", "rad/s"}));
  LinearSite site;
  for (std::int64_t k = 0; k < 100; ++k) site.step(*frame, k);
  std::vector<double> row(12);
  frame->record(row);
  EXPECT_EQ(row[0], frame->state().displacement[0]);
  EXPECT_EQ(row[4], frame->state().velocity[1]);
}

/// The same frame with its first floor held by a bilinear spring besides.
structure::StructuralModel with_spring() {
  structure::StructuralModel structure = testing::divided();
  structure::NonlinearSpring spring;
  spring.elongation = structure::between(2, 0);
  spring.law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
      .stiffness = 2.0e6, .yield_force = 2.0e3, .hardening = 0.05});
  structure.springs.push_back(std::move(spring));
  return structure;
}

TEST(StructuralSubstructure, CarriesTheMemoryOfItsSpringsThroughASnapshot) {
  for (const Scheme& scheme : testing::all_and_last_step()) {
    LinearSite site;
    const auto one = substructure(with_spring(), scheme, true);
    for (std::int64_t k = 0; k < 500; ++k) ASSERT_TRUE(site.step(*one, k));
    SnapshotWriter writer;
    one->snapshot(writer);
    const auto other = substructure(with_spring(), scheme, true);
    SnapshotReader reader(writer.values());
    other->restore(reader);
    for (std::int64_t k = 500; k < 900; ++k) {
      site.step(*one, k);
      site.step(*other, k);
    }
    EXPECT_EQ(one->state().displacement, other->state().displacement) << scheme.name;
  }
}

TEST(StructuralSubstructure, AForceOnlyDofGetsNoTargetAndItsForceActs) {
  const auto make = [] {
    structure::StructuralModel structure = testing::divided();
    auto integrator = all_schemes().front().make(structure, kStep);
    excitation::Excitation excitation = testing::shaking(structure, kStep, 1.0);
    return StructuralSubstructure({.structure = std::move(structure),
                                   .integrator = std::move(integrator),
                                   .excitation = std::move(excitation),
                                   .interfaces = {{{0, 1}, {0}}},
                                   .undivided = {},
                                   .recorded = {},
                                   .time_step = kStep});
  };
  StructuralSubstructure pushed = make();
  StructuralSubstructure free = make();
  std::vector<SiteTarget> requests(1);
  requests[0].target = InterfaceMotion::zero(1);
  std::vector<SiteResponse> push{{InterfaceVector::Zero(1), InterfaceVector{{0.0, 100.0}}}};
  std::vector<SiteResponse> none{{InterfaceVector::Zero(1), InterfaceVector::Zero(2)}};
  for (std::int64_t k = 0; k < 3; ++k) {
    pushed.predict(k, requests);
    EXPECT_EQ(requests[0].target.displacement[0], pushed.state().displacement[0]);
    EXPECT_TRUE(pushed.correct(k, push));
    free.predict(k, requests);
    EXPECT_TRUE(free.correct(k, none));
  }
  // 100 N·m against the first joint's inertia of 500 kg·m², at first.
  StructuralSubstructure first = make();
  first.predict(0, requests);
  first.correct(0, push);
  EXPECT_NEAR(first.state().acceleration[1], -100.0 / 500.0, 1e-12);
  EXPECT_NE(pushed.state().displacement[1], free.state().displacement[1]);
}

}  // namespace
}  // namespace trestle::substructure
