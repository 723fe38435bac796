#pragma once

#include <string>

namespace trestle::cli {

/// Version of the program, as every node states it.
inline std::string software_version() {
  return TRESTLE_VERSION;
}

}  // namespace trestle::cli
