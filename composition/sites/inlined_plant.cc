#include "composition/linear/matrix_factory.h"
#include "composition/sites/control_factory.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/transfer.pb.h"

namespace trestle {
namespace {

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

config::ActuatorController inline_files(config::ActuatorController message,
                                        const std::string& path) {
  if (message.has_lqg())
    inline_plant(*message.mutable_lqg()->mutable_plant(), path + ".lqg.plant");
  if (message.has_msmc())
    inline_plant(*message.mutable_msmc()->mutable_plant(), path + ".msmc.plant");
  return message;
}

}  // namespace trestle
