#include "site-servers/node/agreed_limits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "core/session/limit_path.h"
#include "site-servers/node/interface_limits.h"

namespace trestle::site_node {

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

InterfaceLayout apply_site_limits(const SiteSettings& settings, InterfaceLayout layout) {
  for (InterfaceDof& dof : layout)
    dof.displacement_limit = dof.rate_limit = dof.acceleration_limit =
        std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < settings.target_limits.size(); ++i) {
    const TargetLimit& limit = settings.target_limits[i];
    const int place =
        find_dof(layout, limit.dof, "limits.interface[" + std::to_string(i) + "]");
    InterfaceDof& dof = layout[static_cast<std::size_t>(place)];
    dof.displacement_limit = limit.displacement;
    dof.rate_limit = limit.rate;
    dof.acceleration_limit = limit.acceleration;
  }
  return layout;
}

std::string refusal_of_limits(const InterfaceLayout& layout, const RigLimits& limits,
                              std::size_t actuators) {
  if (!limits.empty() && limits.size() != actuators)
    return "it has " + std::to_string(actuators) +
           " actuators, the test states limits for " + std::to_string(limits.size());
  const auto refusal = [](const std::string& of, double limit) {
    return "the test states " + std::to_string(limit) + " as a limit of " + of +
           "; a limit must be above zero";
  };
  for (const InterfaceDof& dof : layout)
    for (const double limit :
         {dof.displacement_limit, dof.rate_limit, dof.acceleration_limit})
      if (!(limit > 0.0)) return refusal(dof.name, limit);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const ActuatorLimits& of = limits[i];
    for (const double limit : {of.displacement, of.rate, of.acceleration, of.force,
                               of.tracking_error, of.energy_error})
      if (!(limit > 0.0)) return refusal("actuator " + std::to_string(i + 1), limit);
    if (!(of.tracking_dwell >= 0.0))
      return "the test states a dwell of " + std::to_string(of.tracking_dwell) +
             " s for actuator " + std::to_string(i + 1) + "; it must not be negative";
  }
  return {};
}

void limit_rates_to_actuators(const RigLimits& limits, const LoadingFrame& frame,
                              InterfaceLayout& layout) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  // Leaves room for the compensator's addition to the target's rate.
  constexpr double kShare = 0.8;
  // From rest to the limit of rate in no less than this [s].
  constexpr double kTimeToRate = 0.02;
  const Eigen::MatrixXd T = frame.tangent();
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    InterfaceDof& dof = layout[static_cast<std::size_t>(j)];
    const bool stated = dof.rate_limit < kNone;
    for (Eigen::Index i = 0; i < T.rows() && !stated; ++i) {
      if (T(i, j) == 0.0) continue;
      const double rate = limits[static_cast<std::size_t>(i)].rate;
      dof.rate_limit = std::min(dof.rate_limit, kShare * rate / T.row(i).cwiseAbs().sum());
    }
    if (dof.acceleration_limit == kNone)
      dof.acceleration_limit = dof.rate_limit / kTimeToRate;
  }
}

namespace {

/// @returns empty: it is a limit
std::string no_limit(const char* name, double limit, double most, const char* unit) {
  if (limit <= most) return {};
  if (std::isinf(limit)) return name;
  char text[120];
  std::snprintf(text, sizeof text, "%s (%.4g %s is none: at most %.4g %s)", name, limit,
                unit, most, unit);
  return text;
}

}  // namespace

std::string missing_limits(const RigLimits& limits,
                           const std::vector<ActuatorDescription>& actuators) {
  std::string text;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const ActuatorLimits of = i < limits.size() ? limits[i] : ActuatorLimits{};
    const bool turns = actuators[i].kind == DofKind::kRotation;
    std::string none;
    for (const std::string& one :
         {no_limit("displacement", of.displacement, kFarthest, turns ? "rad" : "m"),
          no_limit("rate", of.rate, kFastest, turns ? "rad/s" : "m/s"),
          no_limit("force", of.force, kStrongest, turns ? "N.m" : "N")})
      if (!one.empty()) none += (none.empty() ? "" : ", ") + one;
    if (none.empty()) continue;
    const std::string& own = actuators[i].name;
    text += (text.empty() ? "actuator " : "; actuator ") +
            (own.empty() ? std::to_string(i + 1) : own) + " has no limit of " + none;
  }
  return text;
}

std::string refusal_without_limits(const RigLimits& limits,
                                   const std::vector<ActuatorDescription>& actuators,
                                   const std::optional<WithoutLimits>& answered_for) {
  if (answered_for) return {};
  const std::string missing = missing_limits(limits, actuators);
  if (missing.empty()) return {};
  return "it is real equipment, and " + missing +
         "; state displacement, rate and force of each actuator in limits.actuators, or "
         "name who answers for it: arming: {without_limits: {by: ..., reason: ...}}";
}

std::string format_site_limit(const SiteSettings& settings, const Fault& fault,
                              const InterfaceLayout& layout) {
  if (!settings.limit_place || layout.empty()) return {};
  if (!session::defines_limit(fault, settings.limits, apply_site_limits(settings, layout)))
    return {};
  // The file lists targets by the name of the DOF, in any order.
  const std::string place = settings.limit_place(
      fault.kind == FaultKind::kTargetLimit ? "interface" : session::limit_path(fault));
  return place.empty() ? std::string(" (site limit)") : " (site limit, " + place + ")";
}

std::string format_own_limit(const SiteSettings& settings, const Fault& fault) {
  const std::string path = session::limit_path(fault);
  if (!settings.limit_place || path.empty() || fault.kind == FaultKind::kTargetLimit)
    return {};
  const std::string place = settings.limit_place(path);
  return place.empty() ? std::string(" (site limit)") : " (site limit, " + place + ")";
}

}  // namespace trestle::site_node
