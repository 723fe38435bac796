#pragma once

#include <string>

#include "core/base/time.h"

namespace trestle {

/// A program elsewhere that says where the structure shall be next, in place of a numerical
/// substructure that knows it at once: the integrator node then waits for it between two
/// steps, as it waits for sites within one.
///
/// The same object, or one beside it, is the NumericalSubstructure whose predict() gives
/// the target that was announced here. Called by the thread that drives the node; nothing
/// blocks.
class TargetSource {
 public:
  enum class Word {
    kWait,       ///< nothing yet
    kTarget,     ///< the next one is there: predict() may be called
    kOver,       ///< it has said that the test is complete
    kGone,       ///< it went away: everything holds
    kNotFinite,  ///< it is there, and its target is no number: everything holds
  };

  virtual ~TargetSource() = default;

  /// Asked in every tick of a running test. While a step is open only kWait or kGone.
  virtual Word next() noexcept = 0;

  /// With one that is silent.
  virtual Duration patience_left() const noexcept = 0;
  /// Who is waited for: "OpenSees at 127.0.0.1:53210".
  virtual std::string who() const = 0;
  /// One sentence. @pre next() gave kGone or kNotFinite
  virtual std::string why_gone() const = 0;
};

}  // namespace trestle
