#include "composition/linear/transfer_factory.h"

#include <vector>

#include "composition/linear/matrix_factory.h"
#include "core/base/setting_error.h"
#include "core/math/transfer_function.h"
#include "core/math/transfer_matrix.h"
#include "core/math/zeros_poles_gain.h"
#include "proto/config/control.pb.h"
#include "proto/config/transfer.pb.h"

namespace trestle::composition {
namespace {

using ComplexNumbers = google::protobuf::RepeatedPtrField<config::ComplexNumber>;

std::vector<std::complex<double>> make_roots(const ComplexNumbers& numbers) {
  std::vector<std::complex<double>> roots;
  for (const config::ComplexNumber& number : numbers)
    roots.emplace_back(number.re(), number.im());
  return roots;
}

math::ZerosPolesGain make_zeros_poles_gain(const config::ZerosPolesGain& message) {
  return {make_roots(message.zeros()), make_roots(message.poles()), message.gain()};
}

math::ZerosPolesGain make_zeros_poles_gain(const config::ZpkEntry& message,
                                           const std::string& path) {
  if (message.has_gain() == message.has_dc_gain())
    throw SettingError(path, "give exactly one of gain and dc_gain");
  math::ZerosPolesGain transfer{make_roots(message.zeros()), make_roots(message.poles()),
                                message.gain()};
  if (message.has_dc_gain())
    transfer.gain = math::static_gain(transfer, message.dc_gain(), path + ".dc_gain");
  return transfer;
}

math::StateSpace single(math::StateSpace system, int actuators, const std::string& path) {
  if (actuators == 1) return system;
  throw SettingError(path, "is the model of one actuator; there are " +
                               std::to_string(actuators) +
                               ": give a matrix, as zpk or state-space");
}

}  // namespace

math::StateSpace make_transfer(const config::TransferFunction& model,
                               const std::string& path) {
  return math::realise(
      math::TransferFunction{{model.numerator().begin(), model.numerator().end()},
                             {model.denominator().begin(), model.denominator().end()}},
      path);
}

math::StateSpace make_transfer(const config::ServoHydraulic& model,
                               const std::string& path) {
  math::ServoHydraulicTable table;
  const auto take = [&path](bool given, double value, const char* field, double& setting) {
    if (!given) return;
    if (!(value > 0.0)) throw SettingError(path + "." + field, "must be above zero");
    setting = value;
  };
  take(model.has_loop_gain(), model.loop_gain(), "loop_gain", table.loop_gain);
  take(model.has_valve_frequency(), model.valve_frequency(), "valve_frequency",
       table.valve_frequency);
  take(model.has_valve_damping(), model.valve_damping(), "valve_damping",
       table.valve_damping);
  take(model.has_oil_frequency(), model.oil_frequency(), "oil_frequency",
       table.oil_frequency);
  take(model.has_oil_damping(), model.oil_damping(), "oil_damping", table.oil_damping);
  return math::realise(math::transfer_function(table), path);
}

math::StateSpace make_transfer(const config::BesselLag& model, const std::string& path) {
  constexpr std::uint32_t kUsualOrder = 5;
  constexpr std::uint32_t kHighestOrder = 8;
  const std::uint32_t order = model.has_order() ? model.order() : kUsualOrder;
  if (!(model.delay() > 0.0)) throw SettingError(path + ".delay", "must be above zero");
  if (order < 1 || order > kHighestOrder)
    throw SettingError(path + ".order", "must be from 1 to 8");
  return math::realise(math::bessel_filter(static_cast<int>(order), model.delay()), path);
}

math::StateSpace make_state_space(const config::StateSpaceModel& model, int actuators,
                                  const std::string& path) {
  math::StateSpace system;
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

math::StateSpace make_transfer(const config::ZerosPolesGain& model,
                               const std::string& path) {
  return math::realise(make_zeros_poles_gain(model), path);
}

math::StateSpace make_transfer(const config::IdentifiedActuator& model,
                               const std::string& path) {
  math::ZerosPolesGain transfer{make_roots(model.zeros()), make_roots(model.poles()), 1.0};
  transfer.gain = math::static_gain(transfer, model.dc_gain(), path + ".dc_gain");
  return math::realise(transfer, path);
}

math::StateSpace make_transfer(const config::TransferMatrix& matrix, int actuators,
                               const std::string& path) {
  switch (matrix.kind_case()) {
    case config::TransferMatrix::kStateSpace:
      return make_state_space(matrix.state_space(), actuators, path);
    case config::TransferMatrix::kZpk: {
      std::vector<math::TransferEntry> entries;
      std::vector<std::string> paths;
      for (const config::ZpkEntry& entry : matrix.zpk().entries()) {
        paths.push_back(path + ".entries[" + std::to_string(entries.size()) + "]");
        entries.push_back({static_cast<int>(entry.to()) - 1,
                           static_cast<int>(entry.from()) - 1,
                           make_zeros_poles_gain(entry, paths.back())});
      }
      return math::realise(entries, actuators, actuators, paths);
    }
    case config::TransferMatrix::kTransferFunction:
      return single(make_transfer(matrix.transfer_function(), path), actuators, path);
    case config::TransferMatrix::kServoHydraulic:
      return single(make_transfer(matrix.servo_hydraulic(), path), actuators, path);
    case config::TransferMatrix::kBessel:
      return single(make_transfer(matrix.bessel(), path), actuators, path);
    case config::TransferMatrix::KIND_NOT_SET:
      break;
  }
  throw SettingError(path,
                     "no kind given; write kind: state-space, zpk, transfer-function, "
                     "servo-hydraulic or bessel");
}

math::ObservedPlantSettings make_observed_plant(const config::ObservedPlant& plant,
                                                int actuators, const std::string& path) {
  return {.model = make_transfer(plant.model(), actuators, path + ".model"),
          .delay = plant.delay(),
          .process_noise = plant.process_noise(),
          .sensor_noise = plant.has_sensor_noise() ? plant.sensor_noise() : 1.0};
}

}  // namespace trestle::composition
