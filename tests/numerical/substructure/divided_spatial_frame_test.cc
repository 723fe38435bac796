// A spatial frame under gravity, one corner column in a laboratory: with an ideal rig the
// divided structure has the bits of the undivided one.
#include "core/base/setting_error.h"
#include "core/math/carried_inertia.h"
#include "core/ports/specimen_model.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::divided_spatial_frame_test {
namespace {

constexpr Eigen::Index kDofs = 6;

Eigen::MatrixXd column_stiffness() {
  Eigen::MatrixXd K = Eigen::VectorXd{{2e6, 3e6, 6e8, 9e6, 8e6, 2e5}}.asDiagonal();
  K(0, 4) = K(4, 0) = 3e6;
  K(1, 3) = K(3, 1) = -4e6;
  return K;
}
Eigen::MatrixXd column_mass() {
  return Eigen::VectorXd{{200.0, 200.0, 300.0, 10.0, 10.0, 5.0}}.asDiagonal();
}

/// An elastic body that feels its inertia.
class Column final : public SpecimenModel {
 public:
  int dofs() const noexcept override { return static_cast<int>(kDofs); }
  Eigen::MatrixXd initial_stiffness() const override { return column_stiffness(); }
  Eigen::MatrixXd damping() const override { return Eigen::MatrixXd::Zero(kDofs, kDofs); }
  Eigen::MatrixXd mass() const override { return column_mass(); }
  void prepare(double /*period*/) override {}
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& /*velocity*/,
                          const InterfaceVector& acceleration) noexcept override {
    InterfaceVector force = stiffness_ * displacement;
    force.noalias() += mass_ * acceleration;
    return force;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  Eigen::MatrixXd stiffness_ = column_stiffness();
  Eigen::MatrixXd mass_ = column_mass();
};

structure::ExperimentalPart part() {
  structure::ExperimentalPart part{
      .site = "west",
      .dofs = {"d1.x", "d1.y", "n1.0.0.z", "n1.0.0.rx", "n1.0.0.ry", "d1.rz"},
      .stiffness = column_stiffness(),
      .damping = Eigen::MatrixXd::Zero(kDofs, kDofs),
      .mass = Eigen::MatrixXd::Zero(kDofs, kDofs)};
  part.own_mass = column_mass();
  return part;
}

std::string frame(const std::string& integrator, const std::string& geometry = "linear") {
  const std::string motion =
      ::testing::TempDir() + "/ground_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(motion) << "0, 0\n0.1, 3\n0.25, -4\n0.4, 2\n0.6, 0\n";
  return R"(
test: corner
time_step: 1/1024 s
duration: 1 s
numerical:
  integrator: )" +
         integrator + "\n  frame:\n    geometry: " + geometry + R"(
    regular:
      bays: {count: 1, width: 6 m}
      depth: {count: 1, width: 5 m}
      storeys: {count: 2, height: 3.5 m}
      column: c
      beam: b
      floor_mass: 24 t
      floor_inertia: 120 t.m2
      joint_mass: 0 t
      joint_inertia: 500 kg.m2
      without: [c1.0.0]
    masses:
      - {node: n1.0.0, mass: 1 t}
      - {node: n1.1.0, mass: 1 t}
      - {node: n1.0.1, mass: 1 t}
      - {node: n1.1.1, mass: 1 t}
      - {node: n2.0.0, mass: 1 t}
      - {node: n2.1.0, mass: 1 t}
      - {node: n2.0.1, mass: 1 t}
      - {node: n2.1.1, mass: 1 t}
    sections:
      c: {E: 210 GPa, A: 106 cm2, J: 102.7 cm4, Iy: 11260 cm4, Iz: 3923 cm4}
      b: {E: 210 GPa, A: 72.7 cm2, J: 37.3 cm4, Iy: 16270 cm4, Iz: 1043 cm4}
    damping: {rayleigh: {ratio: 2 %}}
excitation:
  motions:
    - {record: )" +
         motion + R"(, direction: x, angle: 30 deg}
    - {record: )" +
         motion + R"(, direction: z, scale: 0.5}
  gravity: {acceleration: 9.81 m/s2}
recording: {members: all, energies: true}
)";
}

std::vector<double> recorded(const NumericalSubstructure& numerical) {
  std::vector<double> row(numerical.channels().size());
  numerical.record(row);
  return row;
}

TEST(DividedSpatialFrame, HasTheBitsOfTheUndividedOne) {
  using Named = std::pair<std::string, std::string>;
  for (const auto& [integrator, geometry] :
       {Named{"explicit-newmark", "linear"}, Named{"operator-splitting", "linear"},
        Named{"constant-average-acceleration", "linear"}, Named{"kr-alpha", "linear"},
        Named{"explicit-newmark", "p-delta"},
        Named{"constant-average-acceleration", "p-delta"}}) {
    const config::Test test = testing::read_test(frame(integrator, geometry));
    composition::NumericalParts whole{
        .experimental = {part()}, .undivided = {}, .reference = {}};
    whole.undivided.push_back(std::make_unique<Column>());
    const auto undivided = composition::make_numerical(test, std::move(whole), nullptr);
    const auto divided = composition::make_numerical(
        test, {.experimental = {part()}, .undivided = {}, .reference = {}}, nullptr);

    // An ideal rig and its site: one tick a step, the inertia taken out.
    Column specimen;
    math::CarriedInertia inertia(column_mass(), test.time_step(), kDofs);
    std::vector<SiteTarget> requests{{InterfaceMotion::zero(kDofs), {}, {}}};
    std::vector<SiteResponse> answers{
        {InterfaceVector::Zero(kDofs), InterfaceVector::Zero(kDofs)}};
    EXPECT_TRUE(divided->correct(-1, answers));
    undivided->correct(-1, {});
    double largest = 0.0;
    for (std::int64_t k = 0; k < divided->steps(); ++k) {
      divided->predict(k, requests);
      // The specimen stands preloaded: its zero is the state under gravity.
      if (k == 0) {
        EXPECT_TRUE(requests[0].target.displacement.isZero(0.0)) << integrator;
      }
      inertia.pass(requests[0].target.displacement);
      answers[0].measured = requests[0].target.displacement;
      answers[0].force =
          specimen.advance(requests[0].target.displacement, requests[0].target.velocity,
                           inertia.acceleration());
      inertia.take_out(answers[0].force);
      ASSERT_TRUE(divided->correct(k, answers)) << integrator;
      undivided->predict(k, {});
      ASSERT_TRUE(undivided->correct(k, {}));
      ASSERT_EQ(recorded(*divided), recorded(*undivided)) << integrator << " step " << k;
      largest = std::max(largest, requests[0].target.displacement.cwiseAbs().maxCoeff());
    }
    EXPECT_GT(largest, 1e-4) << integrator;
    // The specimen's work among them; the last of the channels is the balance.
    if (integrator == "constant-average-acceleration") {
      EXPECT_LT(std::abs(recorded(*divided).back()), 1e-10);
    }
  }
}

// Taken there by step 0, the specimen answers with the force that it has under gravity: the
// same histories, but its targets are whole displacements.
TEST(DividedSpatialFrame, MayBeTakenToTheStateUnderGravityByStepZero) {
  const config::Test test = testing::read_test(frame("operator-splitting"));
  structure::ExperimentalPart applied = part();
  applied.gravity_applied = true;
  applied.own_mass.setZero();
  structure::ExperimentalPart standing = part();
  standing.own_mass.setZero();
  const auto taken = composition::make_numerical(
      test, {.experimental = {applied}, .undivided = {}, .reference = {}}, nullptr);
  const auto preloaded = composition::make_numerical(
      test, {.experimental = {standing}, .undivided = {}, .reference = {}}, nullptr);
  std::vector<SiteTarget> one{{InterfaceMotion::zero(kDofs), {}, {}}};
  std::vector<SiteTarget> other = one;
  std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(kDofs), InterfaceVector::Zero(kDofs)}};
  taken->correct(-1, answers);
  preloaded->correct(-1, answers);
  InterfaceVector under_gravity;
  for (std::int64_t k = 0; k < taken->steps(); ++k) {
    taken->predict(k, one);
    preloaded->predict(k, other);
    if (k == 0) {
      under_gravity = one[0].target.displacement;
      EXPECT_GT(under_gravity.cwiseAbs().maxCoeff(), 1e-5);
      EXPECT_TRUE(other[0].target.displacement.isZero(0.0));
    }
    EXPECT_LT((one[0].target.displacement - other[0].target.displacement - under_gravity)
                  .cwiseAbs()
                  .maxCoeff(),
              1e-12);
    answers[0].force = column_stiffness() * one[0].target.displacement;
    ASSERT_TRUE(taken->correct(k, answers));
    answers[0].force = column_stiffness() * other[0].target.displacement;
    ASSERT_TRUE(preloaded->correct(k, answers));
  }
}

// In real time step 0 would have to jump.
TEST(DividedSpatialFrame, IsNotTakenToTheStateUnderGravityInRealTime) {
  config::Test test = testing::read_test(frame("operator-splitting"));
  test.set_mode(config::REAL_TIME);
  structure::ExperimentalPart applied = part();
  applied.gravity_applied = true;
  try {
    composition::make_numerical(
        test, {.experimental = {applied}, .undivided = {}, .reference = {}}, nullptr);
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "sites[0].gravity");
  }
}

// Gravity alone moves nothing: the state before step 0 is in equilibrium, laboratory
// included.
TEST(DividedSpatialFrame, StandsStillUnderGravityAlone) {
  std::string text = frame("constant-average-acceleration", "p-delta");
  text.erase(text.find("  motions:"), text.find("  gravity:") - text.find("  motions:"));
  const config::Test test = testing::read_test(text);
  const auto divided = composition::make_numerical(
      test, {.experimental = {part()}, .undivided = {}, .reference = {}}, nullptr);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(kDofs), {}, {}}};
  std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(kDofs), InterfaceVector::Zero(kDofs)}};
  divided->correct(-1, answers);
  for (std::int64_t k = 0; k < 100; ++k) {
    divided->predict(k, requests);
    EXPECT_LT(requests[0].target.displacement.cwiseAbs().maxCoeff(), 1e-14);
    answers[0].force = column_stiffness() * requests[0].target.displacement;
    divided->correct(k, answers);
  }
}

}  // namespace
}  // namespace trestle::substructure::divided_spatial_frame_test
