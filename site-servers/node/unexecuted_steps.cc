#include "site-servers/node/unexecuted_steps.h"

#include <algorithm>
#include <string>

namespace trestle::site_node {
namespace {

// The record names this number of steps one by one.
constexpr std::int64_t kMostEvents = 1000;
// Space for those that are open: seconds of a fast test, until the watchdog holds it. A
// step beyond has no row, as one whose control ticks were left out.
constexpr std::size_t kMostRows = 4096;

}  // namespace

void UnexecutedSteps::begin(bool skips) {
  named_ = 0;
  forget();
  if (!skips) return;
  steps_.reserve(static_cast<std::size_t>(kMostEvents));
  rows_.reserve(kMostRows);
}

void UnexecutedSteps::name(const char* what, std::int64_t step) {
  if (named_++ < kMostEvents) record_.event(step, what, "step " + std::to_string(step));
}

void UnexecutedSteps::add(std::int64_t step) noexcept {
  if (steps_.size() < steps_.capacity()) steps_.push_back(step);
}

void UnexecutedSteps::close(const StepResponse& response, std::int64_t ticks) noexcept {
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

void UnexecutedSteps::write_names(std::int64_t before) {
  const auto end = std::find_if(steps_.begin(), steps_.end(),
                                [before](std::int64_t step) { return step >= before; });
  for (auto step = steps_.begin(); step != end; ++step) name("missed", *step);
  steps_.erase(steps_.begin(), end);
}

void UnexecutedSteps::forget() noexcept {
  steps_.clear();
  rows_.clear();
}

}  // namespace trestle::site_node
