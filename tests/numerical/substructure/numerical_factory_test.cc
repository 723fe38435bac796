#include "composition/numerical/numerical_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"
#include "proto/config/test.pb.h"

namespace trestle::substructure {
namespace {

/// A spring, as the undivided reference has it.
class SpringStub final : public SpecimenModel {
 public:
  explicit SpringStub(double stiffness) : stiffness_(stiffness) {}
  int dofs() const noexcept override { return 1; }
  Eigen::MatrixXd initial_stiffness() const override {
    return Eigen::MatrixXd::Constant(1, 1, stiffness_);
  }
  Eigen::MatrixXd damping() const override { return Eigen::MatrixXd::Zero(1, 1); }
  Eigen::MatrixXd mass() const override { return Eigen::MatrixXd::Zero(1, 1); }
  void prepare(double) override {}
  InterfaceVector advance(const InterfaceVector& displacement, const InterfaceVector&,
                          const InterfaceVector&) noexcept override {
    return stiffness_ * displacement;
  }
  void save(SnapshotWriter&) const override {}
  void restore(SnapshotReader&) override {}

 private:
  double stiffness_;
};

/// Three storeys of 1 t and 1 MN/m; the first storey's columns stand at a site.
config::Test three_storeys() {
  config::Test test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    test: "three storeys" time_step: 0.001 seed: 7
    excitation { record: "synthetic" scale: 0.4 }
    numerical { shear_building {
      storeys { name: "first" mass: 1000 }
      storeys { name: "second" mass: 1000 stiffness: 1e6 }
      storeys { name: "roof" mass: 1000 stiffness: 1e6 }
      damping { rayleigh { ratio: 0.02 } } } }
    sites { name: "west" interface: "first.x" })",
                                                            &test));
  return test;
}

composition::NumericalParts parts() {
  composition::NumericalParts parts;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  parts.experimental.push_back(
      {"west", {"first.x"}, Eigen::MatrixXd::Constant(1, 1, 1e6), none, none});
  return parts;
}

std::vector<SettingIssue> problems_of(const config::Test& test) {
  try {
    composition::make_numerical(test, parts(), nullptr);
  } catch (const SettingError& error) {
    return error.problems();
  }
  return {};
}

TEST(NumericalCatalog, MakesWhatTheTestDescribesAndReportsIt) {
  composition::NumericalReport report;
  const auto numerical = composition::make_numerical(three_storeys(), parts(), &report);
  EXPECT_EQ(report.equations, 3);
  EXPECT_EQ(report.integrator, "explicit-newmark");
  EXPECT_EQ(report.steps, 20'001);
  EXPECT_EQ(numerical->steps(), report.steps);
  EXPECT_DOUBLE_EQ(report.duration, 20.0);
  // ω_j = 2·√(k/m)·sin((2j−1)π/14) for three equal storeys, specimen included.
  const double s1 = std::sin(std::numbers::pi / 14.0);
  const double s3 = std::sin(5.0 * std::numbers::pi / 14.0);
  const double unit = std::sqrt(1e6 / 1000.0);
  ASSERT_EQ(report.periods.size(), 3u);
  EXPECT_NEAR(report.periods[0], std::numbers::pi / (unit * s1), 1e-9);
  // The ratio at modes 1 and 2 is a promise about the whole structure; the third has what
  // Rayleigh's line through both gives: ζ₃ = ζ·(ω₁ω₂/ω₃ + ω₃)/(ω₁ + ω₂), ω_j ~ s_j.
  const double s2 = std::sin(3.0 * std::numbers::pi / 14.0);
  EXPECT_NEAR(report.ratios[0], 0.02, 1e-12);
  EXPECT_NEAR(report.ratios[1], 0.02, 1e-12);
  EXPECT_NEAR(report.ratios[2], 0.02 * (s1 * s2 / s3 + s3) / (s1 + s2), 1e-12);
  EXPECT_NEAR(report.stable_time_step, 1.0 / (unit * s3), 1e-12);
  EXPECT_EQ(numerical->channels().size(), 9u);
}

TEST(NumericalCatalog, SaysTheLimitOfAStepThatIsTooLong) {
  config::Test test = three_storeys();
  test.set_time_step(0.05);
  const auto problems = problems_of(test);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "time_step");
  EXPECT_EQ(problems[0].what,
            "time_step is 50 ms; explicit-newmark is stable up to 35.1 ms for this "
            "structure (shortest period 110 ms)");
}

TEST(NumericalCatalog, TellsAllProblemsAtOnce) {
  config::Test test = three_storeys();
  test.set_time_step(0.05);
  test.mutable_excitation()->set_record("no/such/record.csv");
  test.mutable_recording()->add_nodes("attic");
  const auto problems = problems_of(test);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].path, "excitation.record");
  EXPECT_EQ(problems[1].path, "recording.nodes[0]");
  EXPECT_EQ(problems[2].path, "time_step");
}

TEST(NumericalCatalog, RecordsTheNodesThatAreAskedFor) {
  config::Test test = three_storeys();
  test.mutable_recording()->add_nodes("roof");
  const auto numerical = composition::make_numerical(test, parts(), nullptr);
  ASSERT_EQ(numerical->channels().size(), 3u);
  EXPECT_EQ(numerical->channels()[0].name, "roof.x.disp_m");
}

/// One more than the equations that are recorded unasked.
config::Test tower_of_301() {
  config::Test test = three_storeys();
  auto& storeys = *test.mutable_numerical()->mutable_shear_building()->mutable_storeys();
  for (int i = 3; i < 301; ++i) {
    storeys.Add()->CopyFrom(storeys.Get(1));
    storeys.rbegin()->set_name("storey" + std::to_string(i));
  }
  return test;
}

TEST(NumericalCatalog, RecordsOfALargeModelTheInterface) {
  const auto numerical = composition::make_numerical(tower_of_301(), parts(), nullptr);
  ASSERT_EQ(numerical->channels().size(), 3u);
  EXPECT_EQ(numerical->channels()[0].name, "first.x.disp_m");
}

TEST(NumericalCatalog, RefusesALargeModelOfWhichNothingWouldBeRecorded) {
  config::Test test = tower_of_301();
  test.clear_sites();
  test.mutable_numerical()->mutable_shear_building()->mutable_storeys(0)->set_stiffness(
      1e6);
  const auto refused = [&test]() -> std::vector<SettingIssue> {
    try {
      composition::make_numerical(test, {}, nullptr);
    } catch (const SettingError& error) {
      return error.problems();
    }
    return {};
  };
  const std::vector<SettingIssue> problems = refused();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "recording.nodes");
  EXPECT_EQ(
      problems[0].what,
      "the model has 301 equations, of which only up to 300 are recorded unasked, and "
      "no interface; nothing would be recorded. Name the nodes to record");
  test.mutable_recording()->add_nodes("roof");
  EXPECT_TRUE(refused().empty());
}

/// Names of the columns, and the last row, of a run with a site of 1 MN/m.
std::pair<std::vector<std::string>, std::vector<double>> run(
    NumericalSubstructure& numerical, std::int64_t steps) {
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(1), {}, {}}};
  std::vector<SiteResponse> answers{{InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  numerical.correct(-1, answers);
  std::vector<double> row(numerical.channels().size());
  for (std::int64_t k = 0; k < steps; ++k) {
    numerical.predict(k, requests);
    answers[0].force = 1e6 * requests[0].target.displacement;
    EXPECT_TRUE(numerical.correct(k, answers));
  }
  numerical.record(row);
  std::vector<std::string> names;
  for (const Channel& channel : numerical.channels()) names.push_back(channel.name);
  return {names, row};
}

// A site that is as stiff as the specimen in the model, asked at once: the oracle.
TEST(NumericalCatalog, ComputesTheUndividedReferenceAlong) {
  config::Test test = three_storeys();
  test.mutable_recording()->add_nodes("roof");
  test.mutable_reference()->mutable_undivided();
  composition::NumericalParts given = parts();
  given.reference.push_back(std::make_unique<SpringStub>(1e6));
  const auto numerical = composition::make_numerical(test, std::move(given), nullptr);
  const auto [names, row] = run(*numerical, 8000);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "first.x.disp_m", "first.x.vel_m_s", "first.x.acc_m_s2",
                       "roof.x.disp_m", "roof.x.vel_m_s", "roof.x.acc_m_s2",
                       "reference.first.x.disp_m", "reference.roof.x.disp_m"}));
  EXPECT_NE(row[3], 0.0);
  EXPECT_EQ(row[6], row[0]);
  EXPECT_EQ(row[7], row[3]);
}

TEST(NumericalCatalog, ComputesAnotherModelAlongWithTheTestsIntegrator) {
  config::Test test = three_storeys();
  config::Numerical& other = *test.mutable_reference()->mutable_numerical();
  other = test.numerical();
  other.mutable_shear_building()->mutable_storeys(0)->set_stiffness(1e6);
  test.mutable_criteria()->add_responses("second.x");
  const auto numerical = composition::make_numerical(test, parts(), nullptr);
  const auto [names, row] = run(*numerical, 8000);
  ASSERT_EQ(names.size(), 12u);
  EXPECT_EQ(names[10], "reference.second.x.disp_m");
  // Damped by Rayleigh's factors of the same whole; equal but for rounding.
  for (const std::size_t i : {0U, 1U, 2U})
    EXPECT_NEAR(row[9 + i], row[3 * i], 1e-9 * std::abs(row[6]));
}

TEST(NumericalCatalog, NamesResponsesThatItDoesNotHave) {
  config::Test test = three_storeys();
  test.mutable_criteria()->add_responses("roof.x");
  test.mutable_criteria()->add_responses("rof.x");
  const auto problems = problems_of(test);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "criteria.responses[1]");
  EXPECT_EQ(problems[0].what, "the model has no free DOF `rof.x`; did you mean `roof.x`?");
}

TEST(NumericalCatalog, NeedsSomethingThatSaysWhenTheTestEnds) {
  config::Test test = three_storeys();
  test.mutable_excitation()->set_record("none");
  const auto problems = problems_of(test);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "excitation");
  test.set_duration(1.0);
  EXPECT_EQ(composition::make_numerical(test, parts(), nullptr)->steps(), 1001);
}

}  // namespace
}  // namespace trestle::substructure
