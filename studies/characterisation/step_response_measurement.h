#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/types/limits.h"
#include "studies/characterisation/gated_excitation.h"
#include "studies/characterisation/transfer_parameters.h"

namespace trestle::characterisation {

struct StepResponseSettings {
  double amplitude = 1e-3;  ///< of the first step of each actuator [m]; half for the second
  double rise = 0.02;       ///< [s]
  double tick = 1e-3;       ///< control tick [s]
};

/// Moves a simulated rig by two smooth steps of each actuator and keeps what its actuators
/// did.
class StepResponseMeasurement {
 public:
  /// @param limits  one per actuator
  /// @param rig     prepared for ticks of settings.tick; outlives this
  /// @param asked   returns true if a person asked for a stop; called once per tick
  StepResponseMeasurement(const StepResponseSettings& settings, const RigLimits& limits,
                          SiteAdapter& rig, std::function<bool()> asked);

  /// @returns false if the gate or the rig tripped, or a person asked for a stop: reason()
  bool run();

  /// Returns both steps of each actuator, without the reading at rest.
  const std::vector<std::vector<TransferRecord>>& records() const noexcept {
    return records_;
  }
  /// Standard deviation of each displacement at rest [m].
  const std::vector<double>& noise() const noexcept { return noise_; }
  const std::string& reason() const noexcept { return reason_; }

 private:
  bool fail();
  bool move(const ExcitationSegment& segment);
  TransferRecord record_of(std::size_t actuator, const ExerciseRecord& rest) const;

  StepResponseSettings settings_;
  GatedExcitation exercise_;
  RigDescription names_;
  std::function<bool()> asked_;
  std::int64_t ticks_ = 0;
  std::vector<std::vector<TransferRecord>> records_;
  std::vector<double> noise_;
  std::string reason_;
};

}  // namespace trestle::characterisation
