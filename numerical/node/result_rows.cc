#include "numerical/node/result_rows.h"

#include <algorithm>
#include <limits>

#include "core/session/channel_names.h"

namespace trestle {
namespace {

void append(Channels& to, const Channels& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

ResultRows::ResultRows(const std::vector<AccountedSite>& sites,
                       const NumericalSubstructure& substructure, int pending)
    : rows_(static_cast<std::size_t>(std::max(pending, 0)) + 1) {
  for (const AccountedSite& recorded : sites) {
    const std::string& site = recorded.name;
    const std::size_t controlled = controlled_dofs(recorded.layout);
    columns_.push_back({intent_channels_.size(), result_channels_.size(),
                        static_cast<Eigen::Index>(controlled),
                        static_cast<Eigen::Index>(recorded.layout.size() - controlled),
                        static_cast<Eigen::Index>(recorded.actuators.size())});
    append(intent_channels_, target_channels(site, recorded.layout));
    append(result_channels_, answer_channels(site, recorded.layout, recorded.actuators));
  }
  motion_ = result_channels_.size();
  append(result_channels_, substructure.channels());
  intent_row_.assign(intent_channels_.size(), 0.0);
  opening_row_.assign(motion_, 0.0);
  for (Row& row : rows_) {
    row.in.assign(sites.size(), false);
    row.values.assign(result_channels_.size(), 0.0);
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
  for (std::size_t site = 0; site < requests.size(); ++site) {
    const InterfaceVector& target = requests[site].target.displacement;
    const SiteColumns& columns = columns_[site];
    for (Eigen::Index i = 0; i < columns.controlled; ++i) {
      intent_row_[columns.intent + static_cast<std::size_t>(i)] = target[i];
      row.values[columns.result + static_cast<std::size_t>(3 * i)] = target[i];
    }
  }
  return intent_ == nullptr || intent_->push({step, intent_row_});
}

bool ResultRows::fits(std::size_t site, const ActuatorReport& report) const noexcept {
  const Eigen::Index actuators = columns_[site].actuators;
  return report.target.size() == actuators && report.command.size() == actuators &&
         report.measured.size() == actuators && report.force.size() == actuators;
}

bool ResultRows::answer(std::size_t site, const StepResponse& response) noexcept {
  Row& row = row_of(response.step);
  if (row.step != response.step || row.in[site]) return false;
  row.in[site] = true;
  put(site, response, row.values.data());
  return true;
}

void ResultRows::put(std::size_t site, const StepResponse& response,
                     double* row) const noexcept {
  const SiteColumns& columns = columns_[site];
  double* out = row + columns.result;
  for (Eigen::Index i = 0; i < columns.controlled; ++i, out += 3) {
    out[1] = response.measured[i];
    out[2] = response.force[i];
  }
  for (Eigen::Index i = 0; i < columns.force_only; ++i)
    *out++ = response.force[columns.controlled + i];
  const ActuatorReport& report = response.actuators;
  for (Eigen::Index i = 0; i < columns.actuators; ++i, out += 4) {
    out[0] = report.target[i];
    out[1] = report.command[i];
    out[2] = report.measured[i];
    out[3] = report.force[i];
  }
}

void ResultRows::open(std::size_t site, const StepResponse& response) noexcept {
  if (fits(site, response.actuators)) put(site, response, opening_row_.data());
}

bool ResultRows::unpack(std::span<const double> row, std::size_t site,
                        StepResponse& response) const {
  const SiteColumns& columns = columns_[site];
  const double* in = &row[columns.result];
  response.measured.resize(columns.controlled);
  response.force.resize(columns.controlled + columns.force_only);
  for (Eigen::Index i = 0; i < columns.controlled; ++i, in += 3) {
    response.measured[i] = in[1];
    response.force[i] = in[2];
  }
  for (Eigen::Index i = 0; i < columns.force_only; ++i)
    response.force[columns.controlled + i] = *in++;
  ActuatorReport& report = response.actuators;
  for (ActuatorVector* values :
       {&report.target, &report.command, &report.measured, &report.force})
    values->resize(columns.actuators);
  for (Eigen::Index i = 0; i < columns.actuators; ++i, in += 4) {
    report.target[i] = in[0];
    report.command[i] = in[1];
    report.measured[i] = in[2];
    report.force[i] = in[3];
  }
  return response.measured.allFinite() && response.force.allFinite();
}

bool ResultRows::close(std::int64_t step,
                       const NumericalSubstructure& substructure) noexcept {
  Row& row = row_of(step);
  closed_ = static_cast<std::size_t>(&row - rows_.data());
  const std::span<double> motion = std::span(row.values).subspan(motion_);
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

}  // namespace trestle
