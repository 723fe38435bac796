#include "observe/web/work_history.h"

#include <algorithm>
#include <string>
#include <utility>

namespace trestle::web {

WorkHistory::WorkHistory(std::vector<Columns> columns)
    : columns_(std::move(columns)), sums_(columns_.size()), kept_{sums_} {}

void WorkHistory::go_to_kept(std::size_t number) {
  next_ = static_cast<std::int64_t>(number) * kBetween;
  sums_ = kept_[number];
}

std::int64_t WorkHistory::read_to(std::int64_t index, const RowStore& rows) {
  const auto nearest =
      static_cast<std::size_t>(std::min((std::max<std::int64_t>(index, -1) + 1) / kBetween,
                                        static_cast<std::int64_t>(kept_.size()) - 1));
  if (index < next_ - 1 || next_ < static_cast<std::int64_t>(nearest) * kBetween)
    go_to_kept(nearest);
  bool whole = true;
  rows.visit(next_, std::min(index, next_ + kMostRows - 1), [&](const RecordRow& row) {
    // Rows that were overwritten before they were read are in the journal soon.
    whole = whole && row.index == next_;
    if (!whole) return;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      sums_[i].add(row.index, row.values[columns_[i].motion],
                   row.values[columns_[i].force]);
    ++next_;
    if (next_ == static_cast<std::int64_t>(kept_.size()) * kBetween) kept_.push_back(sums_);
  });
  return next_ - 1;
}

std::vector<double> WorkHistory::values() const {
  std::vector<double> values;
  for (const live::DissipatedEnergy& sum : sums_) values.push_back(sum.value());
  return values;
}

std::vector<WorkHistory::Columns> work_columns(
    const std::vector<live::ActuatorView>& actuators, const Channels& channels) {
  const auto place = [&channels](const std::string& name) {
    return static_cast<std::size_t>(
        std::find_if(channels.begin(), channels.end(),
                     [&](const Channel& channel) { return channel.name == name; }) -
        channels.begin());
  };
  std::vector<WorkHistory::Columns> columns;
  for (const live::ActuatorView& each : actuators) {
    const bool turns = each.kind == DofKind::kRotation;
    const std::string prefix = each.site + "." + each.name + ".";
    columns.push_back({place(prefix + (turns ? "measured_rad" : "measured_m")),
                       place(prefix + (turns ? "force_Nm" : "force_N"))});
    if (std::max(columns.back().motion, columns.back().force) >= channels.size()) return {};
  }
  return columns;
}

}  // namespace trestle::web
