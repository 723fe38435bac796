#include "studies/rehearsal/exchange_log.h"

#include <cstring>

namespace trestle::rehearsal {
namespace {

// No rehearsal has more steps; a nonsense step number is not kept.
constexpr std::int64_t kMostSteps = 1'000'000;

/// @returns false if other bits stand there already
bool keep(const InterfaceVector& values, std::vector<double>& kept) {
  const auto size = static_cast<std::size_t>(values.size());
  if (kept.empty()) {
    kept.assign(values.data(), values.data() + size);
    return true;
  }
  return kept.size() == size &&
         std::memcmp(kept.data(), values.data(), size * sizeof(double)) == 0;
}

template <typename Entry>
Entry* at_step(std::vector<Entry>& entries, std::int64_t step) {
  if (step < 0 || step > kMostSteps) return nullptr;
  const auto at = static_cast<std::size_t>(step);
  if (entries.size() <= at) entries.resize(at + 1);
  return &entries[at];
}

}  // namespace

void ExchangeLog::asked(const StepCommand& command) {
  std::vector<double>* kept = at_step(targets_, command.step);
  if (kept != nullptr && !keep(command.target.displacement, *kept))
    complaints_.push_back("P3: site " + site_ + " was asked for another target of step " +
                          std::to_string(command.step) + " than before");
}

void ExchangeLog::answered(const StepResponse& response) {
  if (response.missed) return;
  Answer* kept = at_step(answers_, response.step);
  if (kept == nullptr) return;
  const bool same_motion = keep(response.measured, kept->measured);
  const bool same_force = keep(response.force, kept->force);
  if (!same_motion || !same_force)
    complaints_.push_back("P3: site " + site_ + " gave another answer to step " +
                          std::to_string(response.step) + " than before");
}

void ExchangeLog::forget() noexcept {
  targets_.clear();
  answers_.clear();
}

}  // namespace trestle::rehearsal
