#include "adapters/simulated/actuator_catalog.h"

#include <vector>

#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/matrix_catalog.h"
#include "adapters/simulated/pure_delay.h"
#include "core/linear/zeros_poles_gain.h"
#include "core/mechanics/setting_check.h"
#include "core/types/setting_error.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

using ComplexNumbers = google::protobuf::RepeatedPtrField<config::ComplexNumber>;

std::vector<std::complex<double>> make_roots(const ComplexNumbers& numbers) {
  std::vector<std::complex<double>> roots;
  for (const config::ComplexNumber& number : numbers)
    roots.emplace_back(number.re(), number.im());
  return roots;
}

ZerosPolesGain make_zeros_poles_gain(const config::ZerosPolesGain& message) {
  return {make_roots(message.zeros()), make_roots(message.poles()), message.gain()};
}

ZerosPolesGain make_zeros_poles_gain(const config::ZpkEntry& message,
                                     const std::string& path) {
  if (message.has_gain() == message.has_dc_gain())
    throw SettingError(path, "give exactly one of gain and dc_gain");
  ZerosPolesGain transfer{make_roots(message.zeros()), make_roots(message.poles()),
                          message.gain()};
  if (message.has_dc_gain())
    transfer.gain = gain_at_rest(transfer, message.dc_gain(), path + ".dc_gain");
  return transfer;
}

Discretisation integration_of(const config::Rig& rig) {
  return rig.integration() == config::ACTUATOR_INTEGRATION_RUNGE_KUTTA
             ? Discretisation::kRungeKuttaHold
             : Discretisation::kZeroOrderHold;
}

StateSpace make_state_space(const config::StateSpaceModel& model, Eigen::Index actuators,
                            const std::string& path) {
  StateSpace system;
  system.A = make_matrix(model.a(), 0, 0, path + ".A");
  const Eigen::Index n = system.A.rows();
  if (system.A.cols() != n)
    throw SettingError(path + ".A", "is " + std::to_string(n) + " x " +
                                        std::to_string(system.A.cols()) +
                                        "; it must be square");
  system.B = make_matrix(model.b(), n, actuators, path + ".B");
  system.C = make_matrix(model.c(), actuators, n, path + ".C");
  system.D = model.has_d() ? make_matrix(model.d(), actuators, actuators, path + ".D")
                           : Eigen::MatrixXd::Zero(actuators, actuators);
  return system;
}

std::unique_ptr<ActuatorModel> make_delay(const config::PureDelay& model,
                                          const std::string& path) {
  require_at_least(model.delay(), 0.0, path + ".delay");
  return std::make_unique<PureDelay>(PureDelaySettings{
      .delay = model.delay(), .gain = model.has_gain() ? model.gain() : 1.0});
}

std::unique_ptr<ActuatorModel> make_actuator(const config::ActuatorModel& model,
                                             Discretisation method,
                                             const std::string& path) {
  using Kind = config::ActuatorModel::KindCase;
  const auto linear = [method](StateSpace system) {
    return std::make_unique<LinearActuators>(std::move(system), method);
  };
  switch (model.kind_case()) {
    case Kind::kDelay:
      return make_delay(model.delay(), path);
    case Kind::kFirstOrder: {
      const config::FirstOrder& first = model.first_order();
      require_positive(first.frequency(), path + ".frequency");
      return linear(
          first_order_lag(first.frequency(), first.has_gain() ? first.gain() : 1.0));
    }
    case Kind::kSecondOrder: {
      const config::SecondOrder& second = model.second_order();
      require_positive(second.frequency(), path + ".frequency");
      require_positive(second.damping(), path + ".damping");
      return linear(second_order_lag(second.frequency(), second.damping(),
                                     second.has_gain() ? second.gain() : 1.0));
    }
    case Kind::kZpk:
      return linear(realise(make_zeros_poles_gain(model.zpk()), path));
    case Kind::kStateSpace:
      return linear(make_state_space(model.state_space(), 1, path));
    case Kind::kIdeal:
    case Kind::KIND_NOT_SET:
      break;
  }
  return std::make_unique<PureDelay>(PureDelaySettings{});
}

std::unique_ptr<ActuatorModel> make_coupled(const config::TransferMatrix& matrix,
                                            int actuators, Discretisation method,
                                            const std::string& path) {
  switch (matrix.kind_case()) {
    case config::TransferMatrix::kStateSpace:
      return std::make_unique<LinearActuators>(
          make_state_space(matrix.state_space(), actuators, path), method);
    case config::TransferMatrix::kZpk: {
      std::vector<TransferEntry> entries;
      std::vector<std::string> paths;
      for (const config::ZpkEntry& entry : matrix.zpk().entries()) {
        paths.push_back(path + ".entries[" + std::to_string(entries.size()) + "]");
        entries.push_back({static_cast<int>(entry.to()) - 1,
                           static_cast<int>(entry.from()) - 1,
                           make_zeros_poles_gain(entry, paths.back())});
      }
      return std::make_unique<LinearActuators>(
          realise(entries, actuators, actuators, paths), method);
    }
    case config::TransferMatrix::KIND_NOT_SET:
      break;
  }
  throw SettingError(path, "no kind given; write kind: state-space or zpk");
}

}  // namespace

std::unique_ptr<ActuatorModel> make_actuators(const config::Rig& rig, int actuators,
                                              const std::string& path) {
  if (rig.has_transfer_matrix() && !rig.actuators().empty())
    throw SettingError(path + ".transfer_matrix",
                       "stands beside actuators; give one of the two");
  const Discretisation method = integration_of(rig);
  if (rig.has_transfer_matrix())
    return make_coupled(rig.transfer_matrix(), actuators, method,
                        path + ".transfer_matrix");
  if (!rig.actuators().empty() && rig.actuators_size() != actuators)
    throw SettingError(path + ".actuators",
                       std::to_string(rig.actuators_size()) +
                           " actuators are given; the loading frame has " +
                           std::to_string(actuators));
  std::vector<std::unique_ptr<ActuatorModel>> models;
  for (int i = 0; i < actuators; ++i)
    models.push_back(rig.actuators().empty()
                         ? std::make_unique<PureDelay>(PureDelaySettings{})
                         : make_actuator(rig.actuators(i), method,
                                         path + ".actuators[" + std::to_string(i) + "]"));
  return std::make_unique<IndependentActuators>(std::move(models));
}

}  // namespace trestle
