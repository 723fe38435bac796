#include "composition/numerical/model_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proto/config/numerical.pb.h"

namespace trestle::composition {

std::vector<RigidHingeReport> rigid_hinges(const config::Frame& frame) {
  std::vector<RigidHingeReport> found;
  for (const config::Member& member : frame.members())
    for (const auto& [end, name] :
         {std::pair{&member.plastic().from(), ".from"}, {&member.plastic().to(), ".to"}})
      for (const config::RestoringForceLaw* law : {&end->ry(), &end->rz()})
        if (std::isinf(law->bilinear().stiffness()) ||
            std::isinf(law->bouc_wen().stiffness()))
          found.push_back(
              {(member.name().empty() ? member.from() + "-" + member.to() : member.name()) +
                   name + (law == &end->ry() ? ".ry" : ".rz"),
               std::max(law->bilinear().hardening(), law->bouc_wen().hardening())});
  return found;
}

std::vector<PendulumReport> pendulums(const config::Frame& frame) {
  std::vector<PendulumReport> found;
  for (const config::FrameLink& link : frame.links())
    if (link.law().has_friction_pendulum())
      found.push_back({link.name().empty() ? link.from() + "-" + link.to() : link.name(),
                       link.law().friction_pendulum().weight()});
  return found;
}

std::vector<ModeShapeRow> mode_shape_rows(const structure::StructuralModel& structure,
                                          const Eigen::MatrixXd& shapes) {
  std::vector<ModeShapeRow> rows;
  const auto add = [&](const std::string& name, const structure::DofTerms& terms) {
    ModeShapeRow& row = rows.emplace_back(ModeShapeRow{.dof = name, .modes = {}});
    for (Eigen::Index i = 0; i < shapes.cols(); ++i) {
      double moved = 0.0;
      for (const structure::DofTerm& term : terms)
        moved += term.coefficient * shapes(term.equation, i);
      row.modes.push_back(moved);
    }
  };
  for (const structure::NamedDof& dof : structure.dofs)
    add(dof.name, {{dof.equation, 1.0}});
  for (const structure::SlaveDof& slave : structure.details.slaves)
    if (!slave.terms.empty()) add(slave.name, slave.terms);
  return rows;
}

}  // namespace trestle::composition
