#include "studies/pretest/run_questions.h"

#include <algorithm>
#include <exception>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/sites/calibration_factory.h"
#include "core/bus/bus_address.h"
#include "core/host/host_lookup.h"
#include "studies/pretest/demand_factory.h"
#include "studies/pretest/plausibility.h"
#include "studies/pretest/test_outlook.h"

namespace trestle::pretest {
namespace {

// Before a run: a person at the keyboard waits for less than in a check.
constexpr int kMostEquationsAsked = 300;
constexpr double kMostWorkAsked = 1e6;  // equations times steps

}  // namespace

std::vector<std::string> questions_about(const composition::HybridTestSetup& setup) {
  std::vector<std::string> questions = doubtful_numbers(setup.test, setup.where);
  if (setup.test.undivided()) return questions;
  for (int i = 0; i < setup.test.sites_size(); ++i) {
    const config::Site& site = setup.test.sites(i);
    if (!composition::is_remote(site)) continue;  // nobody calls a twin's laboratory
    const std::string host = bus::host_of_address(site.address());
    if (host.empty() || host == "*") continue;
    if (const std::string why = host::unknown_host(host); !why.empty())
      questions.push_back(setup.where.location("sites[" + std::to_string(i) + "].address") +
                          ": this machine does not know the host `" + host + "` (" + why +
                          "). Correct the name, or write the address as a number");
  }
  return questions;
}

void remove_repeats(std::vector<TestFinding>& findings,
                    const std::vector<std::string>& questions) {
  std::erase_if(findings, [&](const TestFinding& finding) {
    return finding.kind == "far-limit" &&
           std::any_of(questions.begin(), questions.end(), [&](const std::string& asked) {
             return asked.starts_with(finding.place + ": ");
           });
  });
}

std::vector<std::string> questions_at_start(const composition::HybridTestSetup& setup) {
  std::vector<std::string> questions = questions_about(setup);
  const composition::NumericalReport& model = setup.report.model;
  const double work =
      static_cast<double>(model.equations) * static_cast<double>(model.steps);
  try {
    std::vector<SiteDemand> demands;
    if (!setup.test.undivided() && model.equations <= kMostEquationsAsked &&
        work <= kMostWorkAsked)
      demands = estimate_demand(setup.test);
    std::vector<TestFinding> found =
        questions_before_run(setup, demands, outlook_of(setup, demands));
    remove_repeats(found, questions);
    for (const TestFinding& question : found) questions.push_back(in_words(question));
  } catch (const std::exception&) {
    // A question that cannot be computed stops no run.
  }
  return questions;
}

std::vector<std::string> expired_at_start(const composition::HybridTestSetup& setup) {
  std::vector<std::string> expired;
  for (const composition::LocalSite& site : setup.sites_here)
    for (std::string& sentence :
         session::expired_today(site.settings.name, site.settings.stated))
      expired.push_back(std::move(sentence));
  return expired;
}

}  // namespace trestle::pretest
