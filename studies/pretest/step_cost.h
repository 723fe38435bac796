#pragma once

#include <functional>
#include <vector>

#include "core/base/time.h"
#include "core/ports/numerical_substructure.h"
#include "core/types/interface_layout.h"

namespace trestle::pretest {

/// How long the numerical part computes for a step on this host.
struct StepCost {
  int steps = 0;         ///< that were measured; 0: none
  double typical = 0.0;  ///< their median [s]
  double worst = 0.0;    ///< [s]
};

/// Runs the first steps of the numerical part several times, with specimens that do not
/// resist. Each step keeps the least of its times: what the host does besides is left out.
/// Takes some tenths of a second. The substructure is at its start again afterwards.
/// @param layouts  one per site
/// @param now      a steady clock
StepCost measure_step_cost(NumericalSubstructure& substructure,
                           const std::vector<InterfaceLayout>& layouts,
                           const std::function<TimePoint()>& now);

}  // namespace trestle::pretest
