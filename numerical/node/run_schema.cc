#include "numerical/node/run_schema.h"

namespace trestle::integrator_node {
namespace {

void append(Channels& to, const Channels& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

RunSchema::RunSchema(const std::vector<AccountedSite>& sites, const Channels& motion) {
  for (const AccountedSite& site : sites) {
    append(intent_,
           targets_.emplace_back(site.name, site.layout, intent_.size()).channels());
    append(result_,
           steps_.emplace_back(site.name, site.layout, site.actuators, result_.size())
               .channels());
    append(answer_, used_.emplace_back(site.name, site.layout, answer_.size()).channels());
  }
  motion_ = result_.size();
  append(result_, motion);
}

Channels RunSchema::opening_channels() const {
  return {result_.begin(), result_.begin() + static_cast<std::ptrdiff_t>(motion_)};
}

void RunSchema::pack_targets(std::span<const SiteTarget> requests,
                             std::span<double> row) const noexcept {
  for (std::size_t site = 0; site < requests.size(); ++site)
    targets_[site].pack(requests[site].target.displacement, row);
}

bool RunSchema::holds_targets(std::span<const double> row,
                              std::span<const SiteTarget> requests) const noexcept {
  for (std::size_t site = 0; site < requests.size(); ++site)
    if (!targets_[site].holds(row, requests[site].target.displacement)) return false;
  return true;
}

void RunSchema::pack_used(std::span<const SiteResponse> responses,
                          std::span<double> row) const noexcept {
  for (std::size_t site = 0; site < responses.size(); ++site)
    used_[site].pack(responses[site], row);
}

void RunSchema::unpack_used(std::span<const double> row,
                            std::span<SiteResponse> responses) const noexcept {
  for (std::size_t site = 0; site < responses.size(); ++site)
    used_[site].unpack(row, responses[site]);
}

}  // namespace trestle::integrator_node
