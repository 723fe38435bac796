// The part of FaultSimulator that lets faults happen, and the operator act.
#include <cmath>
#include <limits>
#include <string>

#include "studies/rehearsal/fault_simulator.h"

namespace trestle {
namespace {

constexpr const char* kOperator = "operator@rehearsal";
constexpr Duration kOperatorLooks = std::chrono::milliseconds(250);
// An operator who is away for longer does not come back in this scenario.
constexpr Duration kLongestAway = std::chrono::seconds(15);
// In vain, before the operator gives a test up; some seconds.
constexpr int kMostWords = 20;
// How far a step of nonsense is ahead.
constexpr std::int64_t kGapOfNonsense = 7;

}  // namespace

/// All whose call has come. Deaths come by themselves, in the middle of a tick.
void FaultSimulator::strike() {
  for (std::size_t i = 0; i < settings_.faults.size(); ++i) {
    const ScheduledFault& fault = settings_.faults[i];
    if (struck_[i] || fault.at > calls_ || fault.sort == FaultType::kKill ||
        fault.sort == FaultType::kPowerLoss)
      continue;
    struck_[i] = true;
    last_fault_ = clock_.now();
    strike(fault);
  }
}

void FaultSimulator::strike(const ScheduledFault& fault) {
  const bool of_network = fault.sort <= FaultType::kOneWay;
  if (!of_network && life(fault.node) == nullptr) return;  // no affected node
  tell(fault.node, sentence(fault, bench_.sites()));
  switch (fault.sort) {
    case FaultType::kStall:
      slot(fault.node).stalled_until = clock_.now() + fault.duration;
      return;
    case FaultType::kDiskFull:
      return disk(fault.node).disk_full_after(static_cast<std::size_t>(fault.amount));
    case FaultType::kGarbage:
      return rigs_[static_cast<std::size_t>(fault.node)]->spoil(
          static_cast<SensorFault>(fault.detail), static_cast<int>(fault.amount));
    case FaultType::kNonsense:
      return inject(fault);
    case FaultType::kClockStep:
      slot(fault.node).wall_step += Duration{static_cast<std::int64_t>(fault.amount * 1e9)};
      return;
    case FaultType::kOperatorStop:
      return stop(fault);
    case FaultType::kOperatorHold:
      return hold(fault);
    default:
      return network_.begin(fault);
  }
}

/// To a site, a command that it must not follow.
void FaultSimulator::inject(const ScheduledFault& fault) {
  const auto site = static_cast<std::size_t>(fault.node);
  const auto nonsense = static_cast<InvalidMessage>(fault.detail);
  ReceivedMessage message;
  if (nonsense == InvalidMessage::kBytes) {
    message.kind = ReceivedMessage::Kind::kMalformed;
    message.problem = "bytes that are no message of ours";
    return network_.inject(fault.node, FaultyNetwork::kToSite, message);
  }
  message.kind = ReceivedMessage::Kind::kStepCommand;
  StepCommand& command = message.command;
  command.session = bench_.integrator().session;
  command.step = sites_[site]->node.last_step() + 1;
  const auto dofs =
      static_cast<Eigen::Index>(controlled_dofs(bench_.integrator().sites[site].layout));
  command.target =
      InterfaceMotion::zero(nonsense == InvalidMessage::kWrongLength ? dofs + 1 : dofs);
  // Without a limit no value is beyond it.
  const bool limited =
      std::isfinite(bench_.integrator().sites[site].layout[0].displacement_limit);
  if (nonsense == InvalidMessage::kTooFar && limited) command.target.displacement[0] = 1e9;
  if (nonsense == InvalidMessage::kNotANumber ||
      (nonsense == InvalidMessage::kTooFar && !limited))
    command.target.displacement[0] = std::numeric_limits<double>::quiet_NaN();
  if (nonsense == InvalidMessage::kGap) command.step += kGapOfNonsense;
  if (nonsense == InvalidMessage::kOtherSession) command.session[0] ^= 0xffU;
  network_.inject(fault.node, FaultyNetwork::kToSite, message);
}

void FaultSimulator::stop(const ScheduledFault& fault) {
  const std::string refused =
      operated(fault.node)->stop(kOperator, "the operator asks for a stop");
  if (!refused.empty()) return tell(fault.node, "does not stop: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stop_motion();
}

void FaultSimulator::hold(const ScheduledFault& fault) {
  OperatorInterface* node = operated(fault.node);
  const std::string refused = node->hold(kOperator, "the operator wants to look");
  if (!refused.empty()) return tell(fault.node, "does not hold: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stop_motion();
  operator_at_ =
      fault.duration > kLongestAway ? TimePoint::max() : clock_.now() + fault.duration;
}

/// Null if it is dead.
OperatorInterface* FaultSimulator::operated(int node) noexcept {
  if (node < 0) return integrator_ == nullptr ? nullptr : &integrator_->node;
  SimulatedSiteProcess* site = sites_[static_cast<std::size_t>(node)].get();
  return site == nullptr ? nullptr : &site->node;
}

/// The operator looks around now and then.
void FaultSimulator::operate(TimePoint now) {
  if (now < operator_at_ || operator_at_ == TimePoint::max()) return;
  operator_at_ = now + kOperatorLooks;
  for (int node = -1; node < site_count_; ++node) operate(node);
}

/// Gives the operator's command to a node that waits for it.
void FaultSimulator::operate(int node) {
  OperatorInterface* waiting = operated(node);
  if (waiting == nullptr) return;
  for (const PendingWait& wait : waiting->status().waits) {
    if (wait.whom.find("operator") == std::string::npos) continue;
    if (wait.what.find("arm") == std::string::npos) return resume(node, *waiting);
    const std::string refused = waiting->arm(kOperator);
    tell(node, "the operator says arm" + (refused.empty() ? "" : ", in vain: " + refused));
  }
}

/// An operator whose resume had no effect for long enough ends the test.
void FaultSimulator::resume(int node, OperatorInterface& waiting) {
  const std::int64_t done = waiting.status().step;
  in_vain_ = done == resumed_at_ ? in_vain_ + 1 : 0;
  resumed_at_ = done;
  if (in_vain_ > kMostWords) {
    tell(node, "the operator gives it up");
    waiting.stop(kOperator, "it does not go on");
    return;
  }
  const std::string refused = waiting.resume(kOperator);
  if (refused.empty()) ++trace_.resumed;
  tell(node, "the operator says resume" + (refused.empty() ? "" : ", in vain: " + refused));
}

}  // namespace trestle
