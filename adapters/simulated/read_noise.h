#pragma once

#include <cstdint>
#include <string>

#include "adapters/simulated/simulated_rig.h"

namespace trestle {

/// The noise of a rig's transducers, as SimulatedRig has it without published sequences: a
/// function of the run's seed, the site's name, the channel and the tick.
class ReadNoise {
 public:
  /// @param site   its name: makes its noise its own
  /// @param noise  empty vectors, or one value per actuator
  ReadNoise(const std::string& site, const SensorNoise& noise)
      : noise_(noise), stream_(random_stream(site)) {}

  void prepare(const RigRun& run) { run_ = run; }

  /// @param now  session time of the read
  void add(TimePoint now, Sensed& sensed) const noexcept;

 private:
  SensorNoise noise_;
  std::uint64_t stream_;
  RigRun run_;
};

}  // namespace trestle
