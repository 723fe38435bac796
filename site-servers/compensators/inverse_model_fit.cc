#include "site-servers/compensators/inverse_model_fit.h"

#include <cmath>
#include <numbers>
#include <string>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"

namespace trestle::compensators {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kCircle = 2.0;    // [rad/s]
constexpr int kCirclePoints = 32;  // leaves (2/50)^32 of a pole at 50 rad/s

void check(const FitBand& band) {
  if (!(band.lowest > 0.0) || !std::isfinite(band.lowest))
    throw SettingError("lowest", "must be above zero");
  if (!(band.highest > band.lowest) || !std::isfinite(band.highest))
    throw SettingError("highest", "is " + std::to_string(band.highest) +
                                      " Hz; must be above the lowest frequency, " +
                                      std::to_string(band.lowest) + " Hz");
  if (band.points < 2)
    throw SettingError("points", "must be at least 2, for three coefficients");
}

}  // namespace

SeriesCoefficients fit_inverse(const FrequencyResponse& response, const FitBand& band) {
  check(band);
  const Index n = band.points;
  const double unit = kTwoPi * band.highest;  // columns of one size
  MatrixXd rows = MatrixXd::Zero(2 * n, 3);
  MatrixXd wanted(2 * n, 1);
  for (Index i = 0; i < n; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(n - 1);
    const double omega = kTwoPi * (band.lowest + part * (band.highest - band.lowest));
    const Complex inverse = 1.0 / response({0.0, omega});
    rows(i, 0) = 1.0;
    rows(i, 2) = -omega * omega / (unit * unit);
    rows(n + i, 1) = omega / unit;
    wanted(i, 0) = inverse.real();
    wanted(n + i, 0) = inverse.imag();
  }
  const MatrixXd found = math::least_squares(rows, wanted);
  return {found(0, 0), found(1, 0) / unit, found(2, 0) / (unit * unit)};
}

SeriesCoefficients taylor_inverse(const FrequencyResponse& response) {
  SeriesCoefficients coefficients{};
  for (int i = 0; i < kCirclePoints; ++i) {
    const Complex s = std::polar(kCircle, kTwoPi * (i + 0.5) / kCirclePoints);
    const Complex value = 1.0 / response(s) / static_cast<double>(kCirclePoints);
    coefficients[0] += value.real();
    coefficients[1] += (value / s).real();
    coefficients[2] += (value / (s * s)).real();
  }
  return coefficients;
}

math::DiscreteStateSpace closed_loop(const math::DiscreteStateSpace& plant,
                                     const LinearControllerModel& control) {
  const Index n = plant.A.rows();
  const Index q = control.A.rows();
  const Index m = plant.C.rows();
  // Over (plant, controller, command): measured, drive, and what comes next.
  MatrixXd measured = MatrixXd::Zero(m, n + q + m);
  measured.leftCols(n) = plant.C;
  MatrixXd own = MatrixXd::Zero(q, n + q + m);
  own.middleCols(n, q).setIdentity();
  MatrixXd input = MatrixXd::Zero(2 * m, n + q + m);
  input.topRightCorner(m, m).setIdentity();
  input.bottomRows(m) = measured;
  const MatrixXd drive = control.C * own + control.D * input;
  MatrixXd next(n + q, n + q + m);
  next.topRows(n) = plant.B * drive;
  next.topLeftCorner(n, n) += plant.A;
  next.bottomRows(q) = control.A * own + control.B * input;
  return {next.leftCols(n + q), next.rightCols(m), measured.leftCols(n + q),
          MatrixXd::Zero(m, m), plant.period};
}

}  // namespace trestle::compensators
