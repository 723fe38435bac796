#include "studies/characterisation/characterise_page.h"

#include <gtest/gtest.h>

#include <complex>

#include "tests/support/golden_page.h"

namespace trestle::characterisation::characterise_page_test {
namespace {

/// A first-order actuator of 5 Hz behind 8 ms: 1/(1 + s/scale), stated and not measured.
IdentifiedTransfer first_order(double gain) {
  IdentifiedTransfer found{
      .transfer = {.scale = 31.25, .delay = 0.008, .gain = gain, .denominator = {1.0}},
      .poles = {{-31.25, 0.0}},
      .zeros = {},
      .delay_deviation = 0.00002,
      .gain_deviation = 0.0004,
      .lowest_coherence = 0.9987,
      .fit_error = 1.04,
      .highest = 16.0,
      .low_frequency_delay = 0.04,
      .corner = 5.0};
  // Along a line: sums and products alone, so that every host has the same bits.
  for (int i = 1; i <= 32; ++i) {
    const double w = 0.5 * i;
    const std::complex<double> fitted(gain / (1.0 + 0.04 * w * w), -0.1 * w);
    found.points.push_back({.frequency = w,
                            .measured = fitted + 0.001 * (i % 3 - 1.0),
                            .fitted = fitted,
                            .deviation = 0.001,
                            .coherence = 0.999});
  }
  return found;
}

TEST(CharacterisePage, LooksAsItDid) {
  CharacteriseSettings settings;
  settings.actuators = {{.name = "north", .kind = DofKind::kTranslation},
                        {.name = "turn <1>", .kind = DofKind::kRotation}};
  CharacteriseReport report;
  for (const double gain : {0.998, 1.02})
    report.actuators.push_back({.displacement_noise = 2e-6,
                                .settled_gain = gain,
                                .rise_time = 0.07,
                                .drive_rise_time = 0.0625,
                                .transfer = first_order(gain)});
  report.coupling = {{.to = 0, .from = 1, .transfer = first_order(0.05)}};
  const std::string page = characterise_page(report, settings, "west", "trestle 0.1.0");
  EXPECT_EQ(page.find("<1>"), std::string::npos) << "a name is no markup";
  testing::expect_golden(page, "studies/pages/golden/characterise.html");
}

}  // namespace
}  // namespace trestle::characterisation::characterise_page_test
