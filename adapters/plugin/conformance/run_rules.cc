// Rules about ticks: what is read, how long it takes, and that it is the same again.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "adapters/plugin/conformance/rule_checks.h"

namespace trestle::conformance {
namespace {

constexpr int kLeastFresh = 10;  // in this number of reads at least one must be fresh

/// Ticks of one run, as far as the rules look at them.
struct RunSeen {
  std::vector<Duration> spent;
  std::string unset;      // R6
  std::string early;      // R7
  std::string forbidden;  // R11
  std::string backwards;  // R13
  bool written = false;
  int fresh = 0;
  std::string stopped;  // it tripped
};

/// The drive with which real equipment stays; empty: no write. It is the one that the
/// equipment says is in force: a servo is never quite where its drive is, and a write of
/// the measured position would be a step of that difference.
std::vector<double> drive_to_stay(const RuleChecks& checks, const RigUnderTest& rig) {
  if (!checks.writes_to_real()) return {};
  std::vector<double> extra(rig.extra_channels());
  rig.reading().copy_extra(extra);
  std::vector<double> drive;
  for (const plugin::ReportedValue& said : checks.drives) {
    if (said.place >= extra.size() || !std::isfinite(extra[said.place])) return {};
    drive.push_back(said.unit * extra[said.place]);
  }
  return drive;
}

/// Why nothing was written although a person gave --write; empty: it was, or nobody did.
std::string why_unwritten(const RuleChecks& checks, const RunSeen& seen) {
  if (!checks.settings.write_to_real || seen.written) return {};
  if (checks.drives.empty())
    return "--write: the equipment reports no drive in force, so nobody knows where "
           "writing would move it; report it as drive_1, drive_2, ..., or check without "
           "--write";
  return "--write: no read gave the drive in force, so nobody knows where writing would "
         "move the equipment; see that it is on and reports, then check again";
}

void look_at_reading(const RuleChecks& checks, const RigUnderTest& rig, int n,
                     RunSeen& seen) {
  ++seen.fresh;
  const plugin::PluginReading& reading = rig.reading();
  if (const char* array = reading.find_buffer_overrun();
      array != nullptr && seen.unset.empty())
    seen.unset = std::string("it writes beyond the end of `") + array + "`";
  if (const auto place = reading.find_non_finite();
      place.array != nullptr && seen.unset.empty())
    seen.unset = "entry " + std::to_string(place.index + 1) + " of `" + place.array +
                 "` is no finite number at tick " + std::to_string(n);
  const std::int64_t late = reading.sensed().measured_at_ns - checks.time_of(n);
  if (late > 0 && seen.early.empty())
    seen.early = "it says that it measured " + std::to_string(late) +
                 " ns after now at tick " + std::to_string(n);
}

RunSeen run(RuleChecks& checks, RigUnderTest& rig) {
  RunSeen seen;
  seen.stopped = rig.prepare(checks.tick, 7);
  if (!seen.stopped.empty()) return seen;
  seen.spent.reserve(static_cast<std::size_t>(checks.settings.ticks));
  const TimePoint begun = checks.clock.now();
  std::vector<double> stay;
  for (int n = 0; n < checks.settings.ticks; ++n) {
    checks.keep_time(begun, n);
    std::vector<double> drive = checks.real ? stay : checks.drive(rig, n);
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): a plug-in may cheat
    const std::vector<double> asked = drive;
    seen.written = seen.written || !drive.empty();
    const TickResult tick = rig.tick(checks.time_of(n), drive);
    seen.spent.push_back(tick.spent);
    if (tick.forbidden != nullptr && seen.forbidden.empty())
      seen.forbidden =
          std::string("it calls ") + tick.forbidden + "() at tick " + std::to_string(n);
    if (drive != asked) seen.backwards = "it changed the drive that it was given";
    if (tick.read == TRESTLE_ADAPTER_OK) {
      look_at_reading(checks, rig, n, seen);
      if (checks.real && stay.empty()) stay = drive_to_stay(checks, rig);
    } else if (tick.read != TRESTLE_ADAPTER_LATE) {
      seen.stopped = "read returned " + std::to_string(tick.read) + " at tick " +
                     std::to_string(n) + ": " + rig.diagnostic_message();
      return seen;
    }
    if (tick.write != TRESTLE_ADAPTER_OK) {
      seen.stopped = "write returned " + std::to_string(tick.write) + " at tick " +
                     std::to_string(n) + ": " + rig.diagnostic_message();
      return seen;
    }
  }
  return seen;
}

std::string microseconds(Duration time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", 1e6 * seconds(time));
  return text;
}

void tell_times(RuleChecks& checks, RunSeen& seen) {
  std::sort(seen.spent.begin(), seen.spent.end());
  const std::size_t last = seen.spent.size() - 1;
  const Duration middle = seen.spent[last / 2];
  const Duration high = seen.spent[last * 99 / 100];
  const std::string times = "p50 " + microseconds(middle) + ", p99 " + microseconds(high) +
                            ", longest " + microseconds(seen.spent[last]) +
                            " of a tick of " +
                            microseconds(Duration{std::llround(checks.tick * 1e9)});
  checks.add("R11", "read and write take less than a tick",
             seconds(high) < checks.tick ? "" : "too long: " + times, times);
}

/// All readings of a run with the same drives; `time_step` between two `now_ns`.
std::vector<std::vector<double>> record(RuleChecks& checks, RigUnderTest& rig,
                                        std::uint64_t seed, double time_step) {
  std::vector<std::vector<double>> readings;
  rig.prepare(checks.tick, seed);
  for (int n = 0; n < checks.settings.ticks; ++n) {
    rig.read(std::llround(time_step * n * 1e9));
    readings.push_back(rig.numbers());
    rig.write(checks.drive(rig, n));
  }
  return readings;
}

bool same_bits(const std::vector<double>& one, const std::vector<double>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0;
}

std::string difference(const std::vector<std::vector<double>>& one,
                       const std::vector<std::vector<double>>& other, const char* when) {
  for (std::size_t n = 0; n < one.size(); ++n)
    if (!same_bits(one[n], other[n]))
      return std::string(when) + " the readings differ, first at tick " + std::to_string(n);
  return {};
}

}  // namespace

void check_ticks(RuleChecks& checks) {
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  RunSeen seen = run(checks, rig);
  // It was held when this began, and nobody writes to it after this.
  if (checks.real && seen.written) checks.table.hold(rig.handle());
  checks.add("R12",
             "goes through a run of " + std::to_string(checks.settings.ticks) +
                 " ticks and measures",
             !seen.stopped.empty() ? seen.stopped
             : seen.fresh == 0     ? "no read gave a measurement; is the equipment on? " +
                                     rig.diagnostic_message()
                               : "",
             std::to_string(seen.fresh) + " fresh readings");
  if (seen.spent.empty()) return;
  checks.add("R6", "sets every number of a reading, finite, and no others", seen.unset);
  checks.add("R7", "measured before now", seen.early);
  if (rig.probed())
    checks.add("R11", "read and write neither allocate, lock, wait nor open a file",
               seen.forbidden);
  else
    checks.leave("R11", "read and write neither allocate, lock, wait nor open a file",
                 "the probe is not loaded");
  tell_times(checks, seen);
  const char* const what = "leaves the drive as it was given";
  if (checks.real && !checks.settings.write_to_real)
    checks.leave("R13", what, "real equipment is written to with --write alone");
  else if (const std::string why = why_unwritten(checks, seen); checks.real && !why.empty())
    checks.refuse("R13", what, why);
  else
    checks.add("R13", what, seen.backwards);
}

void check_determinism(RuleChecks& checks) {
  const char* const what = "the same run gives the same readings, bit for bit";
  if (checks.real) return checks.leave("R10", what, "of simulated rigs only");
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  const auto first = record(checks, rig, 3, checks.tick);
  const auto again = record(checks, rig, 3, checks.tick);
  RigUnderTest other(checks.table, checks.settings.settings, checks.clock);
  const auto elsewhere = record(checks, other, 3, checks.tick);
  std::string broken = difference(first, again, "in a second run of the same rig");
  if (broken.empty()) broken = difference(first, elsewhere, "in another rig");
  checks.add("R10", what, broken);
  checks.add("R12", "advances by one tick with each read, whatever now_ns is",
             difference(first, record(checks, rig, 3, 2.0 * checks.tick),
                        "with now_ns twice as fast"));
}

void check_snapshot(RuleChecks& checks) {
  const char* const what = "continues from a state that was saved, bit for bit";
  if ((checks.table.save == nullptr) != (checks.table.restore == nullptr))
    return checks.add("R17", what, "of save and restore it has one alone");
  if (checks.table.save == nullptr)
    return checks.leave("R17", what,
                        "it keeps no state: a run that was cut off begins again");
  if (checks.real) return checks.leave("R17", what, "of simulated rigs only");
  RigUnderTest rig(checks.table, checks.settings.settings, checks.clock);
  rig.prepare(checks.tick, 5);
  const int half = checks.settings.ticks / 2;
  for (int n = 0; n < half; ++n) rig.tick(checks.time_of(n), checks.drive(rig, n));
  const std::uint32_t count = checks.table.save(rig.handle(), nullptr, 0);
  if (count > TRESTLE_MOST_STATE)
    return checks.add("R17", what, "its state has " + std::to_string(count) + " numbers");
  std::vector<double> state(count + 1, 0.5);
  const char* const forbidden =
      rig.watch([&] { checks.table.save(rig.handle(), state.data(), count); });
  if (state.back() != 0.5) return checks.add("R17", what, "it saves more than it says");
  for (const double value : state)
    if (!std::isfinite(value))
      return checks.add("R17", what, "a number of its state is not finite");
  RigUnderTest other(checks.table, checks.settings.settings, checks.clock);
  other.prepare(checks.tick, 5);
  if (checks.table.restore(other.handle(), state.data(), count) != TRESTLE_ADAPTER_OK)
    return checks.add("R17", what, "it does not take back what it saved");
  std::string broken;
  for (int n = half; n < checks.settings.ticks && broken.empty(); ++n) {
    for (RigUnderTest* each : {&rig, &other}) each->read(checks.time_of(n));
    if (!same_bits(rig.numbers(), other.numbers()))
      broken = "it continues differently at tick " + std::to_string(n - half);
    for (RigUnderTest* each : {&rig, &other}) each->write(checks.drive(rig, n));
  }
  if (broken.empty() && checks.table.save(rig.handle(), nullptr, 0) != count)
    broken = "its state has another length than before";
  if (broken.empty() &&
      checks.table.restore(other.handle(), state.data(), count + 1) == TRESTLE_ADAPTER_OK)
    broken = "it takes back a state with a number more than it saves";
  if (broken.empty() && forbidden != nullptr)
    broken = std::string("save() calls ") + forbidden + "()";
  checks.add("R17", what, broken, std::to_string(count) + " numbers");
}

}  // namespace trestle::conformance
