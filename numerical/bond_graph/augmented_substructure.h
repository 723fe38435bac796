#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/interface_port.h"

namespace trestle::bond_graph {

/// The facts about the transfer system of one port that the virtual junction needs.
struct TransferSystemInfo {
  std::string name;
  /// k_t: force per displacement at rest [N/m]; the site's set-point is x_d = F_T / k_t.
  /// NaN if the transfer system has no stiffness: it takes no displacement command.
  double stiffness = 0.0;
  /// beta_hat: 1 where the specimen's force acts on the identified mass, 0 for a stiff
  /// servo.
  double load = 1.0;
  double delay = 0.0;  ///< known delay between command and motion [s]
  /// m_t [kg] and c_t [N·s/m] of T = s / (m_t s² + c_t s + k_t); both zero of any other T.
  double mass = 0.0;
  double damping = 0.0;
};

/// The augmented numerical substructure `aNum` of Gawthrop, Wallace and Wagg (2005),
/// Earthquake Engng Struct. Dyn. 34, 687-703: the numerical substructure and the virtual
/// junction F_T = beta_hat F_P + T⁻¹ v_N, a proper system from the measured interface
/// forces to the commands of the transfer systems.
///
/// N ports, n_N states of the numerical part, m sources:
///   inputs   F_P of port 1 … N (sign: InterfacePort), then the m sources by name
///   states   [x_N ; eta], eta the internal states of T⁻¹
///   outputs  F_T of port 1 … N, then v_N of port 1 … N, then wanted z of port 1 … N
///
/// z is the wanted interface displacement [m], z' = v_N. With a transfer model that has
/// stiffness it is (a part of) eta; otherwise states that integrate v_N stand behind eta.
struct AugmentedSubstructure {
  GraphSystem system;
  Eigen::Index numerical_states = 0;          ///< n_N
  Eigen::Index transfer_states = 0;           ///< of eta; what is left integrates v_N
  std::vector<InterfacePort> ports;           ///< N
  std::vector<TransferSystemInfo> transfers;  ///< N, in port order
  math::StateSpace transfer_model;            ///< T: from N forces to N velocities

  /// z = displacement · x, N × states: how to read the wanted displacement, and, by
  /// x += displacement⁺ · (x_T(0) − z), how to begin at the transfer's true position.
  Eigen::MatrixXd displacement;
  /// states × N with displacement · start = identity, zero in the rows of x_N: begin with
  /// x = start · x_T(0).
  Eigen::MatrixXd start;

  std::vector<int>
      numerical_degrees;  ///< relative degree of v_N from F_P, per port; −1: none
  std::vector<int> transfer_degrees;        ///< of T, per port
  std::vector<std::complex<double>> zeros;  ///< of T [1/s]
};

}  // namespace trestle::bond_graph
