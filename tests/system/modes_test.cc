#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/system/bench_lab.h"

namespace trestle::modes_test {
namespace {

using testing::BenchRun;
using testing::difference;
using testing::Disturbances;
using testing::run_bench;

// One storey in the model, one in each of two laboratories, whose actuators are not ideal.
const char* const kTest = R"(test: two late actuators
time_step: 1/1024 s
duration: 1 s
seed: 3
excitation: {record: synthetic, synthetic: {duration: 0.5 s, peak: 2 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 1 t, stiffness: 80 kN/m}, high: {mass: 1 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0}}
sites:
  west:
    interface: [low.x]
    compensator: {kind: ats, expected_delay: 3 ms}
    rig:
      actuators: [{kind: second-order, frequency: 60 Hz, damping: 0.7}]
      specimen:  {kind: linear, stiffness: [[40000]]}
  east:
    like: west
    interface: [high.x]
)";

using Settings = std::vector<std::string>;

Settings operator+(Settings left, const Settings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Settings kNoise{"sites.west.rig.noise=[{displacement: 1 um, force: 1 N}]"};
const Settings kPseudoDynamic =
    kNoise + Settings{"mode=pseudo-dynamic", "clock=virtual",
                      "pseudo_dynamic.settle=3/1024 s", "pseudo_dynamic.average=2/1024 s",
                      "duration=0.25 s"};
const Settings kContinuous{"mode=continuous", "clock=virtual"};

Settings ticks(int per_step) {
  char exact[64];
  std::snprintf(exact, sizeof exact, "%.17g s", 1.0 / 1024.0 / per_step);
  return {std::string("sites.west.control_tick=") + exact,
          std::string("sites.east.control_tick=") + exact};
}

Settings over(const std::string& link) {
  return {"sites.west.link=" + link, "sites.east.link=" + link};
}

BenchRun completed(const Settings& settings, const Disturbances& disturbances = {}) {
  BenchRun run = run_bench(kTest, settings, disturbances);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  EXPECT_EQ(run.results.cols(), run.report.steps_planned);
  return run;
}

// At scale 1, over a link without delay, every target is there when its step begins: no
// tick is predicted, so the predictor's error is none, and the corrector's cubic is the one
// of lock-step.
TEST(ContinuousMode, IsTheSimulatedTestOverAPerfectLink) {
  EXPECT_EQ(difference(completed(kContinuous).results, completed({}).results), 0.0)
      << "a tick a step";
  for (const int n : {2, 8}) {
    const BenchRun continuous = completed(kContinuous + ticks(n));
    const BenchRun simulated = completed(ticks(n));
    EXPECT_GT(simulated.rows(".disp_").cwiseAbs().maxCoeff(), 1e-3);
    // The first way, to a target at rest where the rig stands, is all that is said in other
    // words; what is left is rounding.
    std::printf("%d ticks a step: %.1e\n", n,
                difference(continuous.rows(".disp_"), simulated.rows(".disp_")));
    EXPECT_LT(difference(continuous.results, simulated.results), 1e-10) << n;
    for (const evaluation::SiteReport& site : continuous.report.sites) {
      EXPECT_EQ(site.pace.value().slowed, 0);
      EXPECT_EQ(site.pace.value().held, 0);
    }
  }
}

TEST(ContinuousMode, DiffersFromAnotherNumberOfTicks) {
  EXPECT_GT(difference(completed(kContinuous + ticks(8)).results, completed({}).results),
            1e-6)
      << "or the test above sees nothing";
}

TEST(PseudoDynamicMode, RecordsTheSameBitsWhateverTheNetworkDoes) {
  const BenchRun perfect = completed(kPseudoDynamic);
  EXPECT_GT(perfect.rows(".disp_").cwiseAbs().maxCoeff(), 1e-4);
  for (const char* link : {"ocean", "bad-day", "{delay: 3 ms, return_delay: 40 ms}"})
    EXPECT_EQ(completed(kPseudoDynamic + over(link)).results, perfect.results) << link;
  EXPECT_EQ(completed(kPseudoDynamic + Settings{"sites.west.link=continent"}).results,
            perfect.results)
      << "one site far away";
  for (const unsigned seed : {1U, 2U, 3U}) {
    Disturbances lossy;
    lossy.loss = 0.05;
    lossy.seed = seed;
    EXPECT_EQ(completed(kPseudoDynamic, lossy).results, perfect.results) << seed;
  }
}

TEST(SimulatedMode, RecordsTheSameBitsWhateverTheNetworkDoes) {
  const BenchRun perfect = completed({"duration=0.25 s"});
  EXPECT_EQ(completed(over("bad-day") + Settings{"duration=0.25 s"}).results,
            perfect.results);
  Disturbances lossy;
  lossy.loss = 0.05;
  EXPECT_EQ(completed({"duration=0.25 s"}, lossy).results, perfect.results);
}

}  // namespace
}  // namespace trestle::modes_test
