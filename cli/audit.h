#pragma once

#include <string>

namespace trestle {

struct AuditOptions {
  std::string folder;  ///< of a run, or of a site server
  bool json = false;
};

/// Prints who did what to the tests in a folder, and whether it can be believed.
/// @returns kExitInternal where one of the tables cannot
int audit(const AuditOptions& options);

}  // namespace trestle
