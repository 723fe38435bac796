#include "site-servers/control/control_catalog.h"

#include <utility>
#include <vector>

#include "core/types/setting_error.h"
#include "proto/config.pb.h"
#include "site-servers/control/ats_compensator.h"
#include "site-servers/control/interface_limits.h"
#include "site-servers/control/no_compensator.h"
#include "site-servers/control/pass_through.h"
#include "site-servers/control/pid_controller.h"
#include "site-servers/control/polynomial_extrapolation.h"

namespace trestle {
namespace {

constexpr int kDefaultOrder = 3;
constexpr double kDefaultMemory = 1.0;            // [s]
constexpr double kDefaultExcitationFloor = 1e-4;  // [m | rad]

/// Makes an object whose errors name a field below `path`.
template <typename Port, typename Object, typename Settings>
std::unique_ptr<Port> make(int actuators, const Settings& settings,
                           const std::string& path) {
  try {
    return std::make_unique<Object>(actuators, settings);
  } catch (const SettingError& error) {
    std::vector<SettingProblem> problems = error.problems();
    for (SettingProblem& problem : problems) problem.path = path + "." + problem.path;
    throw SettingError(std::move(problems));
  }
}

template <typename Message>
Message parsed(std::string_view bytes, const std::string& path) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw SettingError(path, "the " + std::to_string(bytes.size()) + " bytes are no " +
                                 message.GetTypeName() +
                                 "; both ends need the same major version");
  return message;
}

std::string entry(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

}  // namespace

std::unique_ptr<Compensator> make_compensator(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path) {
  switch (message.kind_case()) {
    case config::Compensator::kPolynomial: {
      const config::PolynomialExtrapolation& it = message.polynomial();
      const int order = it.has_order() ? static_cast<int>(it.order()) : kDefaultOrder;
      return make<Compensator, PolynomialExtrapolation>(
          actuators, PolynomialSettings{.tick = tick, .delay = it.delay(0), .order = order},
          path + ".polynomial");
    }
    case config::Compensator::kAts: {
      const config::AdaptiveTimeSeries& it = message.ats();
      return make<Compensator, AtsCompensator>(
          actuators,
          AtsSettings{.tick = tick,
                      .expected_delay = it.expected_delay(0),
                      .memory = it.has_memory() ? it.memory() : kDefaultMemory,
                      .excitation_floor = it.has_excitation_floor()
                                              ? it.excitation_floor()
                                              : kDefaultExcitationFloor},
          path + ".ats");
    }
    case config::Compensator::kNone:
    case config::Compensator::KIND_NOT_SET:
      break;
  }
  return std::make_unique<NoCompensator>();
}

std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                              double tick, const std::string& path) {
  return make_compensator(parsed<config::Compensator>(bytes, path), actuators, tick, path);
}

std::unique_ptr<ActuatorController> make_controller(
    const config::ActuatorController& message, int actuators, double tick,
    const std::string& path) {
  switch (message.kind_case()) {
    case config::ActuatorController::kPid: {
      const config::Pid& it = message.pid();
      return make<ActuatorController, PidController>(
          actuators,
          PidSettings{.tick = tick,
                      .proportional = it.proportional(),
                      .integral = it.integral(),
                      .derivative = it.derivative(),
                      .filter = it.has_filter() ? it.filter() : 0.0},
          path + ".pid");
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

RigLimits make_limits(const config::Limits& message, int actuators,
                      const std::string& path) {
  const int entries = message.actuators_size();
  if (entries == 0) return {};
  if (actuators > 0 && entries != actuators)
    throw SettingError(path + ".actuators", std::to_string(entries) + " entries for " +
                                                std::to_string(actuators) +
                                                " actuators; give one each");
  RigLimits limits;
  for (const config::ActuatorLimit& it : message.actuators()) {
    ActuatorLimits& limit = limits.emplace_back();
    if (it.has_displacement()) limit.displacement = it.displacement();
    if (it.has_rate()) limit.rate = it.rate();
    if (it.has_force()) limit.force = it.force();
    if (it.has_tracking_error()) limit.tracking_error = it.tracking_error();
    if (it.has_tracking_dwell()) limit.tracking_dwell = it.tracking_dwell();
    if (it.has_tracking_dwell() && !it.has_tracking_error())
      throw SettingError(
          entry(path, "actuators", static_cast<int>(limits.size()) - 1) + ".tracking_dwell",
          "tracking_dwell waits for a tracking_error; give that limit too");
  }
  return limits;
}

InterfaceLayout limit_targets(const config::Limits& message, InterfaceLayout layout,
                              const std::string& path) {
  for (int i = 0; i < message.interface_size(); ++i) {
    const config::InterfaceLimit& it = message.interface(i);
    const int dof = find_dof(layout, it.dof(), entry(path, "interface", i));
    layout[static_cast<std::size_t>(dof)].displacement_limit = it.displacement();
  }
  return layout;
}

}  // namespace trestle
