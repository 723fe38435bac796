#include "numerical/structure/frame_numbering.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "numerical/structure/beam_column.h"
#include "numerical/structure/constraint_rules.h"

namespace trestle::structure {
namespace {

/// Which rotations of each node anything holds on to, in the order of NodeDof.
class LiveRotations {
 public:
  explicit LiveRotations(const FrameModel& model)
      : model_(model), live_(model.nodes.size()), hinged_(model.nodes.size()) {
    for (const FrameMember& member : model.members) add_member(member);
    for (const FrameFloor& floor : model.floors)
      if (floor.rotational_inertia > 0.0)
        for (const int node : floor.nodes) hold(node);
    for (const FrameMass& mass : model.masses)
      if (mass.rotational_inertia > 0.0) hold(mass.node);
    for (const FrameSpring& spring : model.springs) {
      if (!is_rotation(spring.dof)) continue;
      live_[place(spring.node)][place(static_cast<int>(spring.dof))] = true;
      if (spring.to >= 0)
        live_[place(spring.to)][place(static_cast<int>(spring.dof))] = true;
    }
    for (const FrameLink& link : model.links)
      for (const NodeDof dof : link.dofs)
        for (const int node : {link.from, link.to})
          if (is_rotation(dof)) live_[place(node)][place(static_cast<int>(dof))] = true;
    for (const MemberHinge& hinge : model.hinges) {
      const FrameMember& member = model.members[place(hinge.member)];
      hold(hinge.end == 0 ? member.from : member.to);
    }
    for (const RigidLink& link : model.rigid_links) hold(link.master);
    // A node without any member keeps its rotation: to drop it silently would hide a
    // mistake.
    for (std::size_t i = 0; i < live_.size(); ++i)
      if (model.nodes[i].has_rotational_dof || !hinged_[i]) hold(static_cast<int>(i));
  }

  bool at(std::size_t node, NodeDof dof) const {
    return live_[node][static_cast<std::size_t>(dof)];
  }

 private:
  void hold(int node) { live_[place(node)].fill(true); }

  void add_member(const FrameMember& member) {
    if (model_.spatial) {
      const Eigen::Matrix3d axes = local_axes(model_, member);
      hold_spatial(member.from, axes, member.released[0]);
      hold_spatial(member.to, axes, member.released[1]);
      return;
    }
    if (member.hinge_from) hinged_[place(member.from)] = true;
    if (member.hinge_to) hinged_[place(member.to)] = true;
    if (!member.hinge_from) hold(member.from);
    if (!member.hinge_to) hold(member.to);
  }

  void hold_spatial(int node, const Eigen::Matrix3d& axes,
                    const std::array<bool, 3>& released) {
    constexpr double kAlong = 1e-9;
    constexpr std::array<NodeDof, 3> kTurns{NodeDof::kRx, NodeDof::kRy, NodeDof::kRz};
    for (Eigen::Index local = 0; local < 3; ++local) {
      if (released[static_cast<std::size_t>(local)]) {
        hinged_[place(node)] = true;
        continue;
      }
      for (Eigen::Index global = 0; global < 3; ++global)
        if (std::abs(axes(local, global)) > kAlong)
          live_[place(node)]
               [static_cast<std::size_t>(kTurns[static_cast<std::size_t>(global)])] = true;
    }
  }

  const FrameModel& model_;
  std::vector<std::array<bool, kNodeDofs>> live_;
  std::vector<bool> hinged_;
};

}  // namespace

Eigen::Matrix<double, 6, kGroundDirections> rigid_body_motion(const Eigen::Vector3d& at) {
  Eigen::Matrix<double, 6, kGroundDirections> motion =
      Eigen::Matrix<double, 6, kGroundDirections>::Identity();
  // θ × r
  motion(0, 4) = at.z();
  motion(0, 5) = -at.y();
  motion(1, 3) = -at.z();
  motion(1, 5) = at.x();
  motion(2, 3) = at.y();
  motion(2, 4) = -at.x();
  return motion;
}

std::array<Eigen::Vector3d, 2> member_ends(const FrameModel& model,
                                           const FrameMember& member) {
  const FrameNode& from = model.nodes[place(member.from)];
  const FrameNode& to = model.nodes[place(member.to)];
  return {Eigen::Vector3d(from.x, from.y, from.z) + member.offsets[0],
          Eigen::Vector3d(to.x, to.y, to.z) + member.offsets[1]};
}

Eigen::Matrix3d local_axes(const FrameModel& model, const FrameMember& member) {
  const auto [start, end] = member_ends(model, member);
  const Eigen::Vector3d x = (end - start).normalized();
  Eigen::Vector3d y =
      model.spatial ? member.z.cross(x).normalized() : Eigen::Vector3d(-x.y(), x.x(), 0.0);
  Eigen::Vector3d z = x.cross(y);
  if (member.roll != 0.0) {
    const double c = std::cos(member.roll);
    const double s = std::sin(member.roll);
    const Eigen::Vector3d turned = c * y + s * z;
    z = c * z - s * y;
    y = turned;
  }
  Eigen::Matrix3d axes;
  axes << x.transpose(), y.transpose(), z.transpose();
  return axes;
}

FrameNumbering::FrameNumbering(const FrameModel& model) {
  number(model);
  number_own(model);
  rigid_motion_.resize(equations_, kGroundDirections);
  for (std::size_t i = 0; i < rigid_rows_.size(); ++i)
    rigid_motion_.row(static_cast<Eigen::Index>(i)) = rigid_rows_[i];
}

void FrameNumbering::number(const FrameModel& model) {
  const ConstraintRules rules(model);
  const LiveRotations live(model);
  terms_.resize(model.nodes.size());
  number_held(model, rules);
  std::vector<std::array<bool, kNodeDofs>> done(model.nodes.size());
  // The rules have no cycle; a master gets its equation when the first of its slaves comes.
  const auto resolve = [&](auto&& self, int node, NodeDof dof) -> const DofTerms& {
    DofTerms& terms = terms_[place(node)][static_cast<std::size_t>(dof)];
    bool& known = done[place(node)][static_cast<std::size_t>(dof)];
    if (known) return terms;
    known = true;
    if (const ConstraintRule* rule = rules.of(node, dof)) {
      DofTerms& own = held_terms_[place(node)][static_cast<std::size_t>(dof)];
      for (const ConstraintRule::Term& term : rule->terms) {
        add_terms(terms, self(self, term.node, term.dof), term.coefficient);
        add_terms(own, held(term.node, term.dof), term.coefficient);
      }
      return terms;
    }
    if (!rules.free(node, dof)) return terms;
    if (is_rotation(dof) && !live.at(place(node), dof)) return terms;
    const FrameNode& at = model.nodes[place(node)];
    rigid_rows_.push_back(rigid_body_motion({at.x, at.y, at.z}).row(rigid_row(dof)));
    terms.push_back({equations_++, 1.0});
    return terms;
  };
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto visit = [&](NodeDof dof) {
      const DofTerms& terms = resolve(resolve, static_cast<int>(i), dof);
      const std::string name =
          model.nodes[i].name + "." + kNodeDofNames[static_cast<std::size_t>(dof)];
      if (terms.size() == 1 && terms[0].coefficient == 1.0)
        dofs_.push_back(
            {.name = name,
             .kind = is_rotation(dof) ? DofKind::kRotation : DofKind::kTranslation,
             .equation = terms[0].equation});
      else if (const ConstraintRule* rule = rules.of(static_cast<int>(i), dof))
        slaves_.push_back({.name = name,
                           .master = rules.name(rule->terms[0].node, rule->terms[0].dof),
                           .terms = terms,
                           .held = held(static_cast<int>(i), dof)});
    };
    if (model.spatial)
      std::for_each(kSpatialDofs.begin(), kSpatialDofs.end(), visit);
    else
      std::for_each(kPlanarDofs.begin(), kPlanarDofs.end(), visit);
  }
}

/// Rows of the DOFs that a support holds. The x of a floor is that of the node which holds
/// it.
void FrameNumbering::number_held(const FrameModel& model, const ConstraintRules& rules) {
  held_terms_.resize(model.nodes.size());
  const auto of = [this](int node, NodeDof dof) -> DofTerms& {
    return held_terms_[place(node)][static_cast<std::size_t>(dof)];
  };
  std::vector<std::pair<int, NodeDof>> by_others;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const FrameNode& at = model.nodes[i];
    const int node = static_cast<int>(i);
    const auto visit = [&](NodeDof dof) {
      if (rules.of(node, dof) != nullptr || rules.free(node, dof)) return;
      const bool own = at.fixed[static_cast<std::size_t>(dof)];
      if (!own && dof == NodeDof::kX && rules.holder(node) != node)
        by_others.emplace_back(node, dof);
      if (!own) return;
      of(node, dof).push_back({static_cast<int>(held_dofs_.size()), 1.0});
      held_dofs_.push_back(
          {.name = at.name + "." + kNodeDofNames[static_cast<std::size_t>(dof)],
           .kind = is_rotation(dof) ? DofKind::kRotation : DofKind::kTranslation,
           .at = {at.x, at.y, at.z}});
    };
    if (model.spatial)
      std::for_each(kSpatialDofs.begin(), kSpatialDofs.end(), visit);
    else
      std::for_each(kPlanarDofs.begin(), kPlanarDofs.end(), visit);
  }
  for (const auto& [node, dof] : by_others) of(node, dof) = of(rules.holder(node), dof);
}

void FrameNumbering::number_own(const FrameModel& model) {
  own_.assign(model.members.size(), {std::array<int, 3>{-1, -1, -1}, {-1, -1, -1}});
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const FrameMember& member = model.members[i];
    if (model.spatial) {
      constexpr std::array<const char*, 3> kTurns{"rx", "ry", "rz"};
      for (int end = 0; end < 2; ++end)
        for (int turn = 0; turn < 3; ++turn)
          if (member.released[place(end)][place(turn)])
            add_own(model, i, end, turn, kTurns[place(turn)]);
      continue;
    }
    const bool massive =
        own_rotations(model.sections[place(member.section)], model.mass_matrix);
    if (member.released[0][2] || (member.hinge_from && massive))
      add_own(model, i, 0, 2, "rz");
    if (member.released[1][2] || (member.hinge_to && massive))
      add_own(model, i, 1, 2, "rz");
  }
}

void FrameNumbering::add_own(const FrameModel& model, std::size_t member, int end,
                             int rotation, const char* name) {
  own_[member][place(end)][place(rotation)] = equations_;
  dofs_.push_back(
      {.name = model.members[member].name + (end == 0 ? ".from." : ".to.") + name,
       .kind = DofKind::kRotation,
       .equation = equations_++});
  const Eigen::Vector3d axis =
      local_axes(model, model.members[member]).row(rotation).transpose();
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(kGroundDirections);
  row.tail(3) = axis.transpose();
  rigid_rows_.push_back(row);
}

}  // namespace trestle::structure
