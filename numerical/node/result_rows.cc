#include "numerical/node/result_rows.h"

#include <algorithm>
#include <limits>

namespace trestle::integrator_node {

ResultRows::ResultRows(const std::vector<AccountedSite>& sites,
                       const NumericalSubstructure& substructure, int pending)
    : schema_(sites, substructure.channels()),
      intent_row_(schema_.intent_channels().size(), 0.0),
      opening_row_(schema_.motion(), 0.0),
      rows_(static_cast<std::size_t>(std::max(pending, 0)) + 1) {
  for (Row& row : rows_) {
    row.in.assign(sites.size(), false);
    row.values.assign(schema_.result_channels().size(), 0.0);
  }
}

void ResultRows::set_sink(RowSink& intent, RowSink& result) noexcept {
  intent_ = &intent;
  result_ = &result;
}

bool ResultRows::intend(std::int64_t step, std::span<const SiteTarget> requests) noexcept {
  Row& row = row_of(step);
  row.step = step;
  row.closed = false;
  std::fill(row.in.begin(), row.in.end(), false);
  if (rows_.size() > 1)
    std::fill(row.values.begin(), row.values.end(),
              std::numeric_limits<double>::quiet_NaN());
  schema_.pack_targets(requests, intent_row_);
  for (std::size_t site = 0; site < requests.size(); ++site)
    schema_.site(site).pack_target(requests[site].target.displacement, row.values);
  return intent_ == nullptr || intent_->push({step, intent_row_});
}

bool ResultRows::answer(std::size_t site, const StepResponse& response) noexcept {
  Row& row = row_of(response.step);
  if (row.step != response.step || row.in[site]) return false;
  row.in[site] = true;
  schema_.site(site).pack_response(response, row.values);
  return true;
}

void ResultRows::open(std::size_t site, const StepResponse& response) noexcept {
  const record::SiteStepColumns& columns = schema_.site(site);
  if (columns.fits(response.actuators)) columns.pack_response(response, opening_row_);
}

bool ResultRows::close(std::int64_t step,
                       const NumericalSubstructure& substructure) noexcept {
  Row& row = row_of(step);
  closed_ = static_cast<std::size_t>(&row - rows_.data());
  const std::span<double> motion = std::span(row.values).subspan(schema_.motion());
  substructure.record(motion);
  row.closed = true;
  const auto behind = static_cast<std::int64_t>(rows_.size()) - 1;
  return step < behind || write(row_of(step - behind));
}

bool ResultRows::flush() noexcept {
  bool kept = true;
  for (std::size_t n = 1; n <= rows_.size(); ++n)
    kept = write(rows_[(closed_ + n) % rows_.size()]) && kept;
  return kept;
}

std::size_t ResultRows::place(std::int64_t step) const noexcept {
  return static_cast<std::size_t>(std::max<std::int64_t>(step, 0)) % rows_.size();
}

bool ResultRows::answered(std::size_t site, std::int64_t step) const noexcept {
  const Row& row = rows_[place(step)];
  return row.step == step && row.in[site];
}

bool ResultRows::write(Row& row) noexcept {
  if (!row.closed) return true;
  row.closed = false;
  return result_ == nullptr || result_->push({row.step, row.values});
}

}  // namespace trestle::integrator_node
