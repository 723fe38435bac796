#pragma once

#include <memory>
#include <utility>

#include "core/ports/numerical_substructure.h"
#include "studies/campaign/reference_rows.h"

namespace trestle::campaign {

/// A reference that was computed before, by another run: it reads its motion from the rows
/// that were kept.
class RecalledReference final : public NumericalSubstructure {
 public:
  RecalledReference(std::shared_ptr<const ReferenceRows> rows, std::int64_t steps)
      : rows_(std::move(rows)), steps_(steps) {}

  const std::shared_ptr<const ReferenceRows>& rows() const noexcept { return rows_; }
  std::int64_t steps() const noexcept override { return steps_; }
  void prepare() override { step_ = -1; }
  void predict(std::int64_t /*step*/,
               std::span<SiteTarget> /*requests*/) noexcept override {}
  bool correct(std::int64_t step,
               std::span<const SiteResponse> /*answers*/) noexcept override {
    step_ = step;
    return true;
  }
  const Channels& channels() const noexcept override { return rows_->channels; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override {
    snapshot.add(static_cast<double>(step_));
  }
  void restore(SnapshotReader& snapshot) override {
    step_ = static_cast<std::int64_t>(snapshot.next());
  }

 private:
  std::shared_ptr<const ReferenceRows> rows_;
  std::int64_t steps_;
  std::int64_t step_ = -1;
};

}  // namespace trestle::campaign
