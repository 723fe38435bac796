#include "numerical/node/site_barrier.h"

#include <algorithm>

namespace trestle {

SiteBarrier::SiteBarrier(const std::vector<InterfaceLayout>& layouts)
    : here_(layouts.size(), false) {
  for (const InterfaceLayout& layout : layouts)
    answers_.push_back(
        {InterfaceVector::Zero(static_cast<Eigen::Index>(controlled_dofs(layout))),
         InterfaceVector::Zero(static_cast<Eigen::Index>(layout.size()))});
}

void SiteBarrier::open(std::int64_t step) noexcept {
  step_ = step;
  missing_ = answers_.size();
  std::fill(here_.begin(), here_.end(), false);
}

SiteBarrier::Verdict SiteBarrier::accept(std::size_t site,
                                         const StepResponse& response) noexcept {
  if (response.step != step_ || here_[site]) return Verdict::kOld;
  SiteAnswer& answer = answers_[site];
  if (response.measured.size() != answer.measured.size() ||
      response.force.size() != answer.force.size())
    return Verdict::kWrongLength;
  if (!response.measured.allFinite() || !response.force.allFinite())
    return Verdict::kNotFinite;
  answer.measured = response.measured;
  answer.force = response.force;
  here_[site] = true;
  --missing_;
  return Verdict::kAccepted;
}

}  // namespace trestle
