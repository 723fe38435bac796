#pragma once

#include <string>

#include "core/ports/loading_frame.h"
#include "site-servers/kinematics/coupler_geometry.h"

namespace trestle::kinematics {

struct CouplerSettings {
  double arm = 0.0;              ///< from the node to either pin [m], > 0
  double angle = 0.0;            ///< of the arms against the actuators [rad], 0 ... π/2
  bool clockwise = false;        ///< θ = −rz
  bool sine_in_inverse = false;  ///< x from strokes with sin θ for θ in the cosine
};

/// Two parallel actuators on a rigid coupler, pinned above and below its node, with the
/// whole kinematics of a large rotation. Interface: x along the actuators and rz of the
/// node, θ = rz or −rz. With arms d at α₁ = −angle and α₂ = +angle,
///
///   a_i = x + d (cos(θ + α_i) − cos α_i),
///   sin θ = (a₁ − a₂) / (2 d sin α₂),   x = a₁ − d (cos(α₁ + θ) − cos α₁).
///
/// Two-actuator benchmark of Condori Uribe et al. 2023, whose block diagram has sin θ in
/// place of θ in the last cosine (`sine_in_inverse`; a difference of the order θ³).
/// Inverted for |θ| < π/2.
class CouplerFrame final : public LoadingFrame {
 public:
  /// @throws SettingError  if arm or angle cannot be
  explicit CouplerFrame(const CouplerSettings& settings);

  int actuators() const noexcept override { return 2; }
  int interface_dofs() const noexcept override { return 2; }
  bool linear() const noexcept override { return false; }
  Eigen::MatrixXd tangent() const override;
  std::string refusal_of(const InterfaceLayout& controlled) const override;

  ActuatorVector to_actuators(const InterfaceVector& displacement) const noexcept override;
  ActuatorMotion to_actuators(const InterfaceMotion& motion) const noexcept override;
  InterfaceVector to_interface(const ActuatorVector& displacement) const noexcept override;
  InterfaceMotion to_interface(const ActuatorMotion& stroke) const noexcept override;
  InterfaceVector force_to_interface(const ActuatorVector& force,
                                     const ActuatorVector& strokes) const noexcept override;
  ActuatorVector force_to_actuators(const InterfaceVector& force,
                                    const ActuatorVector& strokes) const noexcept override;

  const CouplerGeometry<double>& geometry() const noexcept { return geometry_; }

 private:
  CouplerGeometry<double> geometry_;
};

}  // namespace trestle::kinematics
