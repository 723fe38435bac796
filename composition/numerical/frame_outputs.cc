#include "composition/numerical/frame_outputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "composition/numerical/frame_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/frame_model.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

using structure::place;

/// Nodes of a level, and what it is called.
struct Level {
  std::string name;
  std::vector<int> nodes;  ///< places in the model
  double elevation = 0.0;  ///< mean of its nodes [m]
};

std::string item(const char* list, int index) {
  return std::string("recording.") + list + "[" + std::to_string(index) + "]";
}

class StoreyReader {
 public:
  StoreyReader(const config::Test& test, const structure::StructuralModel& structure,
               const std::vector<structure::ExperimentalPart>& parts,
               SettingErrorCollector& problems)
      : test_(test),
        parts_(parts),
        problems_(problems),
        model_(frame_model(test.numerical().frame(), "numerical.frame")) {
    for (std::size_t i = 0; i < model_.nodes.size(); ++i)
      places_.emplace(model_.nodes[i].name, static_cast<int>(i));
    for (const structure::NamedDof& dof : structure.dofs)
      motions_.emplace(dof.name, structure::DofTerms{{dof.equation, 1.0}});
    for (const structure::SlaveDof& slave : structure.details.slaves)
      motions_.emplace(slave.name, slave.terms);
    find_levels();
  }

  std::vector<substructure::StoreyDirection> read() {
    const auto& wanted = test_.recording().storeys();
    for (int i = 0; i < wanted.size(); ++i) {
      const config::StoreyOutput& one = wanted[i];
      const std::string here = item("storeys", i);
      if (!one.nodes_above().empty() || !one.nodes_below().empty())
        add_given(one, here);
      else if (one.name() == "all")
        add_all(here);
      else
        add_known(one.name(), here);
    }
    return std::move(storeys_);
  }

 private:
  double elevation(int node) const {
    const structure::FrameNode& at = model_.nodes[place(node)];
    return model_.spatial ? at.z : at.y;
  }

  double mean(const std::vector<int>& nodes) const {
    double sum = 0.0;
    for (const int node : nodes) sum += elevation(node);
    return sum / static_cast<double>(nodes.size());
  }

  void add_level(std::string name, std::vector<int> nodes) {
    if (nodes.empty()) return;
    const double at = mean(nodes);
    levels_.push_back({std::move(name), std::move(nodes), at});
  }

  /// Diaphragms; in a planar frame the storeys of `regular`, or the floors.
  void find_levels() {
    for (const structure::Diaphragm& diaphragm : model_.diaphragms)
      add_level(model_.nodes[place(diaphragm.centre)].name, diaphragm.nodes);
    const bool regular = test_.numerical().frame().has_regular() && !model_.spatial;
    if (regular) {
      std::map<int, std::vector<int>> storeys;
      for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
        const std::string& name = model_.nodes[i].name;
        const std::size_t dot = name.find('.');
        if (name.empty() || name[0] != 'n' || dot == std::string::npos || dot < 2 ||
            name.find_first_not_of("0123456789", 1) != dot)
          continue;
        if (const int storey = std::stoi(name.substr(1, dot - 1)); storey > 0)
          storeys[storey].push_back(static_cast<int>(i));
      }
      for (auto& [storey, nodes] : storeys) add_level("", std::move(nodes));
    } else {
      for (const structure::FrameFloor& floor : model_.floors) add_level("", floor.nodes);
    }
    std::stable_sort(levels_.begin(), levels_.end(),
                     [](const Level& one, const Level& other) {
                       return one.elevation < other.elevation;
                     });
    for (std::size_t i = 0; i < levels_.size(); ++i)
      if (levels_[i].name.empty()) levels_[i].name = "s" + std::to_string(i + 1);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Level& level : levels_) all.push_back(level.name);
    return all;
  }

  void add_all(const std::string& path) {
    if (levels_.empty())
      problems_.add(path,
                    "the frame has no diaphragms, floors or `regular` part that say what a "
                    "storey is; name nodes_above and nodes_below");
    for (std::size_t i = 0; i < levels_.size(); ++i) add_level_storey(i, path);
  }

  void add_known(const std::string& name, const std::string& path) {
    for (std::size_t i = 0; i < levels_.size(); ++i)
      if (levels_[i].name == name) return add_level_storey(i, path);
    problems_.add(path, "the frame has no storey `" + name +
                            "`; name nodes_above and nodes_below, or take all" +
                            suggest(name, names()));
  }

  void add_level_storey(std::size_t level, const std::string& path) {
    add(levels_[level].name, levels_[level].nodes,
        level > 0 ? levels_[level - 1].nodes : feet(levels_[level].nodes), path);
  }

  /// The lower ends of the members that lead down from the lowest level.
  std::vector<int> feet(const std::vector<int>& above) const {
    const std::set<int> level(above.begin(), above.end());
    std::set<int> found;
    for (const auto& [from, to] : whole_members()) {
      if (level.contains(to) && !level.contains(from) && elevation(from) < elevation(to))
        found.insert(from);
      if (level.contains(from) && !level.contains(to) && elevation(to) < elevation(from))
        found.insert(to);
    }
    return {found.begin(), found.end()};
  }

  /// Ends of each member, its parts taken together.
  std::vector<std::pair<int, int>> whole_members() const {
    std::vector<std::pair<int, int>> ends;
    for (const structure::FrameMember& member : model_.members) {
      if (member.part == 0)
        ends.emplace_back(member.from, member.to);
      else
        ends.back().second = member.to;
    }
    return ends;
  }

  std::vector<int> nodes_of(const google::protobuf::RepeatedPtrField<std::string>& given,
                            const std::string& path) {
    std::vector<int> nodes;
    std::vector<std::string> known;
    for (const structure::FrameNode& node : model_.nodes) known.push_back(node.name);
    for (int i = 0; i < given.size(); ++i) {
      const auto found = places_.find(given[i]);
      if (found == places_.end())
        problems_.add(
            path + "[" + std::to_string(i) + "]",
            "the frame has no node `" + given[i] + "`" + suggest(given[i], known));
      else
        nodes.push_back(found->second);
    }
    return nodes;
  }

  void add_given(const config::StoreyOutput& given, const std::string& path) {
    if (given.nodes_above().empty()) {
      problems_.add(path + ".nodes_above", "is missing; a storey needs a level above");
      return;
    }
    const std::vector<int> above = nodes_of(given.nodes_above(), path + ".nodes_above");
    std::vector<int> below = nodes_of(given.nodes_below(), path + ".nodes_below");
    if (given.nodes_below().empty()) below = feet(above);
    if (!above.empty()) add(given.name(), above, below, path);
  }

  void add(const std::string& name, const std::vector<int>& above,
           const std::vector<int>& below, const std::string& path) {
    if (!known_.insert(name).second) {
      problems_.add(path, "the storey `" + name + "` is recorded already; name it once");
      return;
    }
    double ground = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < model_.nodes.size(); ++i)
      ground = std::min(ground, elevation(static_cast<int>(i)));
    // All columns of the lowest storey may be in laboratories: then it is above the ground.
    const double height = mean(above) - (below.empty() ? ground : mean(below));
    if (!(height > 0.0)) {
      problems_.add(path, "the storey `" + name + "` is " + in_words(height) +
                              " m high; nodes_above must be above nodes_below");
      return;
    }
    for (int along = 0; along < (model_.spatial ? 2 : 1); ++along) {
      substructure::StoreyDirection& made = storeys_.emplace_back();
      const char* const dof = along == 0 ? "x" : "y";
      made.name = model_.spatial ? name + "." + dof : name;
      made.along = along;
      made.height = height;
      add_mean(above, dof, 1.0, made.drift);
      add_mean(below, dof, -1.0, made.drift);
      made.columns = columns(above, below);
      made.specimens = specimens(above, below, dof);
    }
  }

  void add_mean(const std::vector<int>& nodes, const std::string& dof, double sign,
                structure::DofTerms& sum) const {
    for (const int node : nodes)
      if (const auto found = motions_.find(model_.nodes[place(node)].name + "." + dof);
          found != motions_.end())
        structure::add_terms(sum, found->second, sign / static_cast<double>(nodes.size()));
  }

  /// The parts at the upper level of members between the two.
  std::vector<substructure::StoreyDirection::Column> columns(
      const std::vector<int>& above, const std::vector<int>& below) const {
    const std::set<int> upper(above.begin(), above.end());
    const std::set<int> lower(below.begin(), below.end());
    std::vector<substructure::StoreyDirection::Column> found;
    for (std::size_t first = 0; first < model_.members.size();) {
      std::size_t last = first;
      while (last + 1 < model_.members.size() && model_.members[last + 1].part > 0) ++last;
      const int from = model_.members[first].from;
      const int to = model_.members[last].to;
      if (upper.contains(to) && lower.contains(from)) found.push_back({last, true});
      if (upper.contains(from) && lower.contains(to)) found.push_back({first, false});
      first = last + 1;
    }
    return found;
  }

  /// Specimens all of whose interface is on the two levels, at the upper one.
  std::vector<substructure::StoreyDirection::Specimen> specimens(
      const std::vector<int>& above, const std::vector<int>& below,
      const std::string& dof) const {
    const auto named = [this](const std::vector<int>& nodes) {
      std::set<std::string> names;
      for (const int node : nodes) names.insert(model_.nodes[place(node)].name);
      for (const structure::Diaphragm& diaphragm : model_.diaphragms)
        if (diaphragm.nodes == nodes)
          names.insert(model_.nodes[place(diaphragm.centre)].name);
      return names;
    };
    const std::set<std::string> upper = named(above);
    const std::set<std::string> lower = named(below);
    std::vector<substructure::StoreyDirection::Specimen> found;
    for (std::size_t site = 0; site < parts_.size(); ++site) {
      const auto node = [](const std::string& name) {
        return name.substr(0, name.rfind('.'));
      };
      const std::vector<std::string>& dofs = parts_[site].dofs;
      if (!std::all_of(dofs.begin(), dofs.end(), [&](const std::string& name) {
            return upper.contains(node(name)) || lower.contains(node(name));
          }))
        continue;
      for (std::size_t i = 0; i < dofs.size(); ++i)
        if (upper.contains(node(dofs[i])) && dofs[i].ends_with("." + dof))
          found.push_back({site, static_cast<Eigen::Index>(i)});
    }
    return found;
  }

  const config::Test& test_;
  const std::vector<structure::ExperimentalPart>& parts_;
  SettingErrorCollector& problems_;
  structure::FrameModel model_;
  std::unordered_map<std::string, int> places_;
  std::unordered_map<std::string, structure::DofTerms> motions_;  // free part
  std::vector<Level> levels_;                                     // from below
  std::set<std::string> known_;
  std::vector<substructure::StoreyDirection> storeys_;
};

/// Nodes whose reactions are recorded.
std::vector<std::string> reaction_nodes(const config::Recording& recording,
                                        const structure::StructuralModel& structure,
                                        SettingErrorCollector& problems) {
  const auto node_of = [](const std::string& name) {
    return name.substr(0, name.rfind('.'));
  };
  std::vector<std::string> held;
  for (const structure::HeldDof& dof : structure.held.dofs)
    if (held.empty() || held.back() != node_of(dof.name)) held.push_back(node_of(dof.name));
  if (recording.reactions_size() == 1 && recording.reactions(0) == "all") return held;
  if (recording.reactions_size() == 1 && recording.reactions(0) == "none") return {};
  for (int i = 0; i < recording.reactions_size(); ++i) {
    const std::string& name = recording.reactions(i);
    if (std::find(held.begin(), held.end(), name) != held.end()) continue;
    const bool free = std::any_of(
        structure.dofs.begin(), structure.dofs.end(),
        [&](const structure::NamedDof& dof) { return node_of(dof.name) == name; });
    problems.add(item("reactions", i),
                 free ? "no support holds a DOF of `" + name +
                            "`: it has no reaction; name a support" + suggest(name, held)
                      : "the frame has no support `" + name + "`" + suggest(name, held));
  }
  return {recording.reactions().begin(), recording.reactions().end()};
}

std::vector<std::string> link_names(const config::Recording& recording,
                                    const structure::StructuralModel& structure,
                                    SettingErrorCollector& problems) {
  std::vector<std::string> known;
  for (const structure::LinkDirection& link : structure.details.links)
    if (known.empty() || known.back() != link.link) known.push_back(link.link);
  if (recording.links_size() == 1 && recording.links(0) == "all") return known;
  if (recording.links_size() == 1 && recording.links(0) == "none") return {};
  for (int i = 0; i < recording.links_size(); ++i)
    if (std::find(known.begin(), known.end(), recording.links(i)) == known.end())
      problems.add(item("links", i), "the frame has no link `" + recording.links(i) + "`" +
                                         suggest(recording.links(i), known));
  return {recording.links().begin(), recording.links().end()};
}

/// Members of fibres whose sections are recorded.
std::vector<std::string> section_names(const config::Recording& recording,
                                       const structure::StructuralModel& structure,
                                       SettingErrorCollector& problems) {
  std::vector<std::string> known;
  std::vector<std::string> elastic;
  for (const structure::AssembledMember& member : structure.members)
    if (member.part == 0)
      (member.law && member.law->sections() != nullptr ? known : elastic)
          .push_back(member.name);
  if (recording.sections_size() == 1 && recording.sections(0) == "none") return {};
  const bool all = recording.sections_size() == 1 && recording.sections(0) == "all";
  const std::vector<std::string> named =
      all ? known
          : std::vector<std::string>(recording.sections().begin(),
                                     recording.sections().end());
  std::vector<std::string> wanted;  // each once: its channels have its name
  for (int i = 0; i < static_cast<int>(named.size()); ++i) {
    const std::string& name = named[static_cast<std::size_t>(i)];
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    if (const auto count = std::count(known.begin(), known.end(), name); count > 0) {
      if (count > 1)
        problems.add(item("sections", all ? 0 : i),
                     "several members are called `" + name + "`; give them names");
      wanted.push_back(name);
      continue;
    }
    const bool is_elastic =
        std::find(elastic.begin(), elastic.end(), name) != elastic.end();
    problems.add(
        item("sections", i),
        is_elastic
            ? "the section of `" + name +
                  "` has no fibres; record this member under recording.members"
            : "the frame has no member of fibres `" + name + "`" + suggest(name, known));
  }
  return wanted;
}

/// Members whose end forces are recorded, by name; a part stands for its member.
std::vector<std::string> member_names(const config::Recording& recording,
                                      const structure::StructuralModel& structure,
                                      SettingErrorCollector& problems) {
  std::vector<std::string> known;
  for (const structure::AssembledMember& member : structure.members)
    if (member.part == 0) known.push_back(member.name);
  if (recording.members_size() == 1 && recording.members(0) == "all") return known;
  if (recording.members_size() == 1 && recording.members(0) == "none") return {};
  for (int i = 0; i < recording.members_size(); ++i) {
    const std::string& name = recording.members(i);
    const auto found = std::count(known.begin(), known.end(), name);
    if (found != 1)
      problems.add("recording.members[" + std::to_string(i) + "]",
                   found == 0
                       ? "the model has no member `" + name + "`" + suggest(name, known)
                       : "several members are called `" + name + "`; give them names");
  }
  return {recording.members().begin(), recording.members().end()};
}

}  // namespace

substructure::OutputSettings make_frame_outputs(
    const config::Test& test, const structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts) {
  const config::Recording& recording = test.recording();
  substructure::OutputSettings outputs;
  if (!test.numerical().has_frame()) return outputs;  // told as keys that nothing reads
  SettingErrorCollector problems;
  outputs.supports.nodes = reaction_nodes(recording, structure, problems);
  outputs.supports.elastic = recording.reaction() == config::REACTION_PARTS_ELASTIC;
  outputs.supports.base = recording.storeys_size() > 0;
  if (recording.has_stride()) outputs.stride = recording.stride();
  outputs.members = member_names(recording, structure, problems);
  outputs.links = link_names(recording, structure, problems);
  outputs.sections = section_names(recording, structure, problems);
  const bool any = !outputs.supports.nodes.empty() || outputs.supports.base;
  if (any && test.excitation().moving_loads_size() > 0)
    problems.add(
        recording.reactions_size() > 0 ? "recording.reactions" : "recording.storeys",
        "what supports carry of a moving load is not known; leave it out, or let "
        "the load act by excitation.loads");
  if (recording.storeys_size() > 0 && test.excitation().supports_size() > 0)
    problems.add("recording.storeys",
                 "are not known with supports that move by themselves; record reactions");
  if (recording.storeys_size() > 0)
    outputs.storeys = StoreyReader(test, structure, parts, problems).read();
  problems.throw_if_any();
  return outputs;
}

}  // namespace trestle::composition
