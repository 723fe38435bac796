#include "site-servers/node/agreed_limits.h"

#include <limits>

#include "core/session/limit_field.h"
#include "site-servers/control/interface_limits.h"

namespace trestle {

std::vector<ActuatorDescription> describe_actuators(
    const std::vector<ActuatorDescription>& rig, const InterfaceLayout& layout,
    const LoadingFrame& frame) {
  std::vector<ActuatorDescription> described = rig;
  const Eigen::MatrixXd T = frame.tangent();
  for (std::size_t i = 0; i < described.size() && static_cast<Eigen::Index>(i) < T.rows();
       ++i) {
    bool rotation = true;
    for (Eigen::Index j = 0; j < T.cols(); ++j)
      if (T(static_cast<Eigen::Index>(i), j) != 0.0 &&
          layout[static_cast<std::size_t>(j)].kind == DofKind::kTranslation)
        rotation = false;
    described[i].kind = rotation ? DofKind::kRotation : DofKind::kTranslation;
  }
  return described;
}

std::vector<DofKind> kinds_of(const std::vector<ActuatorDescription>& actuators) {
  std::vector<DofKind> kinds;
  for (const ActuatorDescription& actuator : actuators) kinds.push_back(actuator.kind);
  return kinds;
}

InterfaceLayout own_layout(const SiteSettings& settings, InterfaceLayout layout) {
  for (InterfaceDof& dof : layout)
    dof.displacement_limit = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < settings.target_limits.size(); ++i) {
    const auto& [name, limit] = settings.target_limits[i];
    const int place = find_dof(layout, name, "limits.interface[" + std::to_string(i) + "]");
    layout[static_cast<std::size_t>(place)].displacement_limit = limit;
  }
  return layout;
}

std::string own_limit_note(const SiteSettings& settings, const Fault& fault,
                           const InterfaceLayout& layout) {
  if (!settings.limit_place || layout.empty()) return {};
  if (!states_limit(fault, settings.limits, own_layout(settings, layout))) return {};
  // The file names targets by DOF, in an order of its own.
  const std::string place = settings.limit_place(
      fault.kind == FaultKind::kTargetLimit ? "interface" : limit_field(fault));
  return place.empty() ? std::string(" (site limit)") : " (site limit, " + place + ")";
}

}  // namespace trestle
