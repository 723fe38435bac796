#include "site-servers/compensators/path_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/math/dense_eigenvalues.h"

namespace trestle::compensators {

PathProgram::PathProgram(Eigen::MatrixXd hessian, std::vector<LimitedPath> limits,
                         int iterations)
    : hessian_(std::move(hessian)),
      limits_(std::move(limits)),
      iterations_(iterations),
      limited_(std::any_of(limits_.begin(), limits_.end(),
                           [](const LimitedPath& limit) { return !limit.unlimited(); })),
      knots_(hessian_.rows() / static_cast<Eigen::Index>(limits_.size())),
      paths_(Eigen::VectorXd::Zero(hessian_.rows())),
      before_(paths_),
      ahead_(paths_),
      distance_(paths_) {
  assert(iterations_ >= 0 && hessian_.rows() == hessian_.cols());
  assert(knots_ * static_cast<Eigen::Index>(limits_.size()) == hessian_.rows());
  const Eigen::VectorXd values = math::symmetric_eigen(hessian_).values;
  assert(values[0] > 0.0);
  largest_ = values[values.size() - 1];
  condition_ = largest_ / values[0];
  const double root = std::sqrt(condition_);
  momentum_ = (root - 1.0) / (root + 1.0);
}

double PathProgram::error_bound() const noexcept {
  return std::sqrt(2.0 * (condition_ - 1.0) *
                   std::pow(1.0 - 1.0 / std::sqrt(condition_), iterations_));
}

void PathProgram::project(const Eigen::Ref<const Eigen::VectorXd>& start,
                          Eigen::VectorXd& paths) const noexcept {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const auto actuator = static_cast<Eigen::Index>(i);
    limits_[i].project(start[actuator], paths.segment(actuator * knots_, knots_));
  }
}

const Eigen::VectorXd& PathProgram::solve(
    const Eigen::VectorXd& optimum,
    const Eigen::Ref<const Eigen::VectorXd>& start) noexcept {
  assert(optimum.size() == paths_.size());
  paths_ = optimum;
  if (!limited_) return paths_;
  project(start, paths_);
  before_ = paths_;
  for (int n = 0; n < iterations_; ++n) {
    ahead_ = paths_ + momentum_ * (paths_ - before_);
    before_ = paths_;
    distance_ = ahead_ - optimum;
    paths_.noalias() = hessian_.lazyProduct(distance_);
    paths_ = ahead_ - paths_ / largest_;
    project(start, paths_);
  }
  return paths_;
}

}  // namespace trestle::compensators
