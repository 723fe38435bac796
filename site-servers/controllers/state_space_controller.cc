#include "site-servers/controllers/state_space_controller.h"

#include <cassert>
#include <string>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"

namespace trestle::controllers {
namespace {

constexpr double kSingular = 1e-12;

void require_size(const Eigen::MatrixXd& matrix, Eigen::Index rows, Eigen::Index columns,
                  const char* field, const char* why) {
  if (!matrix.allFinite())
    throw SettingError(field, "has an entry that is no finite number");
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw SettingError(field, "is " + std::to_string(matrix.rows()) + " x " +
                                std::to_string(matrix.cols()) + "; " +
                                std::to_string(rows) + " x " + std::to_string(columns) +
                                " is needed: " + why);
}

const StateSpaceControllerSettings& checked(const StateSpaceControllerSettings& settings,
                                            int actuators) {
  const Eigen::Index inputs = settings.D.cols() == actuators ? actuators : 2 * actuators;
  require_size(settings.D, actuators, inputs, "feedthrough",
               "a row for each actuator, and a column for each error, or for each command "
               "and each measured displacement");
  const Eigen::Index states = settings.A.rows();
  constexpr Eigen::Index kMostStates = StateSpaceController::kMostStates;
  if (states > kMostStates)
    throw SettingError("state", "has " + std::to_string(states) + " states, limit " +
                                    std::to_string(kMostStates) +
                                    "; reduce the order of the controller");
  require_size(settings.A, states, states, "state", "it is square");
  require_size(settings.B, states, inputs, "input",
               "a row for each state, a column for each input");
  require_size(settings.C, actuators, states, "output",
               "a row for each actuator, a column for each state");
  return settings;
}

/// By the bilinear rule.
LinearControllerModel sampled(const StateSpaceControllerSettings& of) {
  LinearControllerModel model{.A = of.A, .B = of.B, .C = of.C, .D = of.D};
  if (!of.continuous || of.A.rows() == 0) return model;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(of.A.rows(), of.A.cols());
  const double half = 0.5 * of.tick;
  const auto inverse = math::solve_if_regular(one - half * of.A, one, kSingular);
  if (!inverse)
    throw SettingError("state",
                       "has a pole at 2 over the control tick, which the bilinear rule "
                       "cannot sample; sample it yourself and set time: control-tick");
  model.A = *inverse * (one + half * of.A);
  model.B = of.tick * (*inverse * of.B);
  model.C = of.C * *inverse;
  model.D = of.D + half * (model.C * of.B);
  return model;
}

}  // namespace

StateSpaceController::StateSpaceController(int actuators,
                                           const StateSpaceControllerSettings& settings)
    : of_error_(checked(settings, actuators).D.cols() == actuators),
      model_(sampled(settings)),
      input_(Eigen::VectorXd::Zero(settings.D.cols())),
      state_(Eigen::VectorXd::Zero(settings.A.rows())),
      next_(state_) {
  assert(actuators > 0 && actuators <= kMaxActuators && settings.tick > 0.0);
}

ActuatorVector StateSpaceController::drive(const ActuatorVector& command,
                                           const Measurement& sensed) noexcept {
  const Eigen::Index actuators = command.size();
  if (of_error_) {
    input_ = command - sensed.displacement;
  } else {
    input_.head(actuators) = command;
    input_.tail(actuators) = sensed.displacement;
  }
  ActuatorVector drive(actuators);
  drive.noalias() = model_.D.lazyProduct(input_);
  drive += model_.C.lazyProduct(state_);
  next_ = model_.A.lazyProduct(state_);
  next_ += model_.B.lazyProduct(input_);
  state_.swap(next_);
  return drive;
}

std::optional<LinearControllerModel> StateSpaceController::linearise(int actuators) const {
  if (!of_error_) return model_;
  LinearControllerModel model = model_;
  model.B.resize(model_.B.rows(), 2 * actuators);
  model.B << model_.B, -model_.B;
  model.D.resize(actuators, 2 * actuators);
  model.D << model_.D, -model_.D;
  return model;
}

void StateSpaceController::save(SnapshotWriter& snapshot) const {
  snapshot(state_);
}

void StateSpaceController::restore(SnapshotReader& snapshot) {
  snapshot(state_);
}

}  // namespace trestle::controllers
