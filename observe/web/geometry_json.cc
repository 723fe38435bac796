#include "observe/web/geometry_json.h"

#include <nlohmann/json.hpp>

namespace trestle::web {
namespace {

using GeometryJson = nlohmann::ordered_json;

GeometryJson place_json(const geometry::Place& at, bool spatial) {
  return spatial ? GeometryJson{at[0], at[1], at[2]} : GeometryJson{at[0], at[1]};
}

GeometryJson nodes_json(const std::vector<geometry::GeometryNode>& nodes, bool spatial) {
  GeometryJson json = GeometryJson::object();
  for (const geometry::GeometryNode& node : nodes)
    json[node.name] = place_json(node.at, spatial);
  return json;
}

GeometryJson members_json(const std::vector<geometry::GeometryMember>& members) {
  GeometryJson json = GeometryJson::array();
  for (const geometry::GeometryMember& member : members)
    json.push_back({member.from, member.to});
  return json;
}

GeometryJson specimens_json(const geometry::StructureGeometry& geometry) {
  GeometryJson json = GeometryJson::array();
  for (const geometry::GeometrySpecimen& one : geometry.specimens) {
    GeometryJson specimen = {
        {"site", one.site}, {"node", one.node}, {"height", one.height}};
    if (!one.members.empty()) {
      specimen["nodes"] = nodes_json(one.nodes, geometry.spatial);
      specimen["members"] = members_json(one.members);
    }
    json.push_back(std::move(specimen));
  }
  return json;
}

}  // namespace

GeometryJson geometry_json(const geometry::StructureGeometry& geometry) {
  GeometryJson json = {{"spatial", geometry.spatial},
                       {"schematic", geometry.schematic},
                       {"nodes", nodes_json(geometry.nodes, geometry.spatial)},
                       {"members", members_json(geometry.members)},
                       {"supports", GeometryJson::array()},
                       {"specimens", specimens_json(geometry)},
                       {"interface", GeometryJson::array()},
                       {"rigid", GeometryJson::array()},
                       {"ties", GeometryJson::array()}};
  for (const geometry::GeometrySupport& support : geometry.supports)
    json["supports"].push_back({{"node", support.node}, {"fixed", support.fixed}});
  for (const geometry::InterfaceDof& one : geometry.interface)
    json["interface"].push_back({{"site", one.site}, {"dof", one.dof}});
  for (const geometry::RigidGroup& group : geometry.rigid)
    json["rigid"].push_back({{"master", group.master},
                             {"at", place_json(group.at, geometry.spatial)},
                             {"nodes", group.nodes},
                             {"in_plane", group.only_in_plane}});
  for (const geometry::GeometryTie& tie : geometry.ties)
    json["ties"].push_back({tie.dof, tie.master});
  if (!geometry.girders.empty()) json["girders"] = geometry.girders;
  return json;
}

}  // namespace trestle::web
