#include "studies/characterisation/characterisation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <utility>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/linear/transfer_factory.h"
#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "core/math/state_space.h"
#include "core/yaml/yaml_reader.h"
#include "studies/characterisation/characterise_factory.h"
#include "studies/characterisation/characterise_summary.h"
#include "studies/characterisation/transfer_system_text.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;
using Overrides = std::vector<std::string>;

std::string shipped(const std::string& name) {
  return std::string(TRESTLE_SOURCE_DIR) + "/examples/" + name;
}

struct Laboratory {
  config::SiteFile file;
  yaml::SourceMap where;
  CharacteriseSettings settings;
  CharacteriseReport report;

  Laboratory(const std::string& path, const Overrides& overrides) {
    yaml::read_yaml(path, overrides, file, where);
    const std::unique_ptr<SiteAdapter> rig = composition::make_rig(file);
    const site_node::SiteSettings site = composition::site_settings(file, "test");
    settings = characterise_settings(file, where, rig->description());
    RigLimits limits = site.limits;
    limits.resize(rig->description().actuators.size());
    report =
        characterise(settings, limits, *site.loading_frame, *rig, [] { return false; });
  }
};

const Overrides kQuick{"characterise.duration=15 s", "characterise.lowest=0.2 Hz"};

Overrides quick(Overrides more) {
  more.insert(more.end(), kQuick.begin(), kQuick.end());
  return more;
}

std::string complaint(const std::string& path, const Overrides& overrides) {
  try {
    const Laboratory lab(path, overrides);
  } catch (const SettingError& error) {
    std::string all;
    for (const SettingIssue& problem : error.problems())
      all += problem.path + ": " + problem.what + "\n";
    return all;
  }
  return "none";
}

TEST(Characterisation, RecoversTheTwoSiteFramesRigsWithinTheStatedDeviations) {
  const double omega = 2.0 * std::numbers::pi * 18.0;
  int all = 0;
  int beyond = 0;
  const auto expect = [&](double error, double deviation) {
    ++all;
    if (std::abs(error) > 3.0 * deviation) ++beyond;
  };
  for (const char* file :
       {"two_site_frame/site_west.yaml", "two_site_frame/site_east.yaml"})
    for (int seed = 1; seed <= 5; ++seed) {
      const Laboratory lab(shipped(file),
                           quick({"characterise.seed=" + std::to_string(seed)}));
      ASSERT_EQ(lab.report.end, CharacterisationOutcome::kComplete) << lab.report.reason;
      for (const ActuatorFinding& found : lab.report.actuators) {
        EXPECT_EQ(found.transfer.transfer.order(), 2);
        expect(found.transfer.transfer.delay, found.transfer.delay_deviation);
        expect(found.transfer.transfer.gain - 1.0, found.transfer.gain_deviation);
        EXPECT_NEAR(std::abs(found.transfer.poles.front()), omega, 0.01 * omega);
        EXPECT_NEAR(found.slope, 1.0, 0.01);
        EXPECT_NEAR(found.settled_gain, 1.0, 6.0 * found.settled_deviation);
        EXPECT_EQ(found.crosstalk, 0.0);
      }
      // 1024 readings: 1/√2048 is 2.2 %.
      const double expected[2][2] = {{2e-6, 20.0}, {1e-6, 10.0}};
      for (std::size_t i = 0; i < 2; ++i) {
        const ActuatorFinding& found = lab.report.actuators[i];
        EXPECT_NEAR(found.displacement_noise / expected[i][0], 1.0, 0.1);
        EXPECT_NEAR(found.force_noise / expected[i][1], 1.0, 0.1);
      }
      // 12EI/h³ and 4EI/h, less what the late displacement hides.
      EXPECT_NEAR(lab.report.actuators[0].stiffness, 12.0 * 210e9 * 5696e-8 / 27.0, 5e4);
      EXPECT_NEAR(lab.report.actuators[1].stiffness, 4.0 * 210e9 * 5696e-8 / 3.0, 2e5);
    }
  EXPECT_LE(beyond, 1 + 0.0027 * all + 3.1 * std::sqrt(0.0027 * all)) << "of " << all;
}

/// True response from tick to tick.
Eigen::MatrixXcd true_response(const math::StateSpace& system, double frequency,
                               double tick) {
  const Complex z = std::polar(1.0, 2.0 * std::numbers::pi * frequency * tick);
  math::DiscreteStateSpace held =
      math::discretise(system, tick, math::Discretisation::kRungeKuttaHold);
  const Eigen::MatrixXd D = held.D;
  held.D.setZero();
  return z * math::frequency_response(held, z) + D;
}

/// Largest error of a fitted response in the band, over what is stated of it.
double worst(const IdentifiedTransfer& found, const math::StateSpace& truth,
             Eigen::Index to, Eigen::Index from, double tick) {
  double error = 0.0;
  double largest = 0.0;
  for (double f = 0.2; f <= 20.0; f += 0.2) {
    const Complex exact = true_response(truth, f, tick)(to, from);
    const Complex fitted = tick_response(found.transfer, TickCircle({f}, tick))[0];
    error = std::max(error, std::abs(exact - fitted));
    largest = std::max(largest, std::abs(exact));
  }
  return error / largest / found.worst_deviation;
}

TEST(Characterisation, RecoversACoupledTransferMatrixWithinTheStatedDeviations) {
  int all = 0;
  int beyond = 0;
  for (int seed = 1; seed <= 5; ++seed) {
    const Laboratory lab(shipped("marths/site_bay.yaml"),
                         {"characterise.coupled=true", "characterise.duration=30 s",
                          "characterise.seed=" + std::to_string(seed),
                          "rig.noise=[{displacement: 12 um, force: 1 N}, {displacement: 12 "
                          "um, force: 1 N}]"});
    ASSERT_EQ(lab.report.end, CharacterisationOutcome::kComplete) << lab.report.reason;
    const math::StateSpace truth =
        composition::make_transfer(lab.file.rig().transfer_matrix(), 2, "rig");
    const auto count = [&](const IdentifiedTransfer& found, Eigen::Index to,
                           Eigen::Index from) {
      ++all;
      if (worst(found, truth, to, from, lab.settings.tick) > 3.0) ++beyond;
      EXPECT_LT(found.worst_deviation, 0.01);
    };
    for (Eigen::Index i = 0; i < 2; ++i) {
      const ActuatorFinding& found = lab.report.actuators[static_cast<std::size_t>(i)];
      count(found.transfer, i, i);
      EXPECT_GT(found.crosstalk, 0.03);
    }
    ASSERT_EQ(lab.report.coupling.size(), 2U);
    for (const CouplingFinding& found : lab.report.coupling)
      count(found.transfer, found.to, found.from);
  }
  // The largest of a whole band: of 25 seeds 2 in 100 are beyond.
  EXPECT_LE(beyond, 1) << "of " << all;
}

TEST(Characterisation, NoiseFindsWhatTheChirpFinds) {
  const Laboratory lab(
      shipped("two_site_frame/site_west.yaml"),
      quick({"characterise.signal=noise", "rig.actuators[0]={kind: delay, delay: 9 ms}"}));
  ASSERT_EQ(lab.report.end, CharacterisationOutcome::kComplete) << lab.report.reason;
  const IdentifiedTransfer& delay = lab.report.actuators[0].transfer;
  EXPECT_NEAR(delay.transfer.delay, 0.009, 3.0 * delay.delay_deviation);
  const IdentifiedTransfer& lag = lab.report.actuators[1].transfer;
  EXPECT_NEAR(lag.transfer.delay, 0.0, 3.0 * lag.delay_deviation);
  EXPECT_NEAR(lag.transfer.gain, 1.0, 3.0 * lag.gain_deviation);
}

TEST(Characterisation, ThePlanIsHeldAgainstTheLimitsBeforeAnythingMoves) {
  const std::string west = shipped("two_site_frame/site_west.yaml");
  const auto contains = [&](const Overrides& overrides, const std::string& text) {
    const std::string all = complaint(west, overrides);
    EXPECT_NE(all.find(text), std::string::npos) << all;
  };
  contains({"limits.actuators[0].rate=50 mm/s"},
           "limits.actuators[0].rate: the chirp to 20 Hz would move actuator 1 at 113.");
  contains({"limits.actuators[0].rate=50 mm/s"},
           "its limit is 50 mm/s; make its amplitude");
  contains({"limits.actuators[1].displacement=0.5 mrad"},
           "the step would take actuator 2 to 1.0");
  contains({"limits.interface={x: 0.4 mm, rz: 20 mrad}"},
           "limits.interface: the step of actuator 1 would take interface DOF 1 to 0.001");
  contains({"characterise.amplitude=[1 mm, 1 mrad, 1 mm]"}, "3 amplitudes are given");
  contains({"characterise.amplitude=[1 mm, 1 mm]"}, "actuator 2 is a rotation");
  contains({"characterise.lowest=30 Hz"}, "characterise.highest: is 20 Hz; must be above");
  contains({"characterise.highest=300 Hz"}, "allows up to 128 Hz");
  contains({"characterise.duration=1 s"}, "this band needs at least 2.513 s");
}

TEST(Characterisation, AWrongSignOfAnActuatorIsFoundBeforeTheStep) {
  const Laboratory lab(
      shipped("two_site_frame/site_west.yaml"),
      {"rig.actuators[1]={kind: second-order, frequency: 18 Hz, damping: 0.7, gain: -1}"});
  EXPECT_EQ(lab.report.end, CharacterisationOutcome::kPolarity);
  EXPECT_NE(lab.report.reason.find("actuator 2 moves the wrong way"), std::string::npos)
      << lab.report.reason;
}

TEST(Characterisation, AWrongSignOfALoadCellIsFound) {
  const Laboratory lab(shipped("two_site_frame/site_west.yaml"),
                       {"rig.specimen={kind: linear, stiffness: [[-1e6, 0], [0, 1e6]]}"});
  EXPECT_EQ(lab.report.end, CharacterisationOutcome::kPolarity);
  EXPECT_NE(lab.report.reason.find("the force of actuator 1 has the wrong sign"),
            std::string::npos)
      << lab.report.reason;
}

TEST(Characterisation, AnActuatorThatDoesNotFollowIsFound) {
  const Laboratory lab(shipped("two_site_frame/site_west.yaml"),
                       {"rig.actuators[0]={kind: delay, delay: 0 s, gain: 0}"});
  EXPECT_EQ(lab.report.end, CharacterisationOutcome::kPolarity);
  EXPECT_NE(lab.report.reason.find("actuator 1 does not follow"), std::string::npos)
      << lab.report.reason;
}

/// A rig that counts the drives of which its equipment was not told.
class ToldRig final : public SiteAdapter {
 public:
  explicit ToldRig(std::unique_ptr<SiteAdapter> rig) : rig_(std::move(rig)) {}
  RigDescription description() const override { return rig_->description(); }
  void prepare(const RigRun& run) override { rig_->prepare(run); }
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    return rig_->read(now, sensed);
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    ++(told.running ? as_told : in_secret);
    return rig_->write(drive);
  }
  void hold() noexcept override { rig_->hold(); }
  void report(SiteSignals signals) noexcept override { told = signals; }
  void save(SnapshotWriter& snapshot) const override { rig_->save(snapshot); }
  void restore(SnapshotReader& snapshot) override { rig_->restore(snapshot); }

  SiteSignals told;
  int as_told = 0;
  int in_secret = 0;

 private:
  std::unique_ptr<SiteAdapter> rig_;
};

TEST(Characterisation, TellsTheEquipmentOfEachDriveThatATestRuns) {
  config::SiteFile file;
  yaml::SourceMap where;
  yaml::read_yaml(shipped("two_site_frame/site_east.yaml"), quick({}), file, where);
  ToldRig rig(composition::make_rig(file));
  const site_node::SiteSettings site = composition::site_settings(file, "test");
  RigLimits limits = site.limits;
  limits.resize(rig.description().actuators.size());
  characterise(characterise_settings(file, where, rig.description()), limits,
               *site.loading_frame, rig, [] { return false; });
  EXPECT_GT(rig.as_told, 1000);
  EXPECT_EQ(rig.in_secret, 0);
  EXPECT_EQ(rig.told, SiteSignals{});
}

TEST(Characterisation, ATripOfTheGateEndsItWithNumberAndLimit) {
  const Laboratory lab(shipped("two_site_frame/site_west.yaml"),
                       {"limits.actuators[0].force=4 kN"});
  EXPECT_EQ(lab.report.end, CharacterisationOutcome::kFault);
  EXPECT_EQ(lab.report.fault.kind, FaultKind::kForceLimit);
  EXPECT_NE(lab.report.reason.find("at actuator 1 is above its limit 4 kN"),
            std::string::npos)
      << lab.report.reason;
}

/// What a rig answers, written and read again as the rig of a site.
class TransferSystemFileTest : public testing::Test {
 protected:
  TransferSystemFileTest() : folder_(testing::TempDir() + "ts" + std::to_string(getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~TransferSystemFileTest() override { std::filesystem::remove_all(folder_); }

  config::SiteFile twin(const Laboratory& lab) const {
    std::ofstream(folder_ + "/transfer_system.yaml") << transfer_system_yaml(
        lab.report, lab.settings, {"west", "west.yaml", "now", false});
    std::ofstream(folder_ + "/twin.yaml")
        << "site: west\nlisten: tcp://127.0.0.1:7001\n"
           "rig:\n  include: transfer_system.yaml\n"
           "  specimen: {kind: linear, stiffness: [[1e6, 0], [0, 1e6]]}\n";
    config::SiteFile file;
    yaml::SourceMap where;
    yaml::read_yaml(folder_ + "/twin.yaml", {}, file, where);
    return file;
  }

 private:
  std::string folder_;
};

TEST_F(TransferSystemFileTest, IsIncludedAsTheRigOfATwinThatBehavesAlike) {
  const Laboratory lab(
      shipped("two_site_frame/site_west.yaml"),
      quick(
          {"rig.actuators[0]={kind: identified, delay: 7.5 ms, dc_gain: 0.9, poles: [-60]}",
           "rig.actuators[1]=ideal"}));
  const config::SiteFile twin = this->twin(lab);
  ASSERT_EQ(twin.rig().actuators_size(), 2);
  const config::IdentifiedActuator& first = twin.rig().actuators(0).identified();
  EXPECT_NEAR(first.delay(), 0.0075, 3.0 * first.delay_deviation());
  EXPECT_NEAR(first.dc_gain(), 0.9, 3.0 * first.dc_gain_deviation());
  EXPECT_EQ(first.highest(), 20.0);
  EXPECT_NEAR(twin.rig().noise(0).displacement(), 2e-6, 2e-7);
  const auto original = composition::make_rig(lab.file);
  const auto copy = composition::make_rig(twin);
  for (SiteAdapter* rig : {original.get(), copy.get()})
    rig->prepare({.tick = lab.settings.tick, .seed = 1});
  Measurement one = Measurement::zero(2);
  Measurement other = Measurement::zero(2);
  for (int n = 0; n < 2000; ++n) {
    const TimePoint now(Duration(std::llround(1e9 * n * lab.settings.tick)));
    original->read(now, one);
    copy->read(now, other);
    EXPECT_LT((one.displacement - other.displacement).cwiseAbs().maxCoeff(), 1.5e-5) << n;
    const double drive = 0.01 * std::sin(2.0 * std::numbers::pi * 3.0 * n / 1024.0);
    original->write(ActuatorVector::Constant(2, drive));
    copy->write(ActuatorVector::Constant(2, drive));
  }
}

TEST_F(TransferSystemFileTest, HoldsACoupledMatrixToo) {
  const Laboratory lab(shipped("marths/site_bay.yaml"),
                       quick({"characterise.coupled=true"}));
  const config::SiteFile twin = this->twin(lab);
  ASSERT_EQ(twin.rig().transfer_matrix().zpk().entries_size(), 4);
  const math::StateSpace found =
      composition::make_transfer(twin.rig().transfer_matrix(), 2, "rig");
  const math::StateSpace truth =
      composition::make_transfer(lab.file.rig().transfer_matrix(), 2, "rig");
  for (const double f : {0.5, 2.0, 8.0, 18.0})
    EXPECT_LT((true_response(found, f, lab.settings.tick) -
               true_response(truth, f, lab.settings.tick))
                  .cwiseAbs()
                  .maxCoeff(),
              0.005)
        << f;
}

TEST(CharacteriseSummary, SaysWhatToTellACompensator) {
  const Laboratory lab(shipped("two_site_frame/site_west.yaml"), quick({}));
  const std::string text = characterise_summary(lab.report, lab.settings);
  EXPECT_NE(text.find("expected_delay (ats) or delay: [11.89 ms, 11.89 ms]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("kN.m/rad"), std::string::npos) << text;
}

}  // namespace
}  // namespace trestle::characterisation
