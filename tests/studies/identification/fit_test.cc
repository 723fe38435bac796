#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "studies/identification/global_search.h"
#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/tikhonov.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

TEST(Fit, Grid) {
  const Girder girder(beam_settings());
  for (const double tyre : {kSoftTyre, kTyre})
    for (const double alpha : {0.2, 5.0})
      for (const Measures measures :
           {Measures::kDisplacement, Measures::kVelocity, Measures::kAcceleration})
        for (const int count : {1, 3, 5}) {
          IdentificationProblem problem = car_problem(
              girder, tyre, alpha, sensors(count, measures), passage_settings());
          measure(problem, car_values(tyre), 0.0, 1);
          auto t0 = std::chrono::steady_clock::now();
          const ParameterEstimate lm = reparametrised_fit(problem, {});
          auto t1 = std::chrono::steady_clock::now();
          const ParameterEstimate gcv = tikhonov_gauss_newton(problem, {});
          auto t2 = std::chrono::steady_clock::now();
          TikhonovSettings l;
          l.regularisation = Regularisation::kLCurve;
          const ParameterEstimate lc = tikhonov_gauss_newton(problem, l);
          auto ms = [](auto d) {
            return std::chrono::duration<double, std::milli>(d).count();
          };
          std::printf(
              "%g %g %d %d  lm %d %d %.1e %.1f ms  gcv %d %d %.1e %.1f ms  lc %d %d %.1e\n",
              tyre, alpha, (int)measures, count, lm.converged, lm.iterations,
              100 * worst_error(lm.parameters, car_values(tyre)), ms(t1 - t0),
              gcv.converged, gcv.iterations,
              100 * worst_error(gcv.parameters, car_values(tyre)), ms(t2 - t1),
              lc.converged, lc.iterations,
              100 * worst_error(lc.parameters, car_values(tyre)));
        }
}

}  // namespace
}  // namespace trestle::identification
