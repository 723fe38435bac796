#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/message.h"

namespace trestle::integrator_node {

/// Ring of the requests to the sites: those of the open step, and of earlier steps whose
/// rows are not written yet. The substructure fills the requests in place.
class StepsInFlight {
 public:
  /// @param requests  one per site, of the right sizes
  StepsInFlight(std::size_t steps, const std::vector<SiteTarget>& requests)
      : steps_(steps, Step{{}, requests}) {}

  std::span<SiteTarget> requests(std::int64_t step) noexcept { return at(step).requests; }
  /// @param due  session time at which the targets hold
  void set_due(std::int64_t step, TimePoint due) noexcept { at(step).due = due; }

  /// Fills in the command for one site, without the stamps of the exchange.
  void fill(StepCommand& command, std::int64_t step, std::size_t site) noexcept {
    const Step& open = at(step);
    const SiteTarget& request = open.requests[site];
    command.step = step;
    command.due = open.due;
    command.target = request.target;
    command.feedforward_target = request.feedforward_target;
    command.command_feedforward = request.command_feedforward;
  }

 private:
  struct Step {
    TimePoint due{};
    std::vector<SiteTarget> requests;
  };

  Step& at(std::int64_t step) noexcept {
    return steps_[static_cast<std::size_t>(std::max<std::int64_t>(step, 0)) %
                  steps_.size()];
  }

  std::vector<Step> steps_;
};

}  // namespace trestle::integrator_node
