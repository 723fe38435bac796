#include "numerical/substructure/referenced_substructure.h"

#include <utility>

namespace trestle {

ReferencedSubstructure::ReferencedSubstructure(
    std::unique_ptr<NumericalSubstructure> test,
    std::unique_ptr<NumericalSubstructure> reference)
    : test_(std::move(test)),
      reference_(std::move(reference)),
      channels_(test_->channels()),
      reference_row_(reference_->channels().size()) {
  const Channels& own = reference_->channels();
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].name.find(".disp_") == std::string::npos &&
        own[i].name.find(".force_") == std::string::npos)
      continue;
    displacements_.push_back(i);
    channels_.push_back({"reference." + own[i].name, own[i].unit});
  }
}

void ReferencedSubstructure::prepare() {
  test_->prepare();
  reference_->prepare();
}

void ReferencedSubstructure::predict(std::int64_t step,
                                     std::span<SiteRequest> requests) noexcept {
  test_->predict(step, requests);
}

bool ReferencedSubstructure::correct(std::int64_t step,
                                     std::span<const SiteAnswer> answers) noexcept {
  if (step >= 0) reference_->predict(step, {});
  reference_->correct(step, {});
  return test_->correct(step, answers);
}

void ReferencedSubstructure::record(std::span<double> row) const noexcept {
  test_->record(row.first(test_->channels().size()));
  reference_->record(reference_row_);
  double* out = row.data() + test_->channels().size();
  for (const std::size_t column : displacements_) *out++ = reference_row_[column];
}

void ReferencedSubstructure::snapshot(SnapshotWriter& snapshot) const {
  test_->snapshot(snapshot);
  reference_->snapshot(snapshot);
}

void ReferencedSubstructure::restore(SnapshotReader& snapshot) {
  test_->restore(snapshot);
  reference_->restore(snapshot);
}

}  // namespace trestle
