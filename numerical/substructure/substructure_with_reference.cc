#include "numerical/substructure/substructure_with_reference.h"

#include <cassert>
#include <utility>

namespace trestle::substructure {

SubstructureWithReference::SubstructureWithReference(
    std::unique_ptr<NumericalSubstructure> test,
    std::unique_ptr<NumericalSubstructure> reference, int every)
    : test_(std::move(test)),
      reference_(std::move(reference)),
      every_(every),
      channels_(test_->channels()) {
  look_at_reference();
  for (const std::size_t column : recorded_) {
    const Channel& own = reference_->channels()[column];
    channels_.push_back({"reference." + own.name, own.unit});
  }
}

void SubstructureWithReference::exchange_reference(const Exchange& by) {
  reference_ = by(std::move(reference_));
  look_at_reference();
  assert(channels_.size() == test_->channels().size() + recorded_.size());
}

void SubstructureWithReference::look_at_reference() {
  recorded_ = recorded_of(reference_->channels());
  reference_row_.resize(reference_->channels().size());
  last_row_.resize(reference_row_.size());
}

std::vector<std::size_t> SubstructureWithReference::recorded_of(const Channels& reference) {
  std::vector<std::size_t> recorded;
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (reference[i].name.find(".disp_") != std::string::npos ||
        reference[i].name.find(".force_") != std::string::npos ||
        reference[i].name.starts_with("output."))
      recorded.push_back(i);
  return recorded;
}

void SubstructureWithReference::prepare() {
  test_->prepare();
  reference_->prepare();
}

void SubstructureWithReference::predict(std::int64_t step,
                                        std::span<SiteTarget> requests) noexcept {
  test_->predict(step, requests);
}

bool SubstructureWithReference::correct(std::int64_t step,
                                        std::span<const SiteResponse> answers) noexcept {
  place_ = every_ == 1 || step <= 0 ? 0 : (step - 1) % every_ + 1;
  // It asks no site, and goes ahead to the end of its step with the first of the test's.
  if (place_ == 1) reference_->record(last_row_);
  if (place_ <= 1) {
    const std::int64_t own = step <= 0 ? step : (step - 1) / every_ + 1;
    if (own >= 0) reference_->predict(own, {});
    reference_->correct(own, {});
  }
  return test_->correct(step, answers);
}

void SubstructureWithReference::record(std::span<double> row) const noexcept {
  test_->record(row.first(test_->channels().size()));
  reference_->record(reference_row_);
  const bool between = place_ > 0 && place_ < every_;
  const double x = static_cast<double>(place_) / every_;
  double* out = row.data() + test_->channels().size();
  for (const std::size_t column : recorded_) {
    const double end = reference_row_[column];
    *out++ = between ? last_row_[column] + x * (end - last_row_[column]) : end;
  }
}

void SubstructureWithReference::snapshot(SnapshotWriter& snapshot) const {
  test_->snapshot(snapshot);
  reference_->snapshot(snapshot);
  if (every_ > 1) snapshot(last_row_, place_);
}

void SubstructureWithReference::restore(SnapshotReader& snapshot) {
  test_->restore(snapshot);
  reference_->restore(snapshot);
  if (every_ > 1) snapshot(last_row_, place_);
}

}  // namespace trestle::substructure
