#include "tests/numerical/bond_graph/sample_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/numerical/bond_graph/runge_kutta.h"

namespace trestle::bond_graph {

using Eigen::VectorXd;

double wall(double t) {
  return -0.5 * std::sin(t);
}

Emulated::Emulated(Substructuring& test)
    : system_(*test.whole.right_hand_side),
      x_(VectorXd::Zero(system_.states())),
      rate_(x_),
      output_(VectorXd::Zero(system_.outputs())) {}

VectorXd Emulated::rate(double t, const VectorXd& x) {
  EXPECT_TRUE(system_.evaluate(x, VectorXd::Constant(1, wall(t)), rate_, output_));
  return rate_;
}

void Emulated::step(double t, double h) {
  x_ =
      runge_kutta_step([&](double at, const VectorXd& x) { return rate(at, x); }, t, x_, h);
  system_.commit(x_);
}

// Behind v and F_P of the port.
double Emulated::velocity(double t) {
  rate(t, x_);
  return output_(2);
}

Substructured::Substructured(Substructuring& test)
    : augmented_(*test.augmented.system.right_hand_side),
      physical_(*test.physical.right_hand_side),
      transfer_(test.augmented.transfer_model),
      augmented_states_(augmented_.states()),
      physical_states_(physical_.states()) {
  x_ = VectorXd::Zero(augmented_states_ + 2 + physical_states_);
  a_rate_ = VectorXd::Zero(augmented_states_);
  a_output_ = VectorXd::Zero(augmented_.outputs());
  p_rate_ = VectorXd::Zero(physical_states_);
  p_output_ = VectorXd::Zero(physical_.outputs());
}

void Substructured::step(double t, double h) {
  x_ = runge_kutta_step([&](double at, const VectorXd& x) { return rate(at, x, nullptr); },
                        t, x_, h);
  commit();
}

void Substructured::step_sampled(double t, double h, int parts) {
  const Seen held = seen(t);
  for (int i = 0; i < parts; ++i) {
    const double part = h / parts;
    x_ = runge_kutta_step([&](double at, const VectorXd& x) { return rate(at, x, &held); },
                          t + i * part, x_, part);
  }
  commit();
}

void Substructured::commit() {
  augmented_.commit(x_.head(augmented_states_));
  physical_.commit(x_.tail(physical_states_));
}

Seen Substructured::seen(double t) {
  rate(t, x_, nullptr);
  return {p_output_(1), transfer_velocity(x_), a_output_(1), a_output_(0), p_output_(0)};
}

double Substructured::transfer_velocity(const VectorXd& x) const {
  return (transfer_.C * x.segment(augmented_states_, 2))(0);
}

VectorXd Substructured::rate(double t, const VectorXd& x, const Seen* held) {
  EXPECT_TRUE(physical_.evaluate(x.tail(physical_states_),
                                 VectorXd::Constant(1, transfer_velocity(x)), p_rate_,
                                 p_output_));
  const double force = p_output_(0);
  const Eigen::Vector2d inputs{held != nullptr ? held->force : force, wall(t)};
  EXPECT_TRUE(augmented_.evaluate(x.head(augmented_states_), inputs, a_rate_, a_output_));
  const double command = held != nullptr ? held->command : a_output_(0);
  VectorXd rate(x.size());
  rate << a_rate_,
      transfer_.A * x.segment(augmented_states_, 2) + transfer_.B * (command - force),
      p_rate_;
  return rate;
}

}  // namespace trestle::bond_graph
