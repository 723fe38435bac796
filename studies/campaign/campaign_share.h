#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trestle::campaign {

/// The runs of a campaign that one process does: those n with (n − 1) mod `of` = `part`
/// − 1. The nominal run, which every part needs, is done by each.
struct CampaignShare {
  std::int64_t part = 1;
  std::int64_t of = 1;

  bool is_whole() const noexcept { return of == 1; }
  /// How many of the runs 1 … `runs`.
  std::int64_t count(std::int64_t runs) const noexcept;
  /// Beginning of its files: `campaign`, `share-3-of-64`.
  std::string stem() const;
};

/// The value of an environment variable; nothing: it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const char*)>;

/// The part that `3/64` or `array` means: the latter is the task of a Slurm job array.
/// @throws std::runtime_error with one sentence
CampaignShare parse_share(std::string_view text, const EnvironmentLookup& environment);

/// Why a whole campaign must not run here: a job step has started it several times.
std::optional<std::string> several_copies(const EnvironmentLookup& environment);

}  // namespace trestle::campaign
