#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "studies/campaign/in_memory_run.h"
#include "studies/campaign/lane_batch.h"

namespace trestle::campaign {

/// How the runs of a campaign were computed by this process.
struct BatchCounts {
  std::int64_t by_lanes = 0;
  std::int64_t repeated = 0;  ///< left the common path of their batch
  int lanes = 0;              ///< 0: no batch
  std::string instruction_set;
  std::string reason;  ///< why the nodes compute runs; empty: no reason
};

/// One human-readable line: how many runs went through lanes, and why others did not.
std::string batches_text(const BatchCounts& counts, std::int64_t runs);

/// Decides which runs of one campaign share the lanes of a core, and computes them. Any
/// thread.
///
/// The first run that the nodes bring to its end decides: lanes compute it again, and if
/// one bit of its results differs, no batch is computed. Where more than half of the first
/// 64 runs leave the common path, there are no further batches.
class BatchRunner {
 public:
  /// @param wanted  false: no batches
  explicit BatchRunner(bool wanted);

  /// Runs that a thread should take at a time: 1 before it is decided, or without batches.
  int lanes() const;
  /// True if a run of the nodes that came to its end is to be handed to decide().
  bool is_undecided() const;

  /// @param again     the set-up of a run that came to its end, made again
  /// @param by_nodes  its results
  void decide(std::unique_ptr<composition::HybridTestSetup> again,
              const InMemoryRun& by_nodes);

  /// @param setups  at most lanes(); each stays ready for the nodes
  /// @param watch   limits of the targets, and whether to continue
  /// @returns per set-up its run; empty: the nodes must compute it. Runs of a batch that
  ///          `watch` ended are abandoned
  std::vector<std::optional<InMemoryRun>> run(
      const std::vector<composition::HybridTestSetup*>& setups, const RunLimits& watch);

  BatchCounts counts() const;

 private:
  InMemoryRun finished(const LaneForm& form, LaneAccount& account) const;
  void note(const std::string& reason);
  void count(std::size_t by_lanes, std::size_t repeated);

  mutable std::mutex mutex_;  // of what follows
  enum class State { kUndecided, kDeciding, kOn, kOff } state_ = State::kUndecided;
  BatchCounts counts_;

  // Constant from kOn on.
  std::unique_ptr<const lanes::LaneLibrary> library_;
  std::unique_ptr<composition::HybridTestSetup> pattern_setup_;
  std::optional<LaneForm> pattern_;
  LaneTables tables_;
  evaluation::RunReport report_;  // of a run that came to its end
};

}  // namespace trestle::campaign
