#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>

#include "adapters/simulated/coupled_actuators.h"
#include "composition/numerical/bond_graph/graph_factory.h"
#include "composition/rigs/bond_graph_specimen.h"
#include "core/yaml/source_map.h"
#include "numerical/bond_graph/runtime/bond_graph_substructure.h"
#include "numerical/bond_graph/runtime/emulated_structure.h"

/// Runs that begin elsewhere than at rest: every store of the three masses of section 4 of
/// Gawthrop, Wallace and Wagg (2005), and the transfer system. The oracles are closed forms
/// and an integration of the equations of motion in displacements, which knows nothing of
/// graphs.
namespace trestle::bond_graph::initial_states_test {
namespace {

using Eigen::VectorXd;

constexpr double kStep = 2.5e-3;

double wall(double t) {
  return t < 0.0 ? 0.0 : -0.5 * std::sin(t);
}

std::vector<excitation::SourceSignal> wall_signal() {
  return {{"r", excitation::SourceQuantity::kVelocity, wall, 0.0}};
}

constexpr const char* kEveryStore = R"(
initial:
  mass1/k: {displacement: 50 mm}
  mass1/m: {velocity: 0.02 m/s}
  mass2/k: {displacement: -30 mm}
  mass2/m: {velocity: -0.01 m/s}
  mass3/k: {displacement: 1.1 m}
  mass3/m: {momentum: 0.05}
)";

/// The shipped graph, and more at its end.
Substructuring three_masses(const std::string& more) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string file = testing::TempDir() + "initial_" + test->name() + ".yaml";
  std::ofstream(file) << std::ifstream(std::string(TRESTLE_SOURCE_DIR) +
                                       "/examples/bond_graph/three_masses.yaml")
                             .rdbuf()
                      << more;
  yaml::SourceMap where;
  return substructure(read_graph_model(file, {}, where));
}

/// Springs q1, q2, q3 and velocities v1, v2, v3 of 1 kg each; then the transfer system's
/// displacement and velocity, its own spring and damper 1 N/m and 1 N.s/m.
using State = std::array<double, 8>;

double double_well(double q) {
  return -q + q * q * q;
}

State rate(double t, const State& s) {
  const auto& [q1, q2, q3, v1, v2, v3, x, v] = s;
  const double force = double_well(q3);
  return {wall(t) - v1,          v1 - v2,          v2 - v3, q1 - q2 - 0.1 * v1,
          q2 - force - 0.1 * v2, force - 0.1 * v3, v,       0.0};
}

State plus(const State& a, double h, const State& b) {
  State sum{};
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + h * b[i];
  return sum;
}

/// The classic rule, in tenths of a step.
State integrated(State s, double from, double until) {
  const double h = kStep / 10.0;
  const auto steps = std::llround((until - from) / h);
  for (std::int64_t k = 0; k < steps; ++k) {
    const double t = from + static_cast<double>(k) * h;
    const State a = rate(t, s);
    const State b = rate(t + 0.5 * h, plus(s, 0.5 * h, a));
    const State c = rate(t + 0.5 * h, plus(s, 0.5 * h, b));
    const State d = rate(t + h, plus(s, h, c));
    s = plus(plus(plus(plus(s, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
  }
  return s;
}

EmulatedSettings emulated(std::int64_t steps) {
  return {
      .time_step = kStep, .steps = steps, .dofs = {"third.x"}, .sources = wall_signal()};
}

/// From −Δt on every store is where the file says; 1e-6 is what means of the source over a
/// step cost (1e-7), times ten.
TEST(InitialStates, OfEveryStoreOfTheUndividedStructure) {
  const State start{0.05, -0.03, 1.1, 0.02, -0.01, 0.05, 0.0, 0.0};
  EmulatedStructure structure(three_masses(kEveryStore).whole, emulated(2000));
  std::vector<double> row(structure.channels().size());
  structure.correct(-1, {});
  structure.record(row);
  EXPECT_DOUBLE_EQ(row[1], -0.01);             // mass 2 moves the port
  EXPECT_DOUBLE_EQ(row[2], double_well(1.1));  // the third spring's force
  EXPECT_DOUBLE_EQ(row[3], 0.05);              // mass 3
  for (std::int64_t k = 0; k < 2000; ++k) {
    structure.correct(k, {});
    if (k != 399 && k != 1999) continue;
    structure.record(row);
    const double t = static_cast<double>(k) * kStep;
    const State there = integrated(start, -kStep, t);
    EXPECT_NEAR(row[1], there[4], 1e-6) << t;
    EXPECT_NEAR(row[2], double_well(there[2]), 3e-6) << t;
    EXPECT_NEAR(row[3], there[5], 1e-6) << t;
  }
}

/// The test of the shipped file, its rig beside it.
class CutRun {
 public:
  CutRun(const std::string& more, double displacement, double velocity, bool model_feedback)
      : numerical_(three_masses(more), {.time_step = kStep,
                                        .steps = 4000,
                                        .ports = {{0, 0, "third.x"}},
                                        .sources = wall_signal(),
                                        .model_feedback = model_feedback,
                                        .delay = {}}),
        rig_({{.mass = 1.0,
               .stiffness = 1.0,
               .damping = 1.0,
               .initial_displacement = displacement,
               .initial_velocity = velocity}},
             std::make_unique<composition::BondGraphSpecimen>(three_masses(more)), 4),
        requests_(1),
        answers_(1),
        row(numerical_.channels().size()) {
    requests_[0].target = InterfaceMotion::zero(1);
    rig_.prepare(kStep);
    answers_[0] = {rig_.displacement(), rig_.force()};
    EXPECT_TRUE(numerical_.correct(-1, answers_));
    numerical_.record(row);
  }
  void step(std::int64_t k) {
    numerical_.predict(k, requests_);
    rig_.advance(VectorXd(requests_[0].command_feedforward));
    answers_[0] = {rig_.displacement(), rig_.force()};
    EXPECT_TRUE(numerical_.correct(k, answers_));
    numerical_.record(row);
  }
  double transfer_velocity() const { return rig_.velocity()[0]; }
  double force() const { return rig_.force()[0]; }
  void save(SnapshotWriter& written) const {
    numerical_.snapshot(written);
    rig_.save(written);
  }
  void restore(SnapshotReader& read) {
    numerical_.restore(read);
    rig_.restore(read);
  }

 private:
  BondGraphSubstructure numerical_;
  simulated::CoupledActuators rig_;
  std::vector<SiteTarget> requests_;
  std::vector<SiteResponse> answers_;

 public:
  std::vector<double> row;
};

/// Section 4: v_t − v_N = 0.01 exp(−t/2) (cos wt − 0.5/w sin wt) whatever the specimen
/// does, from where the run begins. 3e-5 is what sampling leaves of it at 2.5 ms.
TEST(InitialStates, OfTheTransferSystemGiveThePublishedTransient) {
  CutRun run("", 0.0, 0.01, false);
  CutRun from_rest("", 0.0, 0.0, false);
  EXPECT_DOUBLE_EQ(run.transfer_velocity(), 0.01);
  const double w = std::sqrt(0.75);
  for (std::int64_t k = 0; k < 4000; ++k) {
    run.step(k);
    from_rest.step(k);
    const double since = static_cast<double>(k + 1) * kStep;
    const double wanted = 0.01 * std::exp(-0.5 * since) *
                          (std::cos(w * since) - 0.5 / w * std::sin(w * since));
    EXPECT_NEAR(run.transfer_velocity() - run.row[1], wanted, 3e-5) << since;
    EXPECT_NEAR(from_rest.transfer_velocity() - from_rest.row[1], 0.0, 3e-5) << since;
  }
}

/// Of a displacement the junction knows by measurement: it begins there, so that nothing is
/// left to die away but what its spring asks for.
TEST(InitialStates, OfTheTransferSystemsPlaceAreMeasured) {
  CutRun run("", 0.2, 0.0, false);
  EXPECT_DOUBLE_EQ(run.row[0], 0.2);
  EXPECT_DOUBLE_EQ(run.row[2], 0.2);
  for (std::int64_t k = 0; k < 400; ++k) {
    run.step(k);
    EXPECT_NEAR(run.transfer_velocity() - run.row[1], 0.0, 3e-5) << k;
  }
}

/// Cut and undivided begin with the same stores, and the actuator where the port begins to
/// move: so they go on alike.
TEST(InitialStates, OfEveryStoreInACutRun) {
  for (const bool model_feedback : {false, true}) {
    CutRun run(kEveryStore, 0.0, -0.01, model_feedback);
    EmulatedStructure whole(three_masses(kEveryStore).whole, emulated(4000));
    std::vector<double> wanted(whole.channels().size());
    whole.correct(-1, {});
    whole.record(wanted);
    EXPECT_DOUBLE_EQ(run.row[1], wanted[1]);
    EXPECT_DOUBLE_EQ(run.row[3], wanted[2]);
    EXPECT_DOUBLE_EQ(run.force(), double_well(1.1));
    for (std::int64_t k = 0; k < 2000; ++k) {
      run.step(k);
      whole.correct(k, {});
      whole.record(wanted);
      EXPECT_NEAR(run.row[0], wanted[0], 2e-4) << k;
      EXPECT_NEAR(run.row[3], wanted[2], 2e-3) << k;
    }
  }
}

TEST(InitialStates, GoOnFromASnapshotToTheBit) {
  CutRun one(kEveryStore, 0.01, -0.02, false);
  CutRun other(kEveryStore, 0.01, -0.02, false);
  for (std::int64_t k = 0; k < 300; ++k) one.step(k);
  SnapshotWriter written;
  one.save(written);
  SnapshotReader read(written.values());
  other.restore(read);
  EXPECT_TRUE(read.at_end());
  for (std::int64_t k = 300; k < 600; ++k) {
    one.step(k);
    other.step(k);
  }
  EXPECT_EQ(one.row, other.row);
}

}  // namespace
}  // namespace trestle::bond_graph::initial_states_test
