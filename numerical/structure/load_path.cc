#include "numerical/structure/load_path.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
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
    for (const NamedDof& dof : structure.dofs)
      motions_.emplace(dof.name, DofTerms{{dof.equation, 1.0}});
    for (const SlaveDof& slave : structure.details.slaves)
      motions_.emplace(slave.name, slave.terms);
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
      require_plain(*member, path);
      const int there = member->from == here ? member->to : member->from;
      segments.push_back(segment(here, there));
      here = there;
    }
  }

 private:
  const FrameNode& node(int index) const {
    return model_.nodes[static_cast<std::size_t>(index)];
  }

  /// The shares of the load are those of a member that is joined to its nodes rigidly.
  void require_plain(const FrameMember& member, const std::string& path) const {
    const auto bends = [](const std::array<bool, 3>& released) {
      return released[1] || released[2];
    };
    const char* what = nullptr;
    if (member.hinge_from || member.hinge_to)
      what = "a hinge";
    else if (bends(member.released[0]) || bends(member.released[1]))
      what = "a release or a plastic end";
    else if (!member.offsets[0].isZero(0.0) || !member.offsets[1].isZero(0.0))
      what = "an offset";
    if (what == nullptr) return;
    throw SettingError(path, "the member from " + node(member.from).name + " to " +
                                 node(member.to).name + " has " + what +
                                 "; a moving load needs members without");
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
    const Eigen::Vector3d goal = point(to) - point(from);
    const Eigen::Vector3d step = point(at) - point(from);
    const double square = goal.squaredNorm();
    const double along = goal.dot(step);
    return along > 0.0 && along < square && goal.cross(step).norm() <= kStraight * square;
  }

  Eigen::Vector3d point(int index) const {
    return {node(index).x, node(index).y, node(index).z};
  }

  LoadedMember segment(int from, int to) const {
    if (model_.spatial) return spatial_segment(from, to);
    LoadedMember segment;
    segment.start_x = node(from).x;
    segment.start_y = node(from).y;
    segment.end_x = node(to).x;
    segment.end_y = node(to).y;
    for (std::size_t j = 0; j < kPlanarDofs.size(); ++j) {
      segment.motions[j] = motion(from, kPlanarDofs[j]);
      segment.motions[j + 3] = motion(to, kPlanarDofs[j]);
    }
    return segment;
  }

  /// In the plane of the member's horizontal direction h and z, turns are about h × z.
  LoadedMember spatial_segment(int from, int to) const {
    const Eigen::Vector3d chord = point(to) - point(from);
    const double reach = std::hypot(chord.x(), chord.y());
    // Of an upright member every vertical plane is its own.
    const double hx = reach > 0.0 ? chord.x() / reach : 1.0;
    const double hy = reach > 0.0 ? chord.y() / reach : 0.0;
    LoadedMember segment;
    segment.start_y = node(from).z;
    segment.end_x = reach;
    segment.end_y = node(to).z;
    std::size_t row = 0;
    for (const int end : {from, to}) {
      add_terms(segment.motions[row], motion(end, NodeDof::kX), hx);
      add_terms(segment.motions[row++], motion(end, NodeDof::kY), hy);
      add_terms(segment.motions[row++], motion(end, NodeDof::kZ), 1.0);
      add_terms(segment.motions[row], motion(end, NodeDof::kRx), hy);
      add_terms(segment.motions[row++], motion(end, NodeDof::kRy), -hx);
    }
    return segment;
  }

  /// Of a node; none where a support holds it.
  DofTerms motion(int index, NodeDof dof) const {
    const auto found = motions_.find(node(index).name + "." +
                                     kNodeDofNames[static_cast<std::size_t>(dof)]);
    return found == motions_.end() ? DofTerms{} : found->second;
  }

  const FrameModel& model_;
  std::vector<std::vector<const FrameMember*>> members_;
  std::unordered_map<std::string, int> nodes_;
  std::unordered_map<std::string, DofTerms> motions_;
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
