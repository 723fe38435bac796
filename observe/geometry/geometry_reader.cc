#include "observe/geometry/geometry_reader.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/base/number_text.h"
#include "core/yaml/diagnostics.h"
#include "core/yaml/tree_parser.h"
#include "observe/geometry/regular_geometry.h"

namespace trestle::geometry {
namespace {

using yaml::YamlNode;

// More cannot be told apart in a drawing.
constexpr std::size_t kMostMembers = 2000;
constexpr double kStorey = 1.0;  // height of a storey in a schematic drawing [m]

double number(const YamlNode* node) {
  return node == nullptr ? 0.0 : parse_number(node->text).value_or(0.0);
}

std::string text(const YamlNode* node) {
  return node == nullptr ? std::string() : node->text;
}

const YamlNode* descend(const YamlNode* node, std::initializer_list<const char*> keys) {
  for (const char* const key : keys)
    if (node != nullptr) node = node->find(key);
  return node;
}

/// A list of words; a single word stands for a list of one.
std::vector<std::string> words(const YamlNode* node) {
  std::vector<std::string> all;
  if (node == nullptr) return all;
  for (const YamlNode& item : node->items) all.push_back(item.text);
  if (all.empty() && !node->text.empty()) all.push_back(node->text);
  return all;
}

Place place_of(const YamlNode& node) {
  Place at{};
  if (!node.entries.empty())
    return {number(node.find("x")), number(node.find("y")), number(node.find("z"))};
  for (std::size_t i = 0; i < std::min<std::size_t>(node.items.size(), 3); ++i)
    at[i] = number(&node.items[i]);
  return at;
}

bool is_spatial(const YamlNode& node) {
  return node.items.size() == 3 || node.find("z") != nullptr;
}

std::vector<GeometryMember> members_of(const YamlNode* frame) {
  std::vector<GeometryMember> members;
  if (const YamlNode* const list = descend(frame, {"members"}))
    for (const YamlNode& member : list->items)
      members.push_back({text(member.find("from")), text(member.find("to"))});
  return members;
}

void add_supports(const YamlNode* model, StructureGeometry& into) {
  if (const YamlNode* const supports = descend(model, {"supports"}))
    for (const YamlNode& support : supports->items)
      for (const std::string& node : words(support.find("nodes")))
        into.supports.push_back({node, words(support.find("fixed"))});
}

Place centre_of(const std::vector<std::string>& nodes, const YamlNode* stated,
                const StructureGeometry& within) {
  Place centre{};
  for (const std::string& name : nodes)
    if (const GeometryNode* const node = within.find(name))
      for (std::size_t i = 0; i < centre.size(); ++i)
        centre[i] += node->at[i] / static_cast<double>(nodes.size());
  if (stated != nullptr && stated->items.size() == 2)
    for (std::size_t i = 0; i < 2; ++i) centre[i] = number(&stated->items[i]);
  return centre;
}

void add_constraints(const YamlNode& frame, StructureGeometry& into) {
  if (const YamlNode* const diaphragms = frame.find("diaphragms"))
    for (const yaml::YamlEntry& each : diaphragms->entries) {
      const std::vector<std::string> nodes = words(each.value.find("nodes"));
      into.rigid.push_back({.master = each.key,
                            .at = centre_of(nodes, each.value.find("centre"), into),
                            .nodes = nodes,
                            .only_in_plane = true});
    }
  if (const YamlNode* const links = frame.find("rigid_links"))
    for (const YamlNode& link : links->items) {
      const GeometryNode* const master = into.find(text(link.find("master")));
      if (master != nullptr)
        into.rigid.push_back({.master = master->name,
                              .at = master->at,
                              .nodes = words(link.find("slaves"))});
    }
  const auto tie = [&into](const std::vector<std::string>& nodes, const std::string& dof) {
    for (std::size_t i = 1; i < nodes.size(); ++i)
      into.ties.push_back({nodes[i] + "." + dof, nodes.front() + "." + dof});
  };
  if (const YamlNode* const ties = frame.find("ties"))
    for (const YamlNode& each : ties->items)
      for (const std::string& dof : words(each.find("dofs")))
        tie(words(each.find("nodes")), dof);
  if (const YamlNode* const floors = frame.find("floors"))
    for (const YamlNode& floor : floors->items)
      if (text(floor.find("rigid")) == "true") tie(words(floor.find("nodes")), "x");
}

void add_frame(const YamlNode& frame, StructureGeometry& into) {
  if (const YamlNode* const nodes = frame.find("nodes"))
    for (const yaml::YamlEntry& node : nodes->entries) {
      into.nodes.push_back({node.key, place_of(node.value)});
      into.spatial = into.spatial || is_spatial(node.value);
    }
  into.members = members_of(&frame);
  add_supports(&frame, into);
  if (const YamlNode* const regular = frame.find("regular"))
    add_regular_part(*regular, into);
  add_constraints(frame, into);
}

/// Nodes n0 ... n<elements> along x.
void add_beam(const YamlNode& beam, StructureGeometry& into) {
  const double length = number(beam.find("length"));
  const double elements =
      std::clamp(number(beam.find("elements")), 1.0, double{kMostMembers} + 1.0);
  const auto count = static_cast<std::size_t>(elements);
  for (std::size_t i = 0; i <= count; ++i) {
    into.nodes.push_back(
        {"n" + std::to_string(i), {length * static_cast<double>(i) / elements, 0.0, 0.0}});
    if (i > 0)
      into.members.push_back({"n" + std::to_string(i - 1), "n" + std::to_string(i)});
  }
  add_supports(&beam, into);
}

/// Storeys above each other; the ground is no node of the model.
void add_shear_building(const YamlNode& building, StructureGeometry& into) {
  into.schematic = true;
  into.nodes.push_back({"ground", {}});
  into.supports.push_back({"ground", {"all"}});
  const YamlNode* const storeys = building.find("storeys");
  if (storeys == nullptr) return;
  for (const yaml::YamlEntry& storey : storeys->entries) {
    const bool in_a_laboratory =
        number(storey.value.find("stiffness")) == 0.0 && !storey.value.find("law");
    const GeometryNode below = into.nodes.back();
    into.nodes.push_back({storey.key, {0.0, below.at[1] + kStorey, 0.0}});
    if (!in_a_laboratory) into.members.push_back({below.name, storey.key});
  }
}

/// A bridge under its vehicles: midspans, abutments and piers, with the names that its
/// records use. The wheels say themselves where they are.
class BridgeGeometry {
 public:
  BridgeGeometry(const YamlNode& bridge, StructureGeometry& into)
      : into_(into), has_elastic_piers_(descend(&bridge, {"piers"}) != nullptr) {
    const YamlNode* const girders = bridge.find("girders");
    if (girders == nullptr) return;
    for (const YamlNode& girder : girders->items) {
      const double times = std::clamp(number(girder.find("repeat")), 1.0, kMostSpans);
      for (double i = 0.0; i < times; i += 1.0) add_girder(girder);
    }
    if (spans_ > 0) close();
  }

 private:
  static constexpr double kMostSpans = 500.0;

  void add_girder(const YamlNode& girder) {
    const YamlNode* const spans = girder.find("spans");
    if (spans == nullptr || spans->items.empty()) return;
    std::vector<std::string>& along = into_.girders.emplace_back();
    for (const YamlNode& span : spans->items) {
      if (into_.members.size() > kMostMembers) return;  // not drawn, and need not be made
      along.push_back(add_support());
      const double length = number(&span);
      const std::string middle = "span" + std::to_string(++spans_);
      into_.nodes.push_back({middle, {x_ + 0.5 * length, 0.0, 0.0}});
      into_.members.push_back({along.back(), middle});
      x_ += length;
      along.push_back(middle);
      into_.members.push_back({middle, support_name(spans_)});
    }
    along.push_back(support_name(spans_));
  }

  static std::string support_name(std::size_t spans_before) {
    return spans_before == 0 ? "abutment" : "pier" + std::to_string(spans_before);
  }

  /// The one before the next span.
  std::string add_support() {
    std::string name = support_name(spans_);
    if (!into_.find(name)) {
      into_.nodes.push_back({name, {x_, 0.0, 0.0}});
      const bool moves = has_elastic_piers_ && spans_ > 0;
      into_.supports.push_back({name, moves ? std::vector<std::string>{"x"}
                                            : std::vector<std::string>{"x", "y"}});
    }
    return name;
  }

  /// What follows the last span is an abutment.
  void close() {
    const std::string name = "abutment2";
    into_.nodes.push_back({name, {x_, 0.0, 0.0}});
    into_.supports.push_back({name, {"x", "y"}});
    into_.members.back().to = name;
    into_.girders.back().back() = name;
  }

  StructureGeometry& into_;
  bool has_elastic_piers_;
  std::size_t spans_ = 0;
  double x_ = 0.0;
};

std::string why_nothing(const YamlNode* numerical) {
  if (numerical == nullptr) return "effective.yaml states no numerical model";
  if (numerical->find("matrices") != nullptr)
    return "the model is matrices, which state no places";
  if (numerical->find("bond_graph") != nullptr)
    return "the model is a bond graph, which states no places";
  return "the model has no members";
}

void add_specimen(const std::string& site, const std::string& node,
                  const YamlNode* specimen, StructureGeometry& into) {
  // Its own frame is drawn once, whatever number of nodes it meets the model at.
  const bool known = std::any_of(
      into.specimens.begin(), into.specimens.end(), [&](const GeometrySpecimen& one) {
        return one.site == site && (one.node == node || !one.members.empty());
      });
  if (known) return;
  GeometrySpecimen added{.site = site,
                         .node = node,
                         .height = number(descend(specimen, {"height"})),
                         .nodes = {},
                         .members = {}};
  if (const YamlNode* const frame = descend(specimen, {"frame"})) {
    if (const YamlNode* const nodes = frame->find("nodes"))
      for (const yaml::YamlEntry& each : nodes->entries)
        if (into.find(each.key) == nullptr)
          added.nodes.push_back({each.key, place_of(each.value)});
    added.members = members_of(frame);
  }
  into.specimens.push_back(std::move(added));
}

void add_sites(const YamlNode& root, StructureGeometry& into) {
  const YamlNode* const sites = root.find("sites");
  if (sites == nullptr) return;
  for (const yaml::YamlEntry& site : sites->entries)
    for (const std::string& dof : words(site.value.find("interface"))) {
      into.interface.push_back({site.key, dof});
      const std::string node = dof.substr(0, dof.rfind('.'));
      add_specimen(site.key, node, descend(&site.value, {"rig", "specimen"}), into);
    }
}

}  // namespace

StructureGeometry read_geometry(const std::string& effective) {
  StructureGeometry geometry;
  yaml::Diagnostics problems;
  const auto root = yaml::parse_tree(effective, problems.add_source({"effective.yaml", {}}),
                                     false, problems);
  if (!root) {
    geometry.missing = "effective.yaml cannot be read";
    return geometry;
  }
  const YamlNode* const numerical = root->find("numerical");
  if (const YamlNode* const frame = descend(numerical, {"frame"}))
    add_frame(*frame, geometry);
  else if (const YamlNode* const beam = descend(numerical, {"beam"}))
    add_beam(*beam, geometry);
  else if (const YamlNode* const building = descend(numerical, {"shear_building"}))
    add_shear_building(*building, geometry);
  else if (const YamlNode* const bridge = descend(numerical, {"bridge"}))
    BridgeGeometry(*bridge, geometry);
  if (geometry.members.size() > kMostMembers) {
    geometry.missing = "the model has " + std::to_string(geometry.members.size()) +
                       " members, more than a drawing can show";
    return geometry;
  }
  std::erase_if(geometry.members, [&](const GeometryMember& member) {
    return !geometry.find(member.from) || !geometry.find(member.to);
  });
  add_sites(*root, geometry);
  if (geometry.missing.empty() && geometry.members.empty())
    geometry.missing = why_nothing(numerical);
  return geometry;
}

}  // namespace trestle::geometry
