#include "studies/identification/global_search.h"

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

TEST(GlobalSearch, FindsTheVehicleFromIndependentStarts) {
  const Girder girder(beam_settings());
  IdentificationProblem problem = car_problem(
      girder, kTyre, 1.0, sensors(1, Measures::kDisplacement), passage_settings());
  RecordedPass& pass = problem.passes.front();
  pass.road = iso_road(*pass.passage, kClassB);
  measure(problem, car_values(kTyre), 0.0, 1);
  const int trials = 20;
  int found = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    for (std::uint64_t j = 0; j < 5; ++j)
      problem.values(static_cast<Eigen::Index>(j)) =
          car_values(kTyre)(static_cast<Eigen::Index>(j)) *
          std::pow(5.0, 2.0 * uniform({7, 1, j, trial}) - 1.0);
    const ParameterEstimate estimate = global_search(problem, {}, {});
    if (worst_error(estimate.parameters, car_values(kTyre)) < 1e-3) ++found;
  }
  EXPECT_GE(found, 18);  // B7: 90 % at 0.1 %
}

}  // namespace
}  // namespace trestle::identification
