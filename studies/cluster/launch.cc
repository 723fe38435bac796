#include "studies/cluster/launch.h"

#include <array>
#include <charconv>

namespace trestle::cluster {
namespace {

struct LauncherVariables {
  const char* seen;
  const char* rank;
  const char* size;
};

// mpirun of Open MPI also sets PMIX_RANK, so it comes first. srun says the size only in its
// own variable.
constexpr std::array kLaunchers{
    LauncherVariables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
                      "OMPI_COMM_WORLD_SIZE"},
    LauncherVariables{"PMIX_RANK", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
    LauncherVariables{"PMI_SIZE", "PMI_RANK", "PMI_SIZE"},
};

std::optional<int> launcher_number(const std::optional<std::string>& text) {
  int value = 0;
  if (!text) return std::nullopt;
  const auto [rest, error] =
      std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || rest != text->data() + text->size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Launch> launch_of(const EnvironmentLookup& environment) {
  for (const LauncherVariables& launcher : kLaunchers)
    if (environment(launcher.seen))
      return Launch{launcher.seen, launcher_number(environment(launcher.rank)),
                    launcher_number(environment(launcher.size))};
  return std::nullopt;
}

}  // namespace trestle::cluster
