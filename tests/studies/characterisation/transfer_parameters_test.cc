#include "studies/characterisation/transfer_parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/coupled_actuators.h"
#include "adapters/simulated/linear_specimen_dynamics.h"
#include "core/base/random.h"
#include "studies/characterisation/motion_signal.h"

namespace trestle::characterisation::transfer_parameters_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTick = 1e-3;
constexpr double kMass = 2.2;

/// Out within 20 ms, stays, and back: the measured step responses of one actuator.
TransferRecord step_response(const simulated::LoadedTransferSettings& real,
                             double stiffness, double amplitude, double noise,
                             std::uint64_t seed) {
  simulated::CoupledActuators rig(
      {real},
      std::make_unique<simulated::LinearSpecimenDynamics>(
          MatrixXd::Constant(1, 1, stiffness), MatrixXd::Zero(1, 1)),
      4);
  rig.prepare(kTick);
  TransferRecord record;
  std::uint64_t index = 0;
  for (const double drive : motion::smooth_step(amplitude, 0.02, 0.3, kTick)) {
    rig.advance(VectorXd::Constant(1, drive));
    record.drive.push_back(drive);
    record.displacement.push_back(rig.displacement()[0] +
                                  noise * standard_normal({seed, 1, 0, index++}));
    record.force.push_back(rig.force()[0]);
  }
  return record;
}

simulated::LoadedTransferSettings first() {
  return {.mass = kMass, .stiffness = 13618.0, .damping = 150.8};
}
simulated::LoadedTransferSettings second() {
  return {.mass = kMass, .stiffness = 25902.0, .damping = 200.8};
}

/// Without noise what is left is the rule's own error and that of a force taken by its
/// mean.
TEST(TransferParameters, AreThoseOfTableOne) {
  for (const simulated::LoadedTransferSettings& real : {first(), second()})
    for (const double specimen : {0.0, 4750.0}) {
      const TransferParameters found = fit_transfer_parameters(
          {step_response(real, specimen, 1e-3, 0.0, 0)}, {.mass = kMass});
      EXPECT_TRUE(found.found);
      EXPECT_NEAR(found.stiffness, real.stiffness, 1e-3 * real.stiffness);
      EXPECT_NEAR(found.damping, real.damping, 1e-3 * real.damping);
    }
  const TransferParameters found =
      fit_transfer_parameters({step_response(first(), 0.0, 1e-3, 0.0, 0)}, {.mass = kMass});
  EXPECT_NEAR(found.frequency, 12.522, 1e-3 * 12.522);
  EXPECT_NEAR(found.ratio, 0.4356, 1e-3 * 0.4356);
}

/// Of 40 numbers within three standard deviations all but 0.1 are expected.
TEST(TransferParameters, DeviationsTellHowSureTheyAre) {
  int beyond = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TransferParameters found =
        fit_transfer_parameters({step_response(first(), 4750.0, 1e-3, 5e-6, seed),
                                 step_response(first(), 4750.0, 5e-4, 5e-6, seed + 100)},
                                {.mass = kMass, .noise = 5e-6});
    EXPECT_LT(found.stiffness_deviation, 0.01 * found.stiffness);
    EXPECT_NEAR(found.misfit, 5e-6, 1e-6);
    beyond += std::abs(found.stiffness - 13618.0) > 3.0 * found.stiffness_deviation;
    beyond += std::abs(found.damping - 150.8) > 3.0 * found.damping_deviation;
  }
  EXPECT_LE(beyond, 1);
}

/// A stiff servo modelled as a loaded one does not fit: so beta_hat can be distinguished.
TEST(TransferParameters, MisfitTellsAWrongLoadTerm) {
  simulated::LoadedTransferSettings stiff = first();
  stiff.load = 0.0;
  const TransferRecord record = step_response(stiff, 4750.0, 1e-3, 5e-6, 3);
  const TransferParameters right =
      fit_transfer_parameters({record}, {.mass = kMass, .load = 0.0, .noise = 5e-6});
  const TransferParameters wrong =
      fit_transfer_parameters({record}, {.mass = kMass, .load = 1.0, .noise = 5e-6});
  EXPECT_LT(right.misfit, 6e-6);
  EXPECT_GT(wrong.misfit, 10.0 * right.misfit);
}

TEST(TransferParameters, FrictionShowsInTheMisfit) {
  simulated::LoadedTransferSettings rubbing = first();
  rubbing.friction = 1.5;
  const TransferParameters found = fit_transfer_parameters(
      {step_response(rubbing, 0.0, 1e-3, 1e-6, 4)}, {.mass = kMass, .noise = 1e-6});
  EXPECT_GT(found.misfit, 5e-6);
  EXPECT_GT(found.damping, 150.8);
}

}  // namespace
}  // namespace trestle::characterisation::transfer_parameters_test
