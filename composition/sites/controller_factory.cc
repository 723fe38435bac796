#include "composition/sites/controller_factory.h"

#include "composition/linear/catalog_parts.h"
#include "composition/linear/transfer_factory.h"
#include "proto/config/control.pb.h"
#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/controllers/sliding_mode_controller.h"

namespace trestle {
namespace {

/// @param message  of either kind: both have these fields
template <typename Message>
ServoSettings make_servo(const Message& message, int actuators, double tick,
                         const std::string& path) {
  ServoSettings settings{
      .tick = tick,
      .plant = make_observed_plant(message.plant(), actuators, path + ".plant"),
      .weights = {.integral = message.integral_weight()},
      .drive_limit = {message.drive_limit().begin(), message.drive_limit().end()},
      .integrand = message.integrand() == config::OF_ESTIMATED
                       ? IntegralErrorSource::kEstimated
                       : IntegralErrorSource::kMeasured};
  if (message.has_output_weight()) settings.weights.output = message.output_weight();
  if (message.has_drive_weight()) settings.weights.drive = message.drive_weight();
  return settings;
}

}  // namespace

std::unique_ptr<ActuatorController> make_controller(
    const config::ActuatorController& message, int actuators, double tick,
    const std::string& path) {
  switch (message.kind_case()) {
    case config::ActuatorController::kPid: {
      const config::Pid& it = message.pid();
      return make_below<ActuatorController, PidController>(
          actuators,
          PidSettings{.tick = tick,
                      .proportional = it.proportional(),
                      .integral = it.integral(),
                      .derivative = it.derivative(),
                      .filter = it.has_filter() ? it.filter() : 0.0},
          path + ".pid");
    }
    case config::ActuatorController::kLqg: {
      ServoSettings settings = make_servo(message.lqg(), actuators, tick, path + ".lqg");
      settings.plant.delay += message.lqg().latency_samples() * tick;
      return make_below<ActuatorController, LqgController>(actuators, settings,
                                                           path + ".lqg");
    }
    case config::ActuatorController::kMsmc: {
      const config::SlidingMode& it = message.msmc();
      SlidingModeSettings settings{make_servo(it, actuators, tick, path + ".msmc")};
      if (it.has_reaching_rate()) settings.reaching_rate = it.reaching_rate();
      if (it.has_reaching_gain()) settings.reaching_gain = it.reaching_gain();
      if (it.has_tolerance()) settings.tolerance = it.tolerance();
      return make_below<ActuatorController, SlidingModeController>(actuators, settings,
                                                                   path + ".msmc");
    }
    case config::ActuatorController::kPassThrough:
    case config::ActuatorController::KIND_NOT_SET:
      break;
  }
  return std::make_unique<PassThrough>();
}

std::unique_ptr<ActuatorController> make_controller(std::string_view bytes, int actuators,
                                                    double tick, const std::string& path) {
  return make_controller(parsed<config::ActuatorController>(bytes, path), actuators, tick,
                         path);
}

}  // namespace trestle
