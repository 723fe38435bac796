#include "numerical/structure/spatial_fibre_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/concrete_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/menegotto_pinto_law.h"
#include "numerical/structure/fibre_response.h"

namespace trestle::structure::spatial_fibre_response_test {
namespace {

constexpr double kLength = 3.0;   // [m]
constexpr double kSide = 0.4;     // [m]
constexpr double kTorsion = 4e6;  // GJ [N·m²]

using Law = std::unique_ptr<materials::RestoringForce>;

/// A rectangle of fibres, b along z.
FibreSection grid(double b, double h, int count, std::function<Law()> law) {
  FibreSection section;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      section.fibres.push_back({.y = h * ((i + 0.5) / count - 0.5),
                                .z = b * ((j + 0.5) / count - 0.5),
                                .area = b * h / count / count});
  section.materials.push_back(std::move(law));
  return section;
}

Law elastic() {
  return std::make_unique<materials::LinearLaw>(
      materials::LinearLawSettings{.stiffness = 30e9});
}

Law smooth_steel() {
  return std::make_unique<materials::MenegottoPintoLaw>(
      materials::MenegottoPintoLawSettings{
          .stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
}

// A fibre grid has the second moments b·h³/12·(1 − 1/n²).
TEST(SpatialFibreResponse, ElasticFibresAreTheElasticMember) {
  constexpr int kCount = 20;
  const double lost = 1.0 - 1.0 / (kCount * kCount);
  SpatialFibreResponse fibres(kLength, grid(0.3, 0.5, kCount, elastic), kTorsion, 3);
  ElasticSpatialResponse member(kLength,
                                {.axial = 30e9 * 0.15,
                                 .torsion = kTorsion,
                                 .bending_y = 30e9 * 0.5 * std::pow(0.3, 3) / 12.0 * lost,
                                 .bending_z = 30e9 * 0.3 * std::pow(0.5, 3) / 12.0 * lost});
  SpatialResponse::Vector moved;
  moved << 1e-4, 3e-4, -2e-4, 5e-4, -1e-4, 4e-4, 2e-4;
  SpatialResponse::Vector force, expected;
  SpatialResponse::Matrix tangent, stiffness;
  fibres.respond(moved, force, tangent);
  member.respond(moved, expected, stiffness);
  EXPECT_LT((force - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.norm());
  EXPECT_LT((tangent - stiffness).cwiseAbs().maxCoeff(), 1e-12 * stiffness(0, 0));
}

// A square that is bent about its diagonal until all of it yields carries a³·f/(3√2) there,
// about a side a³·f/4.
TEST(SpatialFibreResponse, SquareYieldsAboutItsDiagonal) {
  const auto plastic = [] {
    return std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
        .stiffness = 200e9, .yield_force = 420e6, .hardening = 1e-9});
  };
  const auto moments = [&](double about_y, double about_z) {
    SpatialFibreResponse fibres(kLength, grid(kSide, kSide, 80, plastic), kTorsion, 2);
    SpatialResponse::Vector force;
    SpatialResponse::Matrix tangent;
    SpatialResponse::Vector moved;
    // The same curvature all along.
    moved << 0.0, 0.0, -about_y, -about_z, 0.0, about_y, about_z;
    fibres.respond(moved, force, tangent);
    EXPECT_NEAR(force[0], 0.0, 1e-3 * 420e6 * kSide * kSide);
    return Eigen::Vector2d(force[5], force[6]);
  };
  const double side = std::pow(kSide, 3) * 420e6 / 4.0;
  const double diagonal = std::pow(kSide, 3) * 420e6 / (3.0 * std::sqrt(2.0));
  EXPECT_NEAR(moments(1.0, 0.0).x(), side, 1e-3 * side);
  EXPECT_NEAR(moments(0.0, -1.0).y(), -side, 1e-3 * side);
  const Eigen::Vector2d skew = moments(0.7, -0.7);
  EXPECT_NEAR(skew.norm(), diagonal, 2e-3 * diagonal);
  EXPECT_NEAR(skew.x(), -skew.y(), 1e-6 * diagonal);
}

// Bent about one axis alone it is the planar member, through yield and back.
TEST(SpatialFibreResponse, IsThePlanarMemberInAPlane) {
  const FibreSection section = grid(kSide, kSide, 6, smooth_steel);
  SpatialFibreResponse fibres(kLength, section, kTorsion, 4);
  FibreResponse planar(kLength, section, 4);
  for (const double size : {1e-3, 6e-3, 2e-2, -4e-3, -2e-2, 1e-3}) {
    const BasicResponse::Vector plane(2e-1 * size, size, 0.4 * size);
    SpatialResponse::Vector moved;
    moved << plane[0], 0.0, 0.0, plane[1], 0.0, 0.0, plane[2];
    SpatialResponse::Vector force;
    SpatialResponse::Matrix tangent;
    BasicResponse::Vector expected;
    BasicResponse::Matrix stiffness;
    fibres.respond(moved, force, tangent);
    planar.respond(plane, expected, stiffness);
    const double size_of_force = expected.norm();
    EXPECT_NEAR(force[0], expected[0], 1e-12 * size_of_force);
    EXPECT_NEAR(force[3], expected[1], 1e-12 * size_of_force);
    EXPECT_NEAR(force[6], expected[2], 1e-12 * size_of_force);
    EXPECT_NEAR(force[5], 0.0, 1e-9 * size_of_force);
    EXPECT_NEAR(fibres.sections()->states[1].curvature,
                planar.sections()->states[1].curvature, 1e-15);
    EXPECT_NEAR(fibres.sections()->states[1].moment, planar.sections()->states[1].moment,
                1e-9 * size_of_force);
    fibres.commit();
    planar.commit();
  }
}

// Smooth steel on random paths, with a snapshot in the middle.
TEST(SpatialFibreResponse, TangentIsTheDifferenceOfForcesOnRandomPaths) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const FibreSection section = grid(0.3, 0.4, 4, smooth_steel);
  for (int path = 0; path < 100; ++path) {
    SpatialFibreResponse fibres(kLength, section, kTorsion, 3);
    SpatialFibreResponse other(kLength, section, kTorsion, 3);
    SpatialResponse::Vector at = SpatialResponse::Vector::Zero();
    SpatialResponse::Vector force, more, less;
    SpatialResponse::Matrix tangent, unused;
    for (int step = 0; step < 8; ++step) {
      for (Eigen::Index i = 0; i < 7; ++i) at[i] += 4e-3 * any(random);
      for (Eigen::Index i = 0; i < 7; ++i) {
        const double small = 1e-8;
        fibres.respond(at + small * SpatialResponse::Vector::Unit(i), more, unused);
        fibres.respond(at - small * SpatialResponse::Vector::Unit(i), less, unused);
        fibres.respond(at, force, tangent);
        EXPECT_LT(((more - less) / (2.0 * small) - tangent.col(i)).cwiseAbs().maxCoeff(),
                  1e-6 * 200e9 * 0.12 / kLength)
            << path << " " << step << " " << i;
      }
      fibres.commit();
      if (step == 3) {
        SnapshotWriter snapshot;
        fibres.save(snapshot);
        SnapshotReader reader(snapshot.values());
        other.restore(reader);
        EXPECT_TRUE(reader.at_end());
      } else if (step > 3) {
        other.respond(at, more, unused);
        other.commit();
        EXPECT_EQ(force, more);
      }
    }
  }
}

// Concrete beyond its strength loses it: strain 0.002; below, and torn, it does not soften.
TEST(SpatialFibreResponse, TellsOfASectionThatItSoftens) {
  const auto concrete = [] {
    return std::make_unique<materials::ConcreteLaw>(materials::ConcreteLawSettings{
        .strength = 30e6, .strain = 0.002, .residual = 6e6, .ultimate_strain = 0.006});
  };
  for (const double strain : {-0.0015, 0.001, -0.003}) {
    SpatialFibreResponse fibres(kLength, grid(kSide, kSide, 6, concrete), kTorsion, 3);
    SpatialResponse::Vector moved = SpatialResponse::Vector::Zero();
    moved[0] = strain * kLength;
    SpatialResponse::Vector force;
    SpatialResponse::Matrix tangent;
    fibres.respond(moved, force, tangent);
    fibres.commit();
    for (const SectionState& state : fibres.sections()->states)
      EXPECT_EQ(state.softened, strain < -0.002) << strain;
    fibres.reset();
    EXPECT_FALSE(fibres.sections()->states.front().softened);
  }
}

}  // namespace
}  // namespace trestle::structure::spatial_fibre_response_test
