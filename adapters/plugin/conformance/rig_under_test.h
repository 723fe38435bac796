#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "adapters/plugin/plugin_reading.h"
#include "adapters/plugin/site_adapter_abi.h"
#include "core/ports/clock.h"

namespace trestle::conformance {

/// The result of one tick of a plug-in.
struct TickResult {
  trestle_adapter_status read = TRESTLE_ADAPTER_OK;
  trestle_adapter_status write = TRESTLE_ADAPTER_OK;
  Duration spent{};                 ///< in both
  const char* forbidden = nullptr;  ///< that it called, as far as the probe is loaded
};

/// A rig that the conformance kit opened; closed with it.
class RigUnderTest {
 public:
  RigUnderTest(const trestle_adapter_v1& table, const std::string& settings,
               const Clock& clock);
  ~RigUnderTest();
  RigUnderTest(const RigUnderTest&) = delete;
  RigUnderTest& operator=(const RigUnderTest&) = delete;

  bool opened() const noexcept { return rig_ != nullptr; }
  const std::string& why() const noexcept { return why_; }
  void* handle() const noexcept { return rig_; }
  const trestle_rig_capabilities& is() const noexcept { return is_; }
  bool real() const noexcept { return is_.real_equipment != 0; }
  /// Velocities, accelerations and auxiliary channels, as PluginReading::copy_extra().
  std::size_t extra_channels() const noexcept {
    const std::size_t arrays =
        (is_.measures_velocity != 0 ? 1U : 0U) + (is_.measures_acceleration != 0 ? 1U : 0U);
    return arrays * is_.actuators + is_.auxiliary_channels;
  }

  /// @returns what the plug-in had against it; empty: ready
  std::string prepare(double tick, std::uint64_t seed);
  trestle_adapter_status read(std::int64_t now_ns);
  trestle_adapter_status write(const std::vector<double>& drive);
  /// Read and write, timed and watched. @param drive  empty: read only
  TickResult tick(std::int64_t now_ns, const std::vector<double>& drive);
  std::string diagnostic_message() const;

  /// The last reading: all numbers of all arrays.
  std::vector<double> numbers() const;
  const plugin::PluginReading& reading() const noexcept { return reading_; }
  bool probed() const noexcept { return begin_ != nullptr && end_ != nullptr; }

  /// Returns the forbidden function (rule R11) that `call` calls; null: none, or the probe
  /// is not loaded.
  template <typename Call>
  const char* watch(const Call& call) const {
    if (!probed()) return call(), nullptr;
    begin_();
    call();
    return end_();
  }

 private:
  const trestle_adapter_v1& table_;
  const Clock& clock_;
  std::string why_;
  void* rig_ = nullptr;
  trestle_rig_capabilities is_{};
  plugin::PluginReading reading_;
  void (*begin_)() = nullptr;
  const char* (*end_)() = nullptr;
};

}  // namespace trestle::conformance
