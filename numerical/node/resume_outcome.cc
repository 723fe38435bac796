#include "numerical/node/resume_outcome.h"

#include <chrono>

#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

// Some heartbeats of a site, and less than a caller's patience.
constexpr Duration kLongestAnswer = std::chrono::seconds(1);

}  // namespace

void ResumeOutcome::begin() noexcept {
  newest_ = !since_ || overdue();
  if (!newest_) return;
  since_.reset();
  releases_ = hold_.releases();
  for (const SitePeer& peer : run_.peers)
    if (peer.words.says(session::SessionState::kFault)) since_ = run_.times.now;
}

std::optional<std::string> ResumeOutcome::take() {
  if (!since_) return std::nullopt;
  const bool held = run_.phase == Phase::kHolding || run_.phase == Phase::kHeld;
  // A test that went on may hold again by now, for another reason.
  const bool went_on = hold_.releases() != releases_;
  const bool refused = held && hold_.needs_operator() && !went_on;
  const bool waits =
      held || run_.phase == Phase::kResuming || run_.phase == Phase::kResynchronising;
  if (waits && !refused && !went_on && !overdue()) return std::nullopt;
  since_.reset();
  return refused ? refusal() : std::string();
}

bool ResumeOutcome::overdue() const noexcept {
  return run_.times.now - *since_ >= kLongestAnswer;
}

std::string ResumeOutcome::refusal() const {
  std::string text = "the test does not go on: " + hold_.reason();
  for (const std::string& site : run_text::sites_in_fault(run_.peers)) text += "; " + site;
  return text + "; then resume it again";
}

}  // namespace trestle::integrator_node
