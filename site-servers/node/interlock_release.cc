#include "site-servers/node/interlock_release.h"

#include <exception>

#include "core/session/audit_actions.h"
#include "core/types/interlock.h"
#include "site-servers/node/rig_diary.h"

namespace trestle::site_node {
namespace {

constexpr Duration kBetweenReleaseLooks = std::chrono::milliseconds(5);

}  // namespace

/// The loop has stopped: no thread reads or writes from the moment on at which it has told
/// of this fault.
bool InterlockRelease::is_wanted() const noexcept {
  return site_.session.in(session::SessionState::kFault) && !site_.session.clearing() &&
         asks_for_release(site_.session.halt().fault) && site_.loop.at_rest() &&
         !site_.loop.hangs() && !service_.under_way();
}

void InterlockRelease::poll() {
  if (state_ == State::kNone && is_wanted()) {
    keep_act();
    release_ = std::make_unique<RigPreparation>(site_.rig.equipment(), site_.rig.run(),
                                                AfterPreparation::kReleaseAlone);
    state_ = State::kUnderWay;
  }
  if (state_ != State::kUnderWay || !release_->done()) return;
  problem_ = release_->problem();
  release_.reset();
  state_ = State::kDone;
  site_.loop.set_stood(std::nullopt);
  const std::string outcome =
      problem_.empty() ? "released by an interlock, as far as the rig's driver can"
                       : "not released, as an interlock asks for: " + problem_;
  site_.note("rig", outcome);
  // Where a person looks before somebody approaches the rig.
  site_.session.set_reason(site_.session.reason() + "; the rig is " + outcome);
}

/// Before the release: the next process of the site finds it, and doubts where the rig
/// stands. A disk that does not take it keeps no pressure on.
void InterlockRelease::keep_act() {
  RigDiary* const diary = site_.settings.earlier.diary.get();
  if (diary == nullptr) return;
  try {
    diary->keep(session::audit_rig("an interlock", "rig",
                                   std::string(kReleaseAct) + ": by an interlock"));
  } catch (const std::exception& error) {
    site_.note("rig", error.what());
  }
}

std::string InterlockRelease::why_not_cleared() const {
  if (state_ == State::kNone) return {};
  if (state_ == State::kUnderWay)
    return "an interlock releases the rig, and that is not over yet; ask again when it is";
  if (!problem_.empty())
    return "an interlock asks for the release of the rig, and it is not released: " +
           problem_ + "; see to the equipment, and start this program again";
  return "an interlock has released the rig, which has to be prepared again; see to the "
         "equipment, and start this program again: unless a person stopped the test, it "
         "resumes from its step";
}

std::string InterlockRelease::awaited() const {
  if (state_ == State::kNone) return {};
  if (state_ == State::kUnderWay)
    return "the end of the release that an interlock asks for";
  return problem_.empty()
             ? "this program to be started again, for an interlock has released the rig"
             : "the equipment to be released (" + problem_ +
                   "), and this program to be started again";
}

TimePoint InterlockRelease::due() const noexcept {
  return state_ == State::kUnderWay ? site_.peer.now() + kBetweenReleaseLooks
                                    : TimePoint::max();
}

}  // namespace trestle::site_node
