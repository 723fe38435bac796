#pragma once

#include <memory>
#include <optional>
#include <string>

#include "studies/lanes/lane_problem.h"

namespace trestle::lanes {

/// The module that computes batches, for the instruction set of this processor. It stays
/// loaded until the process ends.
class LaneLibrary {
 public:
  /// Loads the module with the most lanes that this processor can compute.
  /// @param lanes  that number alone; empty: the most
  /// @param why    receives one sentence if there is none
  /// @returns null if there is none
  static std::unique_ptr<const LaneLibrary> load(std::optional<int> lanes,
                                                 std::string& why);

  int lanes() const noexcept { return lanes_; }
  /// Human-readable: `AVX2`.
  const char* instruction_set() const noexcept { return instruction_set_; }

  /// @param problem  with the parts of as many runs as there are lanes
  void run(const LaneProblem& problem, const LaneHost& host) const { run_(problem, host); }

 private:
  LaneLibrary(int lanes, const char* instruction_set, LaneRun* function) noexcept
      : lanes_(lanes), instruction_set_(instruction_set), run_(function) {}

  int lanes_;
  const char* instruction_set_;
  LaneRun* run_;
};

}  // namespace trestle::lanes
