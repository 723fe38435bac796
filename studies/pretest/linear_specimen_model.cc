#include "studies/pretest/linear_specimen_model.h"

#include <array>
#include <cmath>

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kTaps = 3;         // this tick and two before
constexpr Index kWatched = 6;      // ticks in which nothing more may follow
constexpr double kPush = 1e-9;     // [m | rad]
constexpr double kNothing = 1e-9;  // beside the largest answer

/// Entry k: forces per unit of the motion k ticks ago.
using Taps = std::array<MatrixXd, kTaps>;

/// Fills one column of each tap.
/// @returns whether it has answered all within its taps
bool push(SpecimenModel& specimen, Index input, Index controlled, double tick, Taps& taps) {
  const Index dofs = specimen.dofs();
  specimen.prepare(tick);
  const InterfaceVector rest = InterfaceVector::Zero(dofs);
  specimen.advance(rest, rest, rest);  // differences begin with the second call
  std::array<InterfaceVector, 3> motion{rest, rest, rest};
  // A rate is in proportion to what it moves in a tick.
  const Index quantity = input / controlled;
  const double size = kPush / std::pow(tick, static_cast<double>(quantity));
  motion[static_cast<std::size_t>(quantity)][input % controlled] = size;
  double largest = 0.0;
  double left = 0.0;
  for (Index n = 0; n < kTaps + kWatched; ++n) {
    const InterfaceVector force = n == 0 ? specimen.advance(motion[0], motion[1], motion[2])
                                         : specimen.advance(rest, rest, rest);
    const double answer = force.cwiseAbs().maxCoeff();
    largest = std::max(largest, answer);
    if (n < kTaps)
      taps[static_cast<std::size_t>(n)].col(input) = force / size;
    else
      left = std::max(left, answer);
  }
  return left <= kNothing * largest;
}

math::DiscreteStateSpace memoryless(const MatrixXd& direct, double tick) {
  return {MatrixXd(0, 0), MatrixXd(0, direct.cols()), MatrixXd(direct.rows(), 0), direct,
          tick};
}

math::DiscreteStateSpace condensed(const SpecimenModel& specimen, Index controlled,
                                   double tick) {
  MatrixXd direct(specimen.dofs(), 3 * controlled);
  direct << specimen.initial_stiffness().leftCols(controlled),
      specimen.damping().leftCols(controlled), specimen.mass().leftCols(controlled);
  return memoryless(direct, tick);
}

/// The last two inputs as states.
math::DiscreteStateSpace with_memory(const Taps& taps, double tick) {
  const Index inputs = taps[0].cols();
  MatrixXd A = MatrixXd::Zero(2 * inputs, 2 * inputs);
  A.bottomLeftCorner(inputs, inputs).setIdentity();
  MatrixXd B = MatrixXd::Zero(2 * inputs, inputs);
  B.topRows(inputs).setIdentity();
  MatrixXd C(taps[0].rows(), 2 * inputs);
  C << taps[1], taps[2];
  return {A, B, C, taps[0], tick};
}

}  // namespace

LinearSpecimenModel linearise(SpecimenModel& specimen, Index controlled, double tick) {
  const Index dofs = specimen.dofs();
  Taps taps;
  taps.fill(MatrixXd::Zero(dofs, 3 * controlled));
  bool all = true;
  for (Index input = 0; input < 3 * controlled; ++input)
    all = push(specimen, input, controlled, tick, taps) && all;
  specimen.prepare(tick);
  // Rounding in a memory that is none would only add states.
  for (std::size_t i = 1; i < taps.size(); ++i)
    for (Index input = 0; input < 3 * controlled; ++input)
      if (taps[i].col(input).cwiseAbs().maxCoeff() <=
          kNothing * taps[0].col(input).cwiseAbs().maxCoeff())
        taps[i].col(input).setZero();
  const bool forgets = taps[1].isZero(0.0) && taps[2].isZero(0.0);
  return {.system = !all      ? condensed(specimen, controlled, tick)
                    : forgets ? memoryless(taps[0], tick)
                              : with_memory(taps, tick),
          .stiffness = specimen.initial_stiffness().leftCols(controlled),
          .exact = all};
}

LinearSpecimenModel with_stiffness(LinearSpecimenModel form, double part) {
  form.system.D.leftCols(form.stiffness.cols()) -= (1.0 - part) * form.stiffness;
  return form;
}

}  // namespace trestle::pretest
