#include "studies/controller_design/bilinear_map.h"

#include <optional>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"

namespace trestle::controller_design {

/// With M = I + A: C (zI − A)⁻¹B = 4/δt·C M⁻¹ (sI − 2/δt·M⁻¹(A − I))⁻¹ M⁻¹B − C M⁻¹B.
math::StateSpace bilinear_image(const math::DiscreteStateSpace& system) {
  constexpr double kSingular = 1e-12;
  using Eigen::MatrixXd;
  const auto& [A, B, C, D, period] = system;
  const MatrixXd unit = MatrixXd::Identity(A.rows(), A.rows());
  const std::optional<MatrixXd> inverse = math::solve_if_regular(unit + A, unit, kSingular);
  if (!inverse)
    throw SettingError("plant", "has a pole at z = -1, half the rate of the control ticks");
  math::StateSpace image;
  image.A = 2.0 / period * (*inverse * (A - unit));
  image.B = *inverse * B;
  image.C = 4.0 / period * (C * *inverse);
  image.D = D - C * image.B;
  return image;
}

}  // namespace trestle::controller_design
