#include "studies/identification/girder.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

TEST(Girder, HasTheFrequenciesOfTheSpecification) {
  const Girder girder(beam_settings());
  ASSERT_EQ(girder.mode_count(), 24);
  // B7; the digits that stand there.
  EXPECT_NEAR(girder.frequencies()(0) / kTwoPi, 3.902688, 1e-6);
  EXPECT_NEAR(girder.frequencies()(1) / kTwoPi, 15.611508, 1e-6);
  EXPECT_NEAR(girder.frequencies()(2) / kTwoPi, 35.133194, 1e-6);
}

TEST(Girder, IsDampedAsAskedAtTheFirstTwoModes) {
  const Girder girder(beam_settings());
  for (const Eigen::Index mode : {0, 1})
    EXPECT_NEAR(girder.damping()(mode) / (2.0 * girder.frequencies()(mode)), 0.02, 1e-12);
}

TEST(Girder, OfThreeEqualSpansHasTheFirstFrequencyOfOne) {
  // Equal spans on rigid supports: antisymmetric from span to span, moments nowhere carried
  // over. To the element's own error, which is 1e-5 at 12 elements.
  const GirderSettings settings = girder_settings({30.0, 30.0, 30.0});
  EXPECT_NEAR(Girder(settings).frequencies()(0) / Girder(beam_settings()).frequencies()(0),
              1.0, 1e-6);
}

TEST(Girder, ShapesAreDerivativesOfEachOther) {
  const Girder girder(beam_settings());
  const double h = 1e-5;
  for (const double x : {1.1, 7.3, 15.2, 29.0})
    for (const int order : {0, 1}) {
      const Eigen::VectorXd slope =
          (girder.shapes(x + h, order) - girder.shapes(x - h, order)) / (2.0 * h);
      EXPECT_LT((slope - girder.shapes(x, order + 1)).norm(), 1e-6 * slope.norm());
    }
}

}  // namespace
}  // namespace trestle::identification
