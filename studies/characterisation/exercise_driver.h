#pragma once

#include "studies/characterisation/gated_excitation.h"

namespace trestle::characterisation {

/// Executes the ticks of an excitation: as fast as they are computed, or by time.
class ExerciseDriver {
 public:
  virtual ~ExerciseDriver() = default;

  /// The initial measurement. A fault is the exercise's.
  virtual void open(GatedExcitation& exercise) = 0;
  /// Executes the move from its first to its last tick.
  /// @returns false: it was interrupted; exercise.fault() states why (kStopped: by request)
  virtual bool drive(GatedExcitation& exercise, const ExcitationSegment& move) = 0;
  /// Ends the use of the rig.
  virtual void rest(GatedExcitation& exercise) = 0;

  /// Control ticks so far.
  virtual std::int64_t ticks() const noexcept = 0;
};

}  // namespace trestle::characterisation
