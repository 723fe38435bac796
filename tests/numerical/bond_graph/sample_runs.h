#pragma once

#include <Eigen/Core>

#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// Velocity of the wall of a chain(): r = −0.5 sin t [m/s].
double wall(double t);

/// The emulated structure of a chain() in time, from rest.
class Emulated {
 public:
  /// @param test  must live as long as this
  explicit Emulated(Substructuring& test);

  void step(double t, double h);
  /// Of the last mass.
  double velocity(double t);

 private:
  Eigen::VectorXd rate(double t, const Eigen::VectorXd& x);

  RightHandSide& system_;
  Eigen::VectorXd x_, rate_, output_;
};

/// What is seen of a substructured chain(): velocity of the last mass, of the transfer
/// system and of the model's port, command F_T, force F_P.
struct Seen {
  double y, v_t, v_n, command, force;
};

/// Augmented numerical part, exact transfer system and specimen of a chain() in time.
class Substructured {
 public:
  /// @param test  must live as long as this
  explicit Substructured(Substructuring& test);

  /// @param momentum  of the transfer mass
  void start_transfer_with(double momentum) { x_(augmented_states_ + 1) = momentum; }
  void step(double t, double h);
  /// The command of the sample at t, and its force, are held until t + h.
  void step_sampled(double t, double h, int parts);
  Seen seen(double t);

 private:
  double transfer_velocity(const Eigen::VectorXd& x) const;
  Eigen::VectorXd rate(double t, const Eigen::VectorXd& x, const Seen* held);
  void commit();

  RightHandSide& augmented_;
  RightHandSide& physical_;
  const math::StateSpace& transfer_;
  Eigen::Index augmented_states_, physical_states_;
  Eigen::VectorXd x_;  // [x_aN; x_T; x_phy]
  Eigen::VectorXd a_rate_, a_output_, p_rate_, p_output_;
};

}  // namespace trestle::bond_graph
