#include "site-servers/node/unexecuted_steps.h"

#include <algorithm>
#include <string>
#include <utility>

namespace trestle::site_node {
namespace {

// Names that wait for the disk. One beyond is written without regard to others.
constexpr std::size_t kMostNames = 1024;
// Room in the record that names leave for other events.
constexpr std::size_t kRoomForOthers = 64;
// Space for those that are open: seconds of a fast test, until the watchdog holds it. A
// step beyond has no row, as one whose control ticks were left out.
constexpr std::size_t kMostRows = 4096;

constexpr StepRange kNone{0, -1};

}  // namespace

void UnexecutedSteps::begin(bool skips) {
  known_.clear();
  names_.clear();
  forget();
  if (!skips) return;
  names_.reserve(kMostNames);
  rows_.reserve(kMostRows);
}

void UnexecutedSteps::restore(std::vector<StepRange> named) {
  known_ = std::move(named);
  std::sort(known_.begin(), known_.end(),
            [](const StepRange& a, const StepRange& b) { return a.first < b.first; });
}

void UnexecutedSteps::name(std::string_view what, const StepRange& steps) {
  if (!names_.empty() && names_.back().what == what &&
      names_.back().steps.last + 1 == steps.first) {
    names_.back().steps.last = steps.last;
    return;
  }
  if (names_.size() == names_.capacity()) write_names(/*all=*/true);
  names_.push_back({what, steps});
}

void UnexecutedSteps::overtaken(const StepRange& steps) {
  if (steps.last < steps.first) return;
  name("overtaken", steps);
  write_names();
}

void UnexecutedSteps::missed(const StepRange& steps) {
  std::int64_t first = steps.first;
  for (const StepRange& known : known_) {
    if (known.last < first) continue;
    if (known.first > steps.last) break;
    if (known.first > first) name("missed", {first, known.first - 1});
    first = known.last + 1;
  }
  if (first <= steps.last) name("missed", {first, steps.last});
  write_names();
}

void UnexecutedSteps::executed(std::int64_t settled, std::int64_t step) {
  missed({settled + 1, step - 1});
  // A loop that was late may have reported later ones already.
  open_.first = std::max(open_.first, step + 1);
}

void UnexecutedSteps::are_open_behind(std::int64_t settled) noexcept {
  if (open_.first <= open_.last) open_.first = std::min(open_.first, settled + 1);
}

void UnexecutedSteps::miss_all() {
  missed(std::exchange(open_, kNone));
  write_names(/*all=*/true);
}

void UnexecutedSteps::write_names(bool all) {
  const std::size_t room = all ? 0 : kRoomForOthers;
  const auto waits =
      std::find_if_not(names_.begin(), names_.end(), [this, room](const Name& name) {
        return record_.event(name.steps.first, std::string(name.what),
                             format_steps(name.steps), room);
      });
  names_.erase(names_.begin(), waits);
}

void UnexecutedSteps::add(std::int64_t step) noexcept {
  open_ = open_.last < open_.first
              ? StepRange{step, step}
              : StepRange{std::min(open_.first, step), std::max(open_.last, step)};
}

void UnexecutedSteps::close(const StepResponse& response, std::int64_t ticks) noexcept {
  add(response.step);
  if (rows_.size() == rows_.capacity()) return;
  rows_.push_back({response.step, response.measured_at, ticks, response.actuators.delay,
                   response.actuators.amplitude});
}

bool UnexecutedSteps::write_rows(std::int64_t before) noexcept {
  const auto end = std::find_if(rows_.begin(), rows_.end(),
                                [before](const Row& row) { return row.step >= before; });
  bool kept = true;
  for (auto row = rows_.begin(); row != end; ++row) {
    response_.step = row->step;
    response_.measured_at = row->measured_at;
    response_.actuators.delay = row->delay;
    response_.actuators.amplitude = row->amplitude;
    kept = record_.closing_row(response_, row->ticks) && kept;
  }
  rows_.erase(rows_.begin(), end);
  return kept;
}

void UnexecutedSteps::forget() noexcept {
  open_ = kNone;
  rows_.clear();
}

}  // namespace trestle::site_node
