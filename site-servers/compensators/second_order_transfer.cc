#include "site-servers/compensators/second_order_transfer.h"

namespace trestle::compensators {
namespace {

constexpr double kSecondTerm = 1.0 / 12.0;  // of the approximant

Eigen::Matrix2d inverse_of(const Eigen::Matrix2d& m) noexcept {
  const double determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
  Eigen::Matrix2d result;
  result << m(1, 1), -m(0, 1), -m(1, 0), m(0, 0);
  return result / determinant;
}

}  // namespace

SecondOrderTransfer::SecondOrderTransfer(const Eigen::Vector3d& parameters,
                                         double tick) noexcept
    : parameters_(parameters), tick_(tick) {
  rate_ << 0.0, 1.0, -parameters[0] / parameters[2], -parameters[1] / parameters[2];
  const Eigen::Matrix2d step = tick * rate_;
  const Eigen::Matrix2d even =
      Eigen::Matrix2d::Identity() + kSecondTerm * step.lazyProduct(step);
  numerator_ = even + 0.5 * step;
  inverse_ = inverse_of(even - 0.5 * step);
}

SecondOrderTransfer::Motion SecondOrderTransfer::advance(const Motion& motion,
                                                         double command) const noexcept {
  const Motion rest(command / parameters_[0], 0.0);
  return rest + inverse_ * (numerator_ * (motion - rest));
}

Eigen::Matrix2d SecondOrderTransfer::by_motion() const noexcept {
  return inverse_ * numerator_;
}

/// From D·(z₊ − z∞) = N·(z − z∞): D·dz₊ = dN·(z − z∞) − dD·(z₊ − z∞) + (D − N)·dz∞.
Eigen::Matrix<double, 2, 3> SecondOrderTransfer::by_parameters(
    const Motion& motion, double command) const noexcept {
  const double a0 = parameters_[0];
  const double a2 = parameters_[2];
  const Motion rest(command / a0, 0.0);
  const Motion before = motion - rest;
  const Motion after = inverse_ * (numerator_ * before);
  Eigen::Matrix<double, 2, 3> result;
  for (int i = 0; i < 3; ++i) {
    Eigen::Matrix2d change = Eigen::Matrix2d::Zero();  // dA
    if (i == 2)
      change.row(1) = -rate_.row(1) / a2;
    else
      change(1, i) = -1.0 / a2;
    const Eigen::Matrix2d even = kSecondTerm * tick_ * tick_ *
                                 (change.lazyProduct(rate_) + rate_.lazyProduct(change));
    const Eigen::Matrix2d odd = 0.5 * tick_ * change;
    const Motion shift(i == 0 ? -command / (a0 * a0) : 0.0, 0.0);
    result.col(i) = inverse_ * ((even + odd) * before - (even - odd) * after) + shift -
                    inverse_ * (numerator_ * shift);
  }
  return result;
}

}  // namespace trestle::compensators
