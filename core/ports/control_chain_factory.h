#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"

namespace trestle {

/// Builds the replaceable parts of a control chain from the bytes of the message Configure,
/// so that a site node needs no schema. Set-up only. Every function throws SettingError
/// with the path of the field if the bytes are malformed or a setting is invalid.
class ControlChainFactory {
 public:
  ControlChainFactory() = default;
  ControlChainFactory(const ControlChainFactory&) = delete;
  ControlChainFactory& operator=(const ControlChainFactory&) = delete;
  ControlChainFactory(ControlChainFactory&&) = delete;
  ControlChainFactory& operator=(ControlChainFactory&&) = delete;
  virtual ~ControlChainFactory() = default;

  /// Builds the compensator.
  /// @param bytes      serialised config.Compensator
  /// @param actuators  number of actuators of the rig, > 0
  /// @param tick       control tick [s], > 0
  virtual std::unique_ptr<Compensator> make_compensator(std::string_view bytes,
                                                        int actuators,
                                                        double tick) const = 0;
  /// Builds the actuator controller. Arguments as for make_compensator().
  /// @param bytes      serialised config.ActuatorController
  /// @param actuators  number of actuators of the rig, > 0
  /// @param tick       control tick [s], > 0
  virtual std::unique_ptr<ActuatorController> make_controller(std::string_view bytes,
                                                              int actuators,
                                                              double tick) const = 0;
  /// Returns the settings of the compensator on one line of the session contract. Both ends
  /// derive it from the same bytes.
  /// @param bytes  serialised config.Compensator
  virtual std::string format_compensator(std::string_view bytes) const = 0;
  /// Returns the settings of the actuator controller on one line of the session contract.
  /// @param bytes  serialised config.ActuatorController
  virtual std::string format_controller(std::string_view bytes) const = 0;
};

}  // namespace trestle
