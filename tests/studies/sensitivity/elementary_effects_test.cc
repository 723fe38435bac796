#include "studies/sensitivity/elementary_effects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "studies/design/morris_trajectories.h"

namespace trestle::sensitivity {
namespace {

std::vector<ElementaryEffects> effects_of(
    const std::function<double(const std::vector<double>&)>& function,
    std::int64_t trajectories) {
  const design::MorrisTrajectories points(1, 2, 4);
  std::vector<ElementaryMove> moves;
  for (std::int64_t t = 0; t < trajectories; ++t)
    for (std::size_t step = 0; step < 2; ++step) {
      const auto from = points.point(3 * t + static_cast<std::int64_t>(step));
      const auto to = points.point(3 * t + static_cast<std::int64_t>(step) + 1);
      const std::size_t moved = points.moved(t, step);
      moves.push_back({moved, from[moved], to[moved], function(from), function(to)});
    }
  return elementary_effects(moves, 2);
}

TEST(ElementaryEffects, OfAnInteractionAreThoseOfItsClosedForm) {
  const auto found =
      effects_of([](const auto& x) { return x[0] + 2.0 * x[1] + 3.0 * x[0] * x[1]; }, 4000);
  // An effect is 1 + 3 x₂, and x₂ of four levels has the variance 5/64.
  const double deviation = 3.0 * std::sqrt(5.0 / 64.0);
  EXPECT_NEAR(found[0].mean, 2.5, 4.0 * deviation / std::sqrt(4000.0));
  EXPECT_NEAR(found[0].mean_absolute, found[0].mean, 1e-12);
  EXPECT_NEAR(found[0].deviation, deviation, 0.02);
  EXPECT_NEAR(found[1].mean, 3.5, 4.0 * deviation / std::sqrt(4000.0));
}

TEST(ElementaryEffects, OfALinearFunctionDoNotVary) {
  const auto found = effects_of([](const auto& x) { return 5.0 - 2.0 * x[1]; }, 20);
  EXPECT_EQ(found[0].mean_absolute, 0.0);
  EXPECT_EQ(found[1].mean, -2.0);
  EXPECT_EQ(found[1].mean_absolute, 2.0);
  EXPECT_EQ(found[1].deviation, 0.0);
}

TEST(ElementaryEffects, ThatDifferInSignDoNotCancelInTheMeanOfMagnitudes) {
  const auto found = effects_of(
      [](const auto& x) { return (x[1] - 0.5) * (x[0] > 0.5 ? 1.0 : -1.0); }, 2000);
  EXPECT_NEAR(found[1].mean, 0.0, 0.1);
  EXPECT_EQ(found[1].mean_absolute, 1.0);
}

TEST(ElementaryEffects, OfAParameterThatNeverMovedAreNone) {
  const auto found = elementary_effects({{0, 0.25, 0.75, 1.0, 2.0}}, 2);
  EXPECT_EQ(found[0].mean, 2.0);
  EXPECT_TRUE(std::isnan(found[0].deviation));
  EXPECT_TRUE(std::isnan(found[1].mean_absolute));
}

}  // namespace
}  // namespace trestle::sensitivity
