#include "numerical/node/run_text.h"

#include <cstdio>

#include "core/session/limit_field.h"

namespace trestle::run_text {

std::string duration(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

std::string test_limit_note(const SiteInTest& site, const Fault& fault) {
  if (!site.limit_place || !states_limit(fault, site.limits, site.layout)) return {};
  return " (limit of the test, " + site.limit_place(limit_field(fault)) + ")";
}

std::string bad_answer(AnswerVerdict verdict, const SitePeer& peer,
                       const StepResponse& response) {
  const std::string answered =
      "site " + peer.name() + " answered step " + std::to_string(response.step) + " with ";
  const SiteAgreement& agreed = peer.agreement;
  switch (verdict) {
    case AnswerVerdict::kWrongActuators:
      return answered + "values of other lengths than the " +
             std::to_string(agreed.actuators.size()) + " actuators that were agreed";
    case AnswerVerdict::kWrongDofs:
      return answered + std::to_string(response.measured.size()) +
             " interface DOFs, not the " + std::to_string(controlled_dofs(agreed.layout)) +
             " that were agreed";
    case AnswerVerdict::kWrongForces:
      return answered + std::to_string(response.force.size()) +
             " interface forces, not the " + std::to_string(agreed.layout.size()) +
             " that were agreed";
    default:
      return answered + "a number that is not finite";
  }
}

std::string too_many_misses(const MissPolicy& misses, const StepExchange::TooManyMisses& by,
                            const std::string& name, std::int64_t step) {
  const MissMonitor& monitor = misses.of(by.site);
  std::string why = "on_miss: stop";
  if (by.verdict == MissPolicy::Verdict::kInARow)
    why = std::to_string(monitor.in_a_row()) + " in a row, with " +
          std::to_string(misses.settings().most_in_a_row) + " allowed";
  else if (by.verdict == MissPolicy::Verdict::kInWindow)
    why = std::to_string(monitor.in_window()) + " within the window, with " +
          std::to_string(misses.settings().most_in_window) + " allowed";
  return "the answer of site " + name + " to step " + std::to_string(step) +
         " missed its deadline (" + why +
         "); see the ledger for where the time goes, raise real_time.latency_steps or "
         "give the step more time";
}

}  // namespace trestle::run_text
