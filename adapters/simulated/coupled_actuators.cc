#include "adapters/simulated/coupled_actuators.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace trestle::simulated {

using Eigen::Index;
using Eigen::VectorXd;

CoupledActuators::CoupledActuators(const std::vector<LoadedTransferSettings>& transfers,
                                   std::unique_ptr<SpecimenDynamics> specimen, int substeps)
    : transfers_(transfers),
      specimen_(std::move(specimen)),
      substeps_(substeps),
      ports_(specimen_->ports()),
      x_(VectorXd::Zero(2 * ports_ + specimen_->states())),
      force_(VectorXd::Zero(ports_)),
      kept_(x_),
      rate_(x_),
      sum_(x_),
      stage_(x_),
      own_(VectorXd::Zero(specimen_->states())),
      own_rate_(own_),
      at_(force_),
      speed_(force_),
      stage_force_(force_) {
  assert(static_cast<Index>(transfers_.size()) == ports_ && substeps_ >= 1);
}

void CoupledActuators::prepare(double tick) {
  tick_ = tick;
  specimen_->reset();
  x_.setZero();
  force_.setZero();
  begin();
}

/// Initial states; at rest no force is computed, as a rig's load cell is tared there.
void CoupledActuators::begin() noexcept {
  bool moved = specimen_->begin(own_);
  if (moved) {
    x_.tail(own_.size()) = own_;
    specimen_->commit(own_);
  }
  for (Index i = 0; i < ports_; ++i) {
    const LoadedTransferSettings& it = transfers_[static_cast<std::size_t>(i)];
    x_[i] = it.initial_displacement;
    x_[ports_ + i] = it.initial_velocity;
    moved = moved || x_[i] != 0.0 || x_[ports_ + i] != 0.0;
  }
  stage_.setZero();
  if (moved) evaluate(x_, stage_.head(ports_), rate_, force_);
}

bool CoupledActuators::evaluate(const VectorXd& x, const VectorXd& drive, VectorXd& rate,
                                VectorXd& force) noexcept {
  at_ = x.head(ports_);
  speed_ = x.segment(ports_, ports_);
  own_ = x.tail(own_.size());
  if (!specimen_->evaluate(own_, at_, speed_, own_rate_, force)) return false;
  rate.head(ports_) = speed_;
  rate.tail(own_.size()) = own_rate_;
  for (Index i = 0; i < ports_; ++i) {
    const LoadedTransferSettings& it = transfers_[static_cast<std::size_t>(i)];
    double sum =
        it.stiffness * (drive[i] - at_[i]) - it.damping * speed_[i] - it.load * force[i];
    if (it.friction > 0.0) sum -= it.friction * std::tanh(speed_[i] / it.friction_speed);
    rate[ports_ + i] = sum / it.mass;
  }
  return true;
}

bool CoupledActuators::step(double h, const VectorXd& drive) noexcept {
  if (!evaluate(x_, drive, rate_, stage_force_)) return false;
  sum_ = rate_;
  stage_ = x_ + 0.5 * h * rate_;
  if (!evaluate(stage_, drive, rate_, stage_force_)) return false;
  sum_ += 2.0 * rate_;
  stage_ = x_ + 0.5 * h * rate_;
  if (!evaluate(stage_, drive, rate_, stage_force_)) return false;
  sum_ += 2.0 * rate_;
  stage_ = x_ + h * rate_;
  if (!evaluate(stage_, drive, rate_, stage_force_)) return false;
  x_ += h / 6.0 * (sum_ + rate_);
  return true;
}

bool CoupledActuators::advance(const VectorXd& drive) noexcept {
  const double h = tick_ / substeps_;
  for (int i = 0; i < substeps_; ++i) {
    if (!step(h, drive)) return false;
    own_ = x_.tail(own_.size());
    specimen_->commit(own_);
  }
  return evaluate(x_, drive, rate_, force_);
}

bool CoupledActuators::predict(const VectorXd& drive, VectorXd& displacement,
                               VectorXd& force) noexcept {
  const double h = tick_ / substeps_;
  kept_ = x_;
  bool answered = true;
  for (int i = 0; i < substeps_ && answered; ++i) answered = step(h, drive);
  answered = answered && evaluate(x_, drive, rate_, force);
  displacement = x_.head(ports_);
  x_ = kept_;
  return answered;
}

math::StateSpace CoupledActuators::linearise() {
  constexpr double kPush = 1e-9;  // [m], [m/s], ...
  const Index n = x_.size();
  math::StateSpace form{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, ports_),
                        Eigen::MatrixXd::Zero(2 * ports_, n),
                        Eigen::MatrixXd::Zero(2 * ports_, ports_)};
  std::vector<LoadedTransferSettings> smooth = transfers_;
  for (LoadedTransferSettings& one : smooth) one.friction = 0.0;
  std::swap(smooth, transfers_);
  specimen_->reset();
  const VectorXd rest = VectorXd::Zero(ports_);
  for (Index j = 0; j < n; ++j) {
    evaluate(kPush * VectorXd::Unit(n, j), rest, rate_, stage_force_);
    form.A.col(j) = rate_ / kPush;
    form.C.col(j).tail(ports_) = stage_force_ / kPush;
  }
  for (Index j = 0; j < ports_; ++j) {
    evaluate(VectorXd::Zero(n), kPush * VectorXd::Unit(ports_, j), rate_, stage_force_);
    form.B.col(j) = rate_ / kPush;
    form.C(j, j) = 1.0;
  }
  std::swap(smooth, transfers_);
  return form;
}

math::StateSpace CoupledActuators::specimen_form() {
  constexpr double kPush = 1e-9;
  const Index own = own_.size();
  const Index n = own + ports_;
  math::StateSpace form{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, ports_),
                        Eigen::MatrixXd::Zero(2 * ports_, n),
                        Eigen::MatrixXd::Zero(2 * ports_, ports_)};
  specimen_->reset();
  const VectorXd still = VectorXd::Zero(ports_);
  for (Index j = 0; j < n + ports_; ++j) {
    const VectorXd push = kPush * VectorXd::Unit(n + ports_, j);
    own_ = push.head(own);
    at_ = push.segment(own, ports_);
    speed_ = push.tail(ports_);
    specimen_->evaluate(own_, at_, speed_, own_rate_, stage_force_);
    auto rate = j < n ? form.A.col(j) : form.B.col(j - n);
    auto out = j < n ? form.C.col(j) : form.D.col(j - n);
    rate.head(own) = own_rate_ / kPush;
    out.tail(ports_) = stage_force_ / kPush;
  }
  form.B.bottomRows(ports_).setIdentity();
  form.C.block(0, own, ports_, ports_).setIdentity();
  return form;
}

bool CoupledActuators::has_friction() const noexcept {
  for (const LoadedTransferSettings& one : transfers_)
    if (one.friction > 0.0) return true;
  return false;
}

template <typename Self, typename Archive>
void CoupledActuators::visit(Self& self, Archive& archive) {
  archive(self.x_, self.force_, *self.specimen_);
}

void CoupledActuators::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void CoupledActuators::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
