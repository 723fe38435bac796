#include "composition/sites/inlined_files.h"

#include "composition/linear/matrix_factory.h"
#include "composition/sites/compensator_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/transfer.pb.h"
#include "site-servers/compensators/adaptive_discrete_model.h"
#include "site-servers/compensators/training_record.h"

namespace trestle::composition {
namespace {

template <typename Message>
void inline_starts(Message& message, const std::string& path) {
  for (int i = 0; i < message.start_size(); ++i) {
    config::RecursionStart& start = *message.mutable_start(i);
    if (start.covariance().file().empty()) continue;
    set_rows(*start.mutable_covariance(),
             make_matrix(start.covariance(), 0, 0,
                         path + ".start[" + std::to_string(i) + "].covariance"));
  }
}

/// Returns the state of one actuator's compensator at the end of the record.
void learn_from(const compensators::TrainingRecord& motion,
                const config::AdaptiveDiscreteModel& settings, double tick,
                const std::string& path, config::RecursionStart& start) {
  config::Compensator message;
  *message.mutable_adm() = settings;
  const std::unique_ptr<Compensator> made = make_compensator(message, 1, tick, path);
  auto& model = dynamic_cast<compensators::AdaptiveDiscreteModel&>(*made);
  for (std::size_t n = 0; n < motion.command.size(); ++n)
    model.command(ActuatorMotion::zero(1), ActuatorVector::Constant(1, motion.measured[n]),
                  ActuatorVector::Constant(1, motion.command[n]));
  for (const double coefficient : model.coefficients(0))
    start.add_coefficients(coefficient);
  set_rows(*start.mutable_covariance(), model.covariance(0));
}

void inline_warm_start(config::AdaptiveDiscreteModel& message, const std::string& site,
                       double tick, const std::string& path) {
  if (message.start_size() > 0 || message.initial_delay_size() > 0)
    throw SettingError(path + ".adm.warm_start",
                       "stands beside another start; give one of start, initial_delay and "
                       "warm_start");
  const std::vector<compensators::TrainingRecord> actuators =
      compensators::read_recorded_motion(message.warm_start().record(), site, tick,
                                         path + ".adm.warm_start.record");
  message.clear_warm_start();
  const config::AdaptiveDiscreteModel cold = message;
  for (const compensators::TrainingRecord& motion : actuators)
    learn_from(motion, cold, tick, path, *message.add_start());
}

void inline_file(config::Matrix& message, const std::string& path) {
  if (!message.file().empty()) set_rows(message, make_matrix(message, 0, 0, path));
}

void inline_plant(config::ObservedPlant& plant, const std::string& path) {
  if (!plant.model().has_state_space()) return;
  config::StateSpaceModel& model = *plant.mutable_model()->mutable_state_space();
  inline_file(*model.mutable_a(), path + ".model.A");
  inline_file(*model.mutable_b(), path + ".model.B");
  inline_file(*model.mutable_c(), path + ".model.C");
  if (model.has_d()) inline_file(*model.mutable_d(), path + ".model.D");
}

}  // namespace

config::Compensator inline_files(config::Compensator message, const std::string& site,
                                 double tick, const std::string& path) {
  if (message.has_adaptive_fir())
    inline_starts(*message.mutable_adaptive_fir(), path + ".adaptive_fir");
  if (message.has_adm()) {
    inline_starts(*message.mutable_adm(), path + ".adm");
    if (message.adm().has_warm_start())
      inline_warm_start(*message.mutable_adm(), site, tick, path);
  }
  if (message.has_mpc() && message.mpc().has_plant())
    inline_plant(*message.mutable_mpc()->mutable_plant(), path + ".mpc.plant");
  return message;
}

config::ActuatorController inline_files(config::ActuatorController message,
                                        const std::string& path) {
  if (message.has_lqg())
    inline_plant(*message.mutable_lqg()->mutable_plant(), path + ".lqg.plant");
  if (message.has_msmc()) {
    config::SlidingMode& msmc = *message.mutable_msmc();
    inline_plant(*msmc.mutable_plant(), path + ".msmc.plant");
    if (msmc.has_surface_weight())
      inline_file(*msmc.mutable_surface_weight(), path + ".msmc.surface_weight");
  }
  if (message.has_state_space()) {
    config::StateSpaceController& it = *message.mutable_state_space();
    const std::string place = path + ".state_space";
    if (it.has_state()) inline_file(*it.mutable_state(), place + ".state");
    if (it.has_input()) inline_file(*it.mutable_input(), place + ".input");
    if (it.has_output()) inline_file(*it.mutable_output(), place + ".output");
    inline_file(*it.mutable_feedthrough(), place + ".feedthrough");
  }
  return message;
}

}  // namespace trestle::composition
