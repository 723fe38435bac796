// examples/bridge_pier: figures of its structure by closed forms and an independent
// program, and the bits of the whole.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

const char* const kBridgePier = TRESTLE_SOURCE_DIR "/examples/bridge_pier/test.yaml";

constexpr double kSpan = 25.0;
constexpr double kHeight = 6.0;
constexpr double kYield = 2600e3 / kHeight;  // force at the top when the hinge yields
constexpr double kFlexure = 30e9 * 0.0245;   // EI of the pier
// Two spans of uniform weight on a middle support that gives way by h/EA for each newton.
constexpr double kWeight = 9000.0 * 9.80665;
constexpr double kSag =
    5.0 * kWeight * 16.0 * kSpan * kSpan * kSpan * kSpan / (384.0 * 30e9 * 1.5);
constexpr double kGive = 8.0 * kSpan * kSpan * kSpan / (48.0 * 30e9 * 1.5);
constexpr double kCarried = kSag / (kGive + kHeight / (30e9 * 0.785));

/// One column of a CSV, without its head; empty: there is none.
std::vector<std::string> column(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::vector<std::string> found;
  std::size_t at = 0;
  bool known = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::vector<std::string> entries;
    for (std::string field; std::getline(fields, field, ',');) entries.push_back(field);
    if (!known) {
      while (at < entries.size() && entries[at] != name) ++at;
      known = true;
    } else if (at < entries.size()) {
      found.push_back(entries[at]);
    }
  }
  return found;
}

std::vector<double> numbers(const std::string& csv, const std::string& name) {
  std::vector<double> found;
  for (const std::string& field : column(csv, name)) found.push_back(std::stod(field));
  return found;
}

class CliBridgePier : public ProgramTestCase {};

TEST_F(CliBridgePier, HasThePeriodsAndTheBucklingFactorOfOtherPrograms) {
  const Ended ended = trestle({"check", kBridgePier, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto found = nlohmann::json::parse(ended.out);
  // Own program: a chain of nine masses along, a beam of eight parts across, on the springs
  // of the bearings and of the pier less its weight over its height.
  EXPECT_NEAR(found.at("periods_s").at(0).get<double>(), 1.0931550301968649, 1e-9);
  EXPECT_NEAR(found.at("periods_s").at(1).get<double>(), 0.9276539186714832, 1e-9);
  const double pier = 1.0 / (kHeight * kHeight * kHeight / (3.0 * kFlexure) +
                             kHeight * kHeight / (60.0 * kFlexure / kHeight));
  const double bearing = 1.0 / (1.0 / 3e6 + kSpan / (30e9 * 5.0));  // and its span
  EXPECT_NEAR(found.at("gravity").at("buckling_factor").get<double>(),
              (pier + 2.0 * bearing) * kHeight / kCarried, 1e-8);
  EXPECT_EQ(found.at("gravity").at("buckling_dof"), "pier.x");
}

TEST_F(CliBridgePier, CarriesItsWeightInTheModelAndYieldsInBothDirections) {
  ASSERT_EQ(trestle({"run", kBridgePier, "--out", "run"}).code, 0);
  const std::string record = exported("run");
  const std::vector<double> carried = numbers(record, "weight.from.N_N");
  ASSERT_EQ(carried.size(), 3001U);
  EXPECT_NEAR(carried.front(), kCarried, 1e-9 * kCarried);
  EXPECT_NEAR(carried.back(), kCarried, 1e-9 * kCarried);
  for (const char* axis : {"x", "y"}) {
    const std::string dof = std::string("laboratory.pier.") + axis;
    const std::vector<double> force = numbers(record, dof + ".force_N");
    const std::vector<double> moved = numbers(record, dof + ".measured_m");
    ASSERT_EQ(force.size(), moved.size());
    double turned = 0.0;
    for (std::size_t i = 1; i < force.size(); ++i)
      turned += 0.5 * (force[i] + force[i - 1]) * (moved[i] - moved[i - 1]);
    EXPECT_GT(*std::max_element(force.begin(), force.end()), kYield) << axis;
    EXPECT_GT(turned, kYield * 0.05) << axis;  // loops as large as 50 mm of sliding
  }
}

// Own program: the chain of nine masses, loads as these, on bearings and on a pier with two
// straight lines; less the weight times the sway over the height.
TEST_F(CliBridgePier, IsPushedAsFarAsItsPierYields) {
  const Ended ended = trestle({"pushover", kBridgePier, "--node", "pier.x", "--to",
                               "120 mm", "--steps", "24", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto curve = nlohmann::json::parse(ended.out);
  const auto shear = [&curve](std::size_t i) {
    return curve.at("base_shear_N").at(i).get<double>();
  };
  const auto along = curve.at("specimens").at(0);
  EXPECT_EQ(along.at("dof"), "pier.x");
  EXPECT_NEAR(shear(4), 305305.345174, 1e-3);
  EXPECT_NEAR(shear(10), 713610.292808, 1e-3);
  EXPECT_NEAR(shear(20), 1019542.74667, 1e-3);
  EXPECT_NEAR(shear(24), 1141915.72822, 1e-3);
  EXPECT_NEAR(along.at("force_N").at(20).get<double>(), 465361.63522, 1e-3);
}

TEST_F(CliBridgePier, HasTheBitsOfTheUndividedBridge) {
  ASSERT_EQ(trestle({"run", kBridgePier, "--out", "run"}).code, 0);
  const Ended whole =
      trestle({"run", kBridgePier, "--out", "whole", "--set", "undivided=true"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::string divided = exported("run");
  const std::string undivided = exported("whole");
  for (const char* name :
       {"pier.x.disp_m", "pier.y.disp_m", "pier.x.acc_m_s2", "east.y.vel_m_s"}) {
    const std::vector<std::string> found = column(divided, name);
    ASSERT_EQ(found.size(), 3001U) << name;
    EXPECT_EQ(found, column(undivided, name)) << name;
  }
}

TEST_F(CliBridgePier, HasPeakAndFileOfBothMotionsTold) {
  const Ended ended = trestle({"check", kBridgePier});
  for (const char* line :
       {"/along.csv along x, peak ground acceleration 3.432 m/s2 (0.35 g)\n",
        "/across.csv along y, peak ground acceleration 3.825 m/s2 (0.39 g)\n"})
    EXPECT_NE(ended.out.find(line), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("The peak ground acceleration"), std::string::npos) << ended.out;
  // Ten times as much in one direction: that one is questioned, at its place.
  const Ended loud =
      trestle({"check", kBridgePier, "--json", "--set", "excitation.motions[1].scale=10"});
  const auto found = nlohmann::json::parse(loud.out);
  const auto& motions = found.at("ground_motion").at("motions");
  ASSERT_EQ(motions.size(), 2U);
  EXPECT_TRUE(motions.at(0).at("record").get<std::string>().ends_with("/along.csv"));
  EXPECT_EQ(motions.at(0).at("direction"), "x");
  EXPECT_EQ(motions.at(1).at("direction"), "y");
  EXPECT_NEAR(motions.at(0).at("peak_acceleration_m_s2").get<double>(), 0.35 * 9.80665,
              1e-12);
  EXPECT_NEAR(motions.at(1).at("peak_acceleration_m_s2").get<double>(), 3.9 * 9.80665,
              1e-11);
  std::vector<nlohmann::json> questions;
  for (const auto& finding : found.at("findings"))
    if (finding.at("kind") == "ground-motion") questions.push_back(finding);
  ASSERT_EQ(questions.size(), 1U) << found.at("findings").dump(1);
  EXPECT_EQ(questions.front().at("weight"), "question");
  EXPECT_NE(questions.front().at("what").get<std::string>().find(
                "/across.csv is 38.2 m/s2 (3.9 g)."),
            std::string::npos)
      << questions.front();
  EXPECT_NE(questions.front().at("place").get<std::string>().find("bridge_pier/test.yaml:"),
            std::string::npos)
      << questions.front();
  EXPECT_NE(
      questions.front().at("change").get<std::string>().find("excitation.motions[1].scale"),
      std::string::npos)
      << questions.front();
}

TEST_F(CliBridgePier, HasPeakAndFileOfMovingSupportsTold) {
  const char* const wave = TRESTLE_SOURCE_DIR "/examples/travelling_wave/test.yaml";
  const Ended ended = trestle({"check", wave});
  EXPECT_NE(ended.out.find("/ground.csv of foot_e.x, peak displacement "),
            std::string::npos)
      << ended.out;
  const auto found = nlohmann::json::parse(trestle({"check", wave, "--json"}).out);
  const auto& supports = found.at("ground_motion").at("supports");
  ASSERT_EQ(supports.size(), 3U);
  EXPECT_EQ(supports.at(2).at("dofs"), nlohmann::json({"foot_e.y"}));
  EXPECT_GT(supports.at(2).at("peak_displacement_m").get<double>(), 0.0);
}

}  // namespace
}  // namespace trestle::cli
