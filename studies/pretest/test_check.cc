#include "studies/pretest/test_check.h"

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "studies/pretest/run_questions.h"
#include "studies/pretest/stability_factory.h"
#include "studies/pretest/yield_damping_notes.h"

namespace trestle::pretest {
namespace {

// Above this many equations a whole run is no longer a quick look.
constexpr int kMostEquationsForDemand = 3000;

}  // namespace

TestCheck check_before_run(const std::string& file,
                           const std::vector<std::string>& overrides,
                           const std::string& software) {
  TestCheck check;
  check.setup = composition::load_hybrid_test(
      file, yaml::parse_command_line_overrides(overrides), software);
  const composition::HybridTestSetup& setup = *check.setup;
  const bool divided = !setup.test.undivided();
  const bool quick = divided && setup.report.model.equations <= kMostEquationsForDemand;
  // As run does: what is no address is a mistake in the file, and no finding.
  if (divided) composition::check_addresses(setup.test, setup.where);
  if (quick) check.demands = estimate_demand(setup.test);
  check.stability = assess_stability(setup.test);
  check.outlook = outlook_of(setup, check.demands);
  check.findings = findings_of(setup, check.demands, check.stability, check.outlook);
  check.questions = questions_about(setup);
  remove_repeats(check.findings, check.questions);
  for (int i = 0; i < setup.test.sites_size(); ++i)
    check.connections.push_back(composition::describe_connection(setup.test, i));
  check.specimen_notes = composition::specimen_mass_notes(setup.test);
  if (setup.report.model.equations <= kMostEquationsForDemand)
    check.damping_notes = yield_damping_notes(setup.test);
  return check;
}

}  // namespace trestle::pretest
