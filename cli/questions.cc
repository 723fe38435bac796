#include "cli/questions.h"

#include "core/bus/bus_address.h"
#include "core/host/host_lookup.h"
#include "studies/pretest/plausibility.h"

namespace trestle {

std::vector<std::string> questions_about(const HybridTestSetup& setup) {
  std::vector<std::string> questions = doubtful_numbers(setup.test, setup.where);
  if (setup.test.undivided()) return questions;
  for (int i = 0; i < setup.test.sites_size(); ++i) {
    const std::string host = host_of_address(setup.test.sites(i).address());
    if (host.empty() || host == "*") continue;
    if (const std::string why = unknown_host(host); !why.empty())
      questions.push_back(setup.where.location("sites[" + std::to_string(i) + "].address") +
                          ": this machine does not know the host `" + host + "` (" + why +
                          "). Correct the name, or write the address as a number");
  }
  return questions;
}

}  // namespace trestle
