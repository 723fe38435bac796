#include "site-servers/checks/startup_checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::checks::start_checks_test {
namespace {

constexpr double kTick = 1.0 / 256.0;

/// Actuators with a servo loop of their own that lags, on an elastic specimen, with
/// transducers whose cables can be wrong in every way.
class CabledRig final : public SiteAdapter {
 public:
  explicit CabledRig(Eigen::MatrixXd specimen)
      : stiffness(std::move(specimen)),
        actuators(stiffness.rows()),
        position(ActuatorVector::Zero(actuators)),
        drive(position),
        zero{position, position},
        displacement_gain(ActuatorVector::Ones(actuators)),
        force_gain(displacement_gain) {
    for (int i = 0; i < static_cast<int>(actuators); ++i) cell.push_back(i);
    transducer = cell;
  }
  RigDescription description() const override { return {}; }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    ++reads;
    position += 0.2 * (drive - position);
    const ActuatorVector force = stiffness * position;
    for (Eigen::Index i = 0; i < actuators; ++i) {
      const auto at = static_cast<std::size_t>(i);
      sensed.displacement[i] = displacement_gain[i] * position[transducer[at]] +
                               zero.displacement[i] + noise(displacement_noise);
      sensed.force[i] = force_gain[i] * force[cell[at]] + zero.force[i] +
                        noise(force_noise) + force_drift * kTick * reads;
    }
    return reads == trips_at ? AdapterStatus::kTripped : AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& value) noexcept override {
    // A servo closes its loop on its transducer: told what that says, it stands still.
    const ActuatorVector wanted = value - zero.displacement;
    worst_rate = std::max(worst_rate, (wanted - drive).cwiseAbs().maxCoeff() / kTick);
    drive = wanted;
    farthest = std::max(farthest, drive.cwiseAbs().maxCoeff());
    return AdapterStatus::kOk;
  }
  void hold() noexcept override { held = true; }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  double noise(double deviation) {
    return deviation > 0.0 ? deviation * normal(random) : 0.0;
  }

  Eigen::MatrixXd stiffness;
  Eigen::Index actuators;
  ActuatorVector position, drive;
  Measurement zero;  ///< what the transducers add
  ActuatorVector displacement_gain, force_gain;
  std::vector<int> cell, transducer;  ///< of which actuator
  double displacement_noise = 0.0, force_noise = 0.0;
  double force_drift = 0.0;  ///< [N/s]
  int reads = 0, trips_at = -1;
  double worst_rate = 0.0, farthest = 0.0;
  bool held = false;
  std::mt19937 random{7};
  std::normal_distribution<double> normal;
};

CabledRig one_spring() {
  return CabledRig(Eigen::MatrixXd::Constant(1, 1, 1.55e7));
}
CabledRig two_springs() {
  return CabledRig(Eigen::Vector2d(1e7, 2e7).asDiagonal().toDenseMatrix());
}

StartCheckSettings everything(std::size_t actuators) {
  return {std::vector<double>(actuators, 0.5e-3), std::vector<double>(actuators, 500.0),
          std::vector<double>(actuators, 0.2e-3)};
}

std::string refusal(CabledRig& rig, const StartCheckSettings& settings,
                    const RigLimits& limits = {}) {
  std::vector<ActuatorDescription> actuators;
  for (Eigen::Index i = 0; i < rig.actuators; ++i)
    actuators.push_back({"jack " + std::to_string(i + 1), DofKind::kTranslation});
  return StartupChecks(settings, limits, actuators, kTick).run(rig);
}

TEST(StartupChecks, PassARigThatIsAsItShouldBeAndLeaveItWhereItWas) {
  for (CabledRig rig : {one_spring(), two_springs()}) {
    EXPECT_EQ(refusal(rig, everything(static_cast<std::size_t>(rig.actuators))), "");
    EXPECT_EQ(rig.drive, ActuatorVector(ActuatorVector::Zero(rig.actuators)));
    EXPECT_LT(rig.position.cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(rig.farthest, 0.2e-3, 1e-15);
    EXPECT_FALSE(rig.held);
  }
}

TEST(StartupChecks, PassARigInItsNoise) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CabledRig rig = two_springs();
    rig.random.seed(seed);
    rig.displacement_noise = 5e-6;
    rig.force_noise = 50.0;
    EXPECT_EQ(refusal(rig, everything(2)), "") << seed;
  }
}

TEST(StartupChecks, MoveNothingWhereNothingIsAskedFor) {
  CabledRig rig = two_springs();
  rig.zero.force[0] = 9e9;
  EXPECT_EQ(refusal(rig, {}), "");
  EXPECT_EQ(rig.farthest, 0.0);
  EXPECT_EQ(rig.reads, 64);  // a quarter of a second
}

TEST(StartupChecks, MoveSlowlyAndNoFasterThanHalfOfTheLimits) {
  CabledRig rig = one_spring();
  EXPECT_EQ(refusal(rig, everything(1)), "");
  EXPECT_NEAR(rig.worst_rate, 15.0 / 8.0 * 0.2e-3 / 2.0, 0.01 * 0.2e-3);
  CabledRig limited = one_spring();
  EXPECT_EQ(refusal(limited, everything(1), {{.rate = 0.1e-3, .acceleration = 5e-5}}), "");
  EXPECT_LE(limited.worst_rate, 0.05e-3);
}

TEST(StartupChecks, RefuseATransducerThatIsNotZeroed) {
  CabledRig rig = two_springs();
  rig.zero.displacement[1] = -1.2e-3;
  EXPECT_EQ(
      refusal(rig, everything(2)),
      "start-up check: actuator jack 2 reads -1.2 mm at rest, more than the 0.5 mm of "
      "start_checks.zero_displacement; bring it to its zero, or zero its displacement "
      "transducer");
  EXPECT_LT(rig.farthest, 1e-15);
}

TEST(StartupChecks, RefuseALoadCellThatIsNotZeroed) {
  CabledRig rig = two_springs();
  rig.zero.force[0] = 3100.0;
  EXPECT_EQ(refusal(rig, everything(2)),
            "start-up check: actuator jack 1 reads 3.1 kN at rest, more than the 0.5 kN of "
            "start_checks.zero_force; take the load off, or zero the load cell");
  EXPECT_EQ(rig.farthest, 0.0);
  CabledRig pulled = two_springs();
  pulled.zero.force[0] = -501.0;
  EXPECT_NE(refusal(pulled, everything(2)).find("reads -0.501 kN at rest"),
            std::string::npos);
}

TEST(StartupChecks, HoldEachMotionAgainstTheRestRightBeforeIt) {
  CabledRig rig = two_springs();
  rig.force_drift = -700.0;  // the specimen relaxes; a motion gives 2 kN and 4 kN
  EXPECT_EQ(refusal(rig, {{}, {}, {0.4e-3, 0.2e-3}}), "");
}

TEST(StartupChecks, JudgeTheMeanAtRestAndNotOneReading) {
  CabledRig rig = one_spring();
  rig.force_noise = 400.0;  // one reading in five is above 500 N
  EXPECT_EQ(refusal(rig, {{}, {500.0}, {}}), "");
}

TEST(StartupChecks, RefuseALoadCellWithTheWrongSign) {
  CabledRig rig = one_spring();
  rig.force_gain[0] = -1.0;
  EXPECT_EQ(
      refusal(rig, everything(1)),
      "start-up check: actuator jack 1 moved by 0.2 mm, the force changed by -3.1 kN: a "
      "specimen that resists gives a force of the sign of its motion; look at the "
      "sign of the load cell or its cable");
  EXPECT_LT(rig.position.cwiseAbs().maxCoeff(), 1e-12) << "it is where it was";
}

TEST(StartupChecks, RefuseALoadCellThatFeelsNothing) {
  for (const double noise : {0.0, 20.0}) {
    CabledRig rig = one_spring();
    rig.force_gain[0] = 0.0;
    rig.force_noise = noise;
    EXPECT_NE(refusal(rig, everything(1)).find("its load cell did not feel it"),
              std::string::npos);
  }
}

TEST(StartupChecks, RefuseADisplacementTransducerWithTheWrongSign) {
  CabledRig rig = one_spring();
  rig.displacement_gain[0] = -1.0;
  EXPECT_EQ(refusal(rig, everything(1)),
            "start-up check: actuator jack 1 moved by 0.2 mm, its displacement changed by "
            "-0.2 mm: look at the sign of the displacement transducer or its cable");
}

TEST(StartupChecks, RefuseADisplacementTransducerThatFeelsNothing) {
  CabledRig rig = one_spring();
  rig.displacement_gain[0] = 0.0;
  EXPECT_NE(refusal(rig, everything(1)).find("its displacement transducer did not feel it"),
            std::string::npos);
}

TEST(StartupChecks, SayWhoseLoadCellFeltItWhereCablesAreSwapped) {
  CabledRig rig = two_springs();
  rig.cell = {1, 0};
  const std::string why = refusal(rig, everything(2));
  EXPECT_NE(why.find("actuator jack 1 moved by 0.2 mm, its load cell did not feel it"),
            std::string::npos)
      << why;
  EXPECT_NE(why.find("the load cell of actuator jack 2 changed by 2 kN: are their cables "
                     "swapped?"),
            std::string::npos)
      << why;
}

TEST(StartupChecks, SayWhoseTransducerFeltItWhereCablesAreSwapped) {
  CabledRig rig = two_springs();
  rig.transducer = {1, 0};
  const std::string why = refusal(rig, everything(2));
  EXPECT_NE(
      why.find("the displacement transducer of actuator jack 2 changed by 0.2 mm: are "
               "their cables swapped?"),
      std::string::npos)
      << why;
}

TEST(StartupChecks, LookAtTheOwnForceOfTheActuatorThatMoves) {
  Eigen::Matrix2d coupled;
  coupled << 1e7, -1.5e7, -1.5e7, 4e7;  // moving one loads the other more, the other way
  CabledRig rig(coupled);
  EXPECT_EQ(refusal(rig, everything(2)), "");
  CabledRig second(coupled);
  second.force_gain[1] = -1.0;
  const std::string why = refusal(second, everything(2));
  EXPECT_NE(why.find("actuator jack 2 moved by 0.2 mm, the force changed by -8 kN"),
            std::string::npos)
      << why;
}

TEST(StartupChecks, RefuseWhatIsOutsideItsLimitsAtRestAlways) {
  CabledRig rig = one_spring();
  rig.zero.displacement[0] = 0.061;
  EXPECT_EQ(
      refusal(rig, {}, {{.displacement = 0.06}}),
      "start-up check: displacement 61 mm at actuator jack 1 is above its limit 60 mm "
      "although the rig is at rest; bring it inside its limits, or look at the "
      "transducer");
  CabledRig loaded = one_spring();
  loaded.zero.force[0] = -401e3;
  EXPECT_NE(refusal(loaded, {}, {{.force = 400e3}}).find("force 401 kN at actuator jack 1"),
            std::string::npos);
  CabledRig broken = one_spring();
  broken.zero.force[0] = std::nan("");
  EXPECT_NE(refusal(broken, everything(1)).find("not finite"), std::string::npos);
  EXPECT_TRUE(broken.held);
}

TEST(StartupChecks, HoldWhereTheMotionMeetsALimit) {
  CabledRig rig = one_spring();
  const std::string why = refusal(rig, everything(1), {{.force = 2000.0}});
  EXPECT_NE(why.find("is above its limit 2 kN while actuator jack 1 moved by 0.2 mm"),
            std::string::npos)
      << why;
  EXPECT_TRUE(rig.held);
  EXPECT_GT(rig.drive[0], 0.1e-3) << "it holds where it was and does not jump back";
}

TEST(StartupChecks, MoveAwayFromANearLimitOfDisplacement) {
  CabledRig rig = one_spring();
  rig.zero.displacement[0] = 0.0599;
  EXPECT_EQ(refusal(rig, {{}, {}, {0.2e-3}}, {{.displacement = 0.06}}), "");
  EXPECT_NEAR(rig.farthest, 0.2e-3, 1e-12);
}

TEST(StartupChecks, RefuseARigThatTrips) {
  CabledRig rig = one_spring();
  rig.trips_at = 300;
  EXPECT_NE(refusal(rig, everything(1)).find("the rig's own protection acted"),
            std::string::npos);
  EXPECT_EQ(rig.reads, 300);
}

TEST(StartupChecks, SayWhatCannotBeASetting) {
  CabledRig rig = one_spring();
  EXPECT_THROW(refusal(rig, {{0.1, 0.1}, {}, {}}), SettingError);
  EXPECT_THROW(refusal(rig, {{}, {-1.0}, {}}), SettingError);
  EXPECT_THROW(refusal(rig, {{}, {}, {0.07}}, {{.displacement = 0.06}}), SettingError);
  EXPECT_EQ(rig.reads, 0);
}

}  // namespace
}  // namespace trestle::checks::start_checks_test
