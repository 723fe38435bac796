#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"

namespace trestle {

/// Makes the replaceable parts of a control chain from the bytes that come with Configure,
/// so that a site node needs no schema. Set-up only; every function throws SettingError,
/// with the path of the field, if the bytes cannot be read or a setting cannot work.
class ControlChainFactory {
 public:
  ControlChainFactory() = default;
  ControlChainFactory(const ControlChainFactory&) = delete;
  ControlChainFactory& operator=(const ControlChainFactory&) = delete;
  ControlChainFactory(ControlChainFactory&&) = delete;
  ControlChainFactory& operator=(ControlChainFactory&&) = delete;
  virtual ~ControlChainFactory() = default;

  /// @param bytes      serialised config.Compensator
  /// @param actuators  of the rig, > 0
  /// @param tick       control tick [s], > 0
  virtual std::unique_ptr<Compensator> make_compensator(std::string_view bytes,
                                                        int actuators,
                                                        double tick) const = 0;
  /// @param bytes  serialised config.ActuatorController
  virtual std::unique_ptr<ActuatorController> make_controller(std::string_view bytes,
                                                              int actuators,
                                                              double tick) const = 0;
  /// The same settings on one line, for the contract: both ends make it of the same bytes.
  virtual std::string compensator_words(std::string_view bytes) const = 0;
  virtual std::string controller_words(std::string_view bytes) const = 0;
};

}  // namespace trestle
