#include "numerical/bond_graph/runtime/coupled_simulation_feedback.h"

namespace trestle::bond_graph {

using Eigen::VectorXd;

CoupledSimulationFeedback::CoupledSimulationFeedback(const Substructuring& model,
                                                     double time_step)
    : augmented_(model.augmented.system.linear, *model.augmented.system.right_hand_side,
                 time_step),
      physical_(model.physical.linear, *model.physical.right_hand_side, time_step),
      own_(VectorXd::Zero(model.augmented.system.right_hand_side->states())),
      body_(VectorXd::Zero(model.physical.right_hand_side->states())),
      body_input_(VectorXd::Zero(model.physical.right_hand_side->inputs())) {}

bool CoupledSimulationFeedback::advance(VectorXd& x, const VectorXd& input,
                                        const VectorXd& velocity) noexcept {
  own_ = x.head(own_.size());
  body_ = x.tail(body_.size());
  body_input_.head(velocity.size()) = velocity;
  if (!augmented_.advance(own_, input, input)) return false;
  if (!physical_.advance(body_, body_input_, body_input_)) return false;
  x.head(own_.size()) = own_;
  x.tail(body_.size()) = body_;
  return true;
}

}  // namespace trestle::bond_graph
