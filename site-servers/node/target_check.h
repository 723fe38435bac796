#pragma once

#include <utility>

#include "core/ports/loading_frame.h"
#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "core/types/message.h"

namespace trestle::site_node {

/// Checks whether a target is within the limits: a function of the set-up alone, for any
/// thread.
class TargetCheck {
 public:
  /// @param layout  with the limits that hold
  /// @param limits  one per actuator
  /// @param frame   outlives this
  TargetCheck(InterfaceLayout layout, RigLimits limits, const LoadingFrame& frame)
      : layout_(std::move(layout)), limits_(std::move(limits)), frame_(frame) {}

  /// As ControlLoop::refusal_of().
  Fault refusal_of(const StepCommand& command) const noexcept;

 private:
  Fault beyond_stroke(const InterfaceVector& place) const noexcept;

  InterfaceLayout layout_;
  RigLimits limits_;
  const LoadingFrame& frame_;
};

}  // namespace trestle::site_node
