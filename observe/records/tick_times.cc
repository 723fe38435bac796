#include "observe/records/tick_times.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

#include "core/types/execution_mode.h"
#include "core/types/record_names.h"

namespace trestle::records {
namespace {

/// Place of the column `<site>.ticks`.
std::optional<std::size_t> ticks_column(const Channels& channels) {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name.ends_with(".ticks")) return i;
  return std::nullopt;
}

}  // namespace

TickTimes::TickTimes(double period) : period_(period) {}

TickTimes::TickTimes(const journal::JournalReader& site) {
  const double period = site.required_number(meta_key::kTick);
  const auto mode = parse_execution_mode(site.meta(meta_key::kMode).value_or(""));
  const bool pseudo_dynamic = mode == ExecutionMode::kPseudoDynamic;
  if (pseudo_dynamic || mode == ExecutionMode::kContinuous) read_ends(site);
  // An undisturbed step of a continuous test takes the ticks that its contract states; a
  // step of a pseudo-dynamic test takes any number.
  if (ends_.empty() && !pseudo_dynamic) period_ = period;
}

void TickTimes::read_ends(const journal::JournalReader& site) {
  if (!site.has_stream(stream_name::kClosing)) return;
  const auto column = ticks_column(site.channels(stream_name::kClosing));
  if (!column) return;
  time_step_ = site.required_number(meta_key::kTimeStep);
  journal::RowCursor rows = site.rows(stream_name::kClosing);
  while (const std::optional<RecordRow> row = rows.next()) {
    const double ticks = row->values[*column];
    if (!std::isfinite(ticks) || ticks < 0.0) continue;
    if (ends_.empty()) ends_.push_back({0, 0});
    // Index -1 is the measurement before the first step.
    add({std::llround(ticks), row->index + 1});
  }
}

void TickTimes::add(End end) {
  End& last = ends_.back();
  if (end.ticks < last.ticks) return;
  if (end.ticks == last.ticks) {
    last.steps = std::max(last.steps, end.steps);
    return;
  }
  if (ends_.size() > 1) {
    const End& before = ends_[ends_.size() - 2];
    const bool on_a_line = (last.steps - before.steps) * (end.ticks - last.ticks) ==
                           (end.steps - last.steps) * (last.ticks - before.ticks);
    if (on_a_line) {
      last = end;
      return;
    }
  }
  ends_.push_back(end);
}

double TickTimes::at(std::int64_t tick) const noexcept {
  if (period_ > 0.0) return static_cast<double>(tick) * period_;
  if (ends_.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto above = std::upper_bound(
      ends_.begin(), ends_.end(), tick,
      [](std::int64_t value, const End& end) { return value < end.ticks; });
  if (above == ends_.begin()) return static_cast<double>(ends_.front().steps) * time_step_;
  const End& before = *std::prev(above);
  if (above == ends_.end()) return static_cast<double>(before.steps) * time_step_;
  const double part = static_cast<double>(tick - before.ticks) /
                      static_cast<double>(above->ticks - before.ticks);
  return std::lerp(static_cast<double>(before.steps), static_cast<double>(above->steps),
                   part) *
         time_step_;
}

}  // namespace trestle::records
