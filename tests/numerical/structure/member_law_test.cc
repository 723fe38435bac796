#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "numerical/structure/planar_member_law.h"

namespace trestle::structure::member_law_test {
namespace {

constexpr double kLength = 4.0;     // [m]
constexpr double kAxial = 3.0e8;    // EA [N]
constexpr double kBending = 1.2e7;  // EI [N·m²]

PlanarMemberLaw law(ChordMotion chord) {
  return {kLength, chord,
          std::make_unique<ElasticBasicResponse>(kLength, kAxial, kBending)};
}

MemberLaw::Vector ends(std::initializer_list<double> values) {
  MemberLaw::Vector made(static_cast<Eigen::Index>(values.size()));
  Eigen::Index at = 0;
  for (const double value : values) made[at++] = value;
  return made;
}

MemberLaw::Vector force_at(MemberLaw& law, const MemberLaw::Vector& at) {
  law.trial(at);
  return law.beyond() + law.initial() * at;
}

TEST(PlanarMemberLaw, AtRestIsTheClampedBeam) {
  for (const ChordMotion chord : {ChordMotion::kSmall, ChordMotion::kCorotational}) {
    const PlanarMemberLaw member = law(chord);
    Eigen::Matrix<double, 6, 6> K;
    const double a = kAxial / kLength;
    const double b = 12.0 * kBending / std::pow(kLength, 3);
    const double c = 6.0 * kBending / std::pow(kLength, 2);
    const double d = 4.0 * kBending / kLength;
    K << a, 0, 0, -a, 0, 0,     //
        0, b, c, 0, -b, c,      //
        0, c, d, 0, -c, d / 2,  //
        -a, 0, 0, a, 0, 0,      //
        0, -b, -c, 0, b, -c,    //
        0, c, d / 2, 0, -c, d;
    EXPECT_LT((Eigen::MatrixXd(member.initial()) - K).cwiseAbs().maxCoeff(), 1e-9 * a);
  }
}

// Turned as a rigid body about its start, through several whole turns, it has no force.
TEST(PlanarMemberLaw, RigidTurnsCostNothing) {
  PlanarMemberLaw member = law(ChordMotion::kCorotational);
  for (double turn = -7.0; turn < 7.0; turn += 0.3) {
    const MemberLaw::Vector force =
        force_at(member, ends({0.3, -0.2, turn, 0.3 + kLength * (std::cos(turn) - 1.0),
                               -0.2 + kLength * std::sin(turn), turn}));
    EXPECT_LT(force.cwiseAbs().maxCoeff(), 1e-12 * kAxial) << turn;
  }
}

// A bar that is stretched across carries N = EA·(l − L)/L along its new direction.
TEST(PlanarMemberLaw, StretchedBarPullsAlongItsChord) {
  PlanarMemberLaw member = law(ChordMotion::kCorotational);
  const double turn = std::atan2(3.0, 4.0);
  const MemberLaw::Vector force = force_at(member, ends({0.0, 0.0, turn, 0.0, 3.0, turn}));
  const double axial = kAxial * (5.0 - kLength) / kLength;
  const MemberLaw::Vector expected =
      ends({-0.8 * axial, -0.6 * axial, 0.0, 0.8 * axial, 0.6 * axial, 0.0});
  EXPECT_LT((force - expected).cwiseAbs().maxCoeff(), 1e-12 * axial);
  const Eigen::Vector3d along = member.turned().row(0);
  EXPECT_NEAR(along.x(), 0.8, 1e-15);
  EXPECT_NEAR(along.y(), 0.6, 1e-15);
}

// With an end turned by more than half a turn against its chord, a member would go on with
// the forces of another state. It has none, and the run ends.
TEST(PlanarMemberLaw, ForcesBeyondHalfATurnAreNoNumbers) {
  PlanarMemberLaw member = law(ChordMotion::kCorotational);
  // Of the start against the chord, and of the end: rolled up, sheared, rigid.
  const auto last_finite = [&](double start, double end, double chord) {
    member.reset();
    double finite = 0.0;
    for (double turn = 0.0; turn < 10.0; turn += 0.01) {
      const double along = kLength * (std::cos(chord * turn) - 1.0);
      const double across = kLength * std::sin(chord * turn);
      const MemberLaw::Vector at =
          ends({0.0, 0.0, start * turn, along, across, end * turn});
      if (!force_at(member, at).allFinite()) break;
      member.commit();
      finite = turn;
    }
    return finite;
  };
  // It is known with the step that goes beyond, and told with the next.
  EXPECT_NEAR(last_finite(0.0, 1.0, 0.0), M_PI, 0.011);
  EXPECT_NEAR(last_finite(-1.0, 1.0, 0.0), M_PI, 0.011) << "rolled up wholly";
  EXPECT_NEAR(last_finite(0.0, 0.0, 1.0), M_PI, 0.011) << "the chord turns alone";
  EXPECT_GT(last_finite(1.0, 1.0, 1.0), 9.9) << "rigid turns have no bound";

  EXPECT_NEAR(last_finite(0.0, 1.0, 0.0), M_PI, 0.011);
  SnapshotWriter snapshot;
  member.save(snapshot);
  PlanarMemberLaw other = law(ChordMotion::kCorotational);
  SnapshotReader reader(snapshot.values());
  other.restore(reader);
  EXPECT_FALSE(force_at(other, ends({0.0, 0.0, 0.0, 0.0, 0.0, 0.0})).allFinite());
  PlanarMemberLaw small = law(ChordMotion::kSmall);
  EXPECT_TRUE(force_at(small, ends({0.0, 0.0, 0.0, 0.0, 0.0, 4.0})).allFinite());
}

TEST(PlanarMemberLaw, TangentIsTheDerivative) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int round = 0; round < 1000; ++round) {
    PlanarMemberLaw member = law(ChordMotion::kCorotational);
    MemberLaw::Vector at(6);
    for (Eigen::Index i = 0; i < 6; ++i) at[i] = any(random) * (i % 3 == 2 ? 3.0 : 1.5);
    member.trial(at);
    const MemberLaw::Matrix tangent = member.initial() + member.tangent_beyond();
    EXPECT_LT((tangent - tangent.transpose()).cwiseAbs().maxCoeff(), 1e-9 * kAxial);
    constexpr double kStep = 1e-5;
    for (Eigen::Index i = 0; i < 6; ++i) {
      MemberLaw::Vector more = at;
      MemberLaw::Vector less = at;
      more[i] += kStep;
      less[i] -= kStep;
      const MemberLaw::Vector difference =
          (force_at(member, more) - force_at(member, less)) / (2.0 * kStep);
      // Where a rotation against the chord is half a turn, the law jumps.
      if (difference.cwiseAbs().maxCoeff() > 1e11) continue;
      EXPECT_LT((difference - tangent.col(i)).cwiseAbs().maxCoeff(), 1e-6 * kAxial)
          << round << " " << i;
    }
  }
}

}  // namespace
}  // namespace trestle::structure::member_law_test
