#pragma once

#include <string>
#include <string_view>

namespace trestle::campaign {

/// What a job of a campaign asks a Slurm cluster for.
struct SlurmRequest {
  int nodes = 1;  ///< tasks of the job array, each a share of the campaign on its own node
  int cores = 1;  ///< of each node
  std::string time = "01:00:00";  ///< as sbatch takes it
  std::string account;            ///< empty: the user's default
  std::string partition;          ///< empty: the cluster's default
};

/// Reads `nodes=4,tasks=48,time=2h,account=ABC,partition=normal`.
/// @throws std::runtime_error with one sentence
SlurmRequest parse_slurm_request(std::string_view text);

/// What the job runs; paths are absolute.
struct SlurmCampaign {
  std::string name;
  std::string program;
  std::string study;
  std::string folder;
  std::string directory;  ///< in which the job starts
  std::string options;    ///< `--set` and others, quoted for a shell
};

/// A script for sbatch: a job array of which each task does one share. It ends safely
/// before its time is up, and asks for another start while each adds runs.
std::string slurm_script(const SlurmRequest& request, const SlurmCampaign& campaign);

/// A word for a shell.
std::string shell_quoted(const std::string& word);

}  // namespace trestle::campaign
