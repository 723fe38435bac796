#include "numerical/structure/modal_summary.h"

#include <limits>
#include <numbers>

#include "numerical/structure/modes.h"

namespace trestle {

ModalSummary summarise_modes(const StructuralModel& structure, int modes) {
  const Modes lowest = lowest_modes(structure, modes);
  const Eigen::VectorXd ratios = damping_ratios(structure, lowest);
  ModalSummary summary{.equations = structure.equations, .periods = {}, .ratios = {}};
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    const double omega = lowest.frequencies[i];
    summary.periods.push_back(omega > 0.0 ? 2.0 * std::numbers::pi / omega
                                          : std::numeric_limits<double>::infinity());
    summary.ratios.push_back(ratios[i]);
  }
  return summary;
}

}  // namespace trestle
