#include "composition/processes/state_reporter.h"

#include <utility>

namespace trestle::composition {

StateReporter::StateReporter(ProcessLog& log, std::string folder)
    : log_(log), folder_(std::move(folder)) {}

void StateReporter::show(const site_node::SiteNode& site) {
  if (site.state() == shown_ && site.session() == session_) return;
  shown_ = site.state();
  session_ = site.session();
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

}  // namespace trestle::composition
