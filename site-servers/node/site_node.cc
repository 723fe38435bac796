#include "site-servers/node/site_node.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/setting_error.h"
#include "core/session/audit_actions.h"

namespace trestle::site_node {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;
// Between two looks at whether the record is safe, if no virtual time waits for it.
constexpr Duration kLookAtRecord = std::chrono::microseconds(200);

/// @throws SettingError
void check(const SiteSettings& settings, const RigDescription& rig) {
  if (settings.control_chain == nullptr)
    throw SettingError("control_chain",
                       "no factory is set; a site makes no compensator without");
  const auto moved = static_cast<std::size_t>(settings.loading_frame->actuators());
  if (moved != rig.actuators.size())
    throw SettingError("loading_frame", "it moves " + std::to_string(moved) +
                                            " actuators, the rig has " +
                                            std::to_string(rig.actuators.size()));
}

}  // namespace

SiteNode::SiteNode(SiteSettings settings, SiteAdapter& adapter, Transport& transport,
                   const Records& records, const Clock& clock)
    : settings_(std::move(settings)),
      peer_(transport, clock, settings_.shares_clock, settings_.system_clock),
      record_(records.recording),
      rig_(adapter, settings_, agreed_, clock),
      notes_(record_, peer_, position_),
      loop_({settings_, rig_, peer_, record_, agreed_, position_, clock}),
      session_(peer_, agreed_),
      handlers_(
          {settings_, rig_, peer_, record_, agreed_, position_, notes_, loop_, session_},
          records.source, clock) {
  check(settings_, rig_.description());
  if (settings_.earlier.diary != nullptr)
    if (const std::string why = rig_.set_tare(settings_.earlier.diary->tare());
        !why.empty())
      throw std::runtime_error(why);
  handlers_.recovery.find_interrupted();
  loop_.set_stood(in_force(settings_.earlier.drive));
  if (settings_.earlier.fault.empty()) return;
  session_.move(session::SessionState::kFault);
  session_.set_reason(settings_.earlier.fault);
}

TimePoint SiteNode::tick(TimePoint now) {
  peer_.begin_tick(now);
  int heard = 0;
  for (; heard < kMessagesPerTick && peer_.receive(incoming_); ++heard)
    handlers_.messages.handle(incoming_);
  handlers_.signals.update();  // before a drive, and below what became of it
  handlers_.service.poll();
  handlers_.hold.check_stall();
  const TimePoint due = do_what_is_due(heard > 0);
  handlers_.release.poll();
  handlers_.signals.update();
  handlers_.clearing.poll();
  handlers_.end.poll();
  handlers_.end.check_watchdog();
  peer_.keep(session_.conversing() || handlers_.end.waits_for_disk());
  const bool leaving = session_.flags().leaving;
  if (!leaving) {
    handlers_.heartbeats.tell_changes();
    handlers_.heartbeats.send_due(handlers_.readiness.under_way());
  }
  notes_.record_sums(false);
  handlers_.status.note_wait();
  // A node that leaves sends nothing more, so no message is due.
  if (due <= now) return now;
  if (leaving) return std::min(due, handlers_.service.due());
  return std::min({due, handlers_.service.due(), handlers_.heartbeats.next_due(),
                   handlers_.clearing.due(), handlers_.end.due(), handlers_.release.due()});
}

/// @returns when to do so again; now: something was done
TimePoint SiteNode::do_what_is_due(bool heard) {
  const TimePoint now = peer_.now();
  bool worked = heard;
  TimePoint due =
      handlers_.readiness.under_way() ? handlers_.messages.poll_rig() : TimePoint::max();
  if (handlers_.steps.poll_record()) {
    due = now + kLookAtRecord;
    worked = worked || settings_.loop_executor == nullptr;
  }
  if (loop_.executor() != nullptr) {
    const TimePoint next = loop_.executor()->tick(now);
    due = std::min(due, next);
    worked = next <= now || worked;
    worked = handlers_.events.process() || worked;
  }
  return worked ? now : due;
}

bool SiteNode::comes_to_rest() const noexcept {
  return session_.in(session::SessionState::kStopping) ||
         (session_.in(session::SessionState::kFault) && session_.live() &&
          !loop_.at_rest()) ||
         handlers_.service.acts_safely();
}

Busy SiteNode::busy() const {
  Busy busy;
  busy.session = agreed_.configure.session;
  busy.test = agreed_.configure.test;
  const Arm& armed = handlers_.arming.request();
  if (armed.session == busy.session) busy.by = armed.by;
  busy.state = session::name(session_.state());
  busy.step = position_.executed;
  return busy;
}

std::string SiteNode::arm(const std::string& /*by*/) {
  return SiteCommands::arm();
}

std::string SiteNode::hold(const std::string& by, const std::string& reason) {
  return handlers_.commands.hold(by, session::kOperatorChannel, reason);
}

std::string SiteNode::hold(const std::string& by, const std::string& from,
                           const std::string& reason) {
  return handlers_.commands.hold(by, from, reason);
}

std::string SiteNode::resume(const std::string& /*by*/) {
  return SiteCommands::resume();
}

std::string SiteNode::stop(const std::string& by, const std::string& reason) {
  return handlers_.commands.stop(by, reason);
}

std::string SiteNode::note(const std::string& by, const Note& note) {
  return handlers_.commands.note(by, note);
}

std::string SiteNode::clear(const std::string& by) {
  return handlers_.commands.clear(by, {});
}

std::string SiteNode::clear_from(const std::string& by, const std::string& drive) {
  return handlers_.commands.clear(by, drive);
}

std::string SiteNode::command_rig(const std::string& by, const RigRequest& request) {
  return handlers_.service.command(by, request);
}

/// At most one of the two is under way: a rig in FAULT takes no command.
std::optional<std::string> SiteNode::take_outcome() {
  return handlers_.service.outcome_follows() ? handlers_.service.take_outcome()
                                             : handlers_.clearing.take_outcome();
}

}  // namespace trestle::site_node
