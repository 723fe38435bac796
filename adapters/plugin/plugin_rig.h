#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adapters/plugin/fault_message.h"
#include "adapters/plugin/open_plugin.h"
#include "adapters/plugin/plugin_call_times.h"
#include "adapters/plugin/plugin_description.h"
#include "adapters/plugin/plugin_reading.h"
#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"

namespace trestle::plugin {

struct PluginRigSettings {
  std::string file;      ///< the shared object
  std::string settings;  ///< for the plug-in: lines `path: value`
  /// Reads in a row without a fresh measurement for which the last one is used; one more
  /// is a fault.
  std::uint32_t late_ticks = 0;
  Duration oldest = Duration::max();  ///< an older measurement is no fresh one
  /// Ticks in a row in which its read and write took longer than the tick; one more is a
  /// fault. Of a simulated rig at least 2, and only where its ticks go by the wall clock.
  std::uint32_t overruns = 0;
  /// Something outside this program stops the rig, whether the plug-in knows it or not.
  bool hardware_watchdog = false;
};

/// A rig that a plug-in drives: the C contract of site_adapter_abi.h as the site's port.
///
/// Trusts nothing that comes over that border: what the plug-in says of itself is looked at
/// when it is opened, and each reading when it is made: a number that is left out or not
/// finite, one written beyond what was declared, a measurement from the future, a status
/// that means nothing, a tick that takes too long. Each is a fault, which stops the rig by
/// hold(), and a sentence in diagnostic_message(). Drives reach the plug-in as the safety
/// gate let them through, and nothing else moves it. Real equipment is not driven faster
/// than time, as a test in lock-step would.
///
/// What it cannot do is to come back from a plug-in in this process that does not: a read
/// that never ends ends the control thread. A driver process, or the rig's hardware
/// watchdog, is for that.
class PluginRig final : public SiteAdapter {
 public:
  /// Loads the plug-in and takes the rig.
  /// @param clock  that real equipment is timed by
  /// @param path   of the adapter in the configuration
  /// @throws SettingError  where the plug-in cannot be loaded, refuses its settings or says
  ///         of itself what cannot be
  PluginRig(const PluginRigSettings& settings, std::unique_ptr<const Clock> clock,
            const std::string& path);
  /// Takes the rig that a plug-in has opened, here or in a driver process.
  PluginRig(const PluginRigSettings& settings, std::unique_ptr<OpenPlugin> plugin,
            std::unique_ptr<const Clock> clock, const std::string& path);
  /// Holds, makes the rig safe to approach and gives it back.
  ~PluginRig() override;
  PluginRig(const PluginRig&) = delete;
  PluginRig& operator=(const PluginRig&) = delete;

  RigDescription description() const override { return is_.rig; }
  /// @throws std::runtime_error  with the plug-in's own words
  void prepare(const RigRun& run) override;
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  void hold() noexcept override;
  void set_outputs(std::uint32_t closed) noexcept override;
  /// stop() of the plug-in.
  /// @throws std::runtime_error  its driver has ended, hangs or refuses
  bool release() override;
  std::string diagnostic_message() const override;
  void save(SnapshotWriter& snapshot) const override;
  /// @throws std::runtime_error  where the plug-in keeps no state, or refuses this one
  void restore(SnapshotReader& snapshot) override;

  std::span<const double> auxiliary_channels() const noexcept override { return extra_; }
  std::span<const double> drive_in_force() const noexcept override {
    return reported_.drives;
  }
  int stale_reads() const noexcept override { return static_cast<int>(late_in_a_row_); }
  bool responds() const noexcept override { return plugin_->responds(); }
  std::vector<std::string> host_refusals() const override {
    return plugin_->host_refusals();
  }
  std::span<const double> accelerations() const noexcept override {
    return reported_.accelerations;
  }

 private:
  /// What the auxiliary channels of a known name say, in SI; empty: there are none.
  struct Reported {
    std::vector<double> drives;         ///< per actuator
    std::vector<double> accelerations;  ///< per interface DOF
  };

  bool read_inputs() noexcept;
  AdapterStatus take(TimePoint now, Measurement& sensed) noexcept;
  AdapterStatus late(Measurement& sensed, const char* why) noexcept;
  AdapterStatus tripped(const char* function) noexcept;

  PluginRigSettings settings_;
  std::string name_;  // of the file, for sentences
  std::unique_ptr<OpenPlugin> plugin_;
  const trestle_adapter_v1& table_;
  void* rig_;
  PluginDescription is_;

  PluginReading reading_;
  Measurement last_;  // fresh measurement
  std::vector<double> extra_;
  Reported reported_;
  bool prepared_ = false;
  bool any_ = false;
  std::uint32_t late_in_a_row_ = 0;
  mutable std::vector<double> state_;

  PluginCallTimes times_;
  FaultMessage note_;
};

}  // namespace trestle::plugin
