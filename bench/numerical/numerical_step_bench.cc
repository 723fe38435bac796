// A step of the numerical part beside a bare Newmark step with the same factor,
// interleaved, on one CPU; the median of each over several rounds, and their ratio.
// Planar frames, and a spatial block whose band is wide.
//
//   numerical_step_bench [--json]

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "bench/numerical/bare_newmark.h"
#include "bench/numerical/bench_frames.h"
#include "bench/numerical/stepped_structure.h"
#include "bench/numerical/timing.h"

namespace trestle::bench {
namespace {

constexpr double kTimeStep =
    1e-5;  // [s]; stable for the explicit scheme, time is not asked

void compare(structure::StructuralModel structure, const char* shape, bool implicit,
             bool json) {
  const int equations = structure.equations;
  const int repeats = std::max(20, 400'000 / equations);
  BareNewmark bare(structure, kTimeStep, implicit ? 0.25 : 0.0);
  SteppedStructure product(
      std::move(structure),
      implicit ? SteppedStructure::Scheme::kAverage : SteppedStructure::Scheme::kExplicit,
      kTimeStep, repeats);
  std::vector<double> floor_times;
  std::vector<double> product_times;
  for (int round = 0; round < kRounds; ++round) {
    floor_times.push_back(microseconds(repeats, [&](int) { bare.step(1.0); }));
    product_times.push_back(microseconds(repeats, [&](int k) { product.step(k); }));
  }
  const double floor = median(floor_times);
  const double ours = median(product_times);
  const char* form =
      json ? "{\"dofs\": %d, \"shape\": \"%s\", \"scheme\": \"%s\", \"bare_us\": %.3f, "
             "\"step_us\": %.3f, \"ratio\": %.3f, \"placement\": \"one CPU\", \"rounds\": "
             "%d}\n"
           : "%8d  %-7s %-9s %12.2f %12.2f %8.2f   one CPU, %d rounds\n";
  std::printf(form, equations, shape, implicit ? "implicit" : "explicit", floor, ours,
              ours / floor, kRounds);
  std::fflush(stdout);
}

}  // namespace
}  // namespace trestle::bench

int main(int count, char** arguments) {
  using namespace trestle::bench;
  const bool json = count > 1 && std::strcmp(arguments[1], "--json") == 0;
  stay_on_one_cpu();
  if (!json)
    std::printf("    DOFs  shape   scheme         bare µs      step µs    ratio\n");
  for (const auto& [storeys, bays] :
       {std::pair{11, 2}, std::pair{30, 10}, std::pair{98, 33}, std::pair{334, 49}})
    for (const bool implicit : {true, false})
      compare(assembled(planar_grid(storeys, bays)), "planar", implicit, json);
  for (const bool implicit : {true, false})
    compare(assembled(spatial_block(16, 20, 13)), "spatial", implicit, json);
  return 0;
}
