#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/loading_frame.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/control/limit_merge.h"

namespace trestle {

/// What a laboratory says of itself, once, before any test.
struct SiteSettings {
  std::string name;      ///< the name under which tests know it
  std::string software;  ///< version of the program
  std::unique_ptr<const LoadingFrame> loading_frame;
  RigLimits limits;        ///< the laboratory's own; empty: it states none
  LimitPlace limit_place;  ///< where they are written, for sentences; may be empty
  /// Limits of accepted targets, by DOF name, full or without its node [m | rad].
  std::vector<std::pair<std::string, double>> target_limits;
  int record_every = 1;  ///< keep every n-th control tick
  Duration hello_period = std::chrono::milliseconds(250);
};

}  // namespace trestle
