#pragma once

#include <functional>
#include <optional>
#include <string>

namespace trestle::cluster {

/// The value of an environment variable; nothing: it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const char*)>;

/// What a launcher of parallel programs told this process.
struct Launch {
  std::string variable;     ///< by which we know: OMPI_COMM_WORLD_SIZE
  std::optional<int> rank;  ///< as far as it was said
  std::optional<int> size;
};

/// Nothing: no launcher of MPI programs started this process.
std::optional<Launch> launch_of(const EnvironmentLookup& environment);

}  // namespace trestle::cluster
