#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/math/dense_eigenvalues.h"
#include "core/math/discretisation.h"
#include "tests/numerical/bond_graph/runtime/two_ports.h"

/// How fast the sampled closed loop of the two-port example grows, ln(spectral radius)/h,
/// as an independent prototype computed it from its own matrices, to the digits given.
namespace trestle::bond_graph::growth_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kStep = 1e-3;

struct Case {
  bool first_order = false;
  double lead = 0.0;
  double declared = 0.0;  // delay [s]
  int late = 0;           // steps by which a command really comes late
  double damping = 1.0;   // of the real transfer systems, over the model's
  double stiffness = 1.0;
  double real_load = 1.0;
  TwoPorts model{};
};

/// From the drives of a rig, held, to its forces at the end of the step.
math::DiscreteStateSpace rig_of(const Case& one) {
  const TwoPorts table;
  std::vector<simulated::LoadedTransferSettings> real;
  for (int i = 0; i < 2; ++i)
    real.push_back({.mass = TwoPorts::kMass,
                    .stiffness = table.transfer_stiffness[i] * one.stiffness,
                    .damping = table.transfer_damping[i] * one.damping,
                    .load = one.real_load});
  simulated::CoupledActuators rig(real, std::make_unique<MiddleMass>(), 4);
  return math::discretise(rig.linearise(), kStep);
}

double growth(const Case& one) {
  BondGraphSubstructure numerical(one.model.model(),
                                  {.time_step = kStep,
                                   .steps = 1,
                                   .ports = {{0, 0, "left.x"}, {0, 1, "right.x"}},
                                   .sources = {},
                                   .virtual_junction = true,
                                   .model_feedback = false,
                                   .first_order_hold = one.first_order,
                                   .lead = one.lead,
                                   .delay = std::vector<double>(2, one.declared)});
  const StepMatrices form = numerical.linearise();
  const math::DiscreteStateSpace rig = rig_of(one);
  const Index own = form.A.rows(), moved = rig.A.rows(), late = 2 * one.late;
  // Model, rig, and drives under way, the newest first.
  MatrixXd step = MatrixXd::Zero(own + moved + late, own + moved + late);
  MatrixXd drive = MatrixXd::Zero(2, step.cols());
  const auto command = form.C.topRows(2);
  if (late == 0) {
    drive.leftCols(own) = command;
  } else {
    drive.rightCols(2).setIdentity();
    step.block(own + moved, 0, 2, own) = command;
    step.block(own + moved + 2, own + moved, late - 2, late - 2).setIdentity();
  }
  MatrixXd next = rig.B * drive;
  next.middleCols(own, moved) += rig.A;
  step.middleRows(own, moved) = next;
  step.topRows(own) = form.B * rig.C.bottomRows(2) * next;
  step.topLeftCorner(own, own) += form.A;
  // What a wall's spring and the wanted displacement add up to follows the wall alone.
  double largest = 0.0;
  for (const std::complex<double>& value : math::eigenvalues(step))
    if (std::abs(value - 1.0) > 1e-6) largest = std::max(largest, std::abs(value));
  return std::log(largest) / kStep;
}

/// Half of the last digit that the prototype gives; of three digits one, since it moved the
/// rig by Runge and Kutta in quarters of a step.
constexpr double kFourDigits = 0.5e-4 + 1e-9;
constexpr double kThreeDigits = 1e-3;

TEST(Growth, OfHoldAndLead) {
  EXPECT_NEAR(growth({}), -0.9953, kFourDigits);
  EXPECT_NEAR(growth({.lead = 0.5}), -0.8965, kFourDigits);
  EXPECT_NEAR(growth({.first_order = true}), -0.8969, kFourDigits);
  EXPECT_NEAR(growth({.first_order = true, .lead = 0.5}), -0.7985, kFourDigits);
}

TEST(Growth, OfDelayThatTheModelDoesNotKnow) {
  EXPECT_NEAR(growth({.late = 1}), -0.222, kThreeDigits);
  EXPECT_NEAR(growth({.late = 2}), 0.904, kThreeDigits);
  EXPECT_NEAR(growth({.late = 3}), 1.945, kThreeDigits);
  EXPECT_NEAR(growth({.late = 4}), 2.902, kThreeDigits);
}

TEST(Growth, OfDelayThatTheModelIsComputedAheadFor) {
  const auto ahead = [](int late) {
    return growth({.lead = 0.5, .declared = late * kStep, .late = late});
  };
  EXPECT_NEAR(ahead(1), -0.898, kThreeDigits);
  EXPECT_NEAR(ahead(4), -0.913, kThreeDigits);
  EXPECT_NEAR(ahead(10), -1.006, kThreeDigits);
  EXPECT_NEAR(ahead(15), 3.63, 10.0 * kThreeDigits);
}

TEST(Growth, OfTransferSystemsOtherThanTheModels) {
  const auto damped = [](double part) {
    return growth({.damping = part});
  };
  EXPECT_NEAR(damped(0.8), -0.542, kThreeDigits);
  EXPECT_NEAR(damped(0.9), -0.771, kThreeDigits);
  EXPECT_NEAR(damped(1.1), -0.797, kThreeDigits);
  EXPECT_NEAR(damped(1.2), -0.283, kThreeDigits);
  EXPECT_NEAR(damped(1.3), 0.141, kThreeDigits);
  const auto stiff = [](double part) {
    return growth({.stiffness = part});
  };
  EXPECT_NEAR(stiff(0.8), 0.723, kThreeDigits);
  EXPECT_NEAR(stiff(0.9), -0.310, kThreeDigits);
  EXPECT_NEAR(stiff(1.1), -0.745, kThreeDigits);
  EXPECT_NEAR(stiff(1.2), -0.539, kThreeDigits);
}

TEST(Growth, OfModelsThatAreMixedUp) {
  TwoPorts first_for_both;
  first_for_both.transfer_damping[1] = first_for_both.transfer_damping[0];
  first_for_both.transfer_stiffness[1] = first_for_both.transfer_stiffness[0];
  EXPECT_NEAR(growth({.model = first_for_both}), -0.404, kThreeDigits);
  TwoPorts swapped;
  std::swap(swapped.transfer_damping[0], swapped.transfer_damping[1]);
  std::swap(swapped.transfer_stiffness[0], swapped.transfer_stiffness[1]);
  EXPECT_NEAR(growth({.model = swapped}), -0.564, kThreeDigits);
}

TEST(Growth, OfAStiffServoWithAndWithoutLoadTerm) {
  TwoPorts stiff;
  stiff.load = 0.0;
  EXPECT_NEAR(growth({.real_load = 0.0, .model = stiff}), -1.009, kThreeDigits);
  EXPECT_NEAR(growth({.real_load = 0.0}), 5.59, 10.0 * kThreeDigits);
}

}  // namespace
}  // namespace trestle::bond_graph::growth_test
