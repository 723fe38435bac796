#include "numerical/structure/constraint_rules.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace trestle::structure {
ConstraintRules::ConstraintRules(const FrameModel& model)
    : model_(model), rules_(model.nodes.size()), floor_held_(model.nodes.size()) {
  add_floors();
  add_diaphragms();
  add_links();
  add_ties();
  check_cycles();
  if (problems_.empty()) check_held();
}

std::string ConstraintRules::name(int node, NodeDof dof) const {
  return model_.nodes[place(node)].name + "." +
         kNodeDofNames[static_cast<std::size_t>(dof)];
}

bool ConstraintRules::free(int node, NodeDof dof) const {
  const FrameNode& at = model_.nodes[place(node)];
  if (at.diaphragm && dof != NodeDof::kX && dof != NodeDof::kY && dof != NodeDof::kRz)
    return false;
  if (dof == NodeDof::kX && floor_held_[place(node)]) return false;
  return !at.fixed[static_cast<std::size_t>(dof)];
}

int ConstraintRules::holder(int node) const {
  const FrameNode& at = model_.nodes[place(node)];
  const int floor = floor_holder_[place(node)];
  return at.fixed[0] || floor < 0 ? node : floor;
}

void ConstraintRules::add(int node, NodeDof dof, ConstraintRule rule) {
  auto& known = rules_[place(node)][static_cast<std::size_t>(dof)];
  if (known)
    problems_.push_back({rule.by, name(node, dof) + " follows " + known->by +
                                      " already, and " + rule.by +
                                      " leads it as well; take it out of one"});
  else
    known = std::move(rule);
}

/// A rigid floor: its nodes share one x, and a support at one of them holds all.
void ConstraintRules::add_floors() {
  std::vector<int> head(model_.nodes.size());
  for (std::size_t i = 0; i < head.size(); ++i) head[i] = static_cast<int>(i);
  const auto find = [&head](int node) {
    while (head[place(node)] != node) {
      head[place(node)] = head[place(head[place(node)])];
      node = head[place(node)];
    }
    return node;
  };
  for (const FrameFloor& floor : model_.floors)
    if (floor.rigid)
      for (const int node : floor.nodes)
        head[place(find(node))] = find(floor.nodes.front());
  floor_holder_.assign(head.size(), -1);
  for (std::size_t i = 0; i < head.size(); ++i)
    if (model_.nodes[i].fixed[0]) {
      const std::size_t leader = place(find(static_cast<int>(i)));
      if (!floor_held_[leader]) floor_holder_[leader] = static_cast<int>(i);
      floor_held_[leader] = true;
    }
  for (std::size_t i = 0; i < head.size(); ++i) {
    const int leader = find(static_cast<int>(i));
    if (leader == static_cast<int>(i)) continue;
    floor_held_[i] = floor_held_[place(leader)];
    floor_holder_[i] = floor_holder_[place(leader)];
    if (!floor_held_[i])
      add(static_cast<int>(i), NodeDof::kX,
          {{{leader, NodeDof::kX, 1.0}},
           "the floor of " + model_.nodes[place(leader)].name});
  }
}

void ConstraintRules::add_diaphragms() {
  for (const Diaphragm& diaphragm : model_.diaphragms) {
    const FrameNode& centre = model_.nodes[place(diaphragm.centre)];
    const std::string by = "diaphragm " + centre.name;
    for (const int node : diaphragm.nodes) {
      const FrameNode& at = model_.nodes[place(node)];
      const int c = diaphragm.centre;
      add(node, NodeDof::kX,
          {{{c, NodeDof::kX, 1.0}, {c, NodeDof::kRz, centre.y - at.y}}, by});
      add(node, NodeDof::kY,
          {{{c, NodeDof::kY, 1.0}, {c, NodeDof::kRz, at.x - centre.x}}, by});
      add(node, NodeDof::kRz, {{{c, NodeDof::kRz, 1.0}}, by});
    }
  }
}

void ConstraintRules::add_links() {
  using enum NodeDof;
  for (const RigidLink& link : model_.rigid_links) {
    const FrameNode& master = model_.nodes[place(link.master)];
    const std::string by = "the rigid link of " + master.name;
    for (const int node : link.slaves) {
      const FrameNode& at = model_.nodes[place(node)];
      const double x = at.x - master.x;
      const double y = at.y - master.y;
      const double z = at.z - master.z;
      const int m = link.master;
      if (!model_.spatial) {
        add(node, kX, {{{m, kX, 1.0}, {m, kRz, -y}}, by});
        add(node, kY, {{{m, kY, 1.0}, {m, kRz, x}}, by});
        add(node, kRz, {{{m, kRz, 1.0}}, by});
        continue;
      }
      add(node, kX, {{{m, kX, 1.0}, {m, kRy, z}, {m, kRz, -y}}, by});
      add(node, kY, {{{m, kY, 1.0}, {m, kRz, x}, {m, kRx, -z}}, by});
      add(node, kZ, {{{m, kZ, 1.0}, {m, kRx, y}, {m, kRy, -x}}, by});
      for (const NodeDof turn : {kRx, kRy, kRz}) add(node, turn, {{{m, turn, 1.0}}, by});
    }
  }
}

void ConstraintRules::add_ties() {
  for (const DofTie& tie : model_.ties)
    for (std::size_t i = 1; i < tie.nodes.size(); ++i)
      for (const NodeDof dof : tie.dofs)
        add(tie.nodes[i], dof,
            {{{tie.nodes.front(), dof, 1.0}},
             "the tie to " + model_.nodes[place(tie.nodes.front())].name});
}

/// Searches the masters of each DOF once; the first DOF of the first circle is told.
void ConstraintRules::check_cycles() {
  enum class Mark : std::uint8_t { kNew, kOnTheWay, kDone };
  std::vector<std::array<Mark, kNodeDofs>> marks(rules_.size());
  for (auto& mark : marks) mark.fill(Mark::kNew);
  const auto circles = [&](auto&& self, int node, NodeDof dof) -> bool {
    Mark& mark = marks[place(node)][static_cast<std::size_t>(dof)];
    if (mark != Mark::kNew) return mark == Mark::kOnTheWay;
    mark = Mark::kOnTheWay;
    if (const ConstraintRule* rule = of(node, dof))
      for (const ConstraintRule::Term& term : rule->terms)
        if (self(self, term.node, term.dof)) return true;
    mark = Mark::kDone;
    return false;
  };
  for (std::size_t i = 0; i < rules_.size(); ++i)
    for (std::size_t j = 0; j < kNodeDofs; ++j) {
      const auto dof = static_cast<NodeDof>(j);
      if (!rules_[i][j] || !circles(circles, static_cast<int>(i), dof)) continue;
      problems_.push_back({rules_[i][j]->by, name(static_cast<int>(i), dof) +
                                                 " follows itself, in a circle by way of " +
                                                 rules_[i][j]->by + "; take one out"});
      return;
    }
}

bool ConstraintRules::any_free(const ConstraintRule& rule) const {
  for (const ConstraintRule::Term& term : rule.terms) {
    const ConstraintRule* next = of(term.node, term.dof);
    if (next != nullptr ? any_free(*next) : free(term.node, term.dof)) return true;
  }
  return false;
}

void ConstraintRules::check_held() {
  for (std::size_t i = 0; i < rules_.size(); ++i)
    for (std::size_t j = 0; j < kNodeDofs; ++j) {
      if (!rules_[i][j] || !model_.nodes[i].fixed[j]) continue;
      const auto dof = static_cast<NodeDof>(j);
      if (any_free(*rules_[i][j]))
        problems_.push_back(
            {rules_[i][j]->by, "a support holds " + name(static_cast<int>(i), dof) +
                                   ", and " + rules_[i][j]->by +
                                   " moves it; hold the master, or take it out of one"});
    }
}

}  // namespace trestle::structure
