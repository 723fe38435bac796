#include "studies/characterisation/rig_operations.h"

#include <algorithm>
#include <limits>

#include "core/session/audit_actions.h"

namespace trestle::characterisation {
namespace {

constexpr const char* kMeasurement = "characterise";

}  // namespace

NodeStatus RigOperations::status() const {
  NodeStatus now;
  now.node = site_;
  now.test = kMeasurement;
  now.state = !asked_.empty() ? "HOLDING" : armed_by_.empty() ? "CONFIGURED" : "RUNNING";
  now.reason = asked_;
  now.step = ticks_done_ - 1;
  now.steps = planned_;
  now.time_step = tick_;
  const double since =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  const double forever = std::numeric_limits<double>::infinity();
  if (armed_by_.empty() && asked_.empty())
    now.waits.push_back({"the operator", "the word to arm (trestle arm)", since, forever,
                         "nothing moves before"});
  return now;
}

std::string RigOperations::arm(const std::string& by) {
  if (!asked_.empty()) return "the measurement is being ended: " + asked_;
  if (!armed_by_.empty())
    return "it was armed by " + armed_by_ + "; nobody has to arm it now";
  armed_by_ = by;
  log_.audit(session::audit_armed(by, session::kOperatorChannel, "none: characterise"));
  log_.event(0, "state", "ARMED by " + by);
  return {};
}

std::string RigOperations::hold(const std::string& by, const std::string& reason) {
  return end("held", by, reason);
}

std::string RigOperations::stop(const std::string& by, const std::string& reason) {
  return end("stopped", by, reason);
}

std::string RigOperations::end(const std::string& word, const std::string& by,
                               const std::string& reason) {
  if (!asked_.empty()) return "the measurement is being ended: " + asked_;
  asked_ = word + " by " + by + (reason.empty() ? "" : ": " + reason);
  log_.audit(session::audit_stopped(by, session::kOperatorChannel,
                                    reason.empty() ? word : reason));
  log_.event(0, "state", "HOLDING: " + asked_);
  return {};
}

void RigOperations::leave(const std::string& by, const std::string& from,
                          const std::string& reason) {
  if (!asked_.empty()) return;
  asked_ = reason;
  log_.audit(session::audit_stopped(by, from, reason));
  log_.event(0, "state", "HOLDING: " + asked_);
}

std::string RigOperations::resume(const std::string& /*by*/) {
  return "a measurement is not resumed; start it again: trestle characterise";
}

std::string RigOperations::clear(const std::string& /*by*/) {
  return "there is no fault to clear";
}

void RigOperations::done(std::int64_t ticks) noexcept {
  ticks_seen_ = ticks;
  if (ticks_before_ >= 0) ticks_done_ = std::min(ticks - ticks_before_, planned_);
}

void RigOperations::begin(const std::string& what, std::int64_t ticks_planned) {
  doing_ = what;
  if (ticks_planned > 0) planned_ = ticks_planned;
  if (ticks_planned > 0 && ticks_before_ < 0) ticks_before_ = ticks_seen_;
  log_.event(0, "move", what);
}

}  // namespace trestle::characterisation
