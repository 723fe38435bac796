#include "numerical/node/response_barrier.h"

#include <algorithm>

namespace trestle::integrator_node {

ResponseBarrier::ResponseBarrier(const std::vector<InterfaceLayout>& layouts, int ahead)
    : ahead_(std::max(ahead, 0)) {
  for (const InterfaceLayout& layout : layouts) {
    const SiteResponse rest{
        InterfaceVector::Zero(static_cast<Eigen::Index>(controlled_dofs(layout))),
        InterfaceVector::Zero(static_cast<Eigen::Index>(layout.size()))};
    answers_.push_back(rest);
    Site site;
    site.past.fill(rest);
    site.ahead.assign(static_cast<std::size_t>(ahead_), {kInitialStep, rest});
    sites_.push_back(site);
  }
}

void ResponseBarrier::open(std::int64_t step) noexcept {
  step_ = step;
  missing_ = answers_.size();
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    sites_[i].here = false;
    for (const QueuedResponse& early : sites_[i].ahead)
      if (step >= 0 && early.step == step) take(i, early.answer);
  }
}

ResponseBarrier::Result ResponseBarrier::accept(std::size_t index,
                                                const StepResponse& response) noexcept {
  Site& site = sites_[index];
  const SiteResponse& agreed = answers_[index];
  if (response.measured.size() != agreed.measured.size() ||
      response.force.size() != agreed.force.size())
    return Result::kWrongLength;
  if (response.step < step_ || (response.step == step_ && site.here)) return Result::kStale;
  if (!response.measured.allFinite() || !response.force.allFinite())
    return Result::kNotFinite;
  if (response.step == step_) {
    take(index, {response.measured, response.force});
    return Result::kAccepted;
  }
  if (response.step > step_ + ahead_) return Result::kOutOfRange;
  QueuedResponse& early = site.ahead[static_cast<std::size_t>(response.step % ahead_)];
  if (early.step == response.step) return Result::kStale;
  early = {response.step, {response.measured, response.force}};
  return Result::kQueued;
}

void ResponseBarrier::extrapolate(std::size_t index, int order) noexcept {
  const std::array<SiteResponse, 3>& past = sites_[index].past;
  SiteResponse next = past[0];
  if (order == 1) {
    next.measured += past[0].measured - past[1].measured;
    next.force += past[0].force - past[1].force;
  } else if (order >= 2) {
    next.measured = 3.0 * (past[0].measured - past[1].measured) + past[2].measured;
    next.force = 3.0 * (past[0].force - past[1].force) + past[2].force;
  }
  take(index, next);
}

void ResponseBarrier::take(std::size_t index, const SiteResponse& answer) noexcept {
  Site& site = sites_[index];
  if (site.here) return;
  // Before the first step the past is what the initial measurement saw.
  if (step_ == kInitialStep) site.past.fill(answer);
  site.past = {answer, site.past[0], site.past[1]};
  answers_[index] = answer;
  site.here = true;
  --missing_;
}

}  // namespace trestle::integrator_node
