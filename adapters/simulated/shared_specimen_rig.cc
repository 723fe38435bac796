#include "adapters/simulated/shared_specimen_rig.h"

#include <algorithm>
#include <utility>

namespace trestle::simulated {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Ticks that a site tells again: those by which another one may be behind, and the two that
// it needs before them.
constexpr Index kToldAgain = 8;

}  // namespace

SharedSpecimenRig::SharedSpecimenRig(RigDescription description, CoupledActuators transfers,
                                     std::unique_ptr<DriveChannel> exchange,
                                     std::vector<Index> own, SensorNoiseGenerator noise)
    : description_(std::move(description)),
      transfers_(std::move(transfers)),
      exchange_(std::move(exchange)),
      own_(std::move(own)),
      noise_(std::move(noise)),
      drive_(VectorXd::Zero(transfers_.ports())),
      previous_(drive_),
      last_(drive_),
      older_(drive_),
      told_(MatrixXd::Zero(transfers_.ports(), kToldAgain)),
      expected_(drive_),
      displacement_(drive_),
      force_(drive_) {}

void SharedSpecimenRig::prepare(const RigRun& run) {
  exchange_->open();
  transfers_.prepare(run.tick);
  noise_.prepare(run);
  tick_ = -1;
  for (VectorXd* all : {&drive_, &previous_, &last_, &older_}) all->setZero();
  told_.setZero();
}

AdapterStatus SharedSpecimenRig::read(TimePoint now, Measurement& sensed) noexcept {
  ++tick_;
  told_.col(tick_ % kToldAgain) = drive_;
  bool answered = true;
  if (tick_ == 0) {
    displacement_ = transfers_.displacement();
    force_ = transfers_.force();
  } else {
    if (tick_ > 1) {
      older_ = last_;
      for (const Index port : own_) last_[port] = previous_[port];
      exchange_->hear(tick_ - 2, last_);
      answered = transfers_.advance(last_);
    }
    expected_ = 2.0 * last_ - older_;
    for (const Index port : own_) expected_[port] = drive_[port];
    answered = transfers_.predict(expected_, displacement_, force_) && answered;
    previous_ = drive_;
  }
  for (std::size_t i = 0; i < own_.size(); ++i) {
    sensed.displacement[static_cast<Index>(i)] = displacement_[own_[i]];
    sensed.force[static_cast<Index>(i)] = force_[own_[i]];
  }
  noise_.add(now, sensed);
  return answered ? AdapterStatus::kOk : AdapterStatus::kTripped;
}

AdapterStatus SharedSpecimenRig::write(const ActuatorVector& drive) noexcept {
  for (std::size_t i = 0; i < own_.size(); ++i)
    drive_[own_[i]] = drive[static_cast<Index>(i)];
  exchange_->tell(tick_, drive_);
  told_.col(tick_ % kToldAgain) = drive_;
  return AdapterStatus::kOk;
}

template <typename Self, typename Archive>
void SharedSpecimenRig::visit(Self& self, Archive& archive) {
  archive(self.tick_, self.drive_, self.previous_, self.last_, self.older_, self.told_,
          self.transfers_);
}

void SharedSpecimenRig::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SharedSpecimenRig::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
  for (std::int64_t tick = std::max<std::int64_t>(tick_ - kToldAgain + 1, 0); tick <= tick_;
       ++tick)
    exchange_->tell(tick, told_.col(tick % kToldAgain));
}

}  // namespace trestle::simulated
