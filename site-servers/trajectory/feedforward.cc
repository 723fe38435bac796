#include "site-servers/trajectory/feedforward.h"

#include <cassert>

namespace trestle::trajectory {

Feedforward::Feedforward(int dofs, double time_step, int ticks_per_step) noexcept
    : time_step_(time_step),
      ticks_(ticks_per_step),
      part_(dofs, time_step, ticks_per_step),
      command_from_(InterfaceVector::Zero(dofs)),
      command_to_(InterfaceVector::Zero(dofs)) {}

void Feedforward::start() noexcept {
  part_.start(InterfaceVector::Zero(command_to_.size()));
  command_from_.setZero();
  command_to_.setZero();
  given_ = false;
  active_ = false;
}

void Feedforward::aim(const InterfaceMotion& part,
                      const InterfaceVector& command) noexcept {
  const Eigen::Index dofs = command_to_.size();
  const bool has_part = part.displacement.size() > 0;
  const bool has_command = command.size() > 0;
  assert(!has_part || part.displacement.size() == dofs);
  assert(!has_command || command.size() == dofs);
  active_ = given_ || has_part || has_command;
  given_ = has_part || has_command;
  if (!active_) return;
  part_.aim(has_part ? part : InterfaceMotion::zero(dofs));
  command_from_ = command_to_;
  if (has_command)
    command_to_ = command;
  else
    command_to_.setZero();
}

void Feedforward::decelerate_to_rest() noexcept {
  active_ = given_;
  if (!active_) return;
  InterfaceMotion rest = part_.at(ticks_);
  rest.displacement += 0.5 * time_step_ * rest.velocity;
  rest.velocity.setZero();
  rest.acceleration.setZero();
  part_.aim(rest);
  command_from_ = command_to_;
}

InterfaceVector Feedforward::command_at(int tick) const noexcept {
  assert(tick >= 1 && tick <= ticks_);
  if (tick == ticks_) return command_to_;
  return command_from_ + static_cast<double>(tick) / ticks_ * (command_to_ - command_from_);
}

template <typename Self, typename Archive>
void Feedforward::visit(Self& self, Archive& archive) {
  archive(self.part_, self.command_from_, self.command_to_, self.given_, self.active_);
}

void Feedforward::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void Feedforward::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::trajectory
