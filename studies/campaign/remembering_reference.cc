#include "studies/campaign/remembering_reference.h"

#include <algorithm>
#include <utility>

namespace trestle::campaign {

RememberingReference::RememberingReference(std::unique_ptr<NumericalSubstructure> reference,
                                           std::int64_t steps,
                                           std::vector<std::size_t> columns, Whole whole)
    : reference_(std::move(reference)),
      steps_(steps),
      columns_(std::move(columns)),
      whole_(std::move(whole)),
      rows_(std::make_shared<ReferenceRows>()),
      row_(reference_->channels().size()) {
  for (const std::size_t column : columns_)
    rows_->channels.push_back(reference_->channels()[column]);
}

void RememberingReference::prepare() {
  reference_->prepare();
  rows_->values.assign(static_cast<std::size_t>(steps_ + 1) * columns_.size(), 0.0);
}

void RememberingReference::predict(std::int64_t step,
                                   std::span<SiteTarget> requests) noexcept {
  reference_->predict(step, requests);
}

bool RememberingReference::correct(std::int64_t step,
                                   std::span<const SiteResponse> answers) noexcept {
  const bool finite = reference_->correct(step, answers);
  reference_->record(row_);
  step_ = step;
  double* out = rows_->values.data() + static_cast<std::size_t>(step + 1) * columns_.size();
  for (const std::size_t column : columns_) *out++ = row_[column];
  if (step + 1 == steps_ && whole_) std::exchange(whole_, nullptr)(rows_);
  return finite;
}

void RememberingReference::record(std::span<double> row) const noexcept {
  const std::span<const double> kept = rows_->row(step_);
  std::copy(kept.begin(), kept.end(), row.begin());
}

}  // namespace trestle::campaign
