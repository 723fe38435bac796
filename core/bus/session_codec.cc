#include "core/bus/session_codec.h"

#include <algorithm>

#include "core/base/legible_text.h"
#include "core/bus/going_on_codec.h"
#include "core/bus/wire_conversion.h"

namespace trestle::bus {

void write_session_id(const SessionId& from, std::string* to) {
  to->assign(reinterpret_cast<const char*>(from.data()), from.size());
}

bool read_session_id(const std::string& from, SessionId& to) noexcept {
  to.fill(0);
  if (from.empty()) return true;
  if (from.size() != to.size()) return false;
  std::transform(from.begin(), from.end(), to.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return true;
}

namespace {

/// Why a message is refused; empty if it is not.
using Problem = std::string;

// The messages that resume a test have a file of their own.
using bus::read;
using bus::write;

// --- session messages: write() fills the envelope, read() says what is wrong ---

bool write(const Hello& from, wire::Envelope& envelope) {
  wire::Hello& to = *envelope.mutable_hello();
  put(from.protocol, to.mutable_protocol());
  to.set_site(from.site.name);
  to.set_software(from.site.software);
  to.set_interface_dofs(static_cast<std::uint32_t>(from.site.interface_dofs));
  put(from.site.actuators, to.mutable_actuators());
  for (const std::string& mode : from.site.modes) to.add_modes(mode);
  to.set_real_equipment(from.site.real_equipment);
  to.set_hardware_watchdog(from.site.hardware_watchdog);
  to.set_shortest_tick_s(from.site.shortest_tick);
  if (from.last_session != SessionId{})
    write_session_id(from.last_session, to.mutable_last_session());
  to.set_last_step(from.last_step);
  to.set_in_doubt_step(from.unconfirmed_step);
  to.set_can_resume(from.can_resume);
  return true;
}

Problem read(const wire::Hello& from, Hello& to) {
  to.protocol = version(from.protocol());
  to.site.name = from.site();
  to.site.software = from.software();
  if (to.protocol.major != kProtocolVersion.major) return {};
  if (!take(from.interface_dofs(), to.site.interface_dofs) ||
      to.site.interface_dofs > kMaxInterfaceDofs)
    return "more than 24 interface DOFs";
  if (!take(from.actuators(), to.site.actuators))
    return "more than 16 actuators, or an unknown kind of them";
  to.site.modes.assign(from.modes().begin(), from.modes().end());
  to.site.real_equipment = from.real_equipment();
  to.site.hardware_watchdog = from.hardware_watchdog();
  to.site.shortest_tick = from.shortest_tick_s();
  if (!read_session_id(from.last_session(), to.last_session))
    return "last session is not 16 bytes";
  to.last_step = from.last_step();
  to.can_resume = from.can_resume();
  to.unconfirmed_step = to.can_resume ? from.in_doubt_step() : kInitialStep;
  return {};
}

bool write(const Welcome& from, wire::Envelope& envelope) {
  put(from.protocol, envelope.mutable_welcome()->mutable_protocol());
  envelope.mutable_welcome()->set_software(from.software);
  return true;
}

Problem read(const wire::Welcome& from, Welcome& to) {
  to.protocol = version(from.protocol());
  to.software = from.software();
  return {};
}

bool write(const Rejection& from, wire::Envelope& envelope) {
  wire::Rejection& to = *envelope.mutable_refusal();
  to.set_reason(legible(from.reason));
  if (!from.fault) return true;
  to.set_fault(static_cast<std::uint32_t>(from.fault.kind));
  to.set_index(from.fault.index);
  to.set_value(from.fault.value);
  to.set_limit(from.fault.limit);
  return true;
}

Problem read(const wire::Rejection& from, Rejection& to) {
  to.reason = from.reason();
  to.fault = {};
  // The reason is complete without the kind: a kind that only later versions know is
  // ignored.
  if (from.fault() == 0 ||
      from.fault() > static_cast<std::uint32_t>(FaultKind::kAccelerationLimit))
    return {};
  to.fault = {.kind = static_cast<FaultKind>(from.fault()),
              .index = from.index(),
              .value = from.value(),
              .limit = from.limit()};
  return {};
}

bool write(const Configure& from, wire::Envelope& envelope) {
  wire::Configure& to = *envelope.mutable_configure();
  write_session_id(from.session, to.mutable_session());
  to.set_test(from.test);
  to.set_mode(from.mode);
  to.set_time_step_s(from.time_step);
  to.set_ticks_per_step(static_cast<std::uint32_t>(from.ticks_per_step));
  to.set_seed(from.seed);
  to.set_steps_planned(from.steps_planned);
  put(from.layout, to.mutable_layout());
  put(from.limits, to.mutable_limits());
  to.set_heartbeat_period_s(from.heartbeat_period);
  to.set_watchdog_s(from.watchdog);
  put(from.pace, to.mutable_pace());
  to.set_resume(from.resume);
  to.set_model(from.model);
  to.set_software(from.software);
  to.mutable_specimen_mass()->Assign(from.specimen_mass.begin(), from.specimen_mass.end());
  to.set_inertia_measured(from.inertia_measured);
  return (from.compensator.empty() ||
          to.mutable_compensator()->ParseFromString(from.compensator)) &&
         (from.controller.empty() ||
          to.mutable_controller()->ParseFromString(from.controller));
}

Problem read(const wire::Configure& from, Configure& to) {
  if (!read_session_id(from.session(), to.session)) return "session is not 16 bytes";
  to.test = from.test();
  to.mode = from.mode();
  to.time_step = from.time_step_s();
  if (!take(from.ticks_per_step(), to.ticks_per_step)) return "too many ticks per step";
  to.seed = from.seed();
  to.steps_planned = from.steps_planned();
  if (!take(from.layout(), to.layout)) return "layout: too many DOFs or an unknown kind";
  if (!take(from.limits(), to.limits)) return "limits of more than 16 actuators";
  if (from.has_compensator()) to.compensator = from.compensator().SerializeAsString();
  if (from.has_controller()) to.controller = from.controller().SerializeAsString();
  to.heartbeat_period = from.heartbeat_period_s();
  to.watchdog = from.watchdog_s();
  to.resume = from.resume();
  to.model = from.model();
  to.software = from.software();
  if (from.specimen_mass_size() > kMaxInterfaceDofs * kMaxInterfaceDofs)
    return "the specimen's mass is of more than 24 DOFs";
  to.specimen_mass.assign(from.specimen_mass().begin(), from.specimen_mass().end());
  to.inertia_measured = from.inertia_measured();
  // An older integrator sends no pace: lock-step.
  if (from.has_pace() && !take(from.pace(), to.pace)) return "pace: a number too large";
  return {};
}

bool write(const Configured& from, wire::Envelope& envelope) {
  wire::Configured& to = *envelope.mutable_configured();
  write_session_id(from.session, to.mutable_session());
  put(from.layout, to.mutable_layout());
  put(from.limits, to.mutable_limits());
  put(from.actuators, to.mutable_actuators());
  for (const std::string& line : from.tightened_limits) to.add_tightened(legible(line));
  to.set_contract(legible(from.contract));
  put(from.auxiliary, to.mutable_auxiliary());
  put(from.checklist, to.mutable_checklist());
  to.mutable_rest_bound()->Assign(from.rest_bound.begin(), from.rest_bound.end());
  return true;
}

Problem read(const wire::Configured& from, Configured& to) {
  if (!read_session_id(from.session(), to.session)) return "session is not 16 bytes";
  if (!take(from.layout(), to.layout)) return "layout: too many DOFs or an unknown kind";
  if (!take(from.limits(), to.limits)) return "limits of more than 16 actuators";
  if (!take(from.actuators(), to.actuators))
    return "more than 16 actuators, or an unknown kind of them";
  to.tightened_limits.assign(from.tightened().begin(), from.tightened().end());
  to.contract = from.contract();
  if (!take(from.auxiliary(), to.auxiliary)) return "more than 128 auxiliary channels";
  if (!take(from.checklist(), to.checklist))
    return "a checklist of more than 64 items, a long one, or a bound not above zero";
  if (!take(from.rest_bound(), to.rest_bound)) return "bounds of more than 128 transducers";
  return {};
}

bool write(const Arm& from, wire::Envelope& envelope) {
  wire::Arm& to = *envelope.mutable_arm();
  write_session_id(from.session, to.mutable_session());
  to.set_contract_hash(from.contract_hash);
  to.set_by(legible(from.by));
  to.set_audit(from.audit);
  return true;
}

Problem read(const wire::Arm& from, Arm& to) {
  to.contract_hash = from.contract_hash();
  to.by = from.by();
  to.audit = from.audit();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Armed& from, wire::Envelope& envelope) {
  write_session_id(from.session, envelope.mutable_armed()->mutable_session());
  envelope.mutable_armed()->set_audit(from.audit);
  return true;
}

Problem read(const wire::Armed& from, Armed& to) {
  to.audit = from.audit();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Start& from, wire::Envelope& envelope) {
  write_session_id(from.session, envelope.mutable_start()->mutable_session());
  envelope.mutable_start()->set_at_ns(to_wire(from.at.time_since_epoch()));
  return true;
}

Problem read(const wire::Start& from, Start& to) {
  to.at = TimePoint{from_wire(from.at_ns())};
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Heartbeat& from, wire::Envelope& envelope) {
  wire::Heartbeat& to = *envelope.mutable_heartbeat();
  write_session_id(from.session, to.mutable_session());
  put(from.exchange, to.mutable_exchange());
  to.set_clock_bound_ns(to_wire(from.clock_bound));
  to.set_system_ns(to_wire(from.system.time_since_epoch()));
  to.set_system_bound_ns(to_wire(from.system_bound));
  if (from.health != Health{}) put(from.health, to.mutable_health());
  if (from.said.number == 0) return true;
  to.mutable_said()->set_number(from.said.number);
  to.mutable_said()->set_by(legible(from.said.by));
  to.mutable_said()->set_text(legible(from.said.text));
  return true;
}

Problem read(const wire::Heartbeat& from, Heartbeat& to) {
  to.exchange = exchange_stamps(from.exchange());
  to.clock_bound = from_wire(from.clock_bound_ns());
  to.system = TimePoint{from_wire(from.system_ns())};
  to.system_bound = from_wire(from.system_bound_ns());
  to.health = {};
  if (from.has_health() && !take(from.health(), to.health))
    return "a heartbeat with more values than a site has";
  if (from.said().text().size() > kLongestAnnouncement ||
      from.said().by().size() > kLongestAnnouncement)
    return "a person's message that is too long";
  to.said = {from.said().number(), from.said().by(), from.said().text()};
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Halt& from, wire::Envelope& envelope) {
  wire::Halt& to = *envelope.mutable_halt();
  write_session_id(from.session, to.mutable_session());
  to.set_node(from.node);
  to.set_fault(static_cast<std::uint32_t>(from.fault.kind));
  to.set_index(from.fault.index);
  to.set_value(from.fault.value);
  to.set_limit(from.fault.limit);
  to.set_step(from.step);
  to.set_reason(legible(from.reason));
  to.set_by(legible(from.by));
  to.set_over(from.over);
  to.set_hold(from.hold);
  return true;
}

Problem read(const wire::Halt& from, Halt& to) {
  if (!read_session_id(from.session(), to.session)) return "session is not 16 bytes";
  if (from.fault() > static_cast<std::uint32_t>(FaultKind::kInterlock))
    return "unknown kind of fault";
  to.node = from.node();
  to.fault = {.kind = static_cast<FaultKind>(from.fault()),
              .index = from.index(),
              .value = from.value(),
              .limit = from.limit()};
  to.step = from.step();
  to.reason = from.reason();
  to.by = from.by();
  to.over = from.over();
  to.hold = from.hold();
  return {};
}

bool write(const Stop& from, wire::Envelope& envelope) {
  write_session_id(from.session, envelope.mutable_stop()->mutable_session());
  envelope.mutable_stop()->set_reason(legible(from.reason));
  envelope.mutable_stop()->set_by(legible(from.by));
  envelope.mutable_stop()->set_audit(from.audit);
  envelope.mutable_stop()->set_hold(from.hold);
  return true;
}

Problem read(const wire::Stop& from, Stop& to) {
  to.reason = from.reason();
  to.by = from.by();
  to.audit = from.audit();
  to.hold = from.hold();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Stopped& from, wire::Envelope& envelope) {
  wire::Stopped& to = *envelope.mutable_stopped();
  write_session_id(from.session, to.mutable_session());
  to.set_last_step(from.last_step);
  to.set_ticks(from.ticks);
  put(from.pace, to.mutable_pace());
  to.set_audit(from.audit);
  return true;
}

Problem read(const wire::Stopped& from, Stopped& to) {
  to.last_step = from.last_step();
  to.ticks = from.ticks();
  to.pace = pace_account(from.pace());
  to.audit = from.audit();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

bool write(const Busy& from, wire::Envelope& envelope) {
  wire::Busy& to = *envelope.mutable_busy();
  write_session_id(from.session, to.mutable_session());
  to.set_test(legible(from.test));
  to.set_by(legible(from.by));
  to.set_since(legible(from.since));
  to.set_state(from.state);
  to.set_step(from.step);
  return true;
}

Problem read(const wire::Busy& from, Busy& to) {
  to.test = from.test();
  to.by = from.by();
  to.since = from.since();
  to.state = from.state();
  to.step = from.step();
  return read_session_id(from.session(), to.session) ? "" : "session is not 16 bytes";
}

template <typename Message, typename WireMessage>
Problem fill(const WireMessage& from, SessionMessage& to) {
  return read(from, to.emplace<Message>());
}

}  // namespace

bool write_session(const SessionMessage& from, wire::Envelope& to) {
  return std::visit([&to](const auto& message) { return write(message, to); }, from);
}

std::string read_session(const wire::Envelope& from, SessionMessage& to) {
  switch (from.message_case()) {
    case wire::Envelope::kHello:
      return fill<Hello>(from.hello(), to);
    case wire::Envelope::kWelcome:
      return fill<Welcome>(from.welcome(), to);
    case wire::Envelope::kRefusal:
      return fill<Rejection>(from.refusal(), to);
    case wire::Envelope::kConfigure:
      return fill<Configure>(from.configure(), to);
    case wire::Envelope::kConfigured:
      return fill<Configured>(from.configured(), to);
    case wire::Envelope::kArm:
      return fill<Arm>(from.arm(), to);
    case wire::Envelope::kArmed:
      return fill<Armed>(from.armed(), to);
    case wire::Envelope::kStart:
      return fill<Start>(from.start(), to);
    case wire::Envelope::kHeartbeat:
      return fill<Heartbeat>(from.heartbeat(), to);
    case wire::Envelope::kHalt:
      return fill<Halt>(from.halt(), to);
    case wire::Envelope::kStop:
      return fill<Stop>(from.stop(), to);
    case wire::Envelope::kStopped:
      return fill<Stopped>(from.stopped(), to);
    case wire::Envelope::kFetch:
      return fill<RecordRequest>(from.fetch(), to);
    case wire::Envelope::kChunk:
      return fill<RecordChunk>(from.chunk(), to);
    case wire::Envelope::kResume:
      return fill<Resume>(from.resume(), to);
    case wire::Envelope::kResumed:
      return fill<Resumed>(from.resumed(), to);
    case wire::Envelope::kAsk:
      return fill<StatusRequest>(from.ask(), to);
    case wire::Envelope::kTell:
      return fill<StatusReply>(from.tell(), to);
    case wire::Envelope::kBusy:
      return fill<Busy>(from.busy(), to);
    default:
      return "a kind of message that this version does not know";
  }
}

}  // namespace trestle::bus
