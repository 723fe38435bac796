#include "site-servers/node/rig_readiness.h"

#include <stdexcept>
#include <utility>

namespace trestle::site_node {
namespace {

// Between two looks at whether the rig is ready.
constexpr Duration kLookAtRig = std::chrono::milliseconds(10);

}  // namespace

bool RigReadiness::is_ready_for(const Configure& message, bool sets_up) {
  if (!site_.rig.real() || site_.settings.loop_executor == nullptr) return true;
  if (under_way()) {
    if (awaited_->session != message.session)
      site_.notes.refuse("its rig still gets ready for test " + awaited_->test +
                         "; ask again when it is");
    return false;
  }
  if (!sets_up || (ready_for_ == message.session && !site_.loop.hung())) return true;
  site_.session.end();
  site_.loop.finish();
  if (site_.loop.hung())  // a thread is in there still, and uses what would be made again
    site_.notes.refuse(
        "its rig's driver has not come back from a call; see to the equipment, and start "
        "the site again");
  else
    begin(message);
  return false;
}

void RigReadiness::begin(const Configure& message) {
  site_.session.connect_again();
  site_.record.close();
  site_.loop.drop();
  site_.agreed.configure = message;
  site_.agreed.rules = rules_named(message.mode);
  awaited_ = message;
  // A look at the rig is watched as every other.
  if (site_.rig.timed()) site_.rig.watch(false);
  preparation_ = std::make_unique<RigPreparation>(
      site_.rig.guard(), site_.rig.run(),
      message.resume ? AfterPreparation::kLook : AfterPreparation::kNothing);
  heartbeats_.say_heartbeat();
}

std::optional<Configure> RigReadiness::poll(TimePoint& due) {
  due = site_.peer.now();
  if (!preparation_->done()) {
    if (given_up_) preparation_->give_up();  // again: the adapter may only begin now
    due += kLookAtRig;
    return std::nullopt;
  }
  problem_ = preparation_->problem();
  found_ = preparation_->found();
  preparation_.reset();
  const std::optional<Configure> message = std::exchange(awaited_, std::nullopt);
  if (!std::exchange(given_up_, false) && !site_.session.flags().leaving) return message;
  site_.agreed.configure.session = {};  // nothing of it stands here
  return std::nullopt;
}

void RigReadiness::prepare() {
  if (ready_for_ != site_.agreed.configure.session) {
    found_.reset();
    return site_.rig.prepare();
  }
  if (!problem_.empty()) throw std::runtime_error(problem_);
}

const RigFound& RigReadiness::found() {
  return found_ ? *found_ : found_.emplace(find_rig(site_.rig.guard()));
}

void RigReadiness::give_up(const SessionId& session) noexcept {
  if (!under_way() || awaited_->session != session) return;
  given_up_ = true;
  preparation_->give_up();
}

bool RigReadiness::give_up(const std::string& why) {
  if (!under_way()) return false;
  if (!given_up_) site_.notes.refuse(why + " while its rig got ready");
  give_up(awaited_->session);
  return true;
}

}  // namespace trestle::site_node
