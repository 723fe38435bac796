#include "numerical/structure/frame_assembly.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "numerical/structure/beam_column.h"

namespace trestle {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

std::size_t place(int index) {
  return static_cast<std::size_t>(index);
}

/// For each node the node whose x it shares, and of such a group whether it is held.
class FloorTies {
 public:
  explicit FloorTies(const FrameModel& model)
      : head_(model.nodes.size()), held_(model.nodes.size()) {
    for (std::size_t i = 0; i < head_.size(); ++i) head_[i] = static_cast<int>(i);
    for (const FrameFloor& floor : model.floors)
      if (floor.rigid)
        for (const int node : floor.nodes)
          head_[place(head(node))] = head(floor.nodes.front());
    for (std::size_t i = 0; i < head_.size(); ++i)
      if (model.nodes[i].fixed[0]) held_[place(head(static_cast<int>(i)))] = true;
  }

  int head(int node) {
    while (head_[place(node)] != node) {
      head_[place(node)] = head_[place(head_[place(node)])];
      node = head_[place(node)];
    }
    return node;
  }
  bool held(int node) { return held_[place(head(node))]; }

 private:
  std::vector<int> head_;
  std::vector<bool> held_;
};

/// Which rotations anything holds on to.
std::vector<bool> live_rotations(const FrameModel& model) {
  std::vector<bool> live(model.nodes.size());
  std::vector<bool> hinged(model.nodes.size());
  for (const FrameMember& member : model.members) {
    (member.hinge_from ? hinged : live)[place(member.from)] = true;
    (member.hinge_to ? hinged : live)[place(member.to)] = true;
  }
  for (const FrameFloor& floor : model.floors)
    if (floor.rotational_inertia > 0.0)
      for (const int node : floor.nodes) live[place(node)] = true;
  for (const FrameMass& mass : model.masses)
    if (mass.rotational_inertia > 0.0) live[place(mass.node)] = true;
  for (const FrameSpring& spring : model.springs) {
    if (spring.dof != NodeDof::kRz) continue;
    live[place(spring.node)] = true;
    if (spring.to >= 0) live[place(spring.to)] = true;
  }
  // A node without any member keeps its rotation: to drop it silently would hide a mistake.
  for (std::size_t i = 0; i < live.size(); ++i)
    if (model.nodes[i].has_rotational_dof || !hinged[i]) live[i] = true;
  return live;
}

class FrameAssembler {
 public:
  explicit FrameAssembler(FrameModel model) : model_(std::move(model)) { number_dofs(); }

  StructuralModel build() {
    const int n = structure_.equations;
    structure_.base_load_x = Eigen::VectorXd::Zero(n);
    structure_.base_load_y = Eigen::VectorXd::Zero(n);
    add_members();
    add_masses();
    add_springs();
    structure_.mass = matrix(mass_);
    structure_.stiffness = matrix(stiffness_);
    structure_.damping = matrix(damping_);
    structure_.experimental_mass.resize(n, n);
    structure_.experimental_damping.resize(n, n);
    structure_.experimental_stiffness.resize(n, n);
    return std::move(structure_);
  }

 private:
  void number_dofs() {
    FloorTies ties(model_);
    const std::vector<bool> live = live_rotations(model_);
    equations_.assign(model_.nodes.size(), {-1, -1, -1});
    std::vector<int> shared(model_.nodes.size(), -1);
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      const FrameNode& node = model_.nodes[i];
      const int head = ties.head(static_cast<int>(i));
      if (!ties.held(head)) {
        int& x = shared[place(head)];
        if (x < 0) x = structure_.equations++;
        name_dof(i, NodeDof::kX, x);
      }
      if (!node.fixed[1]) name_dof(i, NodeDof::kY, structure_.equations++);
      if (!node.fixed[2] && live[i]) name_dof(i, NodeDof::kRz, structure_.equations++);
    }
    own_.assign(model_.members.size(), {-1, -1});
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const FrameMember& member = model_.members[i];
      if (!own_rotations(model_.sections[place(member.section)], model_.mass_matrix))
        continue;
      if (member.hinge_from) own_[i][0] = add_own(member.name + ".from.rz");
      if (member.hinge_to) own_[i][1] = add_own(member.name + ".to.rz");
    }
  }

  int add_own(std::string name) {
    structure_.dofs.push_back({.name = std::move(name),
                               .kind = DofKind::kRotation,
                               .equation = structure_.equations});
    return structure_.equations++;
  }

  void name_dof(std::size_t node, NodeDof dof, int equation) {
    const auto j = static_cast<std::size_t>(dof);
    equations_[node][j] = equation;
    structure_.dofs.push_back(
        {.name = model_.nodes[node].name + "." + kNodeDofNames[j],
         .kind = dof == NodeDof::kRz ? DofKind::kRotation : DofKind::kTranslation,
         .equation = equation});
  }

  int equation(int node, NodeDof dof) const {
    return equations_[place(node)][static_cast<std::size_t>(dof)];
  }

  static void add(Triplets& to, int row, int column, double value) {
    if (row >= 0 && column >= 0 && value != 0.0) to.emplace_back(row, column, value);
  }

  void add_members() {
    stiffness_.reserve(36 * model_.members.size());
    mass_.reserve(36 * model_.members.size() + 3 * model_.nodes.size());
    for (std::size_t i = 0; i < model_.members.size(); ++i) {
      const FrameMember& member = model_.members[i];
      const FrameNode& from = model_.nodes[place(member.from)];
      const FrameNode& to = model_.nodes[place(member.to)];
      const BeamColumn matrices =
          beam_column(to.x - from.x, to.y - from.y, model_.sections[place(member.section)],
                      member, model_.mass_matrix);
      std::array<int, 6> rows{};
      for (std::size_t j = 0; j < 3; ++j) {
        rows[j] = equations_[place(member.from)][j];
        rows[j + 3] = equations_[place(member.to)][j];
      }
      if (own_[i][0] >= 0) rows[2] = own_[i][0];
      if (own_[i][1] >= 0) rows[5] = own_[i][1];
      add_member(rows, matrices);
    }
  }

  void add_member(const std::array<int, 6>& rows, const BeamColumn& matrices) {
    for (int i = 0; i < 6; ++i) {
      const int row = rows[place(i)];
      if (row < 0) continue;
      for (int j = 0; j < 6; ++j) {
        add(stiffness_, row, rows[place(j)], matrices.stiffness(i, j));
        add(mass_, row, rows[place(j)], matrices.mass(i, j));
        // Supports move with the ground too: their columns belong to the load.
        if (j % 3 == 0) structure_.base_load_x[row] -= matrices.mass(i, j);
        if (j % 3 == 1) structure_.base_load_y[row] -= matrices.mass(i, j);
      }
    }
  }

  void add_nodal_mass(int node, double mass, double inertia) {
    const int x = equation(node, NodeDof::kX);
    const int y = equation(node, NodeDof::kY);
    const int rz = equation(node, NodeDof::kRz);
    add(mass_, x, x, mass);
    add(mass_, y, y, mass);
    add(mass_, rz, rz, inertia);
    if (x >= 0) structure_.base_load_x[x] -= mass;
    if (y >= 0) structure_.base_load_y[y] -= mass;
  }

  void add_masses() {
    for (const FrameFloor& floor : model_.floors)
      for (const int node : floor.nodes)
        add_nodal_mass(node, floor.mass / static_cast<double>(floor.nodes.size()),
                       floor.rotational_inertia);
    for (const FrameMass& mass : model_.masses)
      add_nodal_mass(mass.node, mass.mass, mass.rotational_inertia);
  }

  static void add_link(Triplets& matrix, int from, int to, double value) {
    add(matrix, from, from, value);
    add(matrix, to, to, value);
    add(matrix, from, to, -value);
    add(matrix, to, from, -value);
  }

  void add_springs() {
    for (FrameSpring& spring : model_.springs) {
      int from = equation(spring.node, spring.dof);
      int to = spring.to < 0 ? -1 : equation(spring.to, spring.dof);
      add_link(damping_, from, to, spring.damping);
      if (!spring.law) add_link(stiffness_, from, to, spring.stiffness);
      // Held at both ends, or both ends tied together: it can never stretch.
      if (!spring.law || from == to) continue;
      // Its law is odd in all we offer, so that a held `node` is the same spring turned
      // round.
      if (from < 0) std::swap(from, to);
      structure_.springs.push_back({from, to, std::move(spring.law)});
    }
  }

  SparseMatrix matrix(const Triplets& entries) const {
    SparseMatrix result(structure_.equations, structure_.equations);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  FrameModel model_;
  StructuralModel structure_;
  std::vector<std::array<int, 3>> equations_;  // per node; -1: no equation
  std::vector<std::array<int, 2>> own_;        // per member: rotations of its hinged ends
  Triplets stiffness_;
  Triplets mass_;
  Triplets damping_;
};

}  // namespace

StructuralModel assemble(FrameModel model) {
  return FrameAssembler(std::move(model)).build();
}

std::vector<std::string> fixed_dofs(const FrameModel& model) {
  FloorTies ties(model);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const FrameNode& node = model.nodes[i];
    if (ties.held(static_cast<int>(i))) names.push_back(node.name + ".x");
    if (node.fixed[1]) names.push_back(node.name + ".y");
    if (node.fixed[2]) names.push_back(node.name + ".rz");
  }
  return names;
}

}  // namespace trestle
