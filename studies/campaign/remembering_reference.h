#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "studies/campaign/reference_rows.h"

namespace trestle::campaign {

/// A reference that keeps its rows during a run, and passes them on if it reaches the last
/// step.
class RememberingReference final : public NumericalSubstructure {
 public:
  using Whole = std::function<void(std::shared_ptr<const ReferenceRows>)>;

  /// @param columns  of the reference's record: those that are kept
  /// @param steps    of the run: the reference may have more
  RememberingReference(std::unique_ptr<NumericalSubstructure> reference, std::int64_t steps,
                       std::vector<std::size_t> columns, Whole whole);

  std::int64_t steps() const noexcept override { return steps_; }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return rows_->channels; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override { reference_->snapshot(snapshot); }
  void restore(SnapshotReader& snapshot) override { reference_->restore(snapshot); }

 private:
  std::unique_ptr<NumericalSubstructure> reference_;
  std::int64_t steps_;
  std::vector<std::size_t> columns_;
  Whole whole_;
  std::shared_ptr<ReferenceRows> rows_;
  std::vector<double> row_;  // of the reference
  std::int64_t step_ = -1;
};

}  // namespace trestle::campaign
