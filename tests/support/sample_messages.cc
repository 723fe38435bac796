#include "tests/support/sample_messages.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <tuple>

namespace trestle::testing {
namespace {

SessionId sample_session() {
  SessionId id;
  for (std::size_t i = 0; i < id.size(); ++i) id[i] = static_cast<std::uint8_t>(0xf0 + i);
  return id;
}

template <typename Vector>
Vector awkward(int size, int from) {
  const std::vector<double> numbers = awkward_numbers();
  Vector vector(size);
  for (int i = 0; i < size; ++i)
    vector[i] = numbers[static_cast<std::size_t>(from + i) % numbers.size()];
  return vector;
}

InterfaceMotion awkward_target(int dofs, int from) {
  return {awkward<InterfaceVector>(dofs, from), awkward<InterfaceVector>(dofs, from + 1),
          awkward<InterfaceVector>(dofs, from + 2)};
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <typename Vector>
bool same_vector(const Vector& a, const Vector& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size(),
                    same_bits);
}

bool same_target(const InterfaceMotion& a, const InterfaceMotion& b) {
  return same_vector(a.displacement, b.displacement) &&
         same_vector(a.velocity, b.velocity) && same_vector(a.acceleration, b.acceleration);
}

auto fields(const Hello& m) {
  return std::tie(m.protocol, m.site.name, m.site.software, m.site.interface_dofs,
                  m.site.actuators, m.site.modes, m.site.real_equipment,
                  m.site.hardware_watchdog, m.site.shortest_tick, m.last_session,
                  m.last_step);
}
auto fields(const Welcome& m) {
  return std::tie(m.protocol, m.software);
}
auto fields(const Rejection& m) {
  return std::tie(m.reason, m.fault.kind, m.fault.index, m.fault.value, m.fault.limit);
}
auto fields(const Configure& m) {
  return std::tie(m.session, m.test, m.mode, m.time_step, m.ticks_per_step, m.seed,
                  m.steps_planned, m.layout, m.limits, m.compensator, m.controller,
                  m.heartbeat_period, m.watchdog, m.pace, m.specimen_mass,
                  m.inertia_measured);
}
auto fields(const Configured& m) {
  return std::tie(m.session, m.layout, m.limits, m.tightened_limits, m.auxiliary,
                  m.checklist, m.rest_bound);
}
auto fields(const Halt& m) {
  return std::tie(m.session, m.node, m.fault.kind, m.fault.index, m.fault.value,
                  m.fault.limit, m.step, m.reason);
}
auto fields(const Start& m) {
  return std::tie(m.session, m.at);
}
auto fields(const Heartbeat& m) {
  return std::tie(m.session, m.exchange, m.clock_bound, m.system, m.system_bound, m.health,
                  m.said);
}
auto fields(const Stop& m) {
  return std::tie(m.session, m.reason);
}
auto fields(const Stopped& m) {
  return std::tie(m.session, m.last_step, m.ticks, m.pace);
}
auto fields(const RecordRequest& m) {
  return std::tie(m.session, m.offset);
}
auto fields(const RecordChunk& m) {
  return std::tie(m.session, m.offset, m.total, m.content, m.problem);
}
auto fields(const StatusRequest& m) {
  return std::tie(m.what);
}
auto fields(const StatusReply& m) {
  return std::tie(m.json);
}
auto fields(const Busy& m) {
  return std::tie(m.session, m.test, m.by, m.since, m.state, m.step);
}
template <typename Plain>
auto fields(const Plain& m) {
  return std::tie(m.session);
}

}  // namespace

std::vector<double> awkward_numbers() {
  using Limits = std::numeric_limits<double>;
  return {0.012,
          -0.0,
          Limits::denorm_min(),
          -3.0 * Limits::denorm_min(),
          std::bit_cast<double>(std::uint64_t{0x7ff8'0000'dead'beef}),
          std::bit_cast<double>(std::uint64_t{0xfff0'0000'0000'0001}),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::max(),
          Limits::min(),
          0.1};
}

StepCommand sample_command(int dofs, bool feedforward) {
  StepCommand command;
  command.session = sample_session();
  command.step = 0x1234'5678'9abc;
  command.due = TimePoint{Duration{987'654'321'012'345}};
  command.target = awkward_target(dofs, 0);
  command.exchange = {TimePoint{Duration{11}}, TimePoint{Duration{-1}},
                      TimePoint{Duration{987'654'321'012'346}}};
  if (feedforward) {
    command.feedforward_target = awkward_target(dofs, 3);
    command.command_feedforward = awkward<InterfaceVector>(dofs, 5);
  }
  return command;
}

StepResponse sample_response(int dofs, int actuators) {
  StepResponse response;
  response.session = sample_session();
  response.step = kInitialStep;
  response.measured_at = TimePoint{Duration{-1}};
  response.measured = awkward<InterfaceVector>(dofs, 1);
  response.force = awkward<InterfaceVector>(dofs, 4);
  response.actuators = {
      awkward<ActuatorVector>(actuators, 0), awkward<ActuatorVector>(actuators, 2),
      awkward<ActuatorVector>(actuators, 6), awkward<ActuatorVector>(actuators, 8)};
  response.exchange = {TimePoint{Duration{21}}, TimePoint{Duration{22}},
                       TimePoint{Duration{23}}};
  response.stamps = {TimePoint{Duration{31}}, TimePoint{Duration{32}},
                     TimePoint{Duration{33}}, TimePoint{Duration{std::int64_t{1} << 62}}};
  response.missed = actuators == 1;
  return response;
}

std::vector<SessionMessage> sample_session_messages() {
  const SessionId id = sample_session();
  const InterfaceLayout layout{{.name = "floor_w.x"},
                               {.name = "floor_w.rz",
                                .kind = DofKind::kRotation,
                                .role = DofRole::kForceOnly,
                                .displacement_limit = 0.02,
                                .rate_limit = 0.1,
                                .acceleration_limit = 3.0}};
  const RigLimits limits{{},
                         {.displacement = 0.06,
                          .rate = 0.4,
                          .force = 2.5e5,
                          .tracking_error = 0.001,
                          .tracking_dwell = 0.05,
                          .energy_error = 0.3}};
  const SiteDescription site{.name = "west",
                             .software = "0.1.0",
                             .interface_dofs = 2,
                             .actuators = {{.name = "north", .kind = DofKind::kTranslation},
                                           {.name = "", .kind = DofKind::kRotation}},
                             .modes = {"simulated", "real-time"},
                             .real_equipment = true,
                             .hardware_watchdog = true,
                             .shortest_tick = 1.0 / 1024.0};
  const Fault fault{.kind = FaultKind::kStopped, .index = 3, .value = -0.401, .limit = 0.4};
  // config.Compensator{none {}} and config.ActuatorController{}: field 1, no content.
  const std::string none("\x0a\x00", 2);
  return {
      Hello{.site = site, .last_session = id, .last_step = 41},
      Hello{},
      Welcome{.protocol = {1, 7}, .software = "0.2.0"},
      Rejection{.reason = "no: Δt is not a whole number of ticks", .fault = fault},
      Configure{.session = id,
                .test = "two-site frame",
                .mode = "simulated",
                .time_step = 1.0 / 1024.0,
                .ticks_per_step = 4,
                .seed = 0xffff'ffff'ffff'fff7,
                .steps_planned = 42'169,
                .layout = layout,
                .limits = limits,
                .compensator = none,
                .controller = "",
                .heartbeat_period = 0.25,
                .watchdog = 2.5,
                .pace = {.virtual_clock = false,
                         .system_clock = true,
                         .latency_steps = 2,
                         .scale = 150.0,
                         .order = 4,
                         .slow_down_after = 0.5,
                         .hold_after = 0.95,
                         .ramp_and_hold = true,
                         .rate = 0.002,
                         .rotation_rate = 0.003,
                         .settle = 0.2,
                         .average = 0.01},
                .resume = true,
                .model = "5eedc0de",
                .software = "0.3.1",
                .specimen_mass = {900.0, 12.5, 12.5, 30.0},
                .inertia_measured = true},
      Configured{.session = id,
                 .layout = layout,
                 .actuators = {{"1", DofKind::kTranslation}, {"2", DofKind::kRotation}},
                 .limits = limits,
                 .tightened_limits = {"actuator 1 rate 300 mm/s (site_west.yaml:12)", ""},
                 .auxiliary = {{"oil", "C"}, {"estop", "0/1"}},
                 .checklist = {{"grips closed", "", 0.0},
                               {"1.force within 0.2 kN", "1.force", 200.0}},
                 .rest_bound = {0.001, 200.0}},
      Arm{id},
      Armed{id},
      Start{id, TimePoint{Duration{5'000'000'000}}},
      Heartbeat{.session = id,
                .exchange = {TimePoint{Duration{1}}, TimePoint{Duration{2}},
                             TimePoint{Duration{3}}},
                .clock_bound = Duration{40'000},
                .system = TimePoint{Duration{1'795'000'000'000'000'000}},
                .system_bound = Duration{900'000},
                .health = {.state = "FAULT",
                           .rig = "asked to hold",
                           .step = 41,
                           .cycles = 168'676,
                           .overdue = Duration{80'000'000},
                           .used = {{0.5, 0.25, 0.125, 0.75, 0.0625, 0.0}},
                           .mean = {0.01, 1e4},
                           .deviation = {1e-6, 20.0},
                           .auxiliary = {41.5}},
                .said = {1'795'000'000'000'000'001, "ada@lab", "back in ten minutes"}},
      Halt{.session = id, .node = "west", .fault = fault, .step = 9214, .reason = "rate"},
      Stop{.session = id, .reason = "the record ends"},
      Stopped{.session = id,
              .last_step = 42'168,
              .ticks = 168'676,
              .pace = {.missed = 1,
                       .slowed = 2,
                       .held = 3,
                       .overruns = 4,
                       .wakeup_latency_p50 = Duration{5},
                       .wakeup_latency_p99 = Duration{6},
                       .wakeup_latency_max = Duration{7}}},
      RecordRequest{.session = id, .offset = std::uint64_t{1} << 40},
      RecordChunk{.session = id,
                  .offset = 3,
                  .total = 5,
                  .content = std::string("\xff\0", 2),
                  .problem = ""},
      Busy{.session = id,
           .test = "frame",
           .by = "ana@control",
           .since = "2026-11-23 05:42:10 UTC",
           .state = "HOLDING",
           .step = 41}};
}

bool same(const StepCommand& a, const StepCommand& b) {
  return a.session == b.session && a.step == b.step && a.due == b.due &&
         same_target(a.target, b.target) &&
         same_target(a.feedforward_target, b.feedforward_target) &&
         same_vector(a.command_feedforward, b.command_feedforward) &&
         a.exchange == b.exchange;
}

bool same(const StepResponse& a, const StepResponse& b) {
  return a.session == b.session && a.step == b.step && a.measured_at == b.measured_at &&
         same_vector(a.measured, b.measured) && same_vector(a.force, b.force) &&
         same_vector(a.actuators.target, b.actuators.target) &&
         same_vector(a.actuators.command, b.actuators.command) &&
         same_vector(a.actuators.measured, b.actuators.measured) &&
         same_vector(a.actuators.force, b.actuators.force) && a.exchange == b.exchange &&
         a.stamps == b.stamps && a.missed == b.missed;
}

bool same(const SessionMessage& a, const SessionMessage& b) {
  return a.index() == b.index() &&
         std::visit(
             [&b](const auto& message) {
               using Message = std::decay_t<decltype(message)>;
               return fields(message) == fields(std::get<Message>(b));
             },
             a);
}

}  // namespace trestle::testing
