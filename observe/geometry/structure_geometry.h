#pragma once

#include <array>
#include <string>
#include <vector>

namespace trestle::geometry {

/// A place [m]: x, y, z; of a planar structure z is 0 and y points up.
using Place = std::array<double, 3>;

struct GeometryNode {
  std::string name;
  Place at{};
};

struct GeometryMember {
  std::string from;  ///< a node
  std::string to;
};

struct GeometrySupport {
  std::string node;
  std::vector<std::string> fixed;  ///< "x", "rz", ...
};

/// Nodes that move with another one, or with a floor's centre, as one rigid body.
struct RigidGroup {
  std::string master;  ///< prefix of its channels: a node, or the name of a diaphragm
  Place at{};
  std::vector<std::string> nodes;
  bool only_in_plane = false;  ///< a diaphragm: its nodes share x, y and rz alone
};

/// A DOF that equals another one: "n2.x" follows "n1.x".
struct GeometryTie {
  std::string dof;
  std::string master;
};

/// A specimen in its laboratory.
struct GeometrySpecimen {
  std::string site;
  std::string node;     ///< of the model, or a diaphragm: where the site takes over
  double height = 0.0;  ///< of a column below that node [m]; 0: not known
  std::vector<GeometryNode> nodes;  ///< of its frame, without those of the model
  std::vector<GeometryMember> members;
};

struct InterfaceDof {
  std::string site;
  std::string dof;  ///< "floor_w.x"
};

/// Where the structure of a test is, as its effective.yaml states it: what a drawing needs.
struct StructureGeometry {
  bool spatial = false;    ///< nodes have three coordinates, z points up
  bool schematic = false;  ///< the model states no lengths: places are chosen
  std::vector<GeometryNode> nodes;
  std::vector<GeometryMember> members;
  std::vector<GeometrySupport> supports;
  std::vector<RigidGroup> rigid;
  std::vector<GeometryTie> ties;
  std::vector<GeometrySpecimen> specimens;
  std::vector<InterfaceDof> interface;
  /// Of a bridge: the nodes along each girder, which is a smooth curve through them.
  std::vector<std::vector<std::string>> girders;
  std::string missing;  ///< why nothing can be drawn, as one clause; empty: it can

  const GeometryNode* find(const std::string& node) const;
};

}  // namespace trestle::geometry
