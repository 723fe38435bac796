#include "composition/processes/local_rigs.h"

#include <stdexcept>
#include <utility>

#include "composition/hybrid_test/hybrid_test_factory.h"

namespace trestle::composition {

LocalRigs::LocalRigs(const config::Test& test, std::vector<LocalSite>& sites,
                     const std::string& folder) {
  std::size_t here = 0;
  for (const config::Site& site : test.sites()) {
    if (is_remote(site) || here >= sites.size()) continue;
    const std::size_t index = here++;
    SiteAdapter& rig = *sites[index].rig;
    if (!rig.description().real_equipment) continue;
    site_node::EarlierLife earlier = guard_.add(rig, identity_of(site), folder, {});
    if (!earlier.fault.empty())
      throw std::runtime_error("the rig of site " + site.name() +
                               " is in FAULT: " + earlier.fault +
                               ". See to the cause, then: trestle clear " + site.name());
    sites[index].settings.earlier = std::move(earlier);
    served_.push_back({index, std::make_unique<operators::OperatorServer>(
                                  operators::OperatorServer::Settings{
                                      .folder = guard_.place(served_.size())})});
  }
}

std::vector<std::string> LocalRigs::follow(HybridTestNodes& lab) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < served_.size(); ++i) {
    site_node::SiteNode& site = lab.site(served_[i].site);
    std::string trouble = guard_.follow(i, site);
    if (!trouble.empty()) lines.push_back(std::move(trouble));
    served_[i].operators->poll(site);
    trouble = guard_.follow(i, site);
    if (!trouble.empty()) lines.push_back(std::move(trouble));
  }
  return lines;
}

}  // namespace trestle::composition
