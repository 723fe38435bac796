#include "adapters/simulated/delay_jump_actuators.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::simulated {

DelayJumpActuators::DelayJumpActuators(std::unique_ptr<ActuatorModel> prompt,
                                       DelayJump jump)
    : prompt_(std::move(prompt)),
      jump_(jump),
      came_last_(ActuatorVector::Zero(prompt_->actuators())) {}

void DelayJumpActuators::prepare(double tick) {
  prompt_->prepare(tick);
  const double late = std::max(1.0, std::round(jump_.by / tick));
  waiting_.assign(static_cast<std::size_t>(late), ActuatorVector::Zero(came_last_.size()));
  jump_tick_ = std::round(jump_.at / tick);
  tick_ = 0.0;
  oldest_ = 0;
  came_last_.setZero();
}

void DelayJumpActuators::advance(const ActuatorVector& drive,
                                 ActuatorMotion& stroke) noexcept {
  if (tick_ < jump_tick_) {
    came_last_ = drive;
  } else {
    const double came = tick_ - static_cast<double>(waiting_.size());
    if (came >= jump_tick_) came_last_ = waiting_[oldest_];
    waiting_[oldest_] = drive;
    oldest_ = oldest_ + 1 == waiting_.size() ? 0 : oldest_ + 1;
  }
  tick_ += 1.0;
  prompt_->advance(came_last_, stroke);
}

template <typename Self, typename Archive>
void DelayJumpActuators::visit(Self& self, Archive& archive) {
  archive(*self.prompt_, self.tick_, self.waiting_, self.oldest_, self.came_last_);
}

void DelayJumpActuators::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void DelayJumpActuators::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
