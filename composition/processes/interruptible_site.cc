#include "composition/processes/interruptible_site.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

namespace trestle::composition {
namespace {

// Time for the bus to send the last message of a session.
constexpr Duration kFarewell = std::chrono::milliseconds(300);

}  // namespace

InterruptibleSite::InterruptibleSite(site_node::SiteNode& site, std::string person,
                                     bool once, Say say)
    : site_(site), person_(std::move(person)), once_(once), say_(std::move(say)) {}

TimePoint InterruptibleSite::tick(TimePoint now) {
  follow_signals(now);
  const TimePoint due = site_.tick(now);
  if (once_ && site_.finished()) leave_at_ = std::min(leave_at_, now + kFarewell);
  if (leave_at_ == TimePoint::max()) return due;
  gone_ = now >= leave_at_;
  return std::min(due, leave_at_);
}

void InterruptibleSite::follow_signals(TimePoint now) {
  // A test that has continued since then, or another one, had no notice. Its step under
  // way may have ended after the notice.
  if (site_.state() == session::SessionState::kRunning || !site_.in_session())
    told_ = false;
  AskedBySignal asked;
  if (StopSignals::take(asked)) {
    const SignalWord word = word_of(asked, person_);
    if (leave_at_ != TimePoint::max()) leave_at_ = now;
    if (stays(asked)) return;
    if (!last_word_ && site_.real_equipment() && site_.comes_to_rest())
      say_(word.reason +
           ": this server ends when the rig has come to rest; ask once more to end it at "
           "once");
    else
      leave(word, now);
    last_word_ = word;
  }
  if (last_word_ && !site_.comes_to_rest()) leave(*last_word_, now);
}

/// The first Ctrl-C beside a rig that could break.
bool InterruptibleSite::stays(const AskedBySignal& asked) {
  using enum session::SessionState;
  const session::SessionState state = site_.state();
  const bool moves =
      state == kRunning || state == kHolding || state == kStopping || state == kFault;
  if (asked.number != SIGINT || told_ || last_word_ || !site_.in_session() ||
      !site_.real_equipment())
    return false;
  const SignalWord word = word_of(asked, person_);
  // Before the first step it is held only where it is armed, or checked.
  const bool held = site_.hold(word.by, word.from, asked.name()).empty();
  if (!held && !moves) return false;
  told_ = true;
  say_(word.reason + ": the site is " + std::string(session::name(site_.state())) +
       ", and this server stays with its rig. Resume the test: trestle resume RUN-FOLDER "
       "at the integrator. End the test for good: trestle stop there or here. End this "
       "server: Ctrl-C again; then only the equipment itself holds the rig, and the test "
       "can be resumed when the server is started again");
  return true;
}

void InterruptibleSite::leave(const SignalWord& word, TimePoint now) {
  if (leave_at_ != TimePoint::max()) return;
  site_.leave(word.by, word.from, "the server of the site was ended (" + word.reason + ")");
  leave_at_ = now + kFarewell;
}

}  // namespace trestle::composition
