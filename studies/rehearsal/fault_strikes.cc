// The part of FaultLab that lets faults happen, and the operator act.
#include <cmath>
#include <limits>
#include <string>

#include "studies/rehearsal/fault_lab.h"

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
void FaultLab::strike() {
  for (std::size_t i = 0; i < settings_.faults.size(); ++i) {
    const PlannedFault& fault = settings_.faults[i];
    if (struck_[i] || fault.at > calls_ || fault.sort == FaultSort::kKill ||
        fault.sort == FaultSort::kPowerLoss)
      continue;
    struck_[i] = true;
    last_fault_ = clock_.now();
    strike(fault);
  }
}

void FaultLab::strike(const PlannedFault& fault) {
  const bool of_network = fault.sort <= FaultSort::kOneWay;
  if (!of_network && life(fault.node) == nullptr) return;  // nobody whom it could befall
  tell(fault.node, sentence(fault, bench_.sites()));
  switch (fault.sort) {
    case FaultSort::kStall:
      slot(fault.node).stalled_until = clock_.now() + fault.duration;
      return;
    case FaultSort::kDiskFull:
      return disk(fault.node).disk_full_after(static_cast<std::size_t>(fault.amount));
    case FaultSort::kGarbage:
      return rigs_[static_cast<std::size_t>(fault.node)]->spoil(
          static_cast<Garbage>(fault.detail), static_cast<int>(fault.amount));
    case FaultSort::kNonsense:
      return inject(fault);
    case FaultSort::kClockStep:
      slot(fault.node).wall_step += Duration{static_cast<std::int64_t>(fault.amount * 1e9)};
      return;
    case FaultSort::kOperatorStop:
      return stop(fault);
    case FaultSort::kOperatorHold:
      return hold(fault);
    default:
      return network_.begin(fault);
  }
}

/// To a site, a command that it must not follow.
void FaultLab::inject(const PlannedFault& fault) {
  const auto site = static_cast<std::size_t>(fault.node);
  const auto nonsense = static_cast<Nonsense>(fault.detail);
  Incoming message;
  if (nonsense == Nonsense::kBytes) {
    message.kind = Incoming::Kind::kMalformed;
    message.problem = "bytes that are no message of ours";
    return network_.inject(fault.node, FaultNetwork::kToSite, message);
  }
  message.kind = Incoming::Kind::kStepCommand;
  StepCommand& command = message.command;
  command.session = bench_.integrator().session;
  command.step = sites_[site]->node.last_step() + 1;
  const auto dofs =
      static_cast<Eigen::Index>(controlled_dofs(bench_.integrator().sites[site].layout));
  command.target = Target::zero(nonsense == Nonsense::kWrongLength ? dofs + 1 : dofs);
  // Where nobody stated a limit, nothing is beyond it.
  const bool limited =
      std::isfinite(bench_.integrator().sites[site].layout[0].displacement_limit);
  if (nonsense == Nonsense::kTooFar && limited) command.target.displacement[0] = 1e9;
  if (nonsense == Nonsense::kNotANumber || (nonsense == Nonsense::kTooFar && !limited))
    command.target.displacement[0] = std::numeric_limits<double>::quiet_NaN();
  if (nonsense == Nonsense::kGap) command.step += kGapOfNonsense;
  if (nonsense == Nonsense::kOtherSession) command.session[0] ^= 0xffU;
  network_.inject(fault.node, FaultNetwork::kToSite, message);
}

void FaultLab::stop(const PlannedFault& fault) {
  const std::string refused =
      operated(fault.node)->stop(kOperator, "the operator asks for a stop");
  if (!refused.empty()) return tell(fault.node, "does not stop: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stand_still();
}

void FaultLab::hold(const PlannedFault& fault) {
  Operated* node = operated(fault.node);
  const std::string refused = node->hold(kOperator, "the operator wants to look");
  if (!refused.empty()) return tell(fault.node, "does not hold: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stand_still();
  operator_at_ =
      fault.duration > kLongestAway ? TimePoint::max() : clock_.now() + fault.duration;
}

/// Null where it is dead.
Operated* FaultLab::operated(int node) noexcept {
  if (node < 0) return integrator_ == nullptr ? nullptr : &integrator_->node;
  SiteLife* site = sites_[static_cast<std::size_t>(node)].get();
  return site == nullptr ? nullptr : &site->node;
}

/// The operator looks around now and then.
void FaultLab::operate(TimePoint now) {
  if (now < operator_at_ || operator_at_ == TimePoint::max()) return;
  operator_at_ = now + kOperatorLooks;
  for (int node = -1; node < site_count_; ++node) operate(node);
}

/// Who waits for the operator gets the word.
void FaultLab::operate(int node) {
  Operated* waiting = operated(node);
  if (waiting == nullptr) return;
  for (const Wait& wait : waiting->standing().waits) {
    if (wait.whom.find("operator") == std::string::npos) continue;
    if (wait.what.find("arm") == std::string::npos) return resume(node, *waiting);
    const std::string refused = waiting->arm(kOperator);
    tell(node, "the operator says arm" + (refused.empty() ? "" : ", in vain: " + refused));
  }
}

/// An operator who has said so in vain for long enough gives the test up.
void FaultLab::resume(int node, Operated& waiting) {
  const std::int64_t done = waiting.standing().step;
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
