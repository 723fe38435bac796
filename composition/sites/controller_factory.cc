#include "composition/sites/controller_factory.h"

#include <vector>

#include "composition/linear/catalog_parts.h"
#include "composition/linear/matrix_factory.h"
#include "composition/linear/transfer_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/controllers/published_sliding_mode.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "site-servers/controllers/state_space_controller.h"

namespace trestle::composition {
namespace {

/// @param message  of either kind: both have these fields
template <typename Message>
controllers::ServoSettings make_servo(const Message& message, int actuators, double tick,
                                      const std::string& path) {
  controllers::ServoSettings settings{
      .tick = tick,
      .plant = make_observed_plant(message.plant(), actuators, path + ".plant"),
      .weights = {.integral = message.integral_weight()},
      .drive_limit = {message.drive_limit().begin(), message.drive_limit().end()},
      .integrand = message.integrand() == config::OF_ESTIMATED
                       ? controllers::IntegralErrorSource::kEstimated
                       : controllers::IntegralErrorSource::kMeasured};
  if (message.has_output_weight()) settings.weights.output = message.output_weight();
  if (message.has_drive_weight()) settings.weights.drive = message.drive_weight();
  return settings;
}

struct GivenField {
  bool given;
  const char* name;
};

/// @throws SettingError at the first that is given
void refuse_of_other_law(const std::vector<GivenField>& fields, const char* law,
                         const std::string& path) {
  for (const GivenField& field : fields)
    if (field.given)
      throw SettingError(path + "." + field.name, std::string("belongs to law: ") + law +
                                                      "; leave it out, or change the law");
}

std::unique_ptr<ActuatorController> make_reaching(const config::SlidingMode& it,
                                                  int actuators, double tick,
                                                  const std::string& path) {
  refuse_of_other_law({{it.has_sliding_tolerance(), "sliding_tolerance"},
                       {it.has_rate_weight(), "rate_weight"},
                       {it.has_surface_weight(), "surface_weight"}},
                      "published", path);
  if (!it.has_integral_weight())
    throw SettingError(path + ".integral_weight",
                       "is missing; law: reaching needs it for its surface");
  controllers::SlidingModeSettings settings{make_servo(it, actuators, tick, path)};
  if (it.has_reaching_rate()) settings.reaching_rate = it.reaching_rate();
  if (it.has_reaching_gain()) settings.reaching_gain = it.reaching_gain();
  if (it.has_tolerance()) settings.tolerance = it.tolerance();
  return make_below<ActuatorController, controllers::SlidingModeController>(actuators,
                                                                            settings, path);
}

std::unique_ptr<ActuatorController> make_published(const config::SlidingMode& it,
                                                   int actuators, double tick,
                                                   const std::string& path) {
  refuse_of_other_law({{it.has_integral_weight(), "integral_weight"},
                       {it.has_output_weight(), "output_weight"},
                       {it.has_drive_weight(), "drive_weight"},
                       {it.has_reaching_rate(), "reaching_rate"},
                       {it.has_reaching_gain(), "reaching_gain"},
                       {it.has_tolerance(), "tolerance"}},
                      "reaching", path);
  if (it.has_rate_weight() && it.has_surface_weight())
    throw SettingError(path + ".rate_weight",
                       "stands beside surface_weight; give one of the two");
  controllers::PublishedSlidingModeSettings settings{make_servo(it, actuators, tick, path)};
  if (it.has_sliding_tolerance()) settings.tolerance = it.sliding_tolerance();
  if (it.has_rate_weight()) settings.rate_weight = it.rate_weight();
  if (it.has_surface_weight())
    settings.surface_weight =
        make_matrix(it.surface_weight(), 0, 0, path + ".surface_weight");
  return make_below<ActuatorController, controllers::PublishedSlidingMode>(actuators,
                                                                           settings, path);
}

std::unique_ptr<ActuatorController> make_state_space(const config::StateSpaceController& it,
                                                     int actuators, double tick,
                                                     const std::string& path) {
  const auto matrix = [&](bool given, const config::Matrix& of, Eigen::Index rows,
                          Eigen::Index columns, const char* name) {
    return given ? make_matrix(of, 0, 0, path + "." + name)
                 : Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, columns));
  };
  controllers::StateSpaceControllerSettings settings;
  settings.tick = tick;
  settings.D = matrix(true, it.feedthrough(), 0, 0, "feedthrough");
  settings.A = matrix(it.has_state(), it.state(), 0, 0, "state");
  settings.B = matrix(it.has_input(), it.input(), 0, settings.D.cols(), "input");
  settings.C = matrix(it.has_output(), it.output(), actuators, 0, "output");
  settings.continuous = it.time() == config::CONTROLLER_TIME_CONTINUOUS;
  return make_below<ActuatorController, controllers::StateSpaceController>(actuators,
                                                                           settings, path);
}

}  // namespace

std::unique_ptr<ActuatorController> make_controller(
    const config::ActuatorController& message, int actuators, double tick,
    const std::string& path) {
  switch (message.kind_case()) {
    case config::ActuatorController::kPid: {
      const config::Pid& it = message.pid();
      return make_below<ActuatorController, controllers::PidController>(
          actuators,
          controllers::PidSettings{
              .tick = tick,
              .proportional = it.proportional(),
              .integral = it.integral(),
              .derivative = it.derivative(),
              .filter = it.has_filter() ? it.filter() : 0.0,
              .command_gain = it.has_command_gain() ? it.command_gain() : 1.0},
          path + ".pid");
    }
    case config::ActuatorController::kLqg: {
      controllers::ServoSettings settings =
          make_servo(message.lqg(), actuators, tick, path + ".lqg");
      settings.plant.delay += message.lqg().latency_samples() * tick;
      return make_below<ActuatorController, controllers::LqgController>(actuators, settings,
                                                                        path + ".lqg");
    }
    case config::ActuatorController::kMsmc: {
      const config::SlidingMode& it = message.msmc();
      return it.law() == config::PUBLISHED
                 ? make_published(it, actuators, tick, path + ".msmc")
                 : make_reaching(it, actuators, tick, path + ".msmc");
    }
    case config::ActuatorController::kStateSpace:
      return make_state_space(message.state_space(), actuators, tick,
                              path + ".state_space");
    case config::ActuatorController::kPassThrough:
    case config::ActuatorController::KIND_NOT_SET:
      break;
  }
  return std::make_unique<controllers::PassThrough>();
}

std::unique_ptr<ActuatorController> make_controller(std::string_view bytes, int actuators,
                                                    double tick, const std::string& path) {
  return make_controller(parsed<config::ActuatorController>(bytes, path), actuators, tick,
                         path);
}

}  // namespace trestle::composition
