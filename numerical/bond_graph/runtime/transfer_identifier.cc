#include "numerical/bond_graph/runtime/transfer_identifier.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace trestle::bond_graph {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

constexpr double kFollowing = 10.0;  // times faster than forgetting

math::RecursiveLeastSquares estimator(const NominalTransfer& nominal, double forgetting,
                                      const IdentificationSettings& settings) {
  const Eigen::Index ratios = nominal.load == 0.0 ? 2 : 3;
  const double spread = settings.bound / settings.excitation;
  const Eigen::MatrixXd limit = spread * spread * Eigen::MatrixXd::Identity(ratios, ratios);
  return {Eigen::VectorXd::Ones(ratios), limit, forgetting, limit};
}

}  // namespace

TransferIdentifier::TransferIdentifier(const NominalTransfer& nominal, double time_step,
                                       const IdentificationSettings& settings)
    : settings_(settings),
      nominal_(nominal.mass / nominal.stiffness, nominal.damping / nominal.stiffness,
               nominal.load / nominal.stiffness),
      forgetting_(std::exp(-time_step / settings.memory)),
      following_(1.0 - std::exp(-kFollowing * time_step / settings.memory)),
      cut_off_(2.0 * std::numbers::pi * settings.filter),
      estimator_(estimator(nominal, forgetting_, settings)),
      row_(estimator_.coefficients()) {
  // q'' = w² (u − q) − 2 w q', both poles at −w: exp(A h) in closed form, and what a
  // straight line from u₀ to u₁ adds to what u₀ alone would.
  const double w = cut_off_;
  const double h = time_step;
  const double decay = std::exp(-w * h);
  transition_ << decay * (1.0 + w * h), decay * h, -decay * w * w * h,
      decay * (1.0 - w * h);
  const Vector2d held(1.0 - transition_(0, 0), -transition_(1, 0));
  // The answer to the ramp t: t − 2/w + (t + 2/w) exp(−w t), and its derivative.
  const Vector2d ramp(h - 2.0 / w + (h + 2.0 / w) * decay, 1.0 - (1.0 + w * h) * decay);
  from_after_ = ramp / h;
  from_before_ = held - from_after_;
  begin(0.0, 0.0);
}

void TransferIdentifier::begin(double displacement, double force) noexcept {
  command_ = motion_ = Filtered(displacement, 0.0);
  force_ = Filtered(force, 0.0);
  // At rest the drive holds the force: x_d = x + g F.
  command_[0] += nominal_[2] * force;
  last_motion_ = displacement;
  last_force_ = force;
  identified_.setOnes();
  used_.setOnes();
  estimator_.reset();
  information_.setZero();
  excitation_ = 0.0;
}

void TransferIdentifier::filter(Filtered& state, double before,
                                double after) const noexcept {
  const Vector2d next = transition_ * state + from_before_ * before + from_after_ * after;
  state = next;
}

void TransferIdentifier::add(double command, double displacement, double force) noexcept {
  filter(command_, command, command);
  filter(motion_, last_motion_, displacement);
  filter(force_, last_force_, force);
  last_motion_ = displacement;
  last_force_ = force;
  const double acceleration =
      cut_off_ * (cut_off_ * (displacement - motion_[0]) - 2.0 * motion_[1]);
  const Vector3d regressor =
      nominal_.cwiseProduct(Vector3d(acceleration, motion_[1], force_[0]));
  measure_excitation(regressor);
  if (!frozen()) learn(regressor, command_[0] - motion_[0]);
  used_ += following_ * (identified_ - used_);
}

void TransferIdentifier::measure_excitation(const Vector3d& regressor) noexcept {
  information_ *= forgetting_;
  information_.noalias() += (1.0 - forgetting_) * regressor * regressor.transpose();
  Matrix3d asked = information_;
  // A servo that does not feel its force has two parameters.
  if (nominal_[2] == 0.0) asked(2, 2) = asked.trace();
  Eigen::SelfAdjointEigenSolver<Matrix3d> solver;
  solver.compute(asked, Eigen::EigenvaluesOnly);
  excitation_ = std::sqrt(std::max(solver.eigenvalues()[0], 0.0));
}

void TransferIdentifier::learn(const Vector3d& regressor, double output) noexcept {
  row_ = regressor.head(row_.size());
  const double error = output - row_.dot(estimator_.coefficients());
  estimator_.gain(row_);
  estimator_.correct(error);
  for (Eigen::Index i = 0; i < row_.size(); ++i)
    identified_[i] = std::clamp(estimator_.coefficients()[i], 1.0 - settings_.bound,
                                1.0 + settings_.bound);
}

double TransferIdentifier::correction(double command, double displacement, double velocity,
                                      double force) const noexcept {
  const double damper = nominal_[1] * velocity;
  const double load = nominal_[2] * force;
  const double inertia = command - displacement - damper - load;
  return (used_[0] - 1.0) * inertia + (used_[1] - 1.0) * damper + (used_[2] - 1.0) * load;
}

template <typename Self, typename Archive>
void TransferIdentifier::visit(Self& self, Archive& archive) {
  archive(self.command_, self.motion_, self.force_, self.last_motion_, self.last_force_,
          self.estimator_, self.identified_, self.used_, self.information_,
          self.excitation_);
}

void TransferIdentifier::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void TransferIdentifier::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::bond_graph
