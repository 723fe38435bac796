#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/snapshot.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/recorded_session.h"
#include "numerical/node/run_schema.h"

namespace trestle::integrator_node {

/// Goes through the closed steps of a running test once more, on the side, for a site whose
/// own record has lost some of them. Meanwhile the substructure is not where the test is;
/// the destructor puts it back, to the bit. Not for the step path.
class RecordReplay {
 public:
  /// @param schema    of the record; outlives this, as the substructure does
  /// @param requests  of the right sizes; their values do not matter
  /// @param opening   what the sites answered to the initial measurement
  RecordReplay(NumericalSubstructure& substructure, const RunSchema& schema,
               std::unique_ptr<RecordedSession> record,
               std::span<const SiteTarget> requests, std::span<const SiteResponse> opening);
  ~RecordReplay();
  RecordReplay(const RecordReplay&) = delete;
  RecordReplay& operator=(const RecordReplay&) = delete;

  /// The next step; the first is 0.
  /// @returns false if the record has not this step, or has other targets in it
  bool next();

  std::int64_t step() const noexcept { return step_; }  ///< −1: before the first
  std::span<const SiteTarget> requests() const noexcept { return requests_; }
  std::span<const SiteResponse> answers() const noexcept { return answers_; }

 private:
  NumericalSubstructure& substructure_;
  const RunSchema& schema_;
  SnapshotWriter present_;
  std::unique_ptr<RecordedSession> record_;
  std::vector<SiteTarget> requests_;
  std::vector<SiteResponse> answers_;
  std::vector<double> row_;
  std::int64_t step_ = -1;
};

}  // namespace trestle::integrator_node
