#include "numerical/bond_graph/properness_checks.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_check.h"
#include "numerical/bond_graph/causal_path.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {

using Eigen::Index;

/// Structural properness, where Markov parameters are not to be had.
void check_properness(const JunctionStructure& S, const TransferInverse& inverse,
                      const JunctionLabels& names) {
  for (std::size_t i = 0; i < names.ports.size(); ++i) {
    const int degree = inverse.degrees[i];
    for (Index j = 0; j < S.y.u.cols(); ++j) {
      const auto path = shortest_path(S, j, static_cast<Index>(i));
      const bool through_follower =
          degree > 0 &&
          (!S.y.d.row(static_cast<Index>(i)).isZero(0.0) || !S.r.d.isZero(0.0));
      if (degree <= 1 && !through_follower && (!path || *path >= degree)) continue;
      fail("E_VJ_IMPROPER", names.transfer_paths[i],
           "at port `" + names.ports[i] + "` the transfer system `" + names.transfers[i] +
               "` has degree " + std::to_string(degree) + ", but the input `" +
               names.inputs[static_cast<std::size_t>(j)] +
               "` reaches the velocity with degree " +
               (path ? std::to_string(*path) : "none") +
               "; in a model with laws that are not linear the degree of a transfer system "
               "is "
               "at most 1 and that of the inputs no less: put a mass at the port");
    }
  }
}

void report_marginal_zeros(const TransferInverse& inverse, std::vector<Diagnostic>& notes) {
  const double axis = kZeroOnAxis * (1.0 + inverse.Q.norm());
  const auto on_axis =
      std::count_if(inverse.zeros.begin(), inverse.zeros.end(),
                    [&](const auto& zero) { return std::abs(zero.real()) <= axis; });
  if (on_axis > 0)
    notes.push_back(
        {"W_VJ_MARGINAL",
         std::to_string(on_axis) + (on_axis == 1 ? " zero" : " zeros") +
             " of the transfer systems on the imaginary axis (a position, the "
             "integral of the velocity): begin at the true position, and expect "
             "a constant error of the velocity to drift",
         {}});
}

void report_large_gains(const math::StateSpace& system, const JunctionLabels& names,
                        std::vector<Diagnostic>& notes) {
  for (std::size_t i = 0; i < names.ports.size(); ++i) {
    const auto port = static_cast<Index>(i);
    for (Index j = 0; j < static_cast<Index>(names.ports.size()); ++j)
      if (std::abs(system.D(port, j)) > 1.0 + 1e-12)
        notes.push_back(
            {"W_VJ_GAIN",
             "at port `" + names.ports[i] + "` the measured force `" +
                 names.inputs[static_cast<std::size_t>(j)] +
                 "` enters the command with gain " + in_words(system.D(port, j)) +
                 ", above 1 in size: its noise and delay are amplified; make the "
                 "model's mass at the port at least half of the transfer system's",
             {names.ports[i]}});
  }
}

}  // namespace trestle::bond_graph
