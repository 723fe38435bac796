#pragma once

#include <limits>
#include <string>
#include <vector>

namespace trestle {

enum class DofKind { kTranslation, kRotation };

/// Controlled: gets a target and returns a force. Force-only: returns a force, gets none.
enum class DofRole { kControlled, kForceOnly };

struct InterfaceDof {
  std::string name;  ///< `<node>.<x|y|rz>`, unique in a test: "floor_w.x"
  DofKind kind = DofKind::kTranslation;
  DofRole role = DofRole::kControlled;
  /// Largest accepted target, either direction [m | rad]; infinite where nobody said.
  double displacement_limit = std::numeric_limits<double>::infinity();

  bool operator==(const InterfaceDof&) const = default;
};

/// The DOFs that one site shares with the numerical substructure, in the order of every
/// InterfaceVector that belongs to this site.
using InterfaceLayout = std::vector<InterfaceDof>;

/// The kind that the DOF's name tells: `.rz` is a rotation, all else a translation.
inline DofKind dof_kind(const std::string& name) {
  return name.ends_with(".rz") || name == "rz" ? DofKind::kRotation : DofKind::kTranslation;
}

}  // namespace trestle
