#include "adapters/plugin/plugin_rig.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "adapters/plugin/loaded_plugin.h"

namespace trestle::plugin {
namespace {

constexpr std::uint32_t kWhyLength = 1024;
constexpr std::uint32_t kDiagnosis = 300;
constexpr double kNoState = -1.0;  // in a snapshot, where the number of values stands

std::string words_of(std::array<char, kWhyLength>& why) {
  why.back() = '\0';
  return why.data();
}

PluginDescription described(const trestle_adapter_v1& table, void* rig,
                            const std::string& name, const std::string& path) {
  try {
    return describe(table, rig, name, path);
  } catch (...) {
    table.close(rig);
    throw;
  }
}

}  // namespace

PluginRig::PluginRig(const PluginRigSettings& settings, std::unique_ptr<const Clock> clock,
                     const std::string& path)
    : PluginRig(settings,
                std::make_unique<LoadedPlugin>(settings.file, settings.settings, path),
                std::move(clock), path) {}

PluginRig::PluginRig(const PluginRigSettings& settings, std::unique_ptr<OpenPlugin> plugin,
                     std::unique_ptr<const Clock> clock, const std::string& path)
    : settings_(settings),
      name_(std::filesystem::path(settings.file).filename().string()),
      plugin_(std::move(plugin)),
      table_(plugin_->table()),
      rig_(plugin_->rig()),
      is_(described(table_, rig_, name_, path)),
      reading_(is_.capabilities),
      last_(Measurement::zero(is_.capabilities.actuators, is_.capabilities.reactions)),
      extra_(is_.rig.extra.size(), 0.0),
      reported_{
          std::vector<double>(is_.drives.size(), std::numeric_limits<double>::quiet_NaN()),
          std::vector<double>(is_.accelerations.size(), 0.0)},
      times_(std::move(clock), name_, is_.rig.real_equipment, settings.overruns) {
  is_.rig.hardware_watchdog = is_.rig.hardware_watchdog || settings.hardware_watchdog;
}

PluginRig::~PluginRig() {
  // A program that only looked at the rig has no word for it: another may hold it under
  // load, and stop() may take its pressure.
  if (prepared_) {
    table_.hold(rig_);
    table_.stop(rig_);
  }
  table_.close(rig_);
}

void PluginRig::prepare(const RigRun& run) {
  prepared_ = true;  // also of one that is not ready: it may have moved
  std::array<char, kWhyLength> why{};
  trestle_run told{};
  told.size = sizeof(told);
  told.tick_s = run.tick;
  told.seed = run.seed;
  if (table_.prepare(rig_, &told, why.data(), kWhyLength) != TRESTLE_ADAPTER_OK)
    throw std::runtime_error("the plug-in " + name_ +
                             " is not ready for a run: " + words_of(why));
  const PluginDescription is = describe(table_, rig_, name_, "adapter");
  if (is.rig.actuators != is_.rig.actuators || is.rig.reactions != is_.rig.reactions ||
      is.rig.real_equipment != is_.rig.real_equipment || is.rig.extra != is_.rig.extra ||
      is.inputs != is_.inputs || is.rig.outputs != is_.rig.outputs)
    throw std::runtime_error("the plug-in " + name_ +
                             " says something else of its rig than when it was opened");
  if (!is_.rig.real_equipment && table_.save != nullptr) {
    const std::uint32_t count = table_.save(rig_, nullptr, 0);
    if (!responds()) {
      tripped("save");
      throw std::runtime_error(note_.text() + "; nothing of it could be kept");
    }
    if (count > TRESTLE_MOST_STATE)
      throw std::runtime_error("the plug-in " + name_ + " has a state of " +
                               std::to_string(count) + " numbers; at most " +
                               std::to_string(TRESTLE_MOST_STATE) + " are kept");
    state_.assign(count, 0.0);
  }
  times_.start(Duration{std::llround(run.tick * 1e9)}, run.wall_clock);
  any_ = false;
  late_in_a_row_ = 0;
  note_.clear();
}

bool PluginRig::release() {
  table_.stop(rig_);
  if (responds()) return true;
  tripped("stop");
  throw std::runtime_error(note_.text() +
                           "; the rig is not released, and its pressure may be on");
}

AdapterStatus PluginRig::read(TimePoint now, Measurement& sensed) noexcept {
  const TimePoint begun = times_.now();
  const trestle_adapter_status status =
      table_.read(rig_, now.time_since_epoch().count(), &reading_.clear());
  const bool inputs = read_inputs();
  times_.read_ended(begun);
  if (const char* array = reading_.find_buffer_overrun()) {
    note_.write("the plug-in %s wrote beyond the end of the array `%s` that it declared",
                name_.c_str(), array);
    return AdapterStatus::kTripped;
  }
  if (!inputs) {
    note_.write("the plug-in %s gives digital inputs that it does not have (it has %u)",
                name_.c_str(), is_.inputs);
    return AdapterStatus::kTripped;
  }
  if (status == TRESTLE_ADAPTER_OK) return take(now, sensed);
  if (status == TRESTLE_ADAPTER_LATE) return late(sensed, "it gave no fresh measurement");
  if (status == TRESTLE_ADAPTER_TRIPPED) return tripped("read");
  note_.write("read() of the plug-in %s returned %d, which means nothing", name_.c_str(),
              static_cast<int>(status));
  return AdapterStatus::kTripped;
}

/// Digital inputs have a freshness of their own: one that is not known is not a number.
/// @returns false: bits of inputs that the plug-in did not declare
bool PluginRig::read_inputs() noexcept {
  if (is_.inputs == 0) return true;
  trestle_inputs said{};
  said.size = sizeof(said);
  table_.contacts->inputs(rig_, &said);
  double* const to = extra_.data() + (extra_.size() - is_.inputs);
  for (std::uint32_t i = 0; i < is_.inputs; ++i) {
    const bool known = (said.known >> i & 1U) != 0;
    const bool closed = (said.closed >> i & 1U) != 0;
    to[i] = known ? (closed ? 1.0 : 0.0) : std::numeric_limits<double>::quiet_NaN();
  }
  const std::uint64_t beyond = std::uint64_t{said.known | said.closed} >> is_.inputs;
  return beyond == 0;
}

/// A measurement that the plug-in says is fresh.
AdapterStatus PluginRig::take(TimePoint now, Measurement& sensed) noexcept {
  if (const PluginReading::Place place = reading_.find_non_finite();
      place.array != nullptr) {
    note_.write("the plug-in %s left entry %d of `%s` without a finite number",
                name_.c_str(), place.index + 1, place.array);
    return AdapterStatus::kTripped;
  }
  const Duration age = now - TimePoint{Duration{reading_.sensed().measured_at_ns}};
  if (age < Duration::zero()) {
    note_.write("the plug-in %s says that it measured %.3f ms after now", name_.c_str(),
                -1e3 * seconds(age));
    return AdapterStatus::kTripped;
  }
  if (age > settings_.oldest) return late(sensed, "its measurement is too old");
  reading_.copy_to(last_);
  reading_.copy_extra(extra_);
  for (std::size_t i = 0; i < reported_.drives.size(); ++i)
    reported_.drives[i] = is_.drives[i].unit * extra_[is_.drives[i].place];
  for (std::size_t i = 0; i < reported_.accelerations.size(); ++i)
    reported_.accelerations[i] =
        is_.accelerations[i].unit * extra_[is_.accelerations[i].place];
  any_ = true;
  late_in_a_row_ = 0;
  sensed.displacement = last_.displacement;
  sensed.force = last_.force;
  sensed.force_only = last_.force_only;
  note_.clear();
  return AdapterStatus::kOk;
}

/// Repeats the last fresh measurement, as long as the site allows.
AdapterStatus PluginRig::late(Measurement& sensed, const char* why) noexcept {
  if (any_ && late_in_a_row_ < settings_.late_ticks) {
    ++late_in_a_row_;
    sensed.displacement = last_.displacement;
    sensed.force = last_.force;
    sensed.force_only = last_.force_only;
    return AdapterStatus::kOk;
  }
  std::array<char, kDiagnosis> text{};
  table_.diagnose(rig_, text.data(), kDiagnosis);
  text.back() = '\0';
  note_.write("the plug-in %s: %s, %u ticks in a row, with late_ticks %u: %s",
              name_.c_str(), why, late_in_a_row_ + 1, settings_.late_ticks, text.data());
  return AdapterStatus::kLate;
}

AdapterStatus PluginRig::tripped(const char* function) noexcept {
  std::array<char, kDiagnosis> text{};
  table_.diagnose(rig_, text.data(), kDiagnosis);
  text.back() = '\0';
  note_.write("the plug-in %s tripped in %s(): %s", name_.c_str(), function, text.data());
  return AdapterStatus::kTripped;
}

AdapterStatus PluginRig::write(const ActuatorVector& drive) noexcept {
  assert(drive.size() == static_cast<Eigen::Index>(is_.capabilities.actuators));
  const TimePoint begun = times_.now();
  if (times_.is_ahead_of_time(begun, note_)) return AdapterStatus::kTripped;
  const trestle_adapter_status status = table_.write(rig_, drive.data());
  times_.write_ended(begun);
  if (status == TRESTLE_ADAPTER_OK)
    return times_.is_overrun(note_) ? AdapterStatus::kTripped : AdapterStatus::kOk;
  if (status == TRESTLE_ADAPTER_TRIPPED) return tripped("write");
  if (status == TRESTLE_ADAPTER_LATE) {
    note_.write("the drive may not have reached the rig of the plug-in %s", name_.c_str());
    return AdapterStatus::kLate;
  }
  note_.write("write() of the plug-in %s returned %d, which means nothing", name_.c_str(),
              static_cast<int>(status));
  return AdapterStatus::kTripped;
}

void PluginRig::hold() noexcept {
  table_.hold(rig_);
}

void PluginRig::set_outputs(std::uint32_t closed) noexcept {
  if (is_.outputs > 0) table_.contacts->set_outputs(rig_, closed);
}

std::string PluginRig::diagnostic_message() const {
  if (std::string text = note_.text(); !text.empty()) return text;
  return times_.slow_call();
}

void PluginRig::save(SnapshotWriter& snapshot) const {
  if (is_.rig.real_equipment) return;
  if (table_.save == nullptr) return snapshot.add(kNoState);
  const auto room = static_cast<std::uint32_t>(state_.size());
  const std::uint32_t count = std::min(room, table_.save(rig_, state_.data(), room));
  snapshot.add(static_cast<double>(count));
  for (std::uint32_t i = 0; i < count; ++i) snapshot.add(state_[i]);
}

void PluginRig::restore(SnapshotReader& snapshot) {
  const double count = snapshot.next();
  if (count == kNoState)
    throw std::runtime_error("the plug-in " + name_ +
                             " keeps no state of its simulated rig (save, restore), so the "
                             "test cannot be resumed; start the test again");
  if (!(count >= 0.0 && count <= TRESTLE_MOST_STATE))
    throw std::runtime_error("the record holds no state of the plug-in " + name_);
  std::vector<double> state(static_cast<std::size_t>(count));
  for (double& number : state) number = snapshot.next();
  if (table_.restore == nullptr ||
      table_.restore(rig_, state.data(), static_cast<std::uint32_t>(count)) !=
          TRESTLE_ADAPTER_OK)
    throw std::runtime_error("the plug-in " + name_ +
                             " does not take its recorded state back; is it the same one?");
  any_ = false;
}

}  // namespace trestle::plugin
