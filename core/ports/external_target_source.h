#pragma once

#include <string>

#include "core/base/time.h"

namespace trestle {

/// A program in another process that determines the next target, such as OpenSees. The
/// integrator node waits for it between two steps.
///
/// The same object, or one that belongs to it, is the NumericalSubstructure whose predict()
/// returns the announced target. Thread: the one that drives the node. No function blocks.
class ExternalTargetSource {
 public:
  /// State of the program.
  enum class State {
    kPending,        ///< no target yet
    kTargetReady,    ///< a target is available: predict() may be called
    kCompleted,      ///< the program declared the test complete
    kDisconnected,   ///< the connection is lost: all rigs hold
    kInvalidTarget,  ///< the target is not finite: all rigs hold
  };

  virtual ~ExternalTargetSource() = default;

  /// Returns the state of the program. Called in every tick of a running test; while a step
  /// is not completed it returns only kWait or kGone.
  virtual State next() noexcept = 0;

  /// Returns the time that a silent program has left.
  virtual Duration time_to_timeout() const noexcept = 0;
  /// Returns name and address of the program: "OpenSees at 127.0.0.1:53210".
  virtual std::string who() const = 0;
  /// Returns the reason in one sentence. @pre next() returned kGone or kNotFinite
  virtual std::string disconnect_reason() const = 0;
};

}  // namespace trestle
