#include "site-servers/node/fault_clearing.h"

#include <utility>

#include "core/session/audit_actions.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {
namespace {

// A person waits for an answer this long; the read may come later.
constexpr Duration kPatience = std::chrono::seconds(2);
constexpr Duration kBetweenLooks = std::chrono::milliseconds(1);

}  // namespace

std::string FaultClearing::clear(const std::string& by, const std::string& drive) {
  SiteSession& session = site_.session;
  if (!site_.loop.recover())
    return "the rig's driver has not come back from a call, and nobody knows what it still "
           "does; see to the equipment, and start this program again";
  if (std::string why = parts_.release.why_not_cleared(); !why.empty()) return why;
  if (session.clearing())
    return site_text::not_read_yet(site_.settings.name, Duration::zero());
  if (!site_.loop.at_rest()) return site_text::moves_still(session.reason());
  // The next step would be a fault again.
  if (session.live() && site_.record.failed())
    return site_text::not_cleared_without_record(site_.settings,
                                                 site_.record.error_message());
  if (std::string why = parts_.question.answer(by, drive); !why.empty()) return why;
  const std::string fault = session.reason();
  site_.record.audit_after_close(
      session::audit_cleared(by, session::kOperatorChannel, fault));
  site_.note("state", "cleared by " + by + ": " + fault);
  const ActuatorVector& told = parts_.question.told();
  const std::string was = told.size() > 0 ? "the drive in force is " +
                                                drive_text(told, site_.agreed.actuators) +
                                                ", as they say"
                                          : fault;
  site_.rig.guard().clear();
  session.begin_clearing(session.live() ? "fault cleared by " + by + " (" + was + ")"
                                        : std::string());
  outcome_.reset();
  waits_since_.reset();
  if (session.live())
    order_read();
  else
    session.finish_clearing();  // no loop drives the rig
  if (!session.clearing()) return why_still_in_fault();
  waits_since_ = site_.peer.now();
  return {};
}

/// On the thread that runs the control loop. If that is this thread, it reads immediately.
void FaultClearing::order_read() {
  LoopCommand command;
  command.kind = LoopCommand::Kind::kClear;
  command.first = site_.position.executed + 1;
  command.drive = parts_.question.told();
  site_.loop.order(command);
  parts_.events.follow();
  if (site_.settings.loop_executor != nullptr || !site_.session.clearing()) return;
  site_.loop.executor()->tick(site_.peer.now());
  parts_.events.follow();
}

void FaultClearing::poll() {
  if (!under_way()) return;
  const Duration waited = site_.peer.now() - *waits_since_;
  if (site_.session.clearing() && waited < kPatience) return;
  outcome_ = site_.session.clearing() ? site_text::not_read_yet(site_.settings.name, waited)
                                      : why_still_in_fault();
  waits_since_.reset();
}

TimePoint FaultClearing::due() const noexcept {
  return under_way() ? site_.peer.now() + kBetweenLooks : TimePoint::max();
}

std::optional<std::string> FaultClearing::take_outcome() {
  return std::exchange(outcome_, std::nullopt);
}

/// To the person who has cleared it. Empty: it is not.
std::string FaultClearing::why_still_in_fault() const {
  if (!site_.session.in(session::SessionState::kFault)) return {};
  return parts_.question.open()
             ? site_.session.reason()
             : site_text::still_in_fault(site_.session.reason(), parts_.status.remedy());
}

}  // namespace trestle::site_node
