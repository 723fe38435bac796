#include "observe/geometry/structure_motion.h"

#include <algorithm>

namespace trestle::geometry {
namespace {

constexpr std::array<const char*, 6> kDofs{"x", "y", "z", "rx", "ry", "rz"};
constexpr std::size_t kFirstTurn = 3;
constexpr std::size_t kAboutUp = 5;  // rz
constexpr int kDeepest = 20;         // constraints behind each other

std::string dof_name(const std::string& node, std::size_t dof) {
  return node + "." + kDofs[dof];
}

std::string channel_of(const std::string& node, std::size_t dof) {
  return dof_name(node, dof) + (dof < kFirstTurn ? ".disp_m" : ".disp_rad");
}

std::size_t place_in_dofs(const std::string& kind) {
  return static_cast<std::size_t>(std::find(kDofs.begin(), kDofs.end(), kind) -
                                  kDofs.begin());
}

}  // namespace

NodeMotion MovingNode::moved(const std::function<double(const std::string&)>& value) const {
  NodeMotion motion{};
  for (std::size_t dof = 0; dof < dofs.size(); ++dof)
    for (const auto& [channel, factor] : dofs[dof]) motion[dof] += factor * value(channel);
  return motion;
}

StructureMotion::StructureMotion(const StructureGeometry& geometry, IsRecorded is_recorded)
    : geometry_(geometry), is_recorded_(std::move(is_recorded)) {
  for (const GeometryNode& node : geometry.nodes) nodes_[node.name].at = node.at;
  for (const GeometrySpecimen& one : geometry.specimens)
    for (const GeometryNode& node : one.nodes)
      if (!nodes_.contains(node.name))
        nodes_[node.name] = {.at = node.at, .own = false, .dofs = {}};
  for (const RigidGroup& group : geometry.rigid) {
    for (const std::string& node : group.nodes)
      if (node != group.master) groups_[node] = &group;
    const bool met =
        std::any_of(geometry.specimens.begin(), geometry.specimens.end(),
                    [&](const GeometrySpecimen& one) { return one.node == group.master; });
    if (met && !nodes_.contains(group.master))
      nodes_[group.master] = {.at = group.at, .own = false, .dofs = {}};
  }
  for (const GeometrySupport& support : geometry.supports)
    for (const std::string& kind : support.fixed)
      for (std::size_t dof = 0; dof < kDofs.size(); ++dof)
        if (kind == "all" || kind == kDofs[dof]) fixed_.insert(dof_name(support.node, dof));
  for (const GeometryTie& tie : geometry.ties) ties_[tie.dof] = tie.master;
  for (auto& [name, node] : nodes_) {
    bool any = false;
    for (std::size_t dof = 0; dof < kDofs.size(); ++dof) {
      if (!geometry.spatial && dof != 0 && dof != 1 && dof != kAboutUp) continue;
      const bool found = find(name, dof, 0, node.dofs[dof]);
      any = any || (found && dof < kFirstTurn);
    }
    node.recorded = any || !node.own;
  }
}

bool StructureMotion::find(const std::string& node, std::size_t dof, int depth,
                           MovingNode::Sum& into) const {
  if (depth > kDeepest || dof >= kDofs.size()) return false;
  const std::string channel = channel_of(node, dof);
  if (is_recorded_(channel)) {
    into = {{channel, 1.0}};
    return true;
  }
  const std::string name = dof_name(node, dof);
  if (const auto tie = ties_.find(name); tie != ties_.end()) {
    const std::size_t dot = tie->second.rfind('.');
    return find(
        tie->second.substr(0, dot),
        place_in_dofs(tie->second.substr(std::min(dot, tie->second.size() - 1) + 1)),
        depth + 1, into);
  }
  const auto group = groups_.find(node);
  const bool in_plane = dof == 0 || dof == 1 || dof == kAboutUp;
  if (group != groups_.end() && (in_plane || !group->second->only_in_plane))
    return find_rigid(node, dof, *group->second, depth, into);
  const auto known = nodes_.find(node);
  return fixed_.contains(name) || known == nodes_.end() || !known->second.own;
}

/// Moves with its master: the master's motion, and its turns times the arm.
bool StructureMotion::find_rigid(const std::string& node, std::size_t dof,
                                 const RigidGroup& group, int depth,
                                 MovingNode::Sum& into) const {
  if (!find(group.master, dof, depth + 1, into)) return false;
  if (dof >= kFirstTurn) return true;
  const auto known = nodes_.find(node);
  if (known == nodes_.end()) return true;
  const Place& here = known->second.at;
  const double dx = here[0] - group.at[0];
  const double dy = here[1] - group.at[1];
  const double dz = group.only_in_plane ? 0.0 : here[2] - group.at[2];
  using Arm = std::pair<std::size_t, double>;  // turn, arm
  const std::array<std::array<Arm, 2>, 3> arms{
      {{Arm{4, dz}, Arm{5, -dy}}, {Arm{5, dx}, Arm{3, -dz}}, {Arm{3, dy}, Arm{4, -dx}}}};
  for (const auto& [turn, arm] : arms[dof]) {
    if (arm == 0.0 || (!geometry_.spatial && turn != kAboutUp)) continue;
    MovingNode::Sum turned;
    if (!find(group.master, turn, depth + 1, turned)) continue;
    for (const auto& [channel, factor] : turned) into.push_back({channel, factor * arm});
  }
  return true;
}

}  // namespace trestle::geometry
