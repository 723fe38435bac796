#include "observe/report/limit_use.h"

#include <algorithm>
#include <cmath>

#include "core/types/record_names.h"

namespace trestle::report {
namespace {

/// The recorded signals of one actuator at one rate.
struct ActuatorSignals {
  const std::vector<std::int64_t>* index = nullptr;
  records::TickTimes times;  ///< of an index in the test
  double rig_period = 0.0;   ///< time of an index on the clock of the rig [s]
  const std::vector<double>* command = nullptr;
  const std::vector<double>* measured = nullptr;
  const std::vector<double>* force = nullptr;
  bool every_tick = false;
  bool tells_rates = true;
  /// Of a long record; else empty.
  const records::StreamEnvelope* whole = nullptr;
};

const std::vector<double>* column_like(const StreamTable& table,
                                       const std::string& beginning) {
  for (std::size_t i = 0; i < table.channels().size(); ++i)
    if (table.channels()[i].name.starts_with(beginning)) return &table.column(i);
  return nullptr;
}

ActuatorSignals signals_of(const RecordedSiteData& site, const MotionSignals& actuator,
                           const RunData& run) {
  const std::string name = site.name + "." + actuator.name;
  const std::vector<std::int64_t>& ticks = site.ticks.index();
  if (ticks.size() > 1 && column_like(site.ticks, name + ".command_") != nullptr)
    return {.index = &ticks,
            .times = site.tick_times,
            .rig_period = site.rig_tick_s,
            .command = column_like(site.ticks, name + ".command_"),
            .measured = column_like(site.ticks, name + ".measured_"),
            .force = column_like(site.ticks, name + ".force_"),
            .every_tick = ticks[1] - ticks[0] == 1,
            .whole = &site.tick_envelope};
  // In the other modes a step takes the rig another time than it has in the test.
  const std::string mode = run.meta(meta_key::kMode);
  return {.index = &run.result.index(),
          .times = records::TickTimes(run.time_step),
          .rig_period = run.time_step,
          .command = actuator.command,
          .measured = actuator.measured,
          .force = actuator.force,
          .every_tick = site.contract.number("ticks_per_step").value_or(2.0) == 1.0,
          .tells_rates = mode != "pseudo-dynamic" && mode != "continuous",
          .whole = &run.outline.result};
}

/// Keeps the largest magnitude, and when it was.
void keep_largest(LimitUse& use, double value, double time) {
  if (!std::isfinite(value) || std::abs(value) <= use.largest) return;
  use.largest = std::abs(value);
  use.time = time;
}

/// The largest value of all rows; those in memory are a window.
void take_peak(LimitUse& use, const ActuatorSignals& signals, const std::string& column) {
  const std::size_t place = signals.whole->place_of(column);
  if (place == signals.whole->channels().size()) return;
  const records::StreamEnvelope::Peak& peak = signals.whole->peak(place);
  keep_largest(use, peak.value, signals.times.at(peak.index));
}

void follow_command(const ActuatorSignals& signals, LimitUse& displacement, LimitUse& rate,
                    LimitUse& acceleration) {
  const std::vector<double>& command = *signals.command;
  double last_rate = 0.0;
  double last_gap = 0.0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const double time = signals.times.at((*signals.index)[i]);
    keep_largest(displacement, command[i], time);
    if (i == 0) continue;
    const double gap = static_cast<double>((*signals.index)[i] - (*signals.index)[i - 1]) *
                       signals.rig_period;
    const double now = (command[i] - command[i - 1]) / gap;
    keep_largest(rate, now, time);
    // Each rate is that of the middle of its two rows, which may be far apart where rows
    // are missing.
    if (i > 1)
      keep_largest(acceleration, (now - last_rate) / (0.5 * (gap + last_gap)), time);
    last_rate = now;
    last_gap = gap;
  }
}

/// The gate compares the command of an actuator with its limits; before that, the site
/// compares the target of each interface DOF with those of the interface.
std::vector<LimitUse> interface_uses(const RecordedSiteData& site, const RunData& run) {
  std::vector<LimitUse> uses;
  for (std::size_t i = 0; i < site.interface.size(); ++i) {
    const MotionSignals& dof = site.interface[i];
    const std::optional<double> limit = site.contract.interface_displacement(i);
    if (!limit || dof.target == nullptr) continue;
    const ActuatorSignals signals{.index = &run.result.index(),
                                  .times = records::TickTimes(run.time_step),
                                  .whole = &run.outline.result};
    LimitUse use{.site = site.name,
                 .axis = dof.name,
                 .quantity = kTargetDisplacement,
                 .si_unit = dof.unit,
                 .limit = limit};
    for (std::size_t row = 0; row < dof.target->size(); ++row)
      keep_largest(use, (*dof.target)[row], signals.times.at(run.result.index()[row]));
    take_peak(use, signals, site.name + "." + dof.name + ".target_");
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace

std::vector<LimitUse> limit_uses(const RecordedSiteData& site, const RunData& run) {
  std::vector<LimitUse> uses = interface_uses(site, run);
  for (std::size_t a = 0; a < site.actuators.size(); ++a) {
    const MotionSignals& actuator = site.actuators[a];
    const ActuatorSignals signals = signals_of(site, actuator, run);
    const ContractLimits limits = site.contract.limits(a);
    const auto begin = [&](const char* quantity, const std::string& unit,
                           std::optional<double> limit) {
      return LimitUse{.site = site.name,
                      .axis = actuator.name,
                      .quantity = quantity,
                      .si_unit = unit,
                      .limit = limit,
                      .at_least = !signals.every_tick};
    };
    LimitUse displacement = begin("displacement", actuator.unit, limits.displacement);
    LimitUse rate = begin("rate", actuator.unit + "/s", limits.rate);
    LimitUse acceleration =
        begin("acceleration", actuator.unit + "/s^2", limits.acceleration);
    LimitUse force = begin("force", actuator.force_unit, limits.force);
    LimitUse error = begin("tracking error", actuator.unit, limits.tracking_error);
    if (signals.command != nullptr)
      follow_command(signals, displacement, rate, acceleration);
    const auto time_at = [&signals](std::size_t i) {
      return signals.times.at((*signals.index)[i]);
    };
    if (signals.force != nullptr)
      for (std::size_t i = 0; i < signals.force->size(); ++i)
        keep_largest(force, (*signals.force)[i], time_at(i));
    // A row's measurement is what its own command has done.
    if (signals.command != nullptr && signals.measured != nullptr)
      for (std::size_t i = 0; i < signals.measured->size(); ++i)
        keep_largest(error, (*signals.command)[i] - (*signals.measured)[i], time_at(i));
    const std::string name = site.name + "." + actuator.name;
    take_peak(displacement, signals, name + ".command_");
    take_peak(force, signals, name + ".force_");
    for (LimitUse* use : {&rate, &acceleration, &error})
      use->of_window = !signals.whole->empty();
    uses.push_back(std::move(displacement));
    if (signals.tells_rates)
      for (LimitUse* use : {&rate, &acceleration}) uses.push_back(std::move(*use));
    for (LimitUse* use : {&force, &error}) uses.push_back(std::move(*use));
  }
  return uses;
}

const LimitUse* nearest_limit(const std::vector<LimitUse>& uses) {
  const auto nearest = std::max_element(
      uses.begin(), uses.end(),
      [](const LimitUse& a, const LimitUse& b) { return a.ratio() < b.ratio(); });
  return nearest == uses.end() || nearest->ratio() == 0.0 ? nullptr : &*nearest;
}

}  // namespace trestle::report
