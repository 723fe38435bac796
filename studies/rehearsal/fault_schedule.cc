#include "studies/rehearsal/fault_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/rehearsal/scenario_random.h"

namespace trestle::rehearsal {
namespace {

/// How often a sort is drawn, over the sum of all.
struct Weight {
  FaultType sort;
  double weight;
};
constexpr std::array<Weight, kFaultSorts> kWeights{{{FaultType::kDelay, 2.0},
                                                    {FaultType::kLoss, 2.0},
                                                    {FaultType::kDuplication, 2.0},
                                                    {FaultType::kReordering, 2.0},
                                                    {FaultType::kPartition, 1.5},
                                                    {FaultType::kOneWay, 1.5},
                                                    {FaultType::kStall, 2.0},
                                                    {FaultType::kKill, 6.0},
                                                    {FaultType::kPowerLoss, 2.0},
                                                    {FaultType::kDiskFull, 0.7},
                                                    {FaultType::kGarbage, 1.0},
                                                    {FaultType::kNonsense, 0.7},
                                                    {FaultType::kClockStep, 0.5},
                                                    {FaultType::kOperatorStop, 0.6},
                                                    {FaultType::kOperatorHold, 0.8}}};

// Share of the faults that may also come during the return home.
constexpr double kAfterSteps = 0.15;

FaultType draw_sort(ScenarioRandom& dice) {
  double sum = 0.0;
  for (const Weight& each : kWeights) sum += each.weight;
  double left = dice.between(0.0, sum);
  for (const Weight& each : kWeights) {
    if (left < each.weight) return each.sort;
    left -= each.weight;
  }
  return kWeights.back().sort;
}

bool of_network(FaultType sort) {
  return sort <= FaultType::kOneWay;
}

bool of_site(FaultType sort) {
  return of_network(sort) || sort == FaultType::kGarbage || sort == FaultType::kNonsense;
}

double draw_amount(FaultType sort, ScenarioRandom& dice) {
  switch (sort) {
    case FaultType::kDelay:
      return dice.spread(1e-3, 3.0);  // [s]
    case FaultType::kLoss:
    case FaultType::kDuplication:
    case FaultType::kReordering:
      return dice.between(0.02, 0.6);
    case FaultType::kPowerLoss:
      return dice.bernoulli(0.3) ? 0.0 : dice.uniform();
    case FaultType::kDiskFull:
      return std::floor(dice.spread(10.0, 1e5));  // [bytes]
    case FaultType::kGarbage:
      return std::floor(dice.spread(1.0, 50.0));  // reads
    case FaultType::kClockStep:
      return dice.spread(1e-3, 1e6) * (dice.bernoulli(0.5) ? 1.0 : -1.0);  // [s]
    default:
      return 0.0;
  }
}

}  // namespace

std::vector<ScheduledFault> schedule_faults(std::uint64_t seed, std::int64_t scenario,
                                            const ScenarioExtent& shape) {
  ScenarioRandom dice(seed, scenario, 0);
  const double draw = dice.uniform();
  const int count = draw < 0.4 ? 1 : draw < 0.7 ? 2 : draw < 0.9 ? 3 : 4;
  std::vector<ScheduledFault> faults;
  for (int i = 0; i < count; ++i) {
    ScheduledFault fault;
    fault.sort = draw_sort(dice);
    const auto site = static_cast<int>(dice.below(shape.sites));
    const bool anyone = !of_site(fault.sort);
    // The integrator as often as all sites together.
    fault.node = anyone && dice.bernoulli(0.5) ? ScheduledFault::kIntegrator : site;
    fault.at = dice.below(dice.bernoulli(kAfterSteps) ? shape.calls : shape.calls_of_steps);
    fault.duration = dice.spread_time(1e-3, 20.0);
    fault.amount = draw_amount(fault.sort, dice);
    if (fault.sort == FaultType::kGarbage)
      fault.detail = static_cast<int>(dice.below(kGarbages));
    if (fault.sort == FaultType::kNonsense)
      fault.detail = static_cast<int>(dice.below(kNonsenses));
    if (fault.sort == FaultType::kOneWay) fault.detail = static_cast<int>(dice.below(2));
    faults.push_back(fault);
  }
  std::stable_sort(
      faults.begin(), faults.end(),
      [](const ScheduledFault& a, const ScheduledFault& b) { return a.at < b.at; });
  return faults;
}

}  // namespace trestle::rehearsal
