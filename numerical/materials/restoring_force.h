#pragma once

#include <limits>

#include "core/base/snapshot.h"

namespace trestle {

/// Force of one spring along one coordinate, with its memory.
class RestoringForce {
 public:
  virtual ~RestoringForce() = default;

  /// Tangent at rest [N/m | N·m/rad].
  virtual double initial_stiffness() const noexcept = 0;

  /// At first yield [N | N·m]; infinite: it cannot yield.
  virtual double yield_force() const noexcept {
    return std::numeric_limits<double>::infinity();
  }

  /// Moves the spring to `displacement` for good [m | rad].
  /// @returns its force, positive when it resists a positive displacement [N | N·m]
  virtual double advance(double displacement) noexcept = 0;

  virtual void reset() noexcept = 0;
  virtual void save(SnapshotWriter& snapshot) const = 0;
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
