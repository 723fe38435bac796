#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "numerical/structure/frame_model.h"

namespace trestle::structure {

/// What a DOF follows: the sum of its masters, each times a factor.
struct ConstraintRule {
  struct Term {
    int node = 0;
    NodeDof dof = NodeDof::kX;
    double coefficient = 1.0;
  };
  std::vector<Term> terms;
  std::string by;  ///< what made the rule, for messages: "diaphragm d1"
};

/// A DOF that is led twice, leads itself, or is held while its master is free.
struct ConstraintProblem {
  std::string by;  ///< what made the rule
  std::string what;
};

/// Rules by which floors, ties, diaphragms and rigid links of a frame make DOFs slaves.
class ConstraintRules {
 public:
  explicit ConstraintRules(const FrameModel& model);

  /// Null: the DOF follows no other.
  const ConstraintRule* of(int node, NodeDof dof) const {
    const auto& rule =
        rules_[static_cast<std::size_t>(node)][static_cast<std::size_t>(dof)];
    return rule ? &*rule : nullptr;
  }
  /// The DOF exists and no support holds it, or a floor that a support holds.
  bool free(int node, NodeDof dof) const;
  /// Returns the node whose support holds the x of this one, by a rigid floor or by itself.
  /// @pre the DOF is not free
  int holder(int node) const;
  /// `<node>.<dof>`
  std::string name(int node, NodeDof dof) const;
  const std::vector<ConstraintProblem>& problems() const noexcept { return problems_; }

 private:
  void add_floors();
  void add_diaphragms();
  void add_links();
  void add_ties();
  void add(int node, NodeDof dof, ConstraintRule rule);
  void check_held();
  void check_cycles();
  bool any_free(const ConstraintRule& rule) const;
  const FrameModel& model_;
  std::vector<std::array<std::optional<ConstraintRule>, kNodeDofs>> rules_;
  std::vector<bool> floor_held_;   // x of the node
  std::vector<int> floor_holder_;  // the node whose support does; -1: none
  std::vector<ConstraintProblem> problems_;
};

}  // namespace trestle::structure
