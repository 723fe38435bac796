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
    site.older.fill(rest);
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
      if (step >= 0 && early.step == step)
        take(i, early.answer.measured, early.answer.force);
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
    take(index, response.measured, response.force);
    return Result::kAccepted;
  }
  if (response.step > step_ + ahead_) return Result::kOutOfRange;
  QueuedResponse& early = site.ahead[static_cast<std::size_t>(response.step % ahead_)];
  if (early.step == response.step) return Result::kStale;
  early = {response.step, {response.measured, response.force}};
  return Result::kQueued;
}

void ResponseBarrier::extrapolate(std::size_t index, int order) noexcept {
  const SiteResponse& last = answers_[index];
  const std::array<SiteResponse, 2>& older = sites_[index].older;
  SiteResponse next = last;
  if (order == 1) {
    next.measured += last.measured - older[0].measured;
    next.force += last.force - older[0].force;
  } else if (order >= 2) {
    next.measured = 3.0 * (last.measured - older[0].measured) + older[1].measured;
    next.force = 3.0 * (last.force - older[0].force) + older[1].force;
  }
  take(index, next.measured, next.force);
}

void ResponseBarrier::take(std::size_t index, const InterfaceVector& measured,
                           const InterfaceVector& force) noexcept {
  Site& site = sites_[index];
  if (site.here) return;
  SiteResponse& newest = answers_[index];
  site.older[1] = site.older[0];
  site.older[0] = newest;
  newest.measured = measured;
  newest.force = force;
  // Before the first step the past is what the initial measurement saw.
  if (step_ == kInitialStep) site.older.fill(newest);
  site.here = true;
  --missing_;
}

}  // namespace trestle::integrator_node
