// What an identification costs: one of the source's Table 1 (at most 20 ms), all 36 of them
// by both methods (at most 2 s), and one response with its sensitivities.
//
//   ninja -C build/release identification_bench &&
//   build/release/bench/identification/identification_bench
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/tikhonov.h"
#include "tests/studies/identification/beam_example.h"

namespace {

using namespace trestle::identification;

IdentificationProblem table_problem(const Girder& girder, double tyre, double alpha,
                                    Measures measures, int count) {
  IdentificationProblem problem =
      car_problem(girder, tyre, alpha, sensors(count, measures), passage_settings());
  measure(problem, car_values(tyre), 0.0, 1);
  return problem;
}

void response_with_sensitivities(benchmark::State& state) {
  const Girder girder(beam_settings());
  const VehiclePassage passage(girder, {0.0}, sensors(5, Measures::kDisplacement),
                               passage_settings());
  const VehicleModel car = quarter_car();
  const RoadInput road = even_road(passage);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        passage.respond(car, car_values(kTyre), road, {0, 1, 2, 3, 4}, {}));
}
BENCHMARK(response_with_sensitivities)->Unit(benchmark::kMillisecond);

void one_of_the_table(benchmark::State& state) {
  const double tyre = state.range(0) == 0 ? kSoftTyre : kTyre;
  for (auto _ : state) {
    const Girder girder(beam_settings());
    const IdentificationProblem problem =
        table_problem(girder, tyre, 5.0, Measures::kDisplacement, 5);
    benchmark::DoNotOptimize(reparametrised_fit(problem, {}));
  }
}
BENCHMARK(one_of_the_table)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// `dearest_ms` is the longest of the 36, each at its quickest [ms].
void whole_table(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const bool gauss_newton = state.range(0) == 1;
  std::array<double, 36> quickest;
  quickest.fill(std::numeric_limits<double>::max());
  for (auto _ : state) {
    std::size_t cell = 0;
    for (const double tyre : {kSoftTyre, kTyre})
      for (const double alpha : {0.2, 5.0})
        for (const Measures measures :
             {Measures::kDisplacement, Measures::kVelocity, Measures::kAcceleration})
          for (const int count : {1, 3, 5}) {
            const Clock::time_point begin = Clock::now();
            const Girder girder(beam_settings());
            const IdentificationProblem problem =
                table_problem(girder, tyre, alpha, measures, count);
            benchmark::DoNotOptimize(gauss_newton ? tikhonov_gauss_newton(problem, {})
                                                  : reparametrised_fit(problem, {}));
            const std::chrono::duration<double, std::milli> taken = Clock::now() - begin;
            quickest[cell] = std::min(quickest[cell], taken.count());
            ++cell;
          }
  }
  state.counters["dearest_ms"] = *std::max_element(quickest.begin(), quickest.end());
}
BENCHMARK(whole_table)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
