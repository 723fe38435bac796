#include "site-servers/node/fault_clearing.h"

#include <thread>
#include <utility>

#include "core/session/audit_actions.h"
#include "site-servers/node/site_text.h"

namespace trestle {
namespace {

// After a fault was cleared; the node hears no message meanwhile.
constexpr Duration kWaitForRead = std::chrono::milliseconds(250);
constexpr auto kBetweenLooks = std::chrono::microseconds(200);

}  // namespace

std::string FaultClearing::clear(const std::string& by, const std::string& drive) {
  if (!site_.loop.recover())
    return "the rig's driver has not come back from a call, and nobody knows what it still "
           "does; see to the equipment, and start this program again";
  if (std::string why = parts_.question.answer(by, drive); !why.empty()) return why;
  SiteSession& session = site_.session;
  const std::string fault = session.reason();
  site_.record.audit_after_close(audit_cleared(by, "operator channel", fault));
  site_.note("state", "cleared by " + by + ": " + fault);
  const ActuatorVector& told = parts_.question.told();
  const std::string was = told.size() > 0 ? "the drive in force is " +
                                                drive_text(told, site_.agreed.actuators) +
                                                ", as they say"
                                          : fault;
  site_.rig.guard().clear();
  session.clear();
  session.set_reason(session.live() ? "fault cleared by " + by + " (" + was + ")"
                                    : std::string());
  if (!session.live()) return {};
  clear_loop();
  return why_still_in_fault();
}

/// The rig is read once after a fault was cleared, in the modes that have a pace by the
/// control thread: if the cause persists, the site is in FAULT again when this returns.
/// Waits for a read that does not come back for a quarter of a second.
void FaultClearing::clear_loop() {
  LoopCommand command;
  command.kind = LoopCommand::Kind::kClear;
  command.first = site_.position.executed + 1;
  command.drive = parts_.question.told();
  site_.loop.order(command);
  const TimePoint end = parts_.clock.now() + kWaitForRead;
  for (bool ticked = false;;) {
    while (site_.loop.executor() != nullptr &&
           site_.loop.executor()->front_event() != nullptr)
      if (parts_.events.follow_front() == LoopEvent::Kind::kCleared) return;
    if (!site_.session.in(SessionState::kHolding)) return;
    if (site_.settings.loop_executor == nullptr) {
      if (std::exchange(ticked, true)) return;
      site_.loop.executor()->tick(site_.peer.now());
    } else {
      if (site_.rig.guard().stalled() || parts_.clock.now() >= end) return;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
}

/// To the person who has cleared it. Empty: it is not.
std::string FaultClearing::why_still_in_fault() const {
  if (!site_.session.in(SessionState::kFault)) return {};
  return parts_.question.open()
             ? site_.session.reason()
             : site_text::still_in_fault(site_.session.reason(), parts_.status.remedy());
}

}  // namespace trestle
