#include "studies/characterisation/frequency_sampling_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/base/random.h"
#include "core/base/setting_error.h"

namespace trestle::characterisation::frequency_sampling_filter_test {
namespace {

using Complex = std::complex<double>;

double normal(std::uint32_t stream, std::uint64_t index) {
  return standard_normal({.seed = 4, .stream = stream, .channel = 0, .index = index});
}

/// The answer of a finite impulse response to steps of random height, 12 ticks each.
TransferRecord answer(const std::vector<double>& impulse, int ticks, std::uint32_t stream) {
  TransferRecord record;
  for (int k = 0; k < ticks; ++k) {
    record.drive.push_back(normal(stream, static_cast<std::uint64_t>(k / 12)));
    double sum = 0.0;
    for (int i = 0; i <= k && i < static_cast<int>(impulse.size()); ++i)
      sum += impulse[static_cast<std::size_t>(i)] *
             record.drive[static_cast<std::size_t>(k - i)];
    record.displacement.push_back(sum);
  }
  return record;
}

/// Adds v[k] = −d·v[k−1] + e[k].
void disturb(TransferRecord& record, double sigma, double d, std::uint32_t stream) {
  double v = 0.0;
  for (std::size_t k = 0; k < record.displacement.size(); ++k) {
    v = -d * v + sigma * normal(stream, k);
    record.displacement[k] += v;
  }
}

/// h_i whose frequency samples are `of`, and zero at all higher frequencies.
std::vector<double> impulse_of(const std::vector<Complex>& of, int samples) {
  std::vector<double> impulse;
  for (int i = 0; i < samples; ++i) {
    double sum = of[0].real();
    for (std::size_t l = 1; l < of.size(); ++l)
      sum += 2.0 *
             std::real(of[l] * std::polar(1.0, 2.0 * std::numbers::pi *
                                                   static_cast<double>(l) * i / samples));
    impulse.push_back(sum / samples);
  }
  return impulse;
}

/// With all its frequencies the filter is the finite impulse response itself.
TEST(FrequencySamplingFilter, WithAllFrequenciesIsTheImpulseResponse) {
  const std::vector<double> impulse{0.1, 0.5, -0.2, 0.3, 0.05, 0.0, 0.15, -0.1, 0.08};
  const FrequencySamplingModel found =
      fit_frequency_samples({answer(impulse, 150, 1), answer(impulse, 90, 2)},
                            {.tick = 0.01, .settling = 0.09, .frequencies = 4});
  EXPECT_NEAR(found.spacing, 1.0 / 0.09, 1e-9);
  EXPECT_EQ(found.rows, 240U);
  ASSERT_EQ(found.response.size(), 5U);
  for (int l = 0; l < 5; ++l) {
    Complex expected = 0.0;  // Σ h_i e^{−jω_l i}
    for (int i = 0; i < 9; ++i)
      expected += impulse[static_cast<std::size_t>(i)] *
                  std::polar(1.0, -2.0 * std::numbers::pi * l * i / 9.0);
    EXPECT_LT(std::abs(found.response[static_cast<std::size_t>(l)] - expected), 1e-11) << l;
  }
  ASSERT_EQ(found.step.size(), 9U);
  double sum = 0.0;
  for (std::size_t m = 0; m < 9; ++m) {
    sum += impulse[m];
    EXPECT_NEAR(found.step[m], sum, 1e-11) << m;
  }
  EXPECT_LT(found.innovation, 1e-12);
}

/// A response that has three frequencies and no more: PRESS finds that they are three.
TEST(FrequencySamplingFilter, ChoosesTheFrequenciesThatTheResponseHas) {
  const std::vector<Complex> truth{{1.0, 0.0}, {0.8, -0.5}, {0.2, -0.6}, {-0.1, -0.2}};
  TransferRecord record = answer(impulse_of(truth, 101), 1200, 3);
  disturb(record, 0.02, 0.0, 4);
  const FrequencySamplingModel found =
      fit_frequency_samples({record}, {.tick = 1e-3, .settling = 0.101});
  EXPECT_GE(found.response.size(), 4U);
  EXPECT_LE(found.response.size(), 6U);
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_NEAR(found.response[l].real(), truth[l].real(), 4.0 * found.deviation[l].real());
    EXPECT_NEAR(found.response[l].imag(), truth[l].imag(),
                4.0 * found.deviation[l].imag() + 1e-12);
    EXPECT_LT(std::abs(found.deviation[l]), 0.02);
  }
  EXPECT_NEAR(found.innovation, 0.02, 0.002);
  EXPECT_NEAR(found.press, 0.02, 0.002);
}

/// One row out of n with leverage h is left out by e/(1 − h): here of a mean.
TEST(FrequencySamplingFilter, PressIsTheErrorOfARowThatWasLeftOut) {
  TransferRecord record;
  for (int k = 0; k < 200; ++k) {
    record.drive.push_back(normal(21, static_cast<std::uint64_t>(k)));
    record.displacement.push_back(normal(22, static_cast<std::uint64_t>(k)));
  }
  // As `frequencies` cannot be none, one pair: each row left out in turn, by hand.
  const int samples = 8;
  const auto row = [&](std::size_t k, double* values) {
    values[0] = values[1] = values[2] = 0.0;
    for (std::size_t i = 0; i < samples && i <= k; ++i) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / samples;
      values[0] += record.drive[k - i] / samples;
      values[1] += 2.0 * record.drive[k - i] * std::cos(angle) / samples;
      values[2] -= 2.0 * record.drive[k - i] * std::sin(angle) / samples;
    }
  };
  double sum = 0.0;
  for (std::size_t out = 0; out < 200; ++out) {
    double A[3][4] = {};
    for (std::size_t k = 0; k < 200; ++k) {
      if (k == out) continue;
      double r[3];
      row(k, r);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) A[i][j] += r[i] * r[j];
        A[i][3] += r[i] * record.displacement[k];
      }
    }
    for (int pivot = 0; pivot < 3; ++pivot)
      for (int i = 0; i < 3; ++i) {
        if (i == pivot) continue;
        const double part = A[i][pivot] / A[pivot][pivot];
        for (int j = 0; j < 4; ++j) A[i][j] -= part * A[pivot][j];
      }
    double r[3];
    row(out, r);
    double error = record.displacement[out];
    for (int i = 0; i < 3; ++i) error -= r[i] * A[i][3] / A[i][i];
    sum += error * error;
  }
  const FrequencySamplingModel found =
      fit_frequency_samples({record}, {.tick = 1e-3, .settling = 8e-3, .frequencies = 1});
  EXPECT_NEAR(found.press, std::sqrt(sum / 200.0), 1e-12);
}

/// Errors over their own deviations, over many noises: as many times one as there should
/// be.
double spread_of_errors(double d, int noise_order) {
  const std::vector<Complex> truth{{1.0, 0.0}, {0.8, -0.5}, {0.2, -0.6}};
  const std::vector<double> impulse = impulse_of(truth, 60);
  double sum = 0.0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    TransferRecord record = answer(impulse, 500, 5);
    disturb(record, 0.05, d, 100 + static_cast<std::uint32_t>(trial));
    const FrequencySamplingModel found = fit_frequency_samples(
        {record},
        {.tick = 1e-3, .settling = 0.06, .frequencies = 2, .noise_order = noise_order});
    double step = 0.0;
    for (std::size_t m = 0; m <= 40; ++m) step += impulse[m];
    for (const double error : {(found.response[0].real() - 1.0) / found.deviation[0].real(),
                               (found.response[1].imag() + 0.5) / found.deviation[1].imag(),
                               (found.step[40] - step) / found.step_deviation[40]})
      sum += error * error / (3.0 * kTrials);
  }
  return std::sqrt(sum);
}

TEST(FrequencySamplingFilter, DeviationsTellHowSureItIs) {
  EXPECT_NEAR(spread_of_errors(0.0, 0), 1.0, 0.2);
}

/// Slow noise taken for white makes all deviations far too small; its model mends them.
TEST(FrequencySamplingFilter, ModelsColouredNoise) {
  EXPECT_GT(spread_of_errors(-0.9, 0), 2.0);
  EXPECT_NEAR(spread_of_errors(-0.9, 1), 1.0, 0.25);
  TransferRecord record = answer(impulse_of({{1.0, 0.0}, {0.8, -0.5}}, 60), 3000, 6);
  disturb(record, 0.05, -0.9, 7);
  const FrequencySamplingModel found = fit_frequency_samples(
      {record}, {.tick = 1e-3, .settling = 0.06, .frequencies = 1, .noise_order = 2});
  ASSERT_EQ(found.noise.size(), 2U);
  EXPECT_NEAR(found.noise[0], -0.9, 0.06);
  EXPECT_NEAR(found.noise[1], 0.0, 0.06);
  EXPECT_NEAR(found.innovation, 0.05, 0.003);
  EXPECT_EQ(found.rows, 2998U);
  // The second record stands for itself: its noise begins anew.
  TransferRecord second = answer(impulse_of({{1.0, 0.0}, {0.8, -0.5}}, 60), 2000, 11);
  disturb(second, 0.05, -0.9, 12);
  const FrequencySamplingModel both = fit_frequency_samples(
      {record, second},
      {.tick = 1e-3, .settling = 0.06, .frequencies = 1, .noise_order = 1});
  EXPECT_EQ(both.rows, 4998U);
  EXPECT_NEAR(both.noise.at(0), -0.9, 0.03);
  EXPECT_NEAR(both.innovation, 0.05, 0.003);
}

/// Of few rows each parameter takes one degree of freedom, those of the noise as well: the
/// mean of the variances is that of the noise.
TEST(FrequencySamplingFilter, CountsTheDegreesOfFreedom) {
  constexpr int kTrials = 200;
  const std::vector<double> impulse = impulse_of({{1.0, 0.0}, {0.8, -0.5}}, 10);
  double variance = 0.0;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    TransferRecord record = answer(impulse, 50, 13 + trial);
    disturb(record, 0.05, 0.0, 1000 + trial);
    const double sigma =
        fit_frequency_samples(
            {record}, {.tick = 1e-3, .settling = 0.01, .frequencies = 4, .noise_order = 6})
            .innovation;
    variance += sigma * sigma / kTrials;
  }
  EXPECT_NEAR(variance, 0.05 * 0.05, 0.12 * 0.05 * 0.05);
}

/// m x'' = g k (drive − x) − c x' of Table I, drives held: its own step response, in closed
/// form, where the proportional controller has a gain of 0.6, 0.8 and 1.
TEST(FrequencySamplingFilter, FindsTheStepResponseOfAProportionalController) {
  constexpr double kTick = 1e-3, kMass = 2.2, kDamping = 150.8;
  for (const double gain : {0.6, 0.8, 1.0}) {
    const double omega = std::sqrt(gain * 13618.0 / kMass);
    const double decay = 0.5 * kDamping / kMass;
    const double ring = std::sqrt(omega * omega - decay * decay);
    const auto step = [&](double t) {
      return t <= 0.0 ? 0.0
                      : 1.0 - std::exp(-decay * t) *
                                  (std::cos(ring * t) + decay / ring * std::sin(ring * t));
    };
    TransferRecord record;
    for (int k = 0; k < 3000; ++k) {
      record.drive.push_back(normal(8, static_cast<std::uint64_t>(k / 10)));
      double sum = 0.0;  // a separate step at each change of the drive
      for (int from = 0; from <= k; from += 10)
        sum += (record.drive[static_cast<std::size_t>(from)] -
                (from > 0 ? record.drive[static_cast<std::size_t>(from - 1)] : 0.0)) *
               step((k + 1 - from) * kTick);
      record.displacement.push_back(sum);
    }
    disturb(record, 5e-3, 0.0, 9);
    const FrequencySamplingModel found =
        fit_frequency_samples({record}, {.tick = kTick, .settling = 0.25});
    EXPECT_NEAR(found.response[0].real(), 1.0, 0.01);
    double highest = 0.0;
    for (std::size_t m = 0; m < found.step.size(); ++m) {
      EXPECT_NEAR(found.step[m], step(static_cast<double>(m + 1) * kTick), 0.03)
          << gain << " " << m;
      highest = std::max(highest, found.step[m]);
    }
    EXPECT_NEAR(highest, 1.0 + std::exp(-std::numbers::pi * decay / ring), 0.01) << gain;
  }
}

TEST(FrequencySamplingFilter, RefusesWhatDoesNotFitTogether) {
  const TransferRecord record = answer({1.0}, 100, 1);
  const auto path = [&](const FrequencySamplingSettings& settings) {
    try {
      fit_frequency_samples({record}, settings);
    } catch (const SettingError& error) {
      return error.problems().front().path;
    }
    return std::string();
  };
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.02}), "");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.007}), "settling");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 30.0}), "settling");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.02, .frequencies = 10}), "frequencies");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.09, .frequencies = 17}), "frequencies");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.02, .noise_order = 21}), "noise_order");
  // 31 columns need 93 of the 100 ticks, and a noise model takes its first ones away.
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.04, .frequencies = 15}), "");
  EXPECT_EQ(path({.tick = 1e-3, .settling = 0.04, .frequencies = 15, .noise_order = 10}),
            "frequencies");
}

}  // namespace
}  // namespace trestle::characterisation::frequency_sampling_filter_test
