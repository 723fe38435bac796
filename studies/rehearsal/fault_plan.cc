#include "studies/rehearsal/fault_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/rehearsal/fault_dice.h"

namespace trestle {
namespace {

/// How often a sort is drawn, over the sum of all.
struct Weight {
  FaultSort sort;
  double weight;
};
constexpr std::array<Weight, kFaultSorts> kWeights{{{FaultSort::kDelay, 2.0},
                                                    {FaultSort::kLoss, 2.0},
                                                    {FaultSort::kDuplication, 2.0},
                                                    {FaultSort::kReordering, 2.0},
                                                    {FaultSort::kPartition, 1.5},
                                                    {FaultSort::kOneWay, 1.5},
                                                    {FaultSort::kStall, 2.0},
                                                    {FaultSort::kKill, 6.0},
                                                    {FaultSort::kPowerLoss, 2.0},
                                                    {FaultSort::kDiskFull, 0.7},
                                                    {FaultSort::kGarbage, 1.0},
                                                    {FaultSort::kNonsense, 0.7},
                                                    {FaultSort::kClockStep, 0.5},
                                                    {FaultSort::kOperatorStop, 0.6},
                                                    {FaultSort::kOperatorHold, 0.8}}};

// Share of the faults that may also come on the way home.
constexpr double kAfterSteps = 0.15;

FaultSort draw_sort(FaultDice& dice) {
  double sum = 0.0;
  for (const Weight& each : kWeights) sum += each.weight;
  double left = dice.between(0.0, sum);
  for (const Weight& each : kWeights) {
    if (left < each.weight) return each.sort;
    left -= each.weight;
  }
  return kWeights.back().sort;
}

bool of_network(FaultSort sort) {
  return sort <= FaultSort::kOneWay;
}

bool of_site(FaultSort sort) {
  return of_network(sort) || sort == FaultSort::kGarbage || sort == FaultSort::kNonsense;
}

double draw_amount(FaultSort sort, FaultDice& dice) {
  switch (sort) {
    case FaultSort::kDelay:
      return dice.spread(1e-3, 3.0);  // [s]
    case FaultSort::kLoss:
    case FaultSort::kDuplication:
    case FaultSort::kReordering:
      return dice.between(0.02, 0.6);
    case FaultSort::kPowerLoss:
      return dice.chance(0.3) ? 0.0 : dice.uniform();
    case FaultSort::kDiskFull:
      return std::floor(dice.spread(10.0, 1e5));  // [bytes]
    case FaultSort::kGarbage:
      return std::floor(dice.spread(1.0, 50.0));  // reads
    case FaultSort::kClockStep:
      return dice.spread(1e-3, 1e6) * (dice.chance(0.5) ? 1.0 : -1.0);  // [s]
    default:
      return 0.0;
  }
}

}  // namespace

std::vector<PlannedFault> plan_faults(std::uint64_t seed, std::int64_t scenario,
                                      const FaultShape& shape) {
  FaultDice dice(seed, scenario, 0);
  const double draw = dice.uniform();
  const int count = draw < 0.4 ? 1 : draw < 0.7 ? 2 : draw < 0.9 ? 3 : 4;
  std::vector<PlannedFault> faults;
  for (int i = 0; i < count; ++i) {
    PlannedFault fault;
    fault.sort = draw_sort(dice);
    const auto site = static_cast<int>(dice.below(shape.sites));
    const bool anyone = !of_site(fault.sort);
    // The integrator as often as all sites together.
    fault.node = anyone && dice.chance(0.5) ? PlannedFault::kIntegrator : site;
    fault.at = dice.below(dice.chance(kAfterSteps) ? shape.calls : shape.calls_of_steps);
    fault.duration = dice.spread_time(1e-3, 20.0);
    fault.amount = draw_amount(fault.sort, dice);
    if (fault.sort == FaultSort::kGarbage)
      fault.detail = static_cast<int>(dice.below(kGarbages));
    if (fault.sort == FaultSort::kNonsense)
      fault.detail = static_cast<int>(dice.below(kNonsenses));
    if (fault.sort == FaultSort::kOneWay) fault.detail = static_cast<int>(dice.below(2));
    faults.push_back(fault);
  }
  std::stable_sort(
      faults.begin(), faults.end(),
      [](const PlannedFault& a, const PlannedFault& b) { return a.at < b.at; });
  return faults;
}

}  // namespace trestle
