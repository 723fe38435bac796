#include "studies/characterisation/initial_transfer_fit.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/math/dense_solve.h"
#include "studies/characterisation/polynomial_roots.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr int kRounds = 5;
// A start needs no more lines than these, evenly taken.
constexpr std::size_t kLines = 200;
// A coefficient this small is a pole that no line of the band sees.
constexpr double kSmallest = 1e-9;
constexpr double kFlattest = 0.02;  // damping ratio of a mirrored pole on the axis

/// Returns the measured response without delay and hold, as in continuous time.
std::vector<Complex> without_delay(const FrequencyResponseData& lines, double delay) {
  std::vector<Complex> response;
  for (std::size_t k = 0; k < lines.frequency.size(); ++k) {
    const double omega = 2.0 * std::numbers::pi * lines.frequency[k];
    const double half = 0.5 * omega * lines.tick;
    response.push_back(lines.measured[k] / lines.drive[k] *
                       std::polar(half / std::sin(half), omega * delay - half));
  }
  return response;
}

void make_stable(DelayedTransfer& transfer) {
  while (!transfer.denominator.empty() && std::abs(transfer.denominator.back()) < kSmallest)
    transfer.denominator.back() =
        transfer.denominator.back() < 0.0 ? -kSmallest : kSmallest;
  if (is_stable(transfer)) return;
  std::vector<Complex> poles = polynomial_roots(transfer.denominator);
  for (Complex& pole : poles)
    pole = {-std::max(std::abs(pole.real()), kFlattest * std::abs(pole)), pole.imag()};
  transfer.denominator = polynomial_with_roots(poles);
}

}  // namespace

DelayedTransfer initial_transfer_fit(const FrequencyResponseData& lines, int order,
                                     int zeros, double delay, double scale) {
  const std::vector<Complex> response = without_delay(lines, delay);
  const Eigen::Index unknowns = 1 + zeros + order;
  DelayedTransfer transfer{.scale = scale, .delay = delay};
  std::vector<double> weight(response.size());
  for (std::size_t k = 0; k < weight.size(); ++k)
    weight[k] = std::norm(lines.drive[k]) / (lines.deviation[k] * lines.deviation[k]);
  const std::size_t stride = std::max<std::size_t>(1, response.size() / kLines);
  for (int round = 0; round < kRounds; ++round) {
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(unknowns, unknowns);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns);
    Eigen::VectorXcd row(unknowns);
    for (std::size_t k = 0; k < response.size(); k += stride) {
      const Complex s(0.0, 2.0 * std::numbers::pi * lines.frequency[k] / scale);
      Complex denominator = 1.0;
      Complex power = 1.0;
      for (Eigen::Index i = 0; i <= std::max(zeros, order); ++i) {
        if (i <= zeros) row(i) = power;
        if (i > 0 && i <= order) {
          row(zeros + i) = -response[k] * power;
          if (round > 0)
            denominator += transfer.denominator[static_cast<std::size_t>(i - 1)] * power;
        }
        power *= s;
      }
      const double w = weight[k] / std::norm(denominator);
      normal.selfadjointView<Eigen::Lower>().rankUpdate(row.real().eval(), w);
      normal.selfadjointView<Eigen::Lower>().rankUpdate(row.imag().eval(), w);
      right += w * (row.conjugate() * response[k]).real();
    }
    const Eigen::VectorXd scaled = normal.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd found =
        scaled.asDiagonal() *
        math::solve_symmetric(scaled.asDiagonal() * normal * scaled.asDiagonal(),
                              scaled.cwiseProduct(right));
    transfer.gain = found(0);
    transfer.numerator.clear();
    transfer.denominator.clear();
    for (Eigen::Index i = 1; i <= zeros; ++i)
      transfer.numerator.push_back(found(i) / found(0));
    for (Eigen::Index i = 1; i <= order; ++i)
      transfer.denominator.push_back(found(zeros + i));
  }
  make_stable(transfer);
  return transfer;
}

}  // namespace trestle::characterisation
