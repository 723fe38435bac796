// The part of SiteNode that waits for its rig to get ready, while it hears and speaks.
#include <algorithm>
#include <stdexcept>

#include "site-servers/node/site_node.h"

namespace trestle {
namespace {

// Between two looks at whether the rig is ready.
constexpr Duration kLookAtRig = std::chrono::milliseconds(10);

}  // namespace

/// Real equipment may take its time, and may not answer at all. Where it has to get ready
/// for this message first, that begins, and the message is handled when it is done.
bool SiteNode::rig_ready_for(const Configure& message) {
  if (!rig_.real_equipment || settings_.loop_executor == nullptr) return true;
  if (preparation_ != nullptr) {
    if (awaited_->session != message.session)
      notes_.refuse("its rig still gets ready for test " + awaited_->test +
                    "; ask again when it is");
    return false;
  }
  if (ready_for_ == message.session || !begins_with_the_rig(message)) return true;
  live_ = false;
  loop_.finish();
  if (loop_.hung()) {  // a thread is in there still, and uses what would be set up anew
    notes_.refuse(
        "its rig's driver has not come back from a call; see to the equipment, and start "
        "the site again");
    return false;
  }
  session_ = SiteStateMachine{};
  session_.move(SessionState::kConnected);
  record_.close();
  loop_.drop();
  agreed_.configure = message;
  agreed_.rules = rules_named(message.mode);
  awaited_ = message;
  // A look at the rig is watched as every other.
  if (loop_.timed()) loop_.watch(false);
  preparation_ =
      std::make_unique<RigPreparation>(adapter_, loop_.rig_run(), message.resume);
  say_heartbeat();
  return false;
}

/// Nothing speaks against it, and it sets the rig up anew.
bool SiteNode::begins_with_the_rig(const Configure& message) const {
  if (!message.resume)
    return (!loop_.exists() || message.session != agreed_.configure.session) &&
           refusal_of(message).empty();
  return !live_ && !session_.in(SessionState::kFault) && past_ &&
         past_->session == message.session &&
         refusal_of_test(message, settings_, rig_, adapter_.accelerations().size()).empty();
}

/// @returns when to look again
TimePoint SiteNode::await_rig() {
  if (!preparation_->done()) {
    if (given_up_) preparation_->give_up();  // again: the adapter may only begin now
    return peer_.now() + kLookAtRig;
  }
  rig_problem_ = preparation_->problem();
  rig_found_ = preparation_->found();
  preparation_.reset();
  const Configure message = *awaited_;
  awaited_.reset();
  if (std::exchange(given_up_, false) || leaving_) {
    agreed_.configure.session = {};  // nothing of it stands here
    return peer_.now();
  }
  ready_for_ = message.session;
  on_configure(message);
  ready_for_.reset();
  return peer_.now();
}

/// @throws std::runtime_error  where the rig cannot run
void SiteNode::prepare_rig() {
  if (ready_for_ != agreed_.configure.session) {
    rig_found_.reset();
    return loop_.prepare_rig();
  }
  if (!rig_problem_.empty()) throw std::runtime_error(rig_problem_);
}

/// The test was ended before the rig was ready for it.
void SiteNode::give_up_preparation(const SessionId& session) noexcept {
  if (preparation_ == nullptr || awaited_->session != session) return;
  given_up_ = true;
  preparation_->give_up();
}

/// By a person at the site; the integrator is told why there is no test.
/// @returns whether the rig was getting ready
bool SiteNode::give_up_preparation(const std::string& why) {
  if (preparation_ == nullptr) return false;
  if (!given_up_) notes_.refuse(why + " while its rig got ready");
  give_up_preparation(awaited_->session);
  return true;
}

}  // namespace trestle
