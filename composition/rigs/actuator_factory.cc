#include "composition/rigs/actuator_factory.h"

#include <vector>

#include "adapters/simulated/delay_jump_actuators.h"
#include "adapters/simulated/delayed_actuator.h"
#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"
#include "adapters/simulated/sticking_actuators.h"
#include "adapters/simulated/transport_delay_actuators.h"
#include "composition/linear/transfer_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {
namespace {

math::Discretisation integration_of(const config::Rig& rig) {
  return rig.integration() == config::ACTUATOR_INTEGRATION_RUNGE_KUTTA
             ? math::Discretisation::kRungeKuttaHold
             : math::Discretisation::kZeroOrderHold;
}

std::unique_ptr<simulated::ActuatorModel> make_delay(const config::PureDelay& model,
                                                     const std::string& path) {
  require_at_least(model.delay(), 0.0, path + ".delay");
  return std::make_unique<simulated::PureDelay>(simulated::PureDelaySettings{
      .delay = model.delay(), .gain = model.has_gain() ? model.gain() : 1.0});
}

std::unique_ptr<simulated::ActuatorModel> make_actuator(const config::ActuatorModel& model,
                                                        math::Discretisation method,
                                                        const std::string& path) {
  using Kind = config::ActuatorModel::KindCase;
  const auto linear = [method](math::StateSpace system) {
    return std::make_unique<simulated::LinearActuators>(std::move(system), method);
  };
  switch (model.kind_case()) {
    case Kind::kDelay:
      return make_delay(model.delay(), path);
    case Kind::kFirstOrder: {
      const config::FirstOrder& first = model.first_order();
      require_above_zero(first.frequency(), path + ".frequency");
      return linear(simulated::first_order_lag(first.frequency(),
                                               first.has_gain() ? first.gain() : 1.0));
    }
    case Kind::kSecondOrder: {
      const config::SecondOrder& second = model.second_order();
      require_above_zero(second.frequency(), path + ".frequency");
      require_above_zero(second.damping(), path + ".damping");
      return linear(simulated::second_order_lag(second.frequency(), second.damping(),
                                                second.has_gain() ? second.gain() : 1.0));
    }
    case Kind::kZpk:
      return linear(make_transfer(model.zpk(), path));
    case Kind::kStateSpace:
      return linear(make_state_space(model.state_space(), 1, path));
    case Kind::kIdentified:
      require_at_least(model.identified().delay(), 0.0, path + ".delay");
      return std::make_unique<simulated::DelayedActuator>(
          model.identified().delay(), make_transfer(model.identified(), path), method);
    case Kind::kTransferFunction:
      return linear(make_transfer(model.transfer_function(), path));
    case Kind::kServoHydraulic:
      return linear(make_transfer(model.servo_hydraulic(), path));
    case Kind::kBessel:
      return linear(make_transfer(model.bessel(), path));
    case Kind::kIdeal:
    case Kind::KIND_NOT_SET:
      break;
  }
  return std::make_unique<simulated::PureDelay>(simulated::PureDelaySettings{});
}

}  // namespace

namespace {

std::unique_ptr<simulated::ActuatorModel> make_prompt_actuators(const config::Rig& rig,
                                                                int actuators,
                                                                const std::string& path) {
  if (rig.has_transfer_matrix() && !rig.actuators().empty())
    throw SettingError(path + ".transfer_matrix",
                       "stands beside actuators; give one of the two");
  const math::Discretisation method = integration_of(rig);
  if (rig.has_transfer_matrix())
    return std::make_unique<simulated::LinearActuators>(
        make_transfer(rig.transfer_matrix(), actuators, path + ".transfer_matrix"), method);
  if (!rig.actuators().empty() && rig.actuators_size() != actuators)
    throw SettingError(path + ".actuators",
                       std::to_string(rig.actuators_size()) +
                           " actuators are given; the loading frame has " +
                           std::to_string(actuators));
  std::vector<std::unique_ptr<simulated::ActuatorModel>> models;
  for (int i = 0; i < actuators; ++i)
    models.push_back(
        rig.actuators().empty()
            ? std::make_unique<simulated::PureDelay>(simulated::PureDelaySettings{})
            : make_actuator(rig.actuators(i), method,
                            path + ".actuators[" + std::to_string(i) + "]"));
  return std::make_unique<simulated::IndependentActuators>(std::move(models));
}

ActuatorVector plays_of(const config::Disturbances& wrong, int actuators,
                        const std::string& path) {
  if (wrong.friction_size() != actuators)
    throw SettingError(path, "has " + std::to_string(wrong.friction_size()) +
                                 " entries; one for each of the " +
                                 std::to_string(actuators) + " actuators is needed");
  ActuatorVector plays = ActuatorVector::Zero(actuators);
  for (int i = 0; i < actuators; ++i) {
    require_at_least(wrong.friction(i), 0.0, path + "[" + std::to_string(i) + "]");
    plays(i) = wrong.friction(i);
  }
  return plays;
}

simulated::DelayJump delay_jump_of(const config::DelayJump& jump, const std::string& path) {
  constexpr double kLongest = 1.0;  // [s]; its drives are kept
  require_at_least(jump.at(), 0.0, path + ".at");
  require_above_zero(jump.by(), path + ".by");
  require_within(jump.by(), 0.0, kLongest, path + ".by");
  return {.at = jump.at(), .by = jump.by()};
}

}  // namespace

std::unique_ptr<simulated::ActuatorModel> make_actuators(const config::Rig& rig,
                                                         int actuators,
                                                         const std::string& path) {
  auto made = make_prompt_actuators(rig, actuators, path);
  if (const config::Disturbances& wrong = rig.disturbances(); !wrong.friction().empty())
    made = std::make_unique<simulated::StickingActuators>(
        std::move(made), plays_of(wrong, actuators, path + ".disturbances.friction"));
  if (rig.disturbances().has_delay_jump())
    made = std::make_unique<simulated::DelayJumpActuators>(
        std::move(made),
        delay_jump_of(rig.disturbances().delay_jump(), path + ".disturbances.delay_jump"));
  if (rig.latency_samples() == 0) return made;
  require_within(rig.latency_samples(), 0.0, simulated::TransportDelayActuators::kMostTicks,
                 path + ".latency_samples");
  return std::make_unique<simulated::TransportDelayActuators>(
      std::move(made), static_cast<int>(rig.latency_samples()));
}

}  // namespace trestle::composition
