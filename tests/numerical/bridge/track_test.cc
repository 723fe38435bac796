#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "core/base/setting_error.h"
#include "numerical/bridge/harmonic_profile.h"
#include "numerical/bridge/spline_profile.h"

namespace trestle::bridge::track_test {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

HarmonicProfile german() {
  return HarmonicProfile(waves_of(german_density(4.032e-7), {600, 1.5, 80.0, 1}));
}

/// Slope and curvature agree with differences of what they are derivatives of.
void expect_consistent(const TrackProfile& profile, double x, double step) {
  const TrackPoint at = profile.at(x);
  const TrackPoint before = profile.at(x - step);
  const TrackPoint behind = profile.at(x + step);
  EXPECT_NEAR(at.slope, (behind.height - before.height) / (2.0 * step),
              1e-5 * (1e-4 + std::abs(at.slope)))
      << x;
  EXPECT_NEAR(at.curvature, (behind.slope - before.slope) / (2.0 * step),
              1e-5 * (1e-3 + std::abs(at.curvature)))
      << x;
}

// Stored numbers: an independent program of the specification, SplitMix64 with seed 1.
TEST(TrackProfile, GermanLowDisturbanceIsThePublishedSumOfCosines) {
  const HarmonicProfile track = german();
  ASSERT_EQ(track.waves().size(), 600U);
  EXPECT_NEAR(track.waves()[0].amplitude, 0.0008751245903517665, 1e-15);
  EXPECT_NEAR(track.waves()[0].number, 0.0819650249967837, 1e-14);
  EXPECT_NEAR(track.waves()[0].phase, 3.559811364734998, 1e-14);
  EXPECT_NEAR(track.waves()[1].phase, 4.685884979595577, 1e-14);
  EXPECT_NEAR(track.waves()[599].phase, 5.750621588710573, 1e-14);
  EXPECT_NEAR(track.at(0.0).height, -0.0026082879526241613, 1e-13);
  EXPECT_NEAR(track.at(100.0).height, 0.0023095263011753066, 1e-13);
  EXPECT_NEAR(track.at(100.0).slope, -0.0004236803248877042, 1e-13);
  EXPECT_NEAR(track.at(100.0).curvature, -0.00024059222087992246, 1e-13);
}

TEST(TrackProfile, AnotherSeedIsAnotherTrack) {
  EXPECT_NE(waves_of(iso8608_density(16e-6), {10, 0.25, 50.0, 1})[3].phase,
            waves_of(iso8608_density(16e-6), {10, 0.25, 50.0, 2})[3].phase);
}

// Half the sum of the squared amplitudes is the variance: ∫ of the density over the band.
TEST(TrackProfile, SpectraHaveTheirVariance) {
  const auto variance = [](const std::vector<TrackWave>& waves) {
    double sum = 0.0;
    for (const TrackWave& wave : waves) sum += 0.5 * wave.amplitude * wave.amplitude;
    return sum;
  };
  // 16e-6 · 0.01 · (1/0.02 − 1/4); with midpoints of 40000 lines the error is a part in
  // 1e4.
  EXPECT_NEAR(variance(waves_of(iso8608_density(16e-6), {40000, 0.25, 50.0, 1})),
              16e-8 * (50.0 - 0.25), 1e-3 * 16e-8 * 50.0);
  // In one range of the Chinese spectrum, 0.06 ... 0.14 1/m.
  const double power = 1.0 - 1.3643;
  EXPECT_NEAR(
      variance(waves_of(chinese_ballastless_density(), {20000, 1.0 / 0.14, 1.0 / 0.06, 1})),
      1.9784e-8 / power * (std::pow(0.14, power) - std::pow(0.06, power)), 1e-12);
}

TEST(TrackProfile, WindowsBeginAndEndWithoutAJump) {
  const auto track =
      windowed(std::make_unique<HarmonicProfile>(german()), 0.0, 224.0, 20.0);
  for (const double x : {-20.0, -20.5, 244.0, 300.0}) {
    EXPECT_EQ(track->at(x).height, 0.0);
    EXPECT_EQ(track->at(x).curvature, 0.0);
  }
  // The quintic begins with its third power.
  EXPECT_LT(std::abs(track->at(-20.0 + 1e-4).curvature), 1e-8);
  EXPECT_LT(std::abs(track->at(244.0 - 1e-4).curvature), 1e-8);
  EXPECT_EQ(track->at(100.0).height, german().at(100.0).height);
  for (const double x : {-13.7, -1e-3, 1e-3, 50.0, 230.1})
    expect_consistent(*track, x, 1e-4);
}

TEST(TrackProfile, TableIsTheProfileToASixthPower) {
  const HarmonicProfile wave({{1e-3, kTurn / 1.5, 0.3}});
  const double spacing = 1.5 / 40.0;
  const auto table = tabulate(wave, -20.0, 244.0, spacing);
  const double bound = 1e-3 * std::pow(kTurn * spacing / 1.5, 6) / 46080.0;
  for (double x = -20.0; x < 244.0; x += 0.777) {
    EXPECT_NEAR(table->at(x).height, wave.at(x).height, 1.01 * bound + 1e-17);
    // Two derivatives cost two powers.
    EXPECT_NEAR(table->at(x).slope, wave.at(x).slope, 1e-7 * 1e-3 * kTurn);
    EXPECT_NEAR(table->at(x).curvature, wave.at(x).curvature, 1e-5 * 1e-3 * kTurn * kTurn);
  }
  EXPECT_EQ(table->at(-20.1).height, 0.0);
  EXPECT_NEAR(table->at(244.0).height, wave.at(244.0).height, 1e-15);
}

TEST(TrackProfile, SplineGoesThroughItsPointsWithASmoothCurvature) {
  std::vector<double> places, heights;
  for (int i = 0; i <= 60; ++i) {
    places.push_back(0.5 * i + (i % 3 == 0 ? 0.1 : 0.0));
    heights.push_back(1e-3 * std::sin(0.4 * places.back()));
  }
  const SplineProfile spline(places, heights);
  for (std::size_t i = 1; i + 1 < places.size(); ++i) {
    EXPECT_NEAR(spline.at(places[i]).height, heights[i], 1e-17);
    const TrackPoint left = spline.at(places[i] - 1e-9);
    const TrackPoint right = spline.at(places[i] + 1e-9);
    EXPECT_NEAR(left.slope, right.slope, 1e-9);
    EXPECT_NEAR(left.curvature, right.curvature, 1e-9);
  }
  for (const double x : {3.3, 14.9, 22.2}) expect_consistent(spline, x, 1e-4);
  // Cubics through a wave of kh = 0.24: 5/384 (kh)⁴ of it.
  EXPECT_NEAR(spline.at(15.3).height, 1e-3 * std::sin(0.4 * 15.3), 1e-7);
  EXPECT_EQ(spline.at(-0.1).height, 0.0);
}

class ProfileFile : public ::testing::Test {
 protected:
  ~ProfileFile() override { std::remove(name_.c_str()); }
  void write(const std::string& text) { std::ofstream(name_) << text; }
  std::string complaint() {
    try {
      read_profile(name_, 1e-3, 100.0, "track.file");
    } catch (const SettingError& error) {
      return error.what();
    }
    return {};
  }
  std::string name_ =
      ::testing::TempDir() + "profile" + std::to_string(::getpid()) + ".csv";
};

TEST_F(ProfileFile, IsReadWithItsHeadItsUnitAndItsOrigin) {
  write("x_m,r_mm\n90, 1.5\n100; 2.5\r\n\n110 0.5\n");
  const SplineProfile profile = read_profile(name_, 1e-3, 100.0, "track.file");
  EXPECT_EQ(profile.begin(), -10.0);
  EXPECT_EQ(profile.end(), 10.0);
  EXPECT_NEAR(profile.at(0.0).height, 2.5e-3, 1e-17);
}

TEST_F(ProfileFile, TellsWhatIsWrongByItsLine) {
  EXPECT_NE(complaint().find("there is no such file"), std::string::npos);
  write("0 1\n1 2\nx 3\n");
  EXPECT_NE(complaint().find(":3: `x` is not a number"), std::string::npos) << complaint();
  write("0 1\n0 2\n");
  EXPECT_NE(complaint().find("does not rise"), std::string::npos) << complaint();
  write("0 1\n");
  EXPECT_NE(complaint().find("at least two"), std::string::npos) << complaint();
}

TEST_F(ProfileFile, TakesExactlyTwoNumbersOfAPossibleSize) {
  for (const auto& [text, told] : std::vector<std::pair<std::string, std::string>>{
           {"-25,00,-0,922\n-24,00,-0,9\n", ":1: 4 columns"},
           {"-25,00;-0,922\n-24,00;-0,9\n", ":1: a decimal comma"},
           {"x;r\n-25,5 -0,922\n", ":2: a decimal comma"},
           {"0,1,7\n1,2,7\n", ":1: 3 columns"},
           {"0,1\n1\n", ":2: 1 column;"},
           {"0,1\n1,1e308\n", ":2: a height of 1e+305 m"},
           {"0,1\n1e308,1\n", ":2: x is 1e+308 m"},
           {"0,1\n1,inf\n", ":2: `inf` is not finite"},
           {"0,1\n1,,2\n", ":2: 3 columns"},
           {"Scale 9.81\n0,1\n1,2\n", ":1: `Scale` is not a number"},
           {"x [m];r [cm]\n0;1\n1;2\n", ":1: the header states the unit `cm` of r"},
           {"x,r [cm]\n0,1\n1,2\n", ":1: the header states the unit `cm` of r"},
           {"x,r [kN]\n0,1\n1,2\n", "`kn` of r, which is no length"},
           {"x_km,r_mm\n0,1\n1,2\n", ":1: the header states the unit `km` of x"},
           {"O.0,1\n1,2\n2,3\n", ":1: `O.0` is not a number"}}) {
    write(text);
    EXPECT_NE(complaint().find(told), std::string::npos) << text << complaint();
  }
  write(
      "\xEF\xBB\xBF"
      "100,1\n110,2\n");
  EXPECT_EQ(read_profile(name_, 1e-3, 100.0, "track.file").at(0.0).height, 1e-3);
}

TEST_F(ProfileFile, OfAnInterruptedRunMayHaveGapsAndFurtherColumns) {
  write("x,r,remark\n0,1,7\n1,2,7\n2,1,7\n3,3,7\n9,2,7\n10,1,7\n11,2,7\n");
  EXPECT_NE(complaint(), "");
  const SplineProfile profile =
      read_profile(name_, 1e-3, 0.0, "track.file", ProfileChecks::kFewer);
  EXPECT_EQ(profile.end(), 11.0);
  EXPECT_NEAR(profile.at(3.0).height, 3e-3, 1e-17);
  write("0,1\n1\n");
  EXPECT_THROW(read_profile(name_, 1e-3, 0.0, "track.file", ProfileChecks::kFewer),
               SettingError);
}

/// Points at rising distances from zero on, each with height zero.
std::string points(const std::vector<std::pair<int, double>>& spacings) {
  double x = 0.0;
  std::string text = "0,0\n";
  for (const auto& [count, spacing] : spacings)
    for (int i = 0; i < count; ++i) text += std::to_string(x += spacing) + ",0\n";
  return text;
}

TEST_F(ProfileFile, RefusesAGapAndAllowsUnevenPoints) {
  // One missing row, many, two gaps with a point between, one at either end.
  for (const std::vector<std::pair<int, double>>& gap :
       {std::vector<std::pair<int, double>>{{20, 0.1}, {1, 0.2}, {20, 0.1}},
        {{20, 1.0}, {1, 34.0}, {20, 1.0}},
        {{20, 0.1}, {1, 4.2}, {1, 3.0}, {20, 0.1}},
        {{1, 5.0}, {20, 1.0}},
        {{20, 1.0}, {1, 5.0}},
        {{20, 0.1}, {1, 5.0}, {20, 0.2}}}) {
    write(points(gap));
    EXPECT_NE(complaint().find("a gap: x jumps by "), std::string::npos) << points(gap);
  }
  write(points({{4, 1.0}, {1, 34.0}, {20, 1.0}}));
  EXPECT_NE(complaint().find(":6: a gap: x jumps by 34 m from 4 m to 38 m; at most 1.5 m "
                             "fit the spacings beside it"),
            std::string::npos)
      << complaint();
  // Finer around a joint, and points that were set by hand.
  for (const std::vector<std::pair<int, double>>& uneven :
       {std::vector<std::pair<int, double>>{{20, 1.0}, {40, 0.05}, {20, 1.0}},
        {{1, 1.0}, {1, 2.0}, {1, 0.7}, {1, 1.9}, {1, 1.1}, {1, 2.4}},
        {{1, 10.0}, {1, 40.0}}}) {
    write(points(uneven));
    EXPECT_EQ(complaint(), "") << points(uneven);
  }
}

}  // namespace
}  // namespace trestle::bridge::track_test
