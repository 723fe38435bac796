#include "studies/pretest/linear_rig_factory.h"

#include "adapters/simulated/linear_actuators.h"
#include "composition/linear/transfer_factory.h"
#include "core/base/setting_error.h"
#include "core/math/kalman_observer.h"
#include "core/math/zeros_poles_gain.h"
#include "proto/config/rig.pb.h"
#include "proto/config/transfer.pb.h"

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The sampling of every actuator of a rig.
struct Sampling {
  double tick;
  math::Discretisation method;

  LinearRigModel of(const math::StateSpace& model) const {
    return linear_actuators(model, math::discretise(model, tick, method));
  }
};

std::vector<std::complex<double>> roots(
    const google::protobuf::RepeatedPtrField<config::ComplexNumber>& numbers) {
  std::vector<std::complex<double>> result;
  for (const config::ComplexNumber& number : numbers)
    result.emplace_back(number.re(), number.im());
  return result;
}

LinearRigModel identified(const config::IdentifiedActuator& it, const Sampling& sampling,
                          const std::string& path) {
  math::ZerosPolesGain transfer{roots(it.zeros()), roots(it.poles()), 1.0};
  transfer.gain = math::static_gain(transfer, it.dc_gain(), path + ".dc_gain");
  return in_series(delayed_actuator(it.delay(), 1.0, sampling.tick),
                   sampling.of(math::realise(transfer, path)));
}

LinearRigModel make_one(const config::ActuatorModel& model, const Sampling& sampling,
                        const std::string& path) {
  using Kind = config::ActuatorModel::KindCase;
  switch (model.kind_case()) {
    case Kind::kDelay:
      return delayed_actuator(model.delay().delay(),
                              model.delay().has_gain() ? model.delay().gain() : 1.0,
                              sampling.tick);
    case Kind::kFirstOrder: {
      const config::FirstOrder& it = model.first_order();
      return sampling.of(
          simulated::first_order_lag(it.frequency(), it.has_gain() ? it.gain() : 1.0));
    }
    case Kind::kSecondOrder: {
      const config::SecondOrder& it = model.second_order();
      return sampling.of(simulated::second_order_lag(it.frequency(), it.damping(),
                                                     it.has_gain() ? it.gain() : 1.0));
    }
    case Kind::kZpk:
      return sampling.of(composition::make_transfer(model.zpk(), path));
    case Kind::kStateSpace:
      return sampling.of(composition::make_state_space(model.state_space(), 1, path));
    case Kind::kIdentified:
      return identified(model.identified(), sampling, path);
    case Kind::kTransferFunction:
      return sampling.of(composition::make_transfer(model.transfer_function(), path));
    case Kind::kServoHydraulic:
      return sampling.of(composition::make_transfer(model.servo_hydraulic(), path));
    case Kind::kBessel:
      return sampling.of(composition::make_transfer(model.bessel(), path));
    case Kind::kIdeal:
    case Kind::KIND_NOT_SET:
      break;
  }
  return delayed_actuator(0.0, 1.0, sampling.tick);
}

/// The felt displacement becomes the observer's estimate: x̂' = x⁻ + L (y − C x⁻) with
/// x⁻ = A x̂ + B u, felt C x̂'.
LinearRigModel observed(const LinearRigModel& rig, const math::KalmanObserver& observer) {
  const math::DiscreteStateSpace& plain = rig.system;
  const Index n = plain.A.rows();
  const Index m = rig.actuators();
  const Index own = observer.forward().rows();
  MatrixXd read(m, n + own + m);
  read << plain.C.topRows(m), MatrixXd::Zero(m, own), plain.D.topRows(m);
  MatrixXd before(own, n + own + m);
  before << MatrixXd::Zero(own, n), observer.forward(), observer.entry();
  const MatrixXd estimate = before + observer.gain() * (read - observer.reading() * before);
  MatrixXd next(n + own, n + own + m);
  next << plain.A, MatrixXd::Zero(n, own), plain.B, estimate;
  MatrixXd out(plain.C.rows(), n + own + m);
  out << plain.C, MatrixXd::Zero(plain.C.rows(), own), plain.D;
  out.middleRows(m, m) = observer.reading() * estimate;
  return {{next.leftCols(n + own), next.rightCols(m), out.leftCols(n + own),
           out.rightCols(m), plain.period}};
}

}  // namespace

LinearRigModel make_linear_rig(const config::Rig& rig, int actuators, double tick,
                               const std::string& path) {
  const Sampling sampling{tick,
                          rig.integration() == config::ACTUATOR_INTEGRATION_RUNGE_KUTTA
                              ? math::Discretisation::kRungeKuttaHold
                              : math::Discretisation::kZeroOrderHold};
  LinearRigModel made;
  if (rig.has_transfer_matrix()) {
    made = sampling.of(composition::make_transfer(rig.transfer_matrix(), actuators,
                                                  path + ".transfer_matrix"));
  } else {
    std::vector<LinearRigModel> each;
    for (int i = 0; i < actuators; ++i)
      each.push_back(i < rig.actuators_size()
                         ? make_one(rig.actuators(i), sampling,
                                    path + ".actuators[" + std::to_string(i) + "]")
                         : delayed_actuator(0.0, 1.0, tick));
    made = side_by_side(each);
  }
  if (rig.latency_samples() > 0)
    made = in_series(side_by_side(std::vector<LinearRigModel>(
                         static_cast<std::size_t>(actuators),
                         delayed_actuator(tick * rig.latency_samples(), 1.0, tick))),
                     made);
  if (!rig.has_estimator()) return made;
  const std::string place = path + ".estimator";
  const math::PlantModel plant = math::discretise_plant(
      composition::make_observed_plant(rig.estimator(), actuators, place), tick, place);
  return observed(made, math::KalmanObserver(plant, place));
}

}  // namespace trestle::pretest
