#include "studies/pretest/step_cost.h"

#include <algorithm>
#include <vector>

#include "core/types/message.h"

namespace trestle::pretest {
namespace {

constexpr int kRounds = 5;
constexpr std::int64_t kMostSteps = 200;
// Of a round; a large model is measured by fewer steps.
constexpr Duration kLongest = std::chrono::milliseconds(100);

std::vector<SiteTarget> targets_of(const std::vector<InterfaceLayout>& layouts) {
  std::vector<SiteTarget> targets;
  for (const InterfaceLayout& layout : layouts)
    targets.push_back(
        {InterfaceMotion::zero(static_cast<Eigen::Index>(controlled_dofs(layout))),
         InterfaceMotion{}, InterfaceVector{}});
  return targets;
}

std::vector<SiteResponse> answers_of(const std::vector<InterfaceLayout>& layouts) {
  std::vector<SiteResponse> answers;
  for (const InterfaceLayout& layout : layouts)
    answers.push_back(
        {InterfaceVector::Zero(static_cast<Eigen::Index>(controlled_dofs(layout))),
         InterfaceVector::Zero(static_cast<Eigen::Index>(layout.size()))});
  return answers;
}

}  // namespace

StepCost measure_step_cost(NumericalSubstructure& substructure,
                           const std::vector<InterfaceLayout>& layouts,
                           const std::function<TimePoint()>& now) {
  std::vector<SiteTarget> targets = targets_of(layouts);
  const std::vector<SiteResponse> answers = answers_of(layouts);
  const std::int64_t planned = std::min(substructure.steps(), kMostSteps);
  std::vector<double> least;
  for (int round = 0; round < kRounds; ++round) {
    substructure.prepare();
    substructure.correct(kInitialStep, answers);
    const TimePoint begin = now();
    TimePoint before = begin;
    const std::int64_t steps =
        round == 0 ? planned : static_cast<std::int64_t>(least.size());
    for (std::int64_t step = 0; step < steps; ++step) {
      substructure.predict(step, targets);
      const bool finite = substructure.correct(step, answers);
      const TimePoint after = now();
      const double took = seconds(after - before);
      before = after;
      if (round == 0)
        least.push_back(took);
      else
        least[static_cast<std::size_t>(step)] =
            std::min(least[static_cast<std::size_t>(step)], took);
      if (!finite || (round == 0 && after - begin >= kLongest)) break;
    }
  }
  substructure.prepare();
  if (least.empty()) return {};
  const double worst = *std::max_element(least.begin(), least.end());
  std::sort(least.begin(), least.end());
  return {.steps = static_cast<int>(least.size()),
          .typical = least[least.size() / 2],
          .worst = worst};
}

}  // namespace trestle::pretest
