#include "numerical/integration/stable_time_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "tests/numerical/integration/small_structures.h"

namespace trestle::integration {
namespace {

using testing::chain_stiffness;
using testing::Scheme;
using testing::sparse;
using testing::structure_of;

/// The part of the structure in a laboratory that answers f = K·d + C·v + M·a.
struct Site {
  Eigen::MatrixXd stiffness;
  Eigen::MatrixXd damping;
  Eigen::MatrixXd mass;
};

structure::StructuralModel with_site(structure::StructuralModel structure,
                                     const Site& site) {
  structure.experimental_stiffness = sparse(site.stiffness);
  structure.experimental_damping = sparse(site.damping);
  structure.experimental_mass = sparse(site.mass);
  return structure;
}

/// Largest displacement of a free vibration from a start with a share of every mode.
double largest_after(TimeIntegrator& scheme, const Site& site, int steps) {
  const Eigen::Index n = site.stiffness.rows();
  StructuralState state{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n),
                        Eigen::VectorXd::Zero(n)};
  for (Eigen::Index i = 0; i < n; ++i) state.velocity[i] = 1.0 + 0.3 * double(i * i);
  const Eigen::VectorXd at_rest =
      -(site.stiffness * state.displacement + site.damping * state.velocity);
  scheme.start(at_rest, state);
  Eigen::VectorXd d(n), v(n), a(n);
  for (int k = 0; k < steps; ++k) {
    scheme.predict(state);
    for (Eigen::Index i = 0; i < n; ++i) {
      const DofMotion motion = scheme.target(state, i);
      d[i] = motion.displacement;
      v[i] = motion.velocity;
      a[i] = motion.acceleration;
    }
    const Eigen::VectorXd load = -(site.stiffness * d + site.damping * v + site.mass * a);
    scheme.correct(load, state);
  }
  return state.displacement.lpNorm<Eigen::Infinity>();
}

const Eigen::Matrix3d kMass = Eigen::Vector3d(2.0, 1.0, 1.5).asDiagonal();
const Eigen::Matrix3d kStiffness = chain_stiffness(3, 400.0);

Site first_storey(double stiffness, double damping, double mass) {
  Site site{Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero(), Eigen::Matrix3d::Zero()};
  site.stiffness(0, 0) = stiffness;
  site.damping(0, 0) = damping;
  site.mass(0, 0) = mass;
  return site;
}

/// 2000 steps at 1 % below the limit stay bounded; at 1 % above they do not: there the root
/// leaves the unit circle at −1, and grows by at least 1 + 2·(1.01² − 1) or so a step.
void expect_limit(const Scheme& scheme, const structure::StructuralModel& structure,
                  const Site& site, double beyond = 1.01) {
  const double limit = scheme.make(structure, 1e-4)->stable_time_step();
  ASSERT_TRUE(std::isfinite(limit));
  ASSERT_GT(limit, 0.0);
  const auto below = scheme.make(structure, 0.99 * limit);
  const auto above = scheme.make(structure, beyond * limit);
  EXPECT_LT(largest_after(*below, site, 2000), 100.0) << limit;
  EXPECT_FALSE(largest_after(*above, site, 2000) < 1e6) << limit;
}

TEST(ExplicitNewmark, IsStableUpToTwoOverTheHighestFrequency) {
  const structure::StructuralModel structure = testing::oscillator(20.0, 0.0);
  EXPECT_NEAR(ExplicitNewmark(structure, 1e-3).stable_time_step(), 0.1, 1e-12);
  expect_limit(testing::all_schemes()[0], structure,
               {kStiffness.topLeftCorner(1, 1) * 0.0, kStiffness.topLeftCorner(1, 1) * 0.0,
                kStiffness.topLeftCorner(1, 1) * 0.0});
}

TEST(ExplicitNewmark, KeepsItsLimitWhenTheNumericalPartIsDamped) {
  const Site none = first_storey(0.0, 0.0, 0.0);
  const Eigen::Matrix3d C = 0.4 * kMass + 0.004 * kStiffness;
  const structure::StructuralModel damped = structure_of(kMass, C, kStiffness);
  const structure::StructuralModel undamped = structure_of(kMass, C * 0.0, kStiffness);
  EXPECT_DOUBLE_EQ(ExplicitNewmark(damped, 1e-3).stable_time_step(),
                   ExplicitNewmark(undamped, 1e-3).stable_time_step());
  expect_limit(testing::all_schemes()[0], damped, none);
}

TEST(ExplicitNewmark, CountsTheSpecimensStiffnessViscosityAndInertia) {
  for (const Site& site : {first_storey(900.0, 0.0, 0.0), first_storey(900.0, 12.0, 0.0),
                           first_storey(900.0, 12.0, 0.5)}) {
    const structure::StructuralModel structure =
        with_site(structure_of(kMass, 0.01 * kMass, kStiffness), site);
    expect_limit(testing::all_schemes()[0], structure, site);
  }
}

TEST(ConstantAverageAcceleration, IsLimitedByTheSitesStiffnessAlone) {
  const Site site = first_storey(900.0, 0.0, 0.0);
  const structure::StructuralModel soft =
      with_site(structure_of(kMass, 0.0 * kMass, kStiffness), site);
  const structure::StructuralModel stiff =
      with_site(structure_of(kMass, 0.0 * kMass, 100.0 * kStiffness), site);
  const double limit = ConstantAverageAcceleration(soft, 1e-3).stable_time_step();
  EXPECT_NEAR(limit, std::numbers::sqrt2 / std::sqrt(900.0 / 2.0), 1e-12);
  EXPECT_NEAR(ConstantAverageAcceleration(stiff, 1e-3).stable_time_step(), limit, 1e-12);
  expect_limit(testing::all_schemes()[1], soft, site);
}

TEST(ConstantAverageAcceleration, CountsTheSpecimensViscosityAndInertia) {
  const Site site = first_storey(900.0, 12.0, 0.5);
  expect_limit(testing::all_schemes()[1],
               with_site(structure_of(kMass, 0.01 * kMass, kStiffness), site), site);
}

TEST(OperatorSplitting, IsLimitedByTheSpecimensViscosityOnly) {
  const Site site = first_storey(900.0, 12.0, 0.5);
  expect_limit(testing::all_schemes()[2],
               with_site(structure_of(kMass, 0.01 * kMass, kStiffness), site), site,
               1.05);  // where K is implicit the root leaves slowly
}

TEST(UnconditionalSchemes, SurviveAHundredTimesTheExplicitLimit) {
  const Site site = first_storey(900.0, 0.0, 0.0);
  const structure::StructuralModel structure =
      with_site(structure_of(kMass, 0.01 * kMass, kStiffness), site);
  const double dt = 100.0 * ExplicitNewmark(structure, 1e-3).stable_time_step();
  for (std::size_t i = 2; i < testing::all_schemes().size(); ++i) {
    const auto scheme = testing::all_schemes()[i].make(structure, dt);
    EXPECT_EQ(scheme->stable_time_step(), std::numeric_limits<double>::infinity());
    EXPECT_LT(largest_after(*scheme, site, 2000), 200.0) << testing::all_schemes()[i].name;
  }
}

TEST(LargestEigenvalue, OfALongChainIsBoundedFromAboveAndClose) {
  // Closed form of a chain of n equal masses, fixed at one end:
  // ω_n = 2·√(k/m)·sin((2n−1)π/(4n+2)).
  const int n = 400;  // well above what is done densely
  const double k = 3.0e6;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, i + 1 < n ? 2.0 * k : k);
    if (i > 0) entries.emplace_back(i, i - 1, -k);
    if (i > 0) entries.emplace_back(i - 1, i, -k);
  }
  structure::SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  structure::SparseMatrix M(n, n);
  M.setIdentity();
  const double s = std::sin((2.0 * n - 1.0) * std::numbers::pi / (4.0 * n + 2.0));
  const double exact = 4.0 * k * s * s;
  const double found = largest_eigenvalue(K, M);
  EXPECT_GE(found, exact * (1.0 - 1e-12));
  EXPECT_LE(found, exact * 1.01);  // on the safe side by less than half a per cent in Δt
}

TEST(MasslessDofs, AreRefusedByNameWhereTheSchemeNeedsMass) {
  structure::StructuralModel structure = structure_of(kMass, 0.0 * kMass, kStiffness);
  structure.mass.coeffRef(2, 2) = 0.0;
  structure.dofs[2] = {"roof_e.rz", DofKind::kRotation, 2};
  for (const std::size_t i : {0u, 4u}) {
    try {
      testing::all_schemes()[i].make(structure, 1e-3);
      FAIL() << testing::all_schemes()[i].name;
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("needs mass on every DOF; rz of roof_e has none. Give it a "
                          "rotational inertia, or use operator-splitting."),
                std::string::npos)
          << what;
    }
  }
  for (const std::size_t i : {1u, 2u, 3u}) {
    const auto scheme = testing::all_schemes()[i].make(structure, 1e-2);
    const Site none = first_storey(0.0, 0.0, 0.0);
    EXPECT_LT(largest_after(*scheme, none, 500), 100.0);
  }
}

TEST(OperatorSplitting, RefusesAMasslessDofWithAViscousOrHeavySpecimen) {
  for (const Site& site : {first_storey(900.0, 12.0, 0.0), first_storey(900.0, 0.0, 0.5)}) {
    structure::StructuralModel structure =
        with_site(structure_of(kMass, 0.0 * kMass, kStiffness), site);
    structure.mass.coeffRef(0, 0) = 0.0;
    EXPECT_THROW(OperatorSplitting(structure, 1e-3, 0.0), std::invalid_argument);
  }
  structure::StructuralModel elastic = with_site(
      structure_of(kMass, 0.0 * kMass, kStiffness), first_storey(900.0, 0.0, 0.0));
  elastic.mass.coeffRef(0, 0) = 0.0;
  EXPECT_NO_THROW(OperatorSplitting(elastic, 1e-3, 0.0));
}

TEST(ConstantAverageAcceleration, RefusesAMasslessDofThatASpecimenHolds) {
  structure::StructuralModel structure = with_site(
      structure_of(kMass, 0.0 * kMass, kStiffness), first_storey(900.0, 0.0, 0.0));
  structure.mass.coeffRef(0, 0) = 0.0;
  EXPECT_THROW(ConstantAverageAcceleration(structure, 1e-3), std::invalid_argument);
}

}  // namespace
}  // namespace trestle::integration
