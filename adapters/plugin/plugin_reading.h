#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "core/ports/site_adapter.h"

namespace trestle::plugin {

/// The memory into which a plug-in reads. Before each read every number is NaN, which
/// detects omitted values; a guard behind each array detects writes beyond it.
class PluginReading {
 public:
  explicit PluginReading(const trestle_rig_capabilities& capabilities);
  PluginReading(const PluginReading&) = delete;
  PluginReading& operator=(const PluginReading&) = delete;

  /// Empty again, for the next read.
  trestle_sensed& clear() noexcept;
  const trestle_sensed& sensed() const noexcept { return sensed_; }

  /// A channel of the reading: an array of it, and the index there; null: none.
  struct Place {
    const char* array = nullptr;
    int index = 0;
  };
  /// The array behind which the plug-in wrote.
  const char* find_buffer_overrun() const noexcept;
  /// A number that is not finite.
  Place find_non_finite() const noexcept;

  /// @pre sized for this rig
  void copy_to(Measurement& sensed) const noexcept;
  /// Velocities, accelerations and auxiliary channels, as far as it has them.
  void copy_extra(std::vector<double>& extra) const noexcept;

 private:
  struct Array {
    const char* name;
    std::size_t first;
    std::size_t count;
  };
  double* add(const char* name, std::uint32_t count, bool there);

  std::vector<double> numbers_;
  std::vector<Array> arrays_;
  std::uint32_t actuators_;
  std::uint32_t reactions_;
  trestle_sensed sensed_{};
};

}  // namespace trestle::plugin
