// The vehicle–bridge tests as they are shipped in examples/vehicle_bridge, against what an
// independent prototype found attainable.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "core/yaml/override.h"
#include "studies/campaign/in_memory_run.h"

namespace trestle {
namespace {

using Overrides = std::vector<std::string>;

const std::filesystem::path kBridgeExamples =
    std::filesystem::path(TRESTLE_SOURCE_DIR) / "examples/vehicle_bridge";
const std::string kTable = "sites.table.rig.actuators[0].";

struct Found {
  double rmse;
  double delay;  // [ms]
  double force_error;
  bool stable;
};

Found run(const std::string& file, const std::string& kind, Overrides overrides = {}) {
  overrides.insert(overrides.begin(), "sites.table.compensator.kind=" + kind);
  const auto setup =
      composition::load_hybrid_test((kBridgeExamples / (file + ".yaml")).string(),
                                    yaml::parse_command_line_overrides(overrides), "test");
  const campaign::InMemoryRun run = campaign::run_in_memory(*setup, {});
  const evaluation::Criteria& criteria = run.report.criteria;
  return {criteria.rmse.at(0), 1e3 * criteria.delay.at(0), criteria.force_error.at(0),
          run.stable};
}

Found run(int number, const std::string& kind, const Overrides& overrides = {}) {
  return run("case" + std::to_string(number), kind, overrides);
}

const Overrides kQuiet{"sites.table.rig.noise[0].displacement=0 m",
                       "sites.table.rig.specimen.accelerometer_noise=0 m/s2"};

// Figures of the prototype, which has the same equations in another order: 1 % and 0.2 ms.
TEST(VehicleBridge, WithoutCompensationItIsAsWrongAsThePrototype) {
  struct Known {
    int number;
    double rmse;
    double delay;  // [ms]
  };
  for (const Known& known : {Known{1, 0.2453, 37.97},
                             {2, 0.3554, 36.69},
                             {3, 0.3957, 35.96},
                             {5, 0.6556, 32.34},
                             {7, 0.3547, 36.70},
                             {8, 0.3543, 36.74}}) {
    const Found found = run(known.number, "none", kQuiet);
    EXPECT_NEAR(found.rmse, known.rmse, 0.01 * known.rmse) << known.number;
    EXPECT_NEAR(found.delay, known.delay, 0.2) << known.number;
    // 0.87 to 0.99 on a smooth track, 1.1 on the irregular one.
    EXPECT_NEAR(found.force_error, known.number == 5 ? 1.1 : 0.93, 0.1) << known.number;
  }
}

TEST(VehicleBridge, AtsWithLqgMeetsItsBarsAndBeatsAtsInEveryCase) {
  for (const int number : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const Found ats = run(number, "ats");
    const Found both = run(number, "ats_lqg");
    EXPECT_LE(both.rmse, number == 5 ? 0.26 : 0.03) << number;
    EXPECT_LE(std::abs(both.delay), number == 5 ? 7.5 : 2.0) << number;
    EXPECT_LT(both.rmse, ats.rmse) << number;
    EXPECT_LT(std::abs(both.delay), std::abs(ats.delay)) << number;
  }
}

TEST(VehicleBridge, PreviewTakesTheKnownIrregularityOut) {
  const Found found = run("case5_preview", "ats_lqg");
  EXPECT_LE(found.rmse, 0.01);
  EXPECT_LE(std::abs(found.delay), 0.3);
  EXPECT_LE(found.force_error, 0.05);  // 0.03, to one digit
}

// To the two digits that were given, of a noise that is another one.
TEST(VehicleBridge, TheFixedInverseOfAKnownTableIsAsGoodAsAnyAdaptation) {
  EXPECT_NEAR(run(1, "fixed_inverse").rmse, 0.0113, 0.001);
  EXPECT_NEAR(run(2, "fixed_inverse").rmse, 0.0199, 0.001);
  EXPECT_NEAR(run(3, "fixed_inverse").rmse, 0.0276, 0.001);
  const Found rough = run(5, "fixed_inverse");
  EXPECT_NEAR(rough.rmse, 0.2438, 0.005);
  EXPECT_NEAR(rough.delay, 3.2, 0.2);
}

TEST(VehicleBridge, TheLegacyPresetReproducesThePublishedRow) {
  for (const auto& [number, rmse] : {std::pair{1, 0.089}, {2, 0.159}, {3, 0.197}}) {
    const Found found = run(number, "legacy_filtered_command");
    EXPECT_NEAR(found.rmse, rmse, 0.003) << number;
    EXPECT_GT(found.delay, 7.5) << number;
    EXPECT_LT(found.delay, 11.5) << number;
  }
}

TEST(VehicleBridge, AtsWithLqgBearsATableThatIsNotAsItWasIdentified) {
  for (const std::string other : {"loop_gain=20", "loop_gain=30", "oil_frequency=21.25 Hz",
                                  "oil_frequency=28.75 Hz", "oil_damping=0.2"}) {
    const Found found = run(2, "ats_lqg", {kTable + other});
    EXPECT_TRUE(found.stable) << other;
    EXPECT_LE(found.rmse, 0.04) << other;
  }
}

TEST(VehicleBridge, UnderPlantErrorTheFixedInverseIsTheWorst) {
  const Overrides weak{kTable + "loop_gain=20"};
  const double fixed = run(2, "fixed_inverse", weak).rmse;
  const double ats = run(2, "ats", weak).rmse;
  const double both = run(2, "ats_lqg", weak).rmse;
  EXPECT_GT(fixed, 1.5 * ats);  // .076, .041, .023
  EXPECT_GT(ats, both);
}

TEST(VehicleBridge, ALatencyThatTheDesignKnowsCostsLittle) {
  const std::vector<double> bars{0.027, 0.030, 0.033};
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const std::string samples = std::to_string(i + 1);
    const Found found = run(2, "ats_lqg",
                            {"sites.table.rig.latency_samples=" + samples,
                             "sites.table.compensator.lqg.latency_samples=" + samples});
    EXPECT_TRUE(found.stable) << samples;
    EXPECT_LE(found.rmse, bars[i]) << samples;
  }
}

}  // namespace
}  // namespace trestle
