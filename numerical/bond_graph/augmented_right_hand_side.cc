#include "numerical/bond_graph/augmented_right_hand_side.h"

#include <numeric>
#include <utility>

namespace trestle::bond_graph {

using Eigen::Index;

AugmentedRightHandSide::AugmentedRightHandSide(
    std::unique_ptr<GraphRightHandSide> numerical, TransferInverse inverse,
    Eigen::VectorXd load, Eigen::MatrixXd displacement)
    : numerical_(std::move(numerical)),
      inverse_(std::move(inverse)),
      load_(std::move(load)),
      displacement_(std::move(displacement)) {
  const auto& degrees = inverse_.degrees;
  x_.setZero(numerical_->states());
  rate_.setZero(numerical_->states());
  output_.setZero(numerical_->outputs());
  output_rate_.setZero(numerical_->outputs());
  xi_.setZero(std::accumulate(degrees.begin(), degrees.end(), 0));
  top_.setZero(load_.size());
  inner_.setZero(load_.size());
}

Index AugmentedRightHandSide::states() const noexcept {
  return numerical_->states() + inverse_.Q.rows() +
         (integrates_displacement() ? load_.size() : 0);
}

bool AugmentedRightHandSide::evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u,
                                      Eigen::VectorXd& rate,
                                      Eigen::VectorXd& output) noexcept {
  const Index n = numerical_->states();
  const Index ports = load_.size();
  const Index inner = inverse_.Q.rows();
  x_ = x.head(n);
  if (!numerical_->evaluate(x_, u, rate_, output_)) return false;
  if (!numerical_->output_rates(rate_, output_rate_)) return false;
  Index row = 0;
  for (Index i = 0; i < ports; ++i) {
    const bool follows = inverse_.degrees[static_cast<std::size_t>(i)] == 1;
    if (follows) xi_(row++) = output_(i);
    top_(i) = follows ? output_rate_(i) : output_(i);
  }
  const auto eta = x.segment(n, inner);
  rate.head(n) = rate_;
  rate.segment(n, inner).noalias() = inverse_.Q * eta;
  rate.segment(n, inner).noalias() += inverse_.P * xi_;
  rate.segment(n, inner).noalias() += inverse_.W * top_;
  inner_ = top_;
  inner_.noalias() -= inverse_.R * xi_;
  inner_.noalias() -= inverse_.S * eta;
  output.head(ports).noalias() = inverse_.delta_inverse * inner_;
  output.head(ports) += load_.cwiseProduct(u.head(ports));
  output.segment(ports, ports) = output_.head(ports);
  if (integrates_displacement()) {
    rate.tail(ports) = output_.head(ports);
    output.tail(ports) = x.tail(ports);
  } else {
    output.tail(ports).noalias() = displacement_ * eta;
  }
  return true;
}

void AugmentedRightHandSide::commit(const Eigen::VectorXd& x) noexcept {
  x_ = x.head(numerical_->states());
  numerical_->commit(x_);
}

}  // namespace trestle::bond_graph
