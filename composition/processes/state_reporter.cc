#include "composition/processes/state_reporter.h"

#include <utility>

#include "gateway/operator/single_line_text.h"

namespace trestle::composition {
namespace {

// The status of a site is not made in each tick for it.
constexpr Duration kBetweenLooksAtSaid = std::chrono::milliseconds(200);

}  // namespace

StateReporter::StateReporter(ProcessLog& log, std::string folder)
    : log_(log), folder_(std::move(folder)) {}

void StateReporter::show(const site_node::SiteNode& site) {
  const bool same = site.state() == shown_ && site.session() == session_;
  // A resume may be refused without a change of state.
  const bool refused = !site.in_session() && !site.reason().empty();
  if (same && !(refused && site.reason() != reason_)) return;
  shown_ = site.state();
  session_ = site.session();
  reason_ = site.reason();
  const std::string word(session::name(shown_));
  std::string line = word + std::string(word.size() < 10 ? 10 - word.size() : 0, ' ');
  line += " " + site.busy().test;
  if (!site.reason().empty()) line += "  " + site.reason();
  if (shown_ != session::SessionState::kFault && shown_ != session::SessionState::kHolding)
    return log_.say(line);
  log_.warn(line);
  log_.say(
      shown_ == session::SessionState::kFault
          ? "           the rig is in its safe action; see to the cause, then clear the "
            "fault here: trestle clear " +
                folder_
          : "           the rig was asked to hold its position (trestle status says "
            "whether it does); the test may go on, or the next begin, from here");
}

void StateReporter::show_said(const site_node::SiteNode& site, TimePoint now) {
  if (now < next_look_) return;
  next_look_ = now + kBetweenLooksAtSaid;
  const Announcement said = site.status().said;
  if (said.number == said_) return;
  said_ = said.number;
  log_.say(operators::single_line_text(said.by + " says: " + said.text));
}

}  // namespace trestle::composition
