#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace trestle {

enum class DofKind { kTranslation, kRotation };

/// Controlled: gets a target and returns a force. Force-only: returns a force, gets none.
enum class DofRole { kControlled, kForceOnly };

struct InterfaceDof {
  std::string name;  ///< `<node>.<x|y|z|rx|ry|rz>`, unique in a test: "floor_w.x"
  DofKind kind = DofKind::kTranslation;
  DofRole role = DofRole::kControlled;
  /// Largest accepted target, either direction [m | rad]; infinite where nobody said.
  double displacement_limit = std::numeric_limits<double>::infinity();
  /// Kept by the site's own motion in paced modes [m/s | rad/s], [m/s² | rad/s²].
  double rate_limit = std::numeric_limits<double>::infinity();
  double acceleration_limit = std::numeric_limits<double>::infinity();

  bool operator==(const InterfaceDof&) const = default;
};

/// The DOFs that one site shares with the numerical substructure, the controlled ones
/// first. Motions have one entry per controlled DOF, forces one per DOF, both in this
/// order.
using InterfaceLayout = std::vector<InterfaceDof>;

inline std::size_t controlled_dofs(const InterfaceLayout& layout) noexcept {
  std::size_t count = 0;
  for (const InterfaceDof& dof : layout)
    if (dof.role == DofRole::kControlled) ++count;
  return count;
}

/// No controlled DOF stands behind a force-only one.
inline bool controlled_first(const InterfaceLayout& layout) noexcept {
  for (std::size_t i = controlled_dofs(layout); i < layout.size(); ++i)
    if (layout[i].role == DofRole::kControlled) return false;
  return true;
}

/// The kind that the DOF's name tells: `.rx`, `.ry` and `.rz` are rotations, all else is a
/// translation.
inline DofKind dof_kind(const std::string& name) {
  for (const char* turn : {"rx", "ry", "rz"})
    if (name == turn || name.ends_with(std::string(".") + turn)) return DofKind::kRotation;
  return DofKind::kTranslation;
}

}  // namespace trestle
