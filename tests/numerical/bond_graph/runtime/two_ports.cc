#include "tests/numerical/bond_graph/runtime/two_ports.h"

#include "numerical/bond_graph/linear_right_hand_side.h"

namespace trestle::bond_graph {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Substructuring TwoPorts::model() const {
  constexpr double m = kMass, k = kStiffness, c = kDamping, m_t = kMass;
  math::StateSpace a{MatrixXd::Zero(6, 6), MatrixXd::Zero(6, 4), MatrixXd::Zero(6, 6),
                     MatrixXd::Zero(6, 4)};
  for (Index i = 0; i < 2; ++i) {
    const Index q = 2 * i, p = q + 1, eta = 4 + i;
    const double c_t = transfer_damping[i], k_t = transfer_stiffness[i];
    a.A(q, p) = -1.0 / m;
    a.A(p, q) = k;
    a.A(p, p) = -c / m;
    a.A(eta, p) = 1.0 / m;
    a.B(p, i) = -1.0;
    a.B(p, 2 + i) = c;
    a.B(q, 2 + i) = 1.0;
    // F_T = load F_P + m_t v' + c_t v + k_t eta
    a.C(i, q) = k * m_t / m;
    a.C(i, p) = (c_t - c * m_t / m) / m;
    a.C(i, eta) = k_t;
    a.D(i, i) = load - m_t / m;
    a.D(i, 2 + i) = c * m_t / m;
    a.C(2 + i, p) = 1.0 / m;
    a.C(4 + i, eta) = 1.0;
  }
  // The middle mass: displacements of its ends from their velocities, its own, its
  // velocity.
  math::StateSpace b{MatrixXd::Zero(4, 4), MatrixXd::Zero(4, 2), MatrixXd::Zero(2, 4),
                     MatrixXd::Zero(2, 2)};
  b.B(0, 0) = b.B(1, 1) = 1.0;
  b.A(2, 3) = 1.0;
  for (Index i = 0; i < 2; ++i) {
    b.C(i, i) = k;
    b.C(i, 2) = -k;
    b.C(i, 3) = -c;
    b.D(i, i) = c;
  }
  b.A.row(3) = (b.C.row(0) + b.C.row(1)) / m;
  b.B.row(3) = (b.D.row(0) + b.D.row(1)) / m;

  Substructuring made;
  made.name = "two ports";
  made.augmented.system = {{"q1", "p1", "q2", "p2", "eta1", "eta2"},
                           {"left", "right", "r1", "r2"},
                           {},
                           a,
                           std::make_unique<LinearRightHandSide>(a)};
  made.physical = {{"x1", "x2", "x3", "v3"},
                   {"left", "right"},
                   {},
                   b,
                   std::make_unique<LinearRightHandSide>(b)};
  made.augmented.numerical_states = 4;
  made.augmented.transfer_states = 2;
  made.augmented.ports = {{"left", "mn1", "m3", 1.0}, {"right", "mn2", "m3", 1.0}};
  made.augmented.transfers = {
      {"left", transfer_stiffness[0], load, 0.0, m_t, transfer_damping[0]},
      {"right", transfer_stiffness[1], load, 0.0, m_t, transfer_damping[1]}};
  made.augmented.displacement = MatrixXd::Zero(2, 6);
  made.augmented.displacement.rightCols(2).setIdentity();
  made.augmented.start = made.augmented.displacement.transpose();
  return made;
}

bool MiddleMass::evaluate(const VectorXd& x, const VectorXd& displacement,
                          const VectorXd& velocity, VectorXd& rate,
                          VectorXd& force) noexcept {
  for (Index i = 0; i < 2; ++i)
    force[i] = TwoPorts::kStiffness * (displacement[i] - x[0]) +
               TwoPorts::kDamping * (velocity[i] - x[1]);
  rate[0] = x[1];
  rate[1] = force.sum() / TwoPorts::kMass;
  return true;
}

}  // namespace trestle::bond_graph
