#pragma once

namespace trestle {

/// What scripts are promised.
enum ExitCode : int {
  kExitComplete = 0,
  kExitInternal = 1,
  kExitConfiguration = 2,
  kExitStopped = 3,
  kExitPeerLost = 4,
};

}  // namespace trestle
