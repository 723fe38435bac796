#pragma once

#include <string>

namespace trestle::bond_graph {

/// One bond that joins hardware to model, cut open.
///
/// Everything beyond the cut is in the canonical sense: F_P is the effort (force [N]) that
/// the numerical part exerts on the physical part, v_N the flow (velocity [m/s]) of the cut
/// bond, so that F_P·v_N is the power that goes into the hardware.
struct InterfacePort {
  std::string bond;       ///< name of the cut bond, as given or `mass2.R -> mass3.L`
  std::string numerical;  ///< component on the model's side: `mass2`
  std::string physical;   ///< component on the hardware's side: `mass3`
  /// F_P = sign · effort of the bond: +1 where the bond points from model to hardware, else
  /// −1.
  double sign = 1.0;
};

}  // namespace trestle::bond_graph
