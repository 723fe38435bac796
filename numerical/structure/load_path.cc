#include "numerical/structure/load_path.h"

#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"

namespace trestle::structure {
namespace {

class PathFinder {
 public:
  PathFinder(const FrameModel& model, const StructuralModel& structure)
      : model_(model), members_(model.nodes.size()) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
      nodes_.emplace(model.nodes[i].name, static_cast<int>(i));
    for (const NamedDof& dof : structure.dofs) equations_.emplace(dof.name, dof.equation);
    for (const FrameMember& member : model.members) {
      members_[static_cast<std::size_t>(member.from)].push_back(&member);
      members_[static_cast<std::size_t>(member.to)].push_back(&member);
    }
  }

  int find(const std::string& name, const std::string& path) const {
    const auto found = nodes_.find(name);
    if (found != nodes_.end()) return found->second;
    std::vector<std::string> known;
    for (const FrameNode& node : model_.nodes) known.push_back(node.name);
    throw SettingError(path, "unknown node `" + name + "`" + suggest(name, known));
  }

  /// Adds the segments from one node to another.
  void travel(int from, int to, const std::string& path, LoadPath& segments) const {
    if (from == to)
      throw SettingError(path, "the load would stay at " + node(from).name +
                                   "; name two different nodes in a row");
    for (int here = from; here != to;) {
      const FrameMember* member = next(here, to);
      if (member == nullptr)
        throw SettingError(path, "no member leads straight from " + node(here).name +
                                     " towards " + node(to).name +
                                     "; a load travels along members");
      if (member->hinge_from || member->hinge_to)
        throw SettingError(path, "the member from " + node(member->from).name + " to " +
                                     node(member->to).name +
                                     " has a hinge; a moving load needs members without");
      const int there = member->from == here ? member->to : member->from;
      segments.push_back(segment(here, there));
      here = there;
    }
  }

 private:
  const FrameNode& node(int index) const {
    return model_.nodes[static_cast<std::size_t>(index)];
  }

  static int other_end(const FrameMember& member, int end) {
    return member.from == end ? member.to : member.from;
  }

  /// The member itself, or the first one that lies on the line towards the goal.
  const FrameMember* next(int here, int goal) const {
    const FrameMember* on_line = nullptr;
    for (const FrameMember* member : members_[static_cast<std::size_t>(here)]) {
      const int there = other_end(*member, here);
      if (there == goal) return member;
      if (on_line == nullptr && between(here, there, goal)) on_line = member;
    }
    return on_line;
  }

  bool between(int from, int at, int to) const {
    constexpr double kStraight = 1e-9;
    const double x = node(to).x - node(from).x;
    const double y = node(to).y - node(from).y;
    const double u = node(at).x - node(from).x;
    const double v = node(at).y - node(from).y;
    const double square = x * x + y * y;
    const double along = x * u + y * v;
    return along > 0.0 && along < square && std::abs(x * v - y * u) <= kStraight * square;
  }

  LoadSegment segment(int from, int to) const {
    LoadSegment segment;
    segment.start_x = node(from).x;
    segment.start_y = node(from).y;
    segment.end_x = node(to).x;
    segment.end_y = node(to).y;
    for (std::size_t j = 0; j < kPlanarDofs.size(); ++j) {
      segment.equations[j] = equation(from, j);
      segment.equations[j + 3] = equation(to, j);
    }
    return segment;
  }

  int equation(int index, std::size_t dof) const {
    const auto found = equations_.find(node(index).name + "." + kNodeDofNames[dof]);
    return found == equations_.end() ? -1 : found->second;
  }

  const FrameModel& model_;
  std::vector<std::vector<const FrameMember*>> members_;
  std::unordered_map<std::string, int> nodes_;
  std::unordered_map<std::string, int> equations_;
};

}  // namespace

LoadPath load_path(const FrameModel& model, const StructuralModel& structure,
                   std::span<const std::string> nodes) {
  if (nodes.size() < 2)
    throw SettingError("", "a moving load needs a path of at least two nodes; it has " +
                               std::to_string(nodes.size()));
  const PathFinder finder(model, structure);
  LoadPath segments;
  int last = finder.find(nodes[0], "[0]");
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::string path = "[" + std::to_string(i) + "]";
    const int node = finder.find(nodes[i], path);
    finder.travel(last, node, path, segments);
    last = node;
  }
  return segments;
}

}  // namespace trestle::structure
