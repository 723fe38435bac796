#include "numerical/structure/fibre_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/concrete_law.h"
#include "numerical/materials/linear_law.h"
#include "numerical/materials/menegotto_pinto_law.h"
#include "numerical/structure/planar_member_law.h"

namespace trestle::structure::fibre_response_test {
namespace {

constexpr double kLength = 0.75;
constexpr double kSide = 0.4;
constexpr int kLayers = 16;

using Law = std::unique_ptr<materials::RestoringForce>;

/// Sixteen layers of the first material, two bars of the second.
FibreSection section(const FibreSection::MakeLaw& filling,
                     const FibreSection::MakeLaw& bars) {
  FibreSection made;
  made.materials = {filling, bars};
  for (int i = 0; i < kLayers; ++i)
    made.fibres.push_back({.y = kSide * ((i + 0.5) / kLayers - 0.5),
                           .area = kSide * kSide / kLayers,
                           .material = 0});
  for (const double y : {-0.15, 0.15})
    made.fibres.push_back({.y = y, .area = 942e-6, .material = 1});
  made.named = {{"left", kLayers + 1}};
  return made;
}

FibreSection reinforced(bool smooth) {
  return section(
      []() -> Law {
        return std::make_unique<materials::ConcreteLaw>(materials::ConcreteLawSettings{
            .strength = 30e6, .strain = 0.002, .residual = 6e6, .ultimate_strain = 0.006});
      },
      [smooth]() -> Law {
        if (smooth)
          return std::make_unique<materials::MenegottoPintoLaw>(
              materials::MenegottoPintoLawSettings{
                  .stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
        return std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
            .stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
      });
}

// Three points integrate a uniform elastic member exactly: EA/L, 4EI/L and 2EI/L, the
// second moment of n layers that of the rectangle times 1 − 1/n².
TEST(FibreResponse, OfOneElasticMaterialIsTheElasticMember) {
  const auto elastic = [](double modulus) -> FibreSection::MakeLaw {
    return [modulus]() -> Law {
      return std::make_unique<materials::LinearLaw>(
          materials::LinearLawSettings{.stiffness = modulus});
    };
  };
  const double area = kSide * kSide + 2.0 * 942e-6 * 200.0 / 30.0;
  const double second = std::pow(kSide, 4) / 12.0 * (1.0 - 1.0 / (kLayers * kLayers)) +
                        2.0 * 942e-6 * 200.0 / 30.0 * 0.15 * 0.15;
  for (const int points : {2, 3, 4, 5}) {
    FibreResponse member(kLength, section(elastic(30e9), elastic(200e9)), points);
    BasicResponse::Vector force;
    BasicResponse::Matrix tangent;
    const BasicResponse::Vector moved(1e-4, 2e-4, -5e-4);
    member.respond(moved, force, tangent);
    BasicResponse::Matrix stiffness;
    const double EI = 30e9 * second / kLength;
    stiffness << 30e9 * area / kLength, 0, 0, 0, 4 * EI, 2 * EI, 0, 2 * EI, 4 * EI;
    EXPECT_LT((tangent - stiffness).cwiseAbs().maxCoeff(), 1e-12 * stiffness(0, 0))
        << points;
    EXPECT_LT((force - stiffness * moved).cwiseAbs().maxCoeff(), 1e-12 * 1e6) << points;
    // κ = ((6ξ − 4)·θ₁ + (6ξ − 2)·θ₂)/L at each point, ε = δ/L − y·κ.
    const MemberSections& sections = *member.sections();
    ASSERT_EQ(sections.states.size(), static_cast<std::size_t>(points));
    const double first = points == 2   ? 0.5 * (1.0 - std::sqrt(1.0 / 3.0))
                         : points == 3 ? 0.5 * (1.0 - std::sqrt(0.6))
                                       : -1.0;
    if (first < 0.0) continue;
    const SectionState& state = sections.states.front();
    const double curvature =
        ((6.0 * first - 4.0) * 2e-4 - (6.0 * first - 2.0) * 5e-4) / kLength;
    EXPECT_NEAR(state.curvature, curvature, 1e-15);
    EXPECT_NEAR(state.strain, 1e-4 / kLength, 1e-18);
    EXPECT_NEAR(state.force, 30e9 * area * state.strain, 1e-6);
    EXPECT_NEAR(state.moment, 30e9 * second * curvature, 1e-6);
    ASSERT_EQ(sections.names, std::vector<std::string>{"left"});
    EXPECT_NEAR(state.named[0].strain, state.strain - 0.15 * curvature, 1e-18);
    EXPECT_NEAR(state.named[0].stress, 200e9 * state.named[0].strain, 1e-6);
  }
}

/// Forces on the ends, tried from the state that was committed last.
MemberLaw::Vector force_at(MemberLaw& law, const MemberLaw::Vector& at) {
  law.trial(at);
  return law.beyond() + law.initial() * at;
}

// Reinforced concrete that cracks, crushes and whose bars yield, on random paths: the
// tangent is the difference of the forces. Differences to either side disagree at a corner
// of a law; such states are few.
TEST(FibreResponse, TangentIsTheDifferenceOfForcesOnRandomPaths) {
  constexpr double kStep = 1e-9;
  constexpr int kPaths = 60;
  constexpr int kStates = 15;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int corners = 0;
  int compared = 0;
  for (const ChordMotion chord : {ChordMotion::kSmall, ChordMotion::kCorotational})
    for (int path = 0; path < kPaths; ++path) {
      const FibreSection fibres = reinforced(path % 2 == 0);
      PlanarMemberLaw member(kLength, chord,
                             std::make_unique<FibreResponse>(kLength, fibres, 3));
      const double scale = member.initial().cwiseAbs().maxCoeff();
      for (int state = 0; state < kStates; ++state) {
        MemberLaw::Vector at(6);
        at << 0.0, 0.0, 0.012 * any(random), 1e-3 * any(random) - 5e-4, 3e-3 * any(random),
            0.012 * any(random);
        member.trial(at);
        const MemberLaw::Matrix tangent = member.initial() + member.tangent_beyond();
        const MemberLaw::Vector here = force_at(member, at);
        for (Eigen::Index i = 0; i < 6; ++i) {
          MemberLaw::Vector beside = at;
          beside[i] = at[i] + kStep;
          const MemberLaw::Vector more = force_at(member, beside);
          beside[i] = at[i] - kStep;
          const MemberLaw::Vector less = force_at(member, beside);
          ++compared;
          if ((more + less - 2.0 * here).cwiseAbs().maxCoeff() > 1e-6 * scale * kStep) {
            ++corners;
            continue;
          }
          const MemberLaw::Vector slope = (more - less) / (2.0 * kStep);
          ASSERT_LT((slope - tangent.col(i)).cwiseAbs().maxCoeff(), 1e-6 * scale)
              << path << " " << state << " " << i;
        }
        member.trial(at);
        member.commit();
      }
    }
  EXPECT_LT(corners, compared / 50);
}

// Concrete beyond its strength loses it: strain 0.002. What softened once stays told.
TEST(FibreResponse, TellsOfASectionThatItSoftens) {
  FibreResponse member(kLength, reinforced(false), 3);
  const auto softened = [&member](double strain, double curvature) {
    BasicResponse::Vector force;
    BasicResponse::Matrix tangent;
    const double turn = 0.5 * kLength * curvature;
    member.respond({kLength * strain, -turn, turn}, force, tangent);
    member.commit();
    return member.sections()->states[1].softened;
  };
  EXPECT_FALSE(softened(-0.0015, 0.0));
  EXPECT_FALSE(softened(0.001, 0.0)) << "a crack leaves the bars";
  EXPECT_TRUE(softened(-0.003, 0.0));
  EXPECT_TRUE(softened(0.0, 0.0));
  member.reset();
  EXPECT_FALSE(member.sections()->states[1].softened);
}

// One row of fibres resists no curvature, and loses nothing by it.
TEST(FibreResponse, DoesNotSoftenWhereItHangsOnOneRow) {
  FibreSection row;
  row.materials = {[]() -> Law {
    return std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
        .stiffness = 200e9, .yield_force = 420e6, .hardening = 0.01});
  }};
  row.fibres = {{.y = 0.15, .area = 942e-6, .material = 0}};
  FibreResponse member(kLength, row, 3);
  BasicResponse::Vector force;
  BasicResponse::Matrix tangent;
  for (int k = 0; k < 200; ++k) {
    const double turn = 1e-4 * k;
    member.respond({1e-5 * k, -turn, turn}, force, tangent);
    member.commit();
    for (const SectionState& state : member.sections()->states)
      ASSERT_FALSE(state.softened) << k;
  }
}

}  // namespace
}  // namespace trestle::structure::fibre_response_test
