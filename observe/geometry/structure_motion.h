#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "observe/geometry/structure_geometry.h"

namespace trestle::geometry {

/// Displacements and rotations of a node: x, y, z [m], rx, ry, rz [rad].
using NodeMotion = std::array<double, 6>;

/// A node that is drawn, and the recorded channels that move it.
struct MovingNode {
  using Sum = std::vector<std::pair<std::string, double>>;  ///< channel, factor

  Place at{};
  bool own = true;          ///< of the model; otherwise only drawn
  bool recorded = true;     ///< false: nothing of it is recorded, it is drawn at rest
  std::array<Sum, 6> dofs;  ///< as NodeMotion

  NodeMotion moved(const std::function<double(const std::string&)>& value) const;
};

/// How recorded channels move the nodes of a structure: by themselves, as a part of a rigid
/// floor or link, or tied to another node. Supports and the feet of specimens stand still.
class StructureMotion {
 public:
  using IsRecorded = std::function<bool(const std::string& channel)>;

  StructureMotion(const StructureGeometry& geometry, IsRecorded is_recorded);

  /// By name: the nodes of the model, those of specimens, and the centres of floors where a
  /// site takes over.
  const std::map<std::string, MovingNode>& nodes() const noexcept { return nodes_; }

 private:
  /// Nothing: not recorded.
  bool find(const std::string& node, std::size_t dof, int depth,
            MovingNode::Sum& into) const;
  bool find_rigid(const std::string& node, std::size_t dof, const RigidGroup& group,
                  int depth, MovingNode::Sum& into) const;

  const StructureGeometry& geometry_;  // while this is made
  IsRecorded is_recorded_;
  std::map<std::string, MovingNode> nodes_;
  std::set<std::string> fixed_;  // DOFs
  std::map<std::string, std::string> ties_;
  std::map<std::string, const RigidGroup*> groups_;  // by node
};

}  // namespace trestle::geometry
