#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/yaml/config_error.h"
#include "observe/export/hdf5_file.h"
#include "studies/identification/identification_factory.h"
#include "studies/identification/identification_json.h"
#include "studies/identification/identification_text.h"
#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/residual_test.h"
#include "studies/identification/uncertainty.h"

namespace trestle::identification {
namespace {

using Overrides = std::vector<std::string>;

std::string example(const std::string& name) {
  return std::string(TRESTLE_SOURCE_DIR "/examples/identification/") + name;
}

IdentificationResult found(const std::string& name, const Overrides& overrides = {}) {
  return identify(read_identification(example(name), overrides));
}

/// The lines that are said of a study that cannot be.
std::vector<std::string> complaints(const std::string& file, const Overrides& overrides) {
  try {
    read_identification(file, overrides);
  } catch (const yaml::ConfigError& error) {
    return error.lines();
  }
  return {};
}

/// Five standard deviations: once in a million draws.
void expect_near_truth(const IdentificationResult& result) {
  for (const FoundParameter& parameter : result.parameters) {
    ASSERT_TRUE(parameter.truth.has_value());
    EXPECT_NEAR(parameter.estimate, *parameter.truth, 5.0 * parameter.deviation)
        << parameter.name;
    EXPECT_TRUE(parameter.identifiable) << parameter.name;
  }
}

/// A test with separate files.
class OwnRecord : public testing::Test {
 protected:
  OwnRecord()
      : folder_(
            std::filesystem::temp_directory_path() /
            ("trestle_identify_" +
             std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
  }
  ~OwnRecord() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

TEST(IdentificationStudy, FindsTheVehicleWithAnOrdinaryTyre) {
  expect_near_truth(found("tyre.yaml"));
}

TEST(IdentificationStudy, FindsTheVehicleFromStrain) {
  expect_near_truth(found("strain.yaml"));
}

TEST(IdentificationStudy, FindsTheVehicleByTheNodesAndSaysWhatTheGaugesLeaveOpen) {
  const IdentificationStudy study =
      read_identification(example("nodal.yaml"), {"noise.level=0", "method.bias=removed"});
  const IdentificationResult result = identify(study);
  for (const FoundParameter& parameter : result.parameters) {
    EXPECT_NEAR(parameter.estimate / *parameter.truth, 1.0, 1e-3) << parameter.name;
    EXPECT_EQ(parameter.bias, 0.0) << parameter.name;
  }
  EXPECT_NE(identification_text(study, result)
                .find("The 5 gauges determine only 5 of the 72 independent motions of the "
                      "nodes; regularisation decides the others."),
            std::string::npos);
}

TEST(IdentificationStudy, FindsVehicleAndRoadTogether) {
  const IdentificationResult result = found("unknown_roughness.yaml");
  expect_near_truth(result);
  ASSERT_TRUE(result.road && result.road->error);
  EXPECT_LT(*result.road->error, 0.05);  // B7
}

TEST(IdentificationStudy, DoesNotTakeARoadThatIsUpsideDown) {
  IdentificationStudy study = read_identification(example("unknown_roughness.yaml"), {});
  ParameterEstimate estimate = reparametrised_fit(study.problem, study.limits);
  EXPECT_TRUE(uncertainty(study.problem, estimate, 0.2).explained);
  estimate.road = -estimate.road;
  const Uncertainty mirrored = uncertainty(study.problem, estimate, 0.2);
  EXPECT_FALSE(mirrored.explained);
  // Nor where the stated noise is so large that the residual is a third above it.
  const double stated = *study.problem.noise.level;
  study.problem.noise.level = stated * mirrored.misfit / 1.3;
  EXPECT_FALSE(uncertainty(study.problem, estimate, 0.2).explained);
  study.problem.noise.level = stated;
  // From there, as from anywhere, the search ends at the road that is there or says no.
  const ParameterEstimate again = reparametrised_fit(study.problem, estimate, study.limits,
                                                     study.problem.passes.size());
  const Uncertainty left = uncertainty(study.problem, again, 0.2);
  if (!left.explained) return;
  for (Eigen::Index j = 0; j < again.parameters.size(); ++j)
    EXPECT_NEAR(again.parameters(j) / *study.truth[static_cast<std::size_t>(j)], 1.0, 0.03);
}

// Quantiles from tables of the distribution.
TEST(ResidualTest, KnowsItsDistribution) {
  EXPECT_NEAR(largest_square_sum(10.0), 29.588, 0.2);
  EXPECT_NEAR(largest_square_sum(100.0), 149.449, 0.06);
  EXPECT_NEAR(largest_square_sum(1000.0), 1143.917, 0.2);
}

TEST(IdentificationStudy, TakesTheDeviationFromTheResidualAndTheBoundFromTheStatedNoise) {
  IdentificationStudy study = read_identification(example("tyre.yaml"), {});
  const IdentificationResult honest = identify(study);
  study.problem.noise.level = 0.8 * *study.problem.noise.level;
  const IdentificationResult boastful = identify(study);
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(boastful.parameters[j].bound / honest.parameters[j].bound, 0.8, 1e-3);
    EXPECT_NEAR(boastful.parameters[j].deviation / honest.parameters[j].deviation, 1.0,
                1e-3);
  }
}

TEST(IdentificationStudy, SaysOfThePrintedProblemThatOnlyTheTotalMassIsKnown) {
  const IdentificationResult result = found("printed.yaml");
  for (const FoundParameter& parameter : result.parameters)
    EXPECT_FALSE(parameter.identifiable) << parameter.name;
  ASSERT_TRUE(result.total_mass.has_value());
  EXPECT_TRUE(result.total_mass->identifiable);
  EXPECT_NEAR(result.total_mass->estimate, 1.1e4, 5.0 * result.total_mass->deviation);
}

TEST(IdentificationStudy, FindsThePrintedVehicleWhereNothingDisturbs) {
  for (const char* factor : {"start_factor=0.2", "start_factor=5"})
    for (const FoundParameter& parameter :
         found("printed.yaml", {"noise.level=0", factor}).parameters)
      EXPECT_NEAR(parameter.estimate / *parameter.truth, 1.0, 1e-6)  // B7
          << parameter.name << " " << factor;
}

TEST(IdentificationStudy, FindsALorryOnAnOwnBridgeFromRecords) {
  // Records of a finer model than the study's, with 0.5 % of noise (README.md beside them).
  const IdentificationResult result = found("three_span/girder.yaml");
  const double truth[] = {16e3, 36e3, 750, 1.1e3, 0.55e6, 0.95e6, 12e3, 20e3, 1.6e6, 3.1e6};
  ASSERT_EQ(result.parameters.size(), std::size(truth));
  for (std::size_t j = 0; j < std::size(truth); ++j) {
    EXPECT_NEAR(result.parameters[j].estimate, truth[j],
                5.0 * result.parameters[j].deviation)
        << result.parameters[j].name;
    EXPECT_TRUE(result.parameters[j].identifiable) << result.parameters[j].name;
  }
  EXPECT_TRUE(result.explained);
}

TEST(IdentificationStudy, IsNotSureOfAnythingButTheMassWhereTheRoadIsNeglected) {
  // B6: all parameters meaningless, the mass within 0.4 %.
  for (const char* noise : {"noise={level: 1 %, of: reading}", "noise={}"}) {
    const IdentificationResult result =
        found("tyre.yaml", {"road={kind: even}", "synthetic.road={kind: iso8608, class: a}",
                            noise, "synthetic.sampling_rate=200 Hz"});
    EXPECT_FALSE(result.explained);
    for (const FoundParameter& parameter : result.parameters)
      EXPECT_FALSE(parameter.identifiable) << parameter.name;
    EXPECT_NEAR(result.total_mass->estimate / 1.1e4, 1.0, 0.004);
  }
}

TEST(IdentificationStudy, TakesAVehicleByItsElements) {
  const Overrides elements{
      "vehicle={kind: multi-body, freedoms: {body: {mass: {guess: 8 t, truth: 10 t}}, "
      "wheel: {mass: {guess: 1.3 t, truth: 1 t}}}, axles: {axle: {}}, springs: "
      "{suspension: {between: {body: 1, wheel: -1}, stiffness: {guess: 80 kN/m, truth: "
      "100 kN/m}}, tyre: {between: {wheel: 1, axle: -1}, stiffness: {guess: 1.3 MN/m, "
      "truth: 1 MN/m}}}, dampers: {damper: {between: {body: 1, wheel: -1}, damping: "
      "{guess: 1.5 kN.s/m, truth: 1 kN.s/m}}}}"};
  const IdentificationResult general = found("tyre.yaml", elements);
  const IdentificationResult special = found("tyre.yaml");
  ASSERT_EQ(general.parameters.size(), 5U);
  EXPECT_EQ(general.parameters[0].name, "body_mass");
  EXPECT_EQ(general.parameters[2].name, "suspension");
  // The two sum in different orders; the search ends a hundredth of a deviation off.
  EXPECT_NEAR(general.parameters[0].estimate, special.parameters[0].estimate,
              0.02 * special.parameters[0].deviation);
  EXPECT_NEAR(general.parameters[3].estimate, special.parameters[4].estimate,
              0.02 * special.parameters[4].deviation);
}

TEST(IdentificationStudy, SaysInJsonWhatScriptsArePromised) {
  const IdentificationStudy study = read_identification(example("printed.yaml"), {});
  const auto json = nlohmann::json::parse(identification_json(study, identify(study)));
  for (const char* name : {"body_mass", "wheel_mass", "suspension_damping",
                           "suspension_stiffness", "tyre_stiffness"}) {
    const auto& parameter = json.at("parameters").at(name);
    EXPECT_TRUE(parameter.at("estimate").is_number());
    EXPECT_TRUE(parameter.at("standard_deviation").is_number());
    EXPECT_TRUE(parameter.at("bound").is_number());
    EXPECT_FALSE(parameter.at("identifiable").get<bool>());
  }
  EXPECT_GT(json.at("iterations").get<int>(), 0);
  EXPECT_GT(json.at("condition_number").get<double>(), 1e6);
}

TEST_F(OwnRecord, OfHdf5IsReadAsOneOfCsv) {
  const IdentificationStudy made = read_identification(example("tyre.yaml"), {});
  const Eigen::VectorXd& readings = made.problem.passes.front().measured;
  const Eigen::Index count = readings.size() / 5;
  exports::Hdf5File file(path("pass.h5"));
  {
    const exports::Hdf5Handle group = file.group("/pass");
    const exports::Hdf5Handle time =
        file.column(group, "time_s", "s", static_cast<std::uint64_t>(count));
    for (Eigen::Index k = 0; k < count; ++k) {
      const double at = 0.5 + 1e-3 * static_cast<double>(k);
      file.write(time, static_cast<std::uint64_t>(k), {&at, 1});
    }
    const char* names[] = {"sixth", "third", "midspan", "two_thirds", "five_sixth"};
    for (Eigen::Index s = 0; s < 5; ++s) {
      const exports::Hdf5Handle column =
          file.column(group, names[s], "m", static_cast<std::uint64_t>(count));
      const Eigen::VectorXd values = readings(Eigen::seqN(s, count, 5));
      file.write(column, 0, {values.data(), static_cast<std::size_t>(count)});
    }
  }
  file.keep();
  const IdentificationResult read =
      found("tyre.yaml", {"passes[0].record=" + path("pass.h5"), "passes[0].group=/pass",
                          "passes[0].entry=0.5 s", "passes[0].time_step=1 ms"});
  const IdentificationResult direct = identify(made);
  for (std::size_t j = 0; j < 5; ++j)
    EXPECT_NEAR(read.parameters[j].estimate, direct.parameters[j].estimate,
                1e-6 * direct.parameters[j].estimate);
}

/// One wrong value, and what must be said of it.
struct Mistake {
  const char* name;
  const char* study;
  Overrides overrides;
  const char* said;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class IdentificationMistake : public testing::TestWithParam<Mistake> {};

TEST_P(IdentificationMistake, IsToldInOneLine) {
  const std::vector<std::string> lines =
      complaints(example(GetParam().study), GetParam().overrides);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines.front().find(GetParam().said), std::string::npos) << lines.front();
}

const Mistake kMistakes[] = {
    {"VehicleLongerThanTheRecordCovers",
     "three_span/girder.yaml",
     {"passes[0].speed=10 m/s"},
     "girder.yaml:28:44: record ends at 6.14 s; the vehicle, of 4.2 m from first to last "
     "axle, enters at 0.4 s and needs 8.62 s"},
    {"SensorBesideTheBridge",
     "three_span/girder.yaml",
     {"sensors.main_span.at=83 m"},
     "at is 83 m, which is not on the bridge; must be between 0 m and 82 m"},
    {"SamplingTooCoarse",
     "tyre.yaml",
     {"synthetic.sampling_rate=12 Hz"},
     "needs 20, so at least 16.67 Hz, or at most 18 m/s"},
    {"RecordTooCoarse",
     "three_span/girder.yaml",
     {"passes[0].speed=200 m/s"},
     "so at least 160 Hz, or at most 125 m/s"},
    {"RoadTooShort",
     "three_span/girder.yaml",
     {"road.origin=20 m"},
     "profile is too short: it covers -32 m to 78 m"},
    {"NegativeGuess",
     "tyre.yaml",
     {"vehicle.body_mass.guess=-3 t"},
     "guess is -3 t; must be positive"},
    {"ZeroTruth",
     "tyre.yaml",
     {"vehicle.tyre_stiffness.truth=0 N/m"},
     "truth is 0 N/m; must be positive"},
    {"KnownAndGuessed",
     "tyre.yaml",
     {"vehicle.body_mass.known=3 t"},
     "body_mass is given as known and as a guess"},
    {"NoSuchColumn",
     "three_span/girder.yaml",
     {"sensors.main_span.column=foo"},
     "has no column `foo`; its columns are time_s, first_span_mm"},
    {"NoSuchRecord",
     "three_span/girder.yaml",
     {"passes[0].record=nothing.csv"},
     "nothing.csv cannot be read"},
    {"UnknownRoadWithoutNoise",
     "unknown_roughness.yaml",
     {"noise.level=0"},
     "has no level"},
    {"UnknownRoadByGaussNewton",
     "unknown_roughness.yaml",
     {"method.kind=tikhonov-gn"},
     "needs a known road"},
    {"UnknownRoadByTheNodes",
     "unknown_roughness.yaml",
     {"method.kind=nodal"},
     "is nodal, which needs a known road"},
    {"NodesByDeflection",
     "tyre.yaml",
     {"method.kind=nodal"},
     "is nodal, which needs strain from every sensor; `sixth` does not measure strain"},
    {"NodesLeftOpen",
     "nodal.yaml",
     {"method.regularisation=none"},
     "the 5 gauges determine 5 of the 72 motions of the nodes; add gauges, reduce "
     "bridge.elements, or set regularisation"},
    {"MoreFunctionsThanSamples",
     "nodal.yaml",
     {"method.order=139"},
     "has 139 functions of time (order); the 1201 samples of passes[0] keep at most 138"},
    {"PointAtASupport",
     "nodal.yaml",
     {"method.points=[15 m, 30 m]"},
     "has a point at 30 m, which does not move"},
    {"NothingToKeepLeast",
     "nodal.yaml",
     {"method.regularisation=none", "method.least=bending"},
     "has no effect, for regularisation is none"},
    {"NoTruthToSimulate",
     "tyre.yaml",
     {"vehicle.body_mass={guess: 8 t}"},
     "`body_mass` has none"},
    {"TimeStepThatDoesNotFit",
     "three_span/girder.yaml",
     {"passes[0].time_step=3 ms"},
     "must be the sampling period, 0.01 s, or a whole part of it"},
    {"UnknownSection", "tyre.yaml", {"bridge.section=[beem]"}, "did you mean `beam`?"},
    {"EntryBeforeTheRecord",
     "three_span/girder.yaml",
     {"passes[0].entry=-2 s"},
     "entry is -2 s; the record begins at 0 s only"},
};

INSTANTIATE_TEST_SUITE_P(Of, IdentificationMistake, testing::ValuesIn(kMistakes),
                         [](const testing::TestParamInfo<Mistake>& which) {
                           return std::string(which.param.name);
                         });

using IdentificationFiles = OwnRecord;

TEST_F(IdentificationFiles, LoseNoFieldOfARowAndNoMissingRowOfARoad) {
  const auto spoilt = [this](const std::string& name, auto change) {
    std::ifstream good(example("three_span/" + name));
    std::string text, line;
    for (int row = 0; std::getline(good, line); ++row) text += change(row, line);
    return write(name, text);
  };
  const auto said = [](const std::string& change) {
    const std::vector<std::string> lines =
        complaints(example("three_span/girder.yaml"), {change});
    return lines.empty() ? "accepted" : lines.front();
  };
  const std::string extra = spoilt("pass_1.csv", [](int row, const std::string& line) {
    return line + (row == 7 ? ",5\n" : "\n");
  });
  EXPECT_NE(said("passes[0].record=" + extra).find("line 8: 6 fields; its header has 5"),
            std::string::npos)
      << said("passes[0].record=" + extra);
  const std::string road = spoilt("road.csv", [](int row, const std::string& line) {
    return row > 500 && row <= 541 ? "" : line + "\n";
  });
  EXPECT_NE(said("road.file=" + road).find(":502: a gap: x jumps by 4.2 m"),
            std::string::npos)
      << said("road.file=" + road);
  const std::string marked = spoilt("pass_1.csv", [](int row, const std::string& line) {
    return (row == 0 ? "\xEF\xBB\xBF" : "") + line + "\n";
  });
  EXPECT_EQ(said("passes[0].record=" + marked), "accepted");
}

/// A record of the three-span girder, made worse.
class SpoiltRecord : public OwnRecord {
 protected:
  template <typename Change>
  std::vector<std::string> said_of(Change change) const {
    std::ifstream good(example("three_span/pass_1.csv"));
    std::string text, line;
    for (int row = 0; std::getline(good, line); ++row) text += change(row, line) + "\n";
    return complaints(example("three_span/girder.yaml"),
                      {"passes[0].record=" + write("pass.csv", text)});
  }
};

TEST_F(SpoiltRecord, OfZerosIsTold) {
  const auto lines = said_of([](int row, const std::string& line) {
    return row == 0 ? line : line.substr(0, line.find(',')) + ",0,0,0,0";
  });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("record has nothing but zeros from sensor `first_span`"),
            std::string::npos)
      << lines[0];
}

TEST_F(SpoiltRecord, WithALostSampleIsTold) {
  const auto lines = said_of(
      [](int row, const std::string& line) { return row == 40 ? std::string{} : line; });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("record has times that do not go evenly"), std::string::npos)
      << lines[0];
}

/// A comma in a record of semicolons is part of its cell.
TEST_F(SpoiltRecord, OfOtherSeparatorsIsReadByTheSeparatorOfItsHeader) {
  const auto with_semicolons = [](std::string line) {
    std::ranges::replace(line, ',', ';');
    return line;
  };
  const auto good = said_of([&](int row, const std::string& line) {
    return with_semicolons(line) + (row == 0 ? ";remark, if any" : "");
  });
  EXPECT_EQ(good, std::vector<std::string>{});
  // Cut at the commas, too, the header would have more columns, and a row other ones.
  const auto decimal = said_of([&](int row, const std::string& line) {
    return row == 40 ? "0.39;0,5;0;0;0" : with_semicolons(line);
  });
  ASSERT_EQ(decimal.size(), 1U);
  EXPECT_NE(decimal[0].find("line 41: `0,5` in column"), std::string::npos) << decimal[0];
}

TEST_F(SpoiltRecord, OfARowWithAnEmptyCellMoreIsTold) {
  const auto lines = said_of(
      [](int row, const std::string& line) { return row == 40 ? "0.39,0,0,0,0," : line; });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("line 41: 6 fields; its header has 5"), std::string::npos);
  EXPECT_EQ(said_of([](int /*row*/, const std::string& line) { return line + "\n,,,,"; }),
            std::vector<std::string>{})
      << "rows of empty cells";
}

TEST_F(SpoiltRecord, WithAWordInItIsTold) {
  const auto lines = said_of([](int row, const std::string& line) {
    return row == 40 ? "0.39,0,overload,0,0" : line;
  });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("line 41: `overload` in column `main_span_mm` is no number"),
            std::string::npos)
      << lines[0];
}

}  // namespace
}  // namespace trestle::identification
