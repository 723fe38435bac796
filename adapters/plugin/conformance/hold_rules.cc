// Rules about hold, stop and diagnose, in every state of a rig.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <thread>

#include "adapters/plugin/conformance/overtaken_drive.h"
#include "adapters/plugin/conformance/rule_checks.h"

namespace trestle::conformance {
namespace {

struct State {
  const char* name;
  std::function<void(RigUnderTest&)> enter;
};

/// Every state in which hold() may be called.
std::vector<State> states(RuleChecks& checks) {
  const auto prepared = [&checks](RigUnderTest& rig) {
    rig.prepare(checks.tick, 1);
  };
  const auto read = [&checks, prepared](RigUnderTest& rig) {
    prepared(rig);
    rig.read(0);
  };
  const auto written = [&checks, read](RigUnderTest& rig) {
    read(rig);
    if (!checks.real) rig.write(checks.drive(rig, 5));
  };
  return {{"before a run",
           [](RigUnderTest&) {
           }},
          {"after prepare", prepared},
          {"after read", read},
          {"after write", written},
          {"twice",
           [&checks, written](RigUnderTest& rig) {
             written(rig);
             checks.table.hold(rig.handle());
           }},
          {"after stop", [&checks, written](RigUnderTest& rig) {
             written(rig);
             checks.table.stop(rig.handle());
           }}};
}

/// A simulated rig stays at rest during a hold and moves again with the next write.
std::string motion_while_held(RuleChecks& checks) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 1);
  int n = 0;
  for (; n < checks.settings.ticks / 2; ++n)
    rig.tick(checks.time_of(n), checks.drive(rig, n));
  checks.table.hold(rig.handle());
  rig.read(checks.time_of(n++));
  const double at = rig.reading().sensed().displacement[0];
  for (const int end = n + checks.settings.ticks / 4; n < end; ++n)
    if (rig.read(checks.time_of(n)) != TRESTLE_ADAPTER_OK)
      return "read gives no measurement while the rig is held";
  const double moved = std::abs(rig.reading().sensed().displacement[0] - at);
  if (moved > checks.settings.amplitude)
    return "it continues to move while it is held, by " + std::to_string(moved);
  rig.write(checks.drive(rig, n));
  return rig.read(checks.time_of(n)) == TRESTLE_ADAPTER_OK
             ? ""
             : "it does not follow the write after a hold";
}

/// Another thread holds while this one ticks.
std::string hold_beside(RuleChecks& checks) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 1);
  std::jthread beside([&] {
    for (int i = 0; i < 100; ++i) checks.table.hold(rig.handle());
  });
  int tripped = 0;
  for (int n = 0; n < 100; ++n)
    if (rig.read(checks.time_of(n)) == TRESTLE_ADAPTER_TRIPPED) ++tripped;
  beside.join();
  return tripped == 0 ? ""
                      : "it trips while another thread holds: " + rig.diagnostic_message();
}

/// Moves smoothly to a position; a hold overtakes every write(), so the rig stays at rest.
void check_overtaken_write(RuleChecks& checks) {
  const char* const what = "is not moved by a write that a hold overtakes";
  if (checks.real) return checks.leave("R14", what, "real equipment is not driven here");
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  OvertakenDrive overtaken([&] { checks.table.hold(rig.handle()); });
  const double asked = checks.settings.amplitude;
  double farthest = 0.0;
  rig.prepare(checks.tick, 1);
  for (int n = 0; n <= checks.settings.ticks; ++n) {
    const trestle_adapter_status status = rig.read(checks.time_of(n));
    if (status == TRESTLE_ADAPTER_TRIPPED)
      return checks.add("R14", what, "it trips: " + rig.diagnostic_message());
    const double* const at = rig.reading().sensed().displacement;
    for (std::uint32_t i = 0; status == TRESTLE_ADAPTER_OK && i < rig.is().actuators; ++i)
      farthest = std::max(farthest, std::abs(at[i]));
    const double part = std::min(1.0, 2.0 * n / checks.settings.ticks);
    const std::vector<double> drive(rig.is().actuators, part * asked);
    const HoldInWrite hold = overtaken.write(
        drive, [&](const double* numbers) { checks.table.write(rig.handle(), numbers); });
    if (hold == HoldInWrite::kWaited)
      return checks.add("R14", what,
                        "hold() on another thread does not return while write() runs");
    if (hold == HoldInWrite::kNone)
      return checks.leave("R14", what, "write() did not read its drive");
  }
  // A sensor's noise is far below half of it.
  checks.add("R14", what,
             farthest <= 0.5 * std::abs(asked)
                 ? ""
                 : "a hold came while write() ran, and the rig moved afterwards, to " +
                       std::to_string(1e3 * farthest) + " of " +
                       std::to_string(1e3 * asked) +
                       " mm | mrad; count the holds when write() begins and compare the "
                       "count before the drive is sent");
}

}  // namespace

void check_hold(RuleChecks& checks) {
  std::string forbidden;
  for (const State& state : states(checks)) {
    RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
    state.enter(rig);
    const char* const called = rig.watch([&] { checks.table.hold(rig.handle()); });
    if (called != nullptr && forbidden.empty())
      forbidden = std::string("hold ") + state.name + " calls " + called + "()";
    checks.table.stop(rig.handle());
    checks.table.stop(rig.handle());
  }
  checks.add("R14", "holds in every state, and neither blocks nor allocates", forbidden);
  checks.add("R14", "holds on another thread while it is read", hold_beside(checks));
  const char* const stays = "stays while it is held, follows the next write";
  if (checks.real)
    checks.leave("R14", stays, "real equipment is not driven here");
  else
    checks.add("R14", stays, motion_while_held(checks));
  check_overtaken_write(checks);
  checks.add("R15", "stops in every state, twice", "");
}

void check_diagnosis(RuleChecks& checks) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 1);
  std::string broken;
  std::string said;
  for (const std::uint32_t size : {1U, 8U, 400U}) {
    constexpr char kUntouched = '\x7f';
    std::array<char, 512> text{};
    text.fill(kUntouched);
    const char* const called =
        rig.watch([&] { checks.table.diagnose(rig.handle(), text.data(), size); });
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(size);
    if (std::any_of(end, text.end(), [&](char c) { return c != kUntouched; }))
      broken = "it writes beyond " + std::to_string(size) + " bytes";
    else if (std::find(text.begin(), end, '\0') == end)
      broken = "no zero ends its sentence in " + std::to_string(size) + " bytes";
    else if (called != nullptr)
      broken = std::string("it calls ") + called + "()";
    else
      said = text.data();
  }
  if (broken.empty() && said.empty()) broken = "it says nothing";
  checks.add("R16", "diagnoses in the room that it has", broken, said);
}

}  // namespace trestle::conformance
