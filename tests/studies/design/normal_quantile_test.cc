#include "studies/design/normal_quantile.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace trestle::design {
namespace {

TEST(NormalQuantile, AgreesWithBoostFromTheMiddleToTheTails) {
  const boost::math::normal standard;
  for (const double p : {0.5, 0.4, 0.0750001, 0.0749999, 0.03, 1e-3, 1.3887e-11, 1.3888e-11,
                         1e-20, 1e-100, 1e-300}) {
    const double exact = boost::math::quantile(standard, p);
    EXPECT_NEAR(normal_quantile(p), exact, 5e-15 * std::abs(exact)) << p;
  }
  for (const double p : {0.6, 0.93, 0.999, 1.0 - 0x1.0p-33}) {
    const double exact = boost::math::quantile(standard, p);
    EXPECT_NEAR(normal_quantile(p), exact, 5e-15 * exact) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(normal_quantile(0.25), -normal_quantile(0.75));
}

}  // namespace
}  // namespace trestle::design
