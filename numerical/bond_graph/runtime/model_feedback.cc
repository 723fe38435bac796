#include "numerical/bond_graph/runtime/model_feedback.h"

#include <algorithm>

#include "core/base/setting_error.h"

namespace trestle::bond_graph {

using Eigen::Index;
using Eigen::VectorXd;

ModelFeedback::ModelFeedback(const GraphSystem& augmented, const GraphSystem& physical,
                             Index ports)
    : augmented_(*augmented.right_hand_side),
      physical_(*physical.right_hand_side),
      ports_(ports),
      own_(VectorXd::Zero(augmented_.states())),
      own_input_(VectorXd::Zero(augmented_.inputs())),
      own_rate_(own_),
      own_output_(VectorXd::Zero(augmented_.outputs())),
      body_(VectorXd::Zero(physical_.states())),
      body_input_(VectorXd::Zero(physical_.inputs())),
      body_rate_(body_),
      body_output_(VectorXd::Zero(physical_.outputs())) {
  const auto& known = augmented.inputs;
  for (auto i = static_cast<std::size_t>(ports); i < physical.inputs.size(); ++i) {
    const auto found = std::find(known.begin(), known.end(), physical.inputs[i]);
    if (found == known.end())
      throw SettingError("numerical.bond_graph.feedback",
                         "the source `" + physical.inputs[i] +
                             "` acts on the physical part alone, which feedback: model "
                             "cannot drive; keep it in the model's part");
    sources_.push_back(static_cast<Index>(found - known.begin()));
  }
}

Index ModelFeedback::states() const noexcept {
  return own_.size() + body_.size();
}
Index ModelFeedback::inputs() const noexcept {
  return own_input_.size();
}
Index ModelFeedback::outputs() const noexcept {
  return own_output_.size() + ports_;
}

bool ModelFeedback::evaluate(const VectorXd& x, const VectorXd& u, VectorXd& rate,
                             VectorXd& output) noexcept {
  own_ = x.head(own_.size());
  body_ = x.tail(body_.size());
  own_input_ = u;
  own_input_.head(ports_).setZero();
  if (!augmented_.evaluate(own_, own_input_, own_rate_, own_output_)) return false;
  body_input_.head(ports_) = own_output_.segment(ports_, ports_);
  for (std::size_t i = 0; i < sources_.size(); ++i)
    body_input_[ports_ + static_cast<Index>(i)] = u[sources_[i]];
  if (!physical_.evaluate(body_, body_input_, body_rate_, body_output_)) return false;
  own_input_.head(ports_) = body_output_.head(ports_);
  if (!augmented_.evaluate(own_, own_input_, own_rate_, own_output_)) return false;
  rate << own_rate_, body_rate_;
  output << own_output_, body_output_.head(ports_);
  return true;
}

void ModelFeedback::commit(const VectorXd& x) noexcept {
  own_ = x.head(own_.size());
  body_ = x.tail(body_.size());
  augmented_.commit(own_);
  physical_.commit(body_);
}

void ModelFeedback::reset() noexcept {
  augmented_.reset();
  physical_.reset();
}

template <typename Self, typename Archive>
void ModelFeedback::visit(Self& self, Archive& archive) {
  archive(self.augmented_, self.physical_);
}

void ModelFeedback::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void ModelFeedback::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

math::StateSpace matrices_of(RightHandSide& linear) {
  const Index n = linear.states();
  const Index m = linear.inputs();
  const Index p = linear.outputs();
  math::StateSpace system{Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, m),
                          Eigen::MatrixXd(p, n), Eigen::MatrixXd(p, m)};
  VectorXd rate(n);
  VectorXd output(p);
  for (Index j = 0; j < n; ++j) {
    linear.evaluate(VectorXd::Unit(n, j), VectorXd::Zero(m), rate, output);
    system.A.col(j) = rate;
    system.C.col(j) = output;
  }
  for (Index j = 0; j < m; ++j) {
    linear.evaluate(VectorXd::Zero(n), VectorXd::Unit(m, j), rate, output);
    system.B.col(j) = rate;
    system.D.col(j) = output;
  }
  return system;
}

}  // namespace trestle::bond_graph
