#include "numerical/structure/spatial_member_law.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "core/base/snapshot.h"
#include "numerical/structure/finite_rotation.h"
#include "numerical/structure/planar_member_law.h"
#include "numerical/structure/space_beam.h"

namespace trestle::structure::spatial_member_law_test {
namespace {

constexpr double kLength = 4.0;  // [m]
constexpr SpatialRigidities kRigidities{
    .axial = 3.0e8, .torsion = 2.0e6, .bending_y = 5.0e6, .bending_z = 1.2e7};

using Ends = MemberLaw::Vector;

SpatialMemberLaw made() {
  return {kLength, ChordMotion::kCorotational,
          std::make_unique<ElasticSpatialResponse>(kLength, kRigidities)};
}

Ends force_at(MemberLaw& law, const Ends& at) {
  law.trial(at);
  return law.beyond() + law.initial() * at;
}

/// Displacements and rotations, at random.
Ends any_ends(std::mt19937& random, double most) {
  std::uniform_real_distribution<double> any(-most, most);
  Ends ends(12);
  for (Eigen::Index i = 0; i < 12; ++i) ends[i] = any(random);
  return ends;
}

/// Forces, and moments that do work on spins, by those that do work on rotation vectors.
Ends true_forces(const Ends& force, const Ends& at) {
  Ends forces = force;
  for (const Eigen::Index turn : {3, 9})
    forces.segment<3>(turn) =
        vector_by_spin(at.segment<3>(turn)).transpose() * force.segment<3>(turn);
  return forces;
}

TEST(SpatialMemberLaw, AtRestIsTheLinearMember) {
  const SpatialMemberLaw member = made();
  const SpaceBeam beam = space_beam(kLength,
                                    {.elastic_modulus = 1.0,
                                     .area = kRigidities.axial,
                                     .second_moment = kRigidities.bending_z,
                                     .second_moment_y = kRigidities.bending_y,
                                     .torsion_constant = kRigidities.torsion,
                                     .shear_modulus = 1.0},
                                    MassMatrixKind::kLumped);
  EXPECT_LT((Eigen::MatrixXd(member.initial()) - beam.stiffness).cwiseAbs().maxCoeff(),
            1e-14 * kRigidities.axial);
}

// Differences of sixth order, at displacements of a quarter of the length and rotations of
// up to 120°.
TEST(SpatialMemberLaw, TangentIsTheDerivative) {
  std::mt19937 random(38);
  SpatialMemberLaw member = made();
  for (int round = 0; round < 500; ++round) {
    // Close to rest, too.
    const Ends at = any_ends(random, round % 5 == 0 ? 1e-3 : 1.2);
    member.trial(at);
    const MemberLaw::Matrix tangent = member.initial() + member.tangent_beyond();
    const double size = tangent.cwiseAbs().maxCoeff();
    EXPECT_EQ((tangent - tangent.transpose()).cwiseAbs().maxCoeff(), 0.0);
    constexpr double kStep = 1e-3;
    for (Eigen::Index i = 0; i < 12; ++i) {
      const auto moved = [&](double steps) {
        Ends there = at;
        there[i] += steps * kStep;
        return force_at(member, there);
      };
      const Ends slope = (45.0 * (moved(1.0) - moved(-1.0)) -
                          9.0 * (moved(2.0) - moved(-2.0)) + moved(3.0) - moved(-3.0)) /
                         (60.0 * kStep);
      EXPECT_LT((slope - tangent.col(i)).cwiseAbs().maxCoeff(), 1e-9 * size)
          << round << " " << i;
    }
  }
}

// Turned as one with its ends, the member has the forces that it had, turned as well.
TEST(SpatialMemberLaw, RigidTurnsTurnItsForces) {
  std::mt19937 random(20);
  SpatialMemberLaw member = made();
  for (int round = 0; round < 500; ++round) {
    const Ends at = any_ends(random, 0.4);
    const Ends before = true_forces(force_at(member, at), at);
    const Ends turn = any_ends(random, 1.7);
    const Eigen::Matrix3d Q = rotation_matrix(turn.head<3>());
    const Eigen::Vector3d away = turn.segment<3>(6);
    Ends turned(12);
    const Eigen::Vector3d along = kLength * Eigen::Vector3d::UnitX();
    turned.head<3>() = Q * at.head<3>() + away;
    turned.segment<3>(6) = Q * (along + at.segment<3>(6)) - along + away;
    for (const Eigen::Index end : {3, 9})
      turned.segment<3>(end) =
          rotation_vector(Q * rotation_matrix(Eigen::Vector3d(at.segment<3>(end))));
    const Ends after = true_forces(force_at(member, turned), turned);
    for (Eigen::Index block = 0; block < 12; block += 3)
      EXPECT_LT((Q * before.segment<3>(block) - after.segment<3>(block)).norm(),
                1e-12 * kRigidities.axial)
          << round << " " << block;
  }
}

// A rotation vector and the one that is a whole turn longer are the same rotation.
TEST(SpatialMemberLaw, RigidTurnBeyondHalfCostsNothing) {
  SpatialMemberLaw member = made();
  const Eigen::Vector3d axis = Eigen::Vector3d(0.3, -0.5, 0.8).normalized();
  for (double turn = -6.0; turn < 6.1; turn += 0.25) {
    Ends at(12);
    const Eigen::Vector3d along = kLength * Eigen::Vector3d::UnitX();
    at << Eigen::Vector3d::Zero(), turn * axis,
        rotation_matrix(turn * axis) * along - along, turn * axis;
    EXPECT_LT(force_at(member, at).cwiseAbs().maxCoeff(), 1e-13 * kRigidities.axial)
        << turn;
  }
}

// Twisted by more than half a turn, or with an end turned wholly, a member would go on with
// the forces of another state. It has none, and the run ends.
TEST(SpatialMemberLaw, ForcesBeyondItsSenseAreNoNumbers) {
  const auto last_finite = [](SpatialMemberLaw& member, bool rigid) {
    member.reset();
    double finite = 0.0;
    for (double turn = 0.0; turn < 7.0; turn += 0.01) {
      Ends at = Ends::Zero(12);
      at[9] = turn;
      if (rigid) at[3] = turn;
      if (!force_at(member, at).allFinite()) break;
      member.commit();
      finite = turn;
    }
    return finite;
  };
  SpatialMemberLaw member = made();
  // It is known with the step that goes beyond, and told with the next.
  EXPECT_NEAR(last_finite(member, false), M_PI, 0.011);
  SnapshotWriter snapshot;
  member.save(snapshot);
  SpatialMemberLaw other = made();
  SnapshotReader reader(snapshot.values());
  other.restore(reader);
  EXPECT_FALSE(force_at(other, Ends::Zero(12)).allFinite());
  EXPECT_NEAR(last_finite(member, true), 2.0 * M_PI, 0.011);
}

// In both of its planes the member is the planar one.
TEST(SpatialMemberLaw, IsThePlanarMemberInAPlane) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  SpatialMemberLaw member = made();
  const auto planar = [](double bending) {
    return std::make_unique<PlanarMemberLaw>(
        kLength, ChordMotion::kCorotational,
        std::make_unique<ElasticBasicResponse>(kLength, kRigidities.axial, bending));
  };
  const auto about_z = planar(kRigidities.bending_z);
  const auto about_y = planar(kRigidities.bending_y);
  for (int round = 0; round < 500; ++round) {
    Ends in_plane(6);
    for (Eigen::Index i = 0; i < 6; ++i) in_plane[i] = any(random);
    Ends at = Ends::Zero(12);
    constexpr std::array<Eigen::Index, 6> kXy{0, 1, 5, 6, 7, 11};
    constexpr std::array<Eigen::Index, 6> kXz{0, 2, 4, 6, 8, 10};
    const auto compare = [&](const std::array<Eigen::Index, 6>& places, double turn_sign,
                             PlanarMemberLaw& law) {
      at.setZero();
      for (std::size_t i = 0; i < 6; ++i)
        at[places[i]] = (i % 3 == 2 ? turn_sign : 1.0) * in_plane[static_cast<int>(i)];
      const Ends force = force_at(member, at);
      const Ends expected = force_at(law, in_plane);
      Ends rest = force;
      for (std::size_t i = 0; i < 6; ++i) {
        const double own = (i % 3 == 2 ? turn_sign : 1.0) * force[places[i]];
        EXPECT_NEAR(own, expected[static_cast<int>(i)], 1e-12 * kRigidities.axial) << round;
        rest[places[i]] = 0.0;
      }
      EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-12 * kRigidities.axial);
    };
    compare(kXy, 1.0, *about_z);
    compare(kXz, -1.0, *about_y);  // ry = −dw/dx
  }
}

// The moment about the member's own x of an end that is turned about y first.
TEST(SpatialMemberLaw, GivesMomentsOnTheMovedMember) {
  SpatialMemberLaw member = made();
  const Eigen::Matrix3d Q = rotation_matrix(Eigen::Vector3d(0.0, 0.7, 0.4));
  const double twist = 0.05;
  Ends at(12);
  const Eigen::Vector3d along = kLength * Eigen::Vector3d::UnitX();
  at << Eigen::Vector3d::Zero(), rotation_vector(Q), Q * along - along,
      rotation_vector(Q * rotation_matrix(Eigen::Vector3d(twist, 0.0, 0.0)));
  const Ends force = force_at(member, at);
  const double torque = kRigidities.torsion / kLength * twist;
  for (const int end : {0, 1}) {
    const Eigen::Vector3d moment =
        member.turned_moment(end) * force.segment<3>(end == 0 ? 3 : 9);
    EXPECT_NEAR(moment.x(), end == 0 ? -torque : torque, 1e-9 * torque);
    EXPECT_NEAR(moment.tail<2>().norm(), 0.0, 1e-6 * torque);
    EXPECT_LT((member.turned().row(0).transpose() - Q.col(0)).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace trestle::structure::spatial_member_law_test
