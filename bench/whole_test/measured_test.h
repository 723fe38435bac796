#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/whole_test/overheard_substructure.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/yaml/override.h"

namespace trestle::bench {

/// What one whole test and its parts took: CPU of the calling thread, unless said otherwise
/// [s].
struct TestTimes {
  double numerics = 0.0;  ///< the numerical part and its reference, with the site's answers
  double site = 0.0;    ///< the control loop and the simulated rig, with the test's targets
  double lab = 0.0;     ///< the whole test by one thread, nothing recorded
  double set_up = 0.0;  ///< YAML read and checked, all parts built
  double recorded = 0.0;  ///< the whole test with journals: the thread that steps
  double criteria = 0.0;
  double papers = 0.0;   ///< effective.yaml and summary.json
  double command = 0.0;  ///< all that `trestle run` does: CPU of all its threads
  double wall = 0.0;     ///< of the same
};

/// A test of one site, measured as a whole and in parts that do exactly what they do in it.
class MeasuredTest {
 public:
  /// Runs the test once, to hear what its parts say to each other.
  /// @throws ConfigError, or std::runtime_error if the test does not come to its end
  MeasuredTest(std::string file, const std::vector<std::string>& overrides);

  std::int64_t steps() const noexcept { return talk_.steps(); }

  /// Everything once. @param folder  for journals; empty when it comes back
  TestTimes measure(const std::string& folder) const;

 private:
  std::unique_ptr<composition::HybridTestSetup> set_up() const;
  double time_numerics() const;
  double time_site() const;
  double time_lab() const;
  void time_command(const std::string& folder, TestTimes& times) const;

  std::string file_;
  std::vector<yaml::Override> overrides_;
  Talk talk_;
};

}  // namespace trestle::bench
