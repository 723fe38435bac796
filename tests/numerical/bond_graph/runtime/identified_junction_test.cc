#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "tests/numerical/bond_graph/model_files.h"
#include "tests/numerical/bond_graph/runtime/two_ports.h"

/// The virtual junction with transfer systems that are not those of the file: 15 % more
/// damping and 6 % less stiffness. Walls that move at three frequencies at once.
namespace trestle::bond_graph::identified_junction_test {
namespace {

using Eigen::VectorXd;

constexpr double kStep = 1e-3;
constexpr std::int64_t kSteps = 20000;

double compound(double t) {
  const double s = std::min(t / 2.0, 1.0);
  const auto tone = [t](double f) {
    return std::sin(2.0 * std::numbers::pi * f * t);
  };
  return s * s * (3.0 - 2.0 * s) * 2e-3 * (tone(1.7) + tone(3.1) + tone(4.6));
}

excitation::SourceSignal wall(const char* name, double sign) {
  return {name, excitation::SourceQuantity::kDisplacement,
          [sign](double t) { return sign * compound(sign > 0.0 ? t : 0.83 * t); }, 0.0};
}

simulated::CoupledActuators rig_of(double damping, double stiffness) {
  const TwoPorts table;
  std::vector<simulated::LoadedTransferSettings> real;
  for (int i = 0; i < 2; ++i)
    real.push_back({.mass = TwoPorts::kMass,
                    .stiffness = stiffness * table.transfer_stiffness[i],
                    .damping = damping * table.transfer_damping[i]});
  return simulated::CoupledActuators(real, std::make_unique<MiddleMass>(), 4);
}

struct Outcome {
  std::array<double, 2> rms{};  // of x − z over the last 4 s, over that of z
  std::vector<double> last;     // row
};

Outcome run(const std::optional<IdentificationSettings>& identification,
            double damping = 1.15, double stiffness = 0.94) {
  BondGraphSubstructure numerical(TwoPorts().model(),
                                  {.time_step = kStep,
                                   .steps = kSteps,
                                   .ports = {{0, 0, "left.x"}, {0, 1, "right.x"}},
                                   .sources = {wall("r1", 1.0), wall("r2", -1.0)},
                                   .delay = {},
                                   .identification = identification});
  simulated::CoupledActuators rig = rig_of(damping, stiffness);
  rig.prepare(kStep);
  std::vector<SiteTarget> requests(1);
  requests[0].target = InterfaceMotion::zero(2);
  std::vector<SiteResponse> answers(
      1, {.measured = InterfaceVector::Zero(2), .force = InterfaceVector::Zero(2)});
  Outcome found{{}, std::vector<double>(numerical.channels().size())};
  std::array<double, 2> errors{}, motions{};
  numerical.correct(-1, answers);
  for (std::int64_t k = 0; k < kSteps; ++k) {
    numerical.predict(k, requests);
    rig.advance(VectorXd(requests[0].command_feedforward));
    answers[0] = {rig.displacement(), rig.force()};
    EXPECT_TRUE(numerical.correct(k, answers));
    numerical.record(found.last);
    for (std::size_t i = 0; i < 2 && k >= kSteps - 4000; ++i) {
      const double z = found.last[5 * i], x = found.last[5 * i + 2];
      errors[i] += (x - z) * (x - z);
      motions[i] += z * z;
    }
  }
  for (std::size_t i = 0; i < 2; ++i) found.rms[i] = std::sqrt(errors[i] / motions[i]);
  return found;
}

/// m_t and c_t of the file, whether it writes numbers or a graph; none of another form.
TEST(IdentifiedJunction, KnowsMassAndDamperOfTheFile) {
  const Substructuring numbers = substructure(example_model("two_ports.yaml"));
  EXPECT_NEAR(numbers.augmented.transfers[0].mass, 2.2, 1e-12);
  EXPECT_NEAR(numbers.augmented.transfers[0].damping, 150.8, 1e-9);
  EXPECT_NEAR(numbers.augmented.transfers[1].damping, 200.8, 1e-9);
  const Substructuring graph = substructure(example_model("three_masses.yaml"));
  EXPECT_NEAR(graph.augmented.transfers[0].mass, 1.0, 1e-12);
  EXPECT_NEAR(graph.augmented.transfers[0].damping, 1.0, 1e-12);
}

TEST(IdentifiedJunction, SynchronisesWhereAFixedOneDoesNot) {
  const Outcome fixed = run(std::nullopt);
  const Outcome watched = run(IdentificationSettings{.corrects = false});
  const Outcome identified = run(IdentificationSettings{});
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(fixed.rms[i], 0.03) << i;
    EXPECT_LT(identified.rms[i], 0.1 * fixed.rms[i]) << i;
    EXPECT_EQ(watched.rms[i], fixed.rms[i]) << "recorded only, and yet it moves something";
    RecordProperty("fixed_" + std::to_string(i), std::to_string(fixed.rms[i]));
    RecordProperty("identified_" + std::to_string(i), std::to_string(identified.rms[i]));
    // Behind 5 of each port, 2 sources and 4 of each port: m/k, c/k, load/k, excitation,
    // frozen.
    const double* row = identified.last.data() + 20 + 5 * i;
    EXPECT_NEAR(row[0], 1.0 / 0.94, 0.02) << i;
    EXPECT_NEAR(row[1], 1.15 / 0.94, 0.01) << i;
    EXPECT_NEAR(row[2], 1.0 / 0.94, 0.02) << i;
    EXPECT_EQ(row[4], 0.0) << i;
  }
}

/// Substructure and rig, a step at a time.
struct Loop {
  BondGraphSubstructure numerical{TwoPorts().model(),
                                  {.time_step = kStep,
                                   .steps = kSteps,
                                   .ports = {{0, 0, "left.x"}, {0, 1, "right.x"}},
                                   .sources = {wall("r1", 1.0), wall("r2", -1.0)},
                                   .delay = {},
                                   .physical_outputs = true,
                                   .identification = IdentificationSettings{}}};
  simulated::CoupledActuators rig = rig_of(1.15, 0.94);
  std::vector<SiteTarget> requests = std::vector<SiteTarget>(1);
  std::vector<SiteResponse> answers = std::vector<SiteResponse>(1);

  Loop() {
    rig.prepare(kStep);
    requests[0].target = InterfaceMotion::zero(2);
    answers[0] = {rig.displacement(), rig.force()};
    numerical.correct(-1, answers);
  }
  std::vector<double> step(std::int64_t k) {
    numerical.predict(k, requests);
    rig.advance(VectorXd(requests[0].command_feedforward));
    answers[0] = {rig.displacement(), rig.force()};
    numerical.correct(k, answers);
    std::vector<double> row(numerical.channels().size());
    numerical.record(row);
    return row;
  }
};

TEST(IdentifiedJunction, GoesOnFromASnapshotToTheBit) {
  Loop one, other;
  for (std::int64_t k = 0; k < 4000; ++k) one.step(k);
  SnapshotWriter written;
  one.numerical.snapshot(written);
  one.rig.save(written);
  SnapshotReader read(written.values());
  other.numerical.restore(read);
  other.rig.restore(read);
  EXPECT_TRUE(read.at_end());
  for (std::int64_t k = 4000; k < 4500; ++k) ASSERT_EQ(one.step(k), other.step(k)) << k;
}

/// Where the file is right the identified junction does no harm.
TEST(IdentifiedJunction, LeavesAnExactModelExact) {
  const Outcome identified = run(IdentificationSettings{}, 1.0, 1.0);
  for (const double rms : identified.rms) EXPECT_LT(rms, 1e-3);
}

}  // namespace
}  // namespace trestle::bond_graph::identified_junction_test
