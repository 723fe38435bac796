#include "studies/controller_design/bilinear_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "core/base/setting_error.h"
#include "core/math/discretisation.h"

namespace trestle::bilinear_map_test {
namespace {

using controller_design::bilinear_image;
using Eigen::MatrixXd;

math::DiscreteStateSpace example() {
  math::DiscreteStateSpace system{MatrixXd(2, 2), MatrixXd(2, 2), MatrixXd(1, 2),
                                  MatrixXd(1, 2), 0.01};
  system.A << 0.9, 0.2, -0.1, 0.7;
  system.B << 1.0, 0.0, 0.3, 2.0;
  system.C << 1.0, -0.5;
  system.D << 0.0, 0.4;
  return system;
}

TEST(BilinearImage, HasTheSameResponseAtTheWarpedFrequency) {
  const math::DiscreteStateSpace system = example();
  const math::StateSpace image = bilinear_image(system);
  for (const double omega : {0.0, 3.0, 50.0, 200.0, 310.0}) {
    const std::complex<double> z = std::polar(1.0, omega * 0.01);
    const std::complex<double> s(0.0, 2.0 / 0.01 * std::tan(0.5 * omega * 0.01));
    EXPECT_LT(
        (math::frequency_response(system, z) - math::frequency_response(image, s)).norm(),
        1e-12)
        << omega;
  }
}

TEST(BilinearImage, ComesBackByTheBilinearRule) {
  const math::DiscreteStateSpace system = example();
  const math::DiscreteStateSpace back = math::discretise(
      bilinear_image(system), system.period, math::Discretisation::kTustin);
  for (const std::complex<double> z : {std::complex<double>(1.0, 0.0), {0.2, 0.9}})
    EXPECT_LT(
        (math::frequency_response(system, z) - math::frequency_response(back, z)).norm(),
        1e-12);
}

TEST(BilinearImage, RefusesAPoleAtMinusOne) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  EXPECT_THROW(bilinear_image({-one, one, one, one, 0.01}), SettingError);
}

}  // namespace
}  // namespace trestle::bilinear_map_test
