#include "numerical/substructure/link_record.h"

#include <algorithm>

namespace trestle::substructure {

LinkRecord::LinkRecord(const std::vector<std::string>& names,
                       const std::vector<structure::LinkDirection>& links) {
  for (const structure::LinkDirection& link : links) {
    if (std::find(names.begin(), names.end(), link.link) == names.end()) continue;
    links_.push_back(link);
    for (const structure::DofTerm& term : link.held)
      if (term.equation >= supports_.size()) supports_.resize(term.equation + 1);
    const std::string name = link.link + "." + link.direction;
    const bool turns = link.kind == DofKind::kRotation;
    channels_.push_back({name + (turns ? ".link_rad" : ".link_m"), turns ? "rad" : "m"});
    channels_.push_back({name + (turns ? ".link_Nm" : ".link_N"), turns ? "N.m" : "N"});
  }
}

void LinkRecord::write(const StepView& step, std::span<double> row) const noexcept {
  using Derivative = excitation::Excitation::SupportDerivative;
  write(step, Derivative::kDisplacement, row);
  write(step, Derivative::kVelocity, row);
}

/// Deformations, and the forces that follow from them; or what their rates add.
void LinkRecord::write(const StepView& step,
                       excitation::Excitation::SupportDerivative derivative,
                       std::span<double> row) const noexcept {
  const bool rates = derivative == excitation::Excitation::SupportDerivative::kVelocity;
  const Eigen::VectorXd& motion = rates ? step.state.velocity : step.state.displacement;
  const bool moved = step.excitation.moves_supports() && supports_.size() > 0;
  if (moved) step.excitation.support_motion(step.step, derivative, supports_);
  std::size_t at = 0;
  for (const structure::LinkDirection& link : links_) {
    const double deformation = structure::motion_of(link.deformation, motion) +
                               (moved ? structure::motion_of(link.held, supports_) : 0.0);
    double& force = row[at + 1];
    if (rates) {
      if (link.spring < 0) force += link.damping * deformation;
    } else {
      row[at] = deformation;
      force = link.spring >= 0 ? step.springs.force(static_cast<std::size_t>(link.spring),
                                                    step.state.displacement, step.iterated)
                               : link.stiffness * deformation;
    }
    at += 2;
  }
}

}  // namespace trestle::substructure
