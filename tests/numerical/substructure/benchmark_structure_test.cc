// The shipped structure of the multi-axial benchmark against the benchmark's own anchor
// numbers. Needs its ground motions beside the source tree.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "composition/numerical/model_factory.h"
#include "composition/numerical/numerical_factory.h"
#include "core/evaluation/criteria.h"
#include "core/yaml/yaml_reader.h"
#include "proto/config/test.pb.h"
#include "tests/numerical/substructure/perfect_bay.h"

namespace trestle::substructure {
namespace {

const std::filesystem::path kSource = TRESTLE_SOURCE_DIR;

config::Test shipped(const std::string& record, std::vector<std::string> overrides = {}) {
  const std::string file =
      ::testing::TempDir() + "/marths_" + record + std::to_string(::getpid()) + ".yaml";
  std::ofstream(file) << "include: "
                      << (kSource / "examples/marths/structure.yaml").string()
                      << "\ntest: benchmark\nexcitation: {record: "
                      << (record == "none" ? "none"
                                           : (kSource / "../shared/data" / record).string())
                      << ", scale: 0.4}\nduration: 50 s\n";
  if (record == "elcentro.csv") overrides.push_back("duration=41.18 s");
  if (record == "morgan.csv") overrides.push_back("duration=39.97 s");
  if (record == "kobe.csv") overrides.push_back("duration=50.94 s");
  config::Test test;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, test, where);
  return test;
}

composition::NumericalParts bay() {
  composition::NumericalParts parts;
  const Eigen::Matrix3d unknown = Eigen::Matrix3d::Zero();
  parts.experimental.push_back(
      {"bay", {"floor1.x", "joint7.rz", "joint6.rz"}, unknown, unknown, unknown});
  return parts;
}

std::size_t column(const NumericalSubstructure& numerical, const std::string& dof) {
  const Channels& channels = numerical.channels();
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name.starts_with(dof + ".disp_")) return i;
  ADD_FAILURE() << dof << " is not recorded";
  return 0;
}

bool records_are_here() {
  return std::filesystem::exists(kSource / "../shared/data/elcentro.csv");
}

structure::StructuralModel structure(const std::vector<std::string>& overrides = {}) {
  return composition::make_structure(shipped("none", overrides).numerical(), {},
                                     "numerical");
}

double entry(const structure::SparseMatrix& matrix, const structure::StructuralModel& in,
             const char* row, const char* column) {
  return matrix.coeff(in.equation(row), in.equation(column));
}

// K27,27 and C = a M + b K by the factors that the benchmark states, less the bay's.
TEST(BenchmarkStructure, HasTheBayTakenOutOfAllItsMatrices) {
  const structure::StructuralModel left = structure();
  const double a = 1.2473723952793112;
  const double b = 5.598539900793874e-4;
  const double m = 7680.9029173178;
  const double k = 275653872.372886;
  EXPECT_NEAR(entry(left.mass, left, "floor1.x", "floor1.x"), 6778.37553529, 1e-8);
  EXPECT_NEAR(entry(left.stiffness, left, "floor1.x", "floor1.x"), k - 4915814.4, 1e-3);
  EXPECT_NEAR(entry(left.stiffness, left, "joint7.rz", "joint6.rz"),
              226110.978302 + 133980.635264, 1e-5);
  EXPECT_NEAR(entry(left.damping, left, "floor1.x", "floor1.x"),
              a * m + b * k - 3654.2253861277286, 1e-6);
  EXPECT_NEAR(left.base_load(left.equation("floor1.x"), 0), -6778.37553529, 1e-8);
}

// A DOF that no bay touches: C there is a M + b K to rounding.
TEST(BenchmarkStructure, HasTheDampingOfTheWhole) {
  const structure::StructuralModel left = structure();
  const double m = entry(left.mass, left, "floor3.x", "floor3.x");
  const double k = entry(left.stiffness, left, "floor3.x", "floor3.x");
  const double c = entry(left.damping, left, "floor3.x", "floor3.x");
  EXPECT_NEAR(c, 1.2473723952793112 * m + 5.598539900793874e-4 * k, 1e-14 * c);
  const double rotation = entry(left.stiffness, left, "joint16.rz", "joint16.rz");
  EXPECT_NEAR(entry(left.damping, left, "joint16.rz", "joint16.rz"),
              5.598539900793874e-4 * rotation, 1e-14 * 5.6e-4 * rotation);
}

TEST(BenchmarkStructure, IsPartitionedByTwoKnobs) {
  const structure::StructuralModel left =
      structure({"numerical.matrices.mass.scale=1.3",
                 "numerical.matrices.damping.rayleigh.ratio=3 %"});
  EXPECT_NEAR(entry(left.mass, left, "floor1.x", "floor1.x"),
              1.3 * 7680.9029173178 - 902.5273820384, 1e-6);
  const double m = 1.3 * 11465.7169565;
  const double k = 176797945.154;
  EXPECT_NEAR(entry(left.damping, left, "floor3.x", "floor3.x"),
              0.6 * (1.2473723952793112 * m + 5.598539900793874e-4 * k), 1e-3);
}

/// Peaks of the reference [m, rad] under one record.
std::map<std::string, double> reference_peaks(const std::string& record) {
  const auto numerical = composition::make_numerical(shipped(record), bay(), nullptr);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(3), {}, {}}};
  const std::vector<SiteResponse> rest{
      {InterfaceVector::Zero(3), InterfaceVector::Zero(3)}};
  std::vector<double> row(numerical->channels().size());
  std::map<std::string, double> peaks{
      {"floor1.x", 0}, {"joint7.rz", 0}, {"floor2.x", 0}, {"floor3.x", 0}};
  numerical->correct(-1, rest);
  for (std::int64_t k = 0; k < numerical->steps(); ++k) {
    numerical->predict(k, requests);
    numerical->correct(k, rest);
    numerical->record(row);
    for (auto& [dof, peak] : peaks)
      peak = std::max(peak, std::abs(row[column(*numerical, "reference." + dof)]));
  }
  return peaks;
}

TEST(BenchmarkStructure, ReferenceHasThePublishedPeaks) {
  if (!records_are_here()) GTEST_SKIP() << "the ground motions are not beside the sources";
  const std::map<std::string, std::array<double, 4>> published{
      {"elcentro.csv", {3.991710e-3, 0.01006463, 11.531700e-3, 19.815014e-3}},
      {"kobe.csv", {4.642451e-3, 0.01153361, 13.264599e-3, 22.643598e-3}},
      {"morgan.csv", {2.705422e-3, 0.00666418, 7.682171e-3, 13.074797e-3}}};
  for (const auto& [record, peaks] : published) {
    const auto found = reference_peaks(record);
    const char* dofs[] = {"floor1.x", "joint7.rz", "floor2.x", "floor3.x"};
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(found.at(dofs[i]), peaks[i], 1e-6 * peaks[i]) << record << " " << dofs[i];
  }
}

/// A whole run of the benchmark, kept as CriteriaCollector does: a row holds what was
/// measured when its target went out.
evaluation::Criteria perfectly_tracked() {
  const config::Test test = shipped("elcentro.csv");
  const auto numerical = composition::make_numerical(test, bay(), nullptr);
  const double time_step = test.time_step();
  testing::PerfectBay specimen(time_step);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(3), {}, {}}};
  std::vector<SiteResponse> answers{{InterfaceVector::Zero(3), InterfaceVector::Zero(3)}};
  std::vector<double> row(numerical->channels().size());
  const std::vector<std::string> named{"floor2.x",           "joint12.rz",
                                       "floor3.x",           "joint16.rz",
                                       "reference.floor2.x", "reference.joint12.rz",
                                       "reference.floor3.x", "reference.joint16.rz",
                                       "reference.floor1.x", "reference.joint7.rz"};
  evaluation::RunHistory history(12 + named.size(),
                                 static_cast<std::size_t>(numerical->steps()));
  std::vector<double> kept(12 + named.size());
  Eigen::Vector2d measured = Eigen::Vector2d::Zero();
  const auto answer = [&](std::int64_t k) {
    const Eigen::Vector3d force = specimen.force(testing::PerfectBay::motion(measured));
    answers[0].force = Eigen::Vector3d(force[0], -force[1], -force[2]);
    numerical->correct(k, answers);
  };
  answer(-1);
  for (std::int64_t k = 0; k < numerical->steps(); ++k) {
    numerical->predict(k, requests);
    const Eigen::Vector2d hat = testing::PerfectBay::motion(measured);
    const InterfaceVector& target = requests[0].target.displacement;
    const Eigen::Vector2d stroke = testing::PerfectBay::strokes(target[0], -target[1]);
    kept = {stroke[0], measured[0], 0,         stroke[1], measured[1], 0,
            target[0], hat[0],      target[1], -hat[1],   0,           0};
    measured = stroke;
    answer(k);
    numerical->record(row);
    for (const std::string& name : named) kept.push_back(row[column(*numerical, name)]);
    history.add(kept);
  }
  evaluation::CriteriaColumns columns;
  columns.actuators = {{"1", 0, 1, 2}, {"2", 3, 4, 5}};
  columns.interface = {{"floor1.x", 6, 7, 20}, {"joint7.rz", 8, 9, 21}};
  for (int i = 0; i < 4; ++i)
    columns.responses.push_back({named[static_cast<std::size_t>(i)], 12 + i, 16 + i});
  return evaluation::evaluate(history, columns, time_step);
}

TEST(BenchmarkStructure, PerfectTransferSystemHasThePublishedCriteria) {
  if (!records_are_here()) GTEST_SKIP() << "the ground motions are not beside the sources";
  const evaluation::Criteria criteria = perfectly_tracked();
  const std::map<int, std::vector<double>> published{{7, {9.104, 7.000}},
                                                     {8, {7.003, 6.395, 6.675, 6.431}},
                                                     {9, {6.968, 5.626}},
                                                     {10, {5.286, 5.194, 5.144, 5.190}}};
  for (const auto& [number, values] : published) {
    const auto& found = criteria.benchmark[static_cast<std::size_t>(number - 1)];
    ASSERT_EQ(found.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(found[i], values[i], 1e-3) << "J" << number << " " << i;
  }
  EXPECT_EQ(criteria.benchmark[0], (std::vector<double>{1000.0 / 1024, 1000.0 / 1024}));
}

}  // namespace
}  // namespace trestle::substructure
