#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/types/interface_vector.h"
#include "core/types/motion.h"
#include "core/types/record.h"

namespace trestle {

/// Request of the integrator to one site in one step.
struct SiteTarget {
  InterfaceMotion target;               ///< of the interface at the end of the step
  InterfaceMotion feedforward_target;   ///< size zero: none
  InterfaceVector command_feedforward;  ///< size zero: none [m | rad]
};

/// Response of one site to one step.
struct SiteResponse {
  InterfaceVector measured;  ///< displacement, one entry per controlled DOF [m | rad]
  /// Restoring force +K·d, one entry per DOF, controlled ones first [N | N·m].
  InterfaceVector force;
};

/// Force that a step of the computation left unbalanced, if that is more than the test
/// allows.
struct ExcessiveResidual {
  double residual = 0.0;  ///< [N | N·m]
  double limit = 0.0;     ///< zero: no limit is exceeded
};

/// States of parts of the model that people should hear of although the test continues.
class ModelNotices {
 public:
  virtual ~ModelNotices() = default;
  /// Never falls between two prepare(). Does not allocate.
  virtual std::size_t count() const noexcept = 0;
  /// Returns a sentence for each.
  virtual std::vector<std::string> sentences() const = 0;
};

/// The computed part of the structure, with its excitation and its time integration. The
/// integrator node uses only this interface.
///
/// Thread: one thread calls prepare(), correct(−1), then predict(k), correct(k) for k = 0,
/// 1, ... State k is the state at time k·Δt; predict(0) requests the initial position.
/// predict() and correct() do not allocate, lock, log or block.
class NumericalSubstructure {
 public:
  virtual ~NumericalSubstructure() = default;

  /// Returns the number of steps until the excitation ends.
  virtual std::int64_t steps() const noexcept = 0;

  /// Returns to the initial state.
  virtual void prepare() = 0;

  /// Fills one request per site, in the order of the test. The caller sizes all vectors.
  virtual void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept = 0;

  /// Completes the step with the sites' responses; step −1 with those of the initial
  /// measurement.
  /// @returns false if the response is not finite, or the residual excessive: the caller
  ///          must not continue
  virtual bool correct(std::int64_t step,
                       std::span<const SiteResponse> answers) noexcept = 0;

  /// Returns the residual because of which the last correct() returned false.
  virtual ExcessiveResidual excessive_residual() const noexcept { return {}; }

  /// Returns what people should hear of the model; null: it says nothing.
  virtual const ModelNotices* notices() const noexcept { return nullptr; }

  /// Returns the channels of record(), in its order. Their names are those of the record of
  /// steps: node, DOF and disp_m, vel_m_s or acc_m_s2, with dots between them.
  virtual const Channels& channels() const noexcept = 0;

  /// Writes the state of the last completed step, in the order of channels().
  /// @pre row.size() == channels().size()
  virtual void record(std::span<double> row) const noexcept = 0;

  /// Writes the whole state, so that a resumed test continues with the same bits.
  virtual void snapshot(SnapshotWriter& snapshot) const = 0;
  /// Reads the state that snapshot() wrote.
  /// @throws std::out_of_range if the snapshot is shorter than the state
  virtual void restore(SnapshotReader& snapshot) = 0;
};

}  // namespace trestle
