// The part of IntegratorNode that ends the process and not the test: the rigs hold, the
// record stays unfinished, and `trestle resume` goes on with it.
#include <algorithm>

#include "core/session/audit_words.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

// A site that does not say that it holds is left without that word: its watchdog holds it.
constexpr Duration kLongestFarewell = std::chrono::seconds(1);

}  // namespace

bool IntegratorNode::begun() const noexcept {
  return settings_.resume || (phase_ != Phase::kConnecting && phase_ != Phase::kOpening);
}

/// A process with real equipment in its test goes on holding it, however long it takes.
bool IntegratorNode::stays_held() const noexcept {
  return settings_.resumable && begun() && peers_.real_equipment();
}

/// A fault that made the test hold is why it ends, whoever ends it then.
std::string IntegratorNode::with_first_reason(const std::string& reason) const {
  return reason.find(hold_.first_reason) == std::string::npos
             ? hold_.first_reason + "; " + reason
             : reason;
}

std::string IntegratorNode::leave(const std::string& by, const std::string& from,
                                  const std::string& reason) {
  if (end_.begun()) return std::string("the test is ") + phase_name() + " already";
  if (record_.is_open()) recorder_.audit(audit_held(by, from, reason));
  depart(RunResult::kHeld, reason, "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0},
         by);
  return {};
}

/// An end that no person asked for.
void IntegratorNode::keep_held(RunResult result, const std::string& reason,
                               const std::string& met_by, const Fault& fault) {
  if (!peers_.real_equipment()) return depart(result, reason, met_by, fault, {});
  // What this process has in memory is not to be trusted any more; its record is.
  const bool ours = met_by == "integrator" && (fault.kind == FaultKind::kNotFinite ||
                                               fault.kind == FaultKind::kJournal);
  if (ours && hold_.no_return.empty())
    hold_.no_return =
        "this integrator cannot go on (" + reason +
        "); end it by SIGTERM, which leaves the rigs held, see to the cause, and "
        "resume the run's folder, or stop the test (trestle stop)";
  pause(reason, met_by, fault, true);
}

/// @param by  the person whose word it is; empty: none's
void IntegratorNode::depart(RunResult result, const std::string& reason,
                            const std::string& met_by, const Fault& fault,
                            const std::string& by) {
  end_.leaving = true;
  if (!begun()) {
    // No rig was asked for a step: the sites are free again.
    end_.stopped_by = by.empty() ? "integrator" : by;
    end(result, reason);
    times_.deadline.set(times_.now, kLongestFarewell);
    times_.deadline.limit(times_.now, kLongestFarewell);
    return;
  }
  const bool to_be_held = phase_ != Phase::kConnecting;
  if (to_be_held) pause(reason, met_by, fault, true, by);
  end_.result = result;
  end_.reason = with_first_reason(reason);
  if (!to_be_held) return left();  // the sites hold since the integrator's last life
  times_.deadline.shorten(times_.now, kLongestFarewell);
}

void IntegratorNode::left() {
  record_.let_go();
  phase_ = Phase::kDone;
}

}  // namespace trestle
