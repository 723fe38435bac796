#include "composition/numerical/frame_factory.h"

#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "composition/numerical/mechanics_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_check.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/beam_model.h"
#include "proto/config/numerical.pb.h"

namespace trestle {
namespace {

std::string entry(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

/// Places of things by their names.
class Names {
 public:
  explicit Names(const char* what) : what_(what) {}

  /// @returns false where the name is known already
  bool add(const std::string& name) {
    const bool fresh = places_.emplace(name, static_cast<int>(names_.size())).second;
    names_.push_back(name);
    return fresh;
  }

  bool known(const std::string& name) const { return places_.contains(name); }

  int find(const std::string& name, const std::string& path,
           SettingErrorCollector& problems) const {
    const auto found = places_.find(name);
    if (found != places_.end()) return found->second;
    problems.add(
        path, std::string("unknown ") + what_ + " `" + name + "`" + suggest(name, names_));
    return -1;
  }

 private:
  const char* what_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> places_;
};

std::vector<int> find_nodes(const google::protobuf::RepeatedPtrField<std::string>& names,
                            const Names& known, const std::string& path,
                            SettingErrorCollector& problems) {
  std::vector<int> found;
  std::unordered_set<std::string> seen;
  for (int j = 0; j < names.size(); ++j) {
    const std::string here = entry(path, "nodes", j);
    const int node = known.find(names[j], here, problems);
    if (node >= 0) found.push_back(node);
    if (!seen.insert(names[j]).second)
      problems.add(here, "node `" + names[j] + "` stands twice in this list");
  }
  return found;
}

void fix(FrameModel& model,
         const google::protobuf::RepeatedPtrField<config::Support>& supports,
         const Names& known, const std::string& path, SettingErrorCollector& problems) {
  for (int i = 0; i < supports.size(); ++i)
    for (const int node :
         find_nodes(supports[i].nodes(), known, entry(path, "supports", i), problems))
      for (const int dof : supports[i].fixed())
        model.nodes[static_cast<std::size_t>(node)].fixed[static_cast<std::size_t>(dof)] =
            true;
}

class FrameReader {
 public:
  FrameReader(const config::Frame& frame, std::string path)
      : frame_(frame), path_(std::move(path)) {}

  FrameModel read() {
    model_.mass_matrix = frame_.mass_matrix() == config::CONSISTENT
                             ? MassMatrixKind::kConsistent
                             : MassMatrixKind::kLumped;
    read_nodes();
    fix(model_, frame_.supports(), nodes_, path_, problems_);
    read_sections();
    read_members();
    read_floors();
    read_masses();
    read_springs();
    problems_.throw_if_any();
    return std::move(model_);
  }

 private:
  /// Runs a check of one setting and keeps what it has to say.
  template <typename Check>
  void check(const std::string& path, Check check_setting) {
    try {
      check_setting();
    } catch (const SettingError& error) {
      problems_.add_below(path, error);
    }
  }

  void read_nodes() {
    for (int i = 0; i < frame_.nodes_size(); ++i) {
      const config::Node& node = frame_.nodes(i);
      const std::string here = entry(path_, "nodes", i);
      if (!nodes_.add(node.name()))
        problems_.add(here, "node `" + node.name() + "` is defined twice");
      if (node.name().empty() || node.name().find('.') != std::string::npos)
        problems_.add(
            here, "a node's name must not be empty or hold a dot: `" + node.name() + "`");
      if (!std::isfinite(node.x()) || !std::isfinite(node.y()))
        problems_.add(here,
                      "node `" + node.name() + "` has a coordinate that is no number");
      FrameNode entry_of_model;
      entry_of_model.name = node.name();
      entry_of_model.x = node.x();
      entry_of_model.y = node.y();
      model_.nodes.push_back(std::move(entry_of_model));
    }
  }

  void read_sections() {
    for (int i = 0; i < frame_.sections_size(); ++i) {
      const config::Section& section = frame_.sections(i);
      const std::string here = entry(path_, "sections", i);
      if (!sections_.add(section.name()))
        problems_.add(here, "section `" + section.name() + "` is defined twice");
      check(here, [&] { require_positive(section.e(), "E"); });
      check(here, [&] { require_positive(section.a(), "A"); });
      check(here, [&] { require_positive(section.i(), "I"); });
      check(here,
            [&] { require_at_least(section.mass_per_length(), 0.0, "mass_per_length"); });
      model_.sections.push_back({.elastic_modulus = section.e(),
                                 .area = section.a(),
                                 .second_moment = section.i(),
                                 .mass_per_length = section.mass_per_length()});
    }
  }

  void read_members() {
    for (int i = 0; i < frame_.members_size(); ++i) {
      const config::Member& member = frame_.members(i);
      const std::string here = entry(path_, "members", i);
      FrameMember read{
          .from = nodes_.find(member.from(), here + ".from", problems_),
          .to = nodes_.find(member.to(), here + ".to", problems_),
          .section = sections_.find(member.section(), here + ".section", problems_)};
      for (const int end : member.hinges())
        (end == config::END_FROM ? read.hinge_from : read.hinge_to) = true;
      read.name = name_of(member, here);
      if (read.from >= 0 && read.to >= 0) check_length(read, member, here);
      if (member.has_parts() && member.parts() > 1 && read.from >= 0 && read.to >= 0)
        cut(read, static_cast<int>(member.parts()));
      else
        model_.members.push_back(std::move(read));
    }
  }

  /// What its own nodes and rotations are called by.
  std::string name_of(const config::Member& member, const std::string& here) {
    const bool given = !member.name().empty();
    const std::string name = given ? member.name() : member.from() + "-" + member.to();
    if (name.find('.') != std::string::npos)
      problems_.add(here + ".name", "a member's name must not hold a dot: `" + name + "`");
    const bool needed = given || !member.hinges().empty() || member.parts() > 1;
    if (needed && !member_names_.insert(name).second)
      problems_.add(here, "two members are called `" + name + "`; give them names");
    if (given && nodes_.known(name))
      problems_.add(here + ".name", "`" + name + "` is a node; call the member otherwise");
    return name;
  }

  /// Inner nodes `<member>.1` ... on the straight line between its ends.
  void cut(const FrameMember& whole, int parts) {
    const FrameNode from = model_.nodes[static_cast<std::size_t>(whole.from)];
    const FrameNode to = model_.nodes[static_cast<std::size_t>(whole.to)];
    int before = whole.from;
    for (int k = 1; k <= parts; ++k) {
      FrameMember part = whole;
      part.from = before;
      part.hinge_from = whole.hinge_from && k == 1;
      part.hinge_to = whole.hinge_to && k == parts;
      if (k < parts) {
        const double along = static_cast<double>(k) / parts;
        FrameNode node;
        node.name = whole.name + "." + std::to_string(k);
        node.x = from.x + along * (to.x - from.x);
        node.y = from.y + along * (to.y - from.y);
        part.to = static_cast<int>(model_.nodes.size());
        model_.nodes.push_back(std::move(node));
      }
      before = part.to;
      model_.members.push_back(std::move(part));
    }
  }

  void check_length(const FrameMember& read, const config::Member& member,
                    const std::string& here) {
    const FrameNode& from = model_.nodes[static_cast<std::size_t>(read.from)];
    const FrameNode& to = model_.nodes[static_cast<std::size_t>(read.to)];
    if (read.from == read.to) {
      problems_.add(here, "a member from `" + member.from() +
                              "` to itself; it needs two different nodes");
    } else if (!(std::hypot(to.x - from.x, to.y - from.y) > 0.0)) {
      problems_.add(here, "the member from `" + member.from() + "` to `" + member.to() +
                              "` has no length: both nodes are at (" + in_words(from.x) +
                              ", " + in_words(from.y) + ")");
    }
  }

  void read_floors() {
    for (int i = 0; i < frame_.floors_size(); ++i) {
      const config::Floor& floor = frame_.floors(i);
      const std::string here = entry(path_, "floors", i);
      check(here, [&] { require_at_least(floor.mass(), 0.0, "mass"); });
      check(here, [&] {
        require_at_least(floor.rotational_inertia(), 0.0, "rotational_inertia");
      });
      if (floor.nodes().empty()) problems_.add(here, "a floor needs nodes; it has none");
      model_.floors.push_back({.nodes = find_nodes(floor.nodes(), nodes_, here, problems_),
                               .mass = floor.mass(),
                               .rotational_inertia = floor.rotational_inertia(),
                               .rigid = floor.rigid()});
    }
  }

  void read_masses() {
    for (int i = 0; i < frame_.masses_size(); ++i) {
      const config::NodalMass& mass = frame_.masses(i);
      const std::string here = entry(path_, "masses", i);
      check(here, [&] { require_at_least(mass.mass(), 0.0, "mass"); });
      check(here, [&] {
        require_at_least(mass.rotational_inertia(), 0.0, "rotational_inertia");
      });
      model_.masses.push_back({.node = nodes_.find(mass.node(), here + ".node", problems_),
                               .mass = mass.mass(),
                               .rotational_inertia = mass.rotational_inertia()});
    }
  }

  void read_springs() {
    for (int i = 0; i < frame_.springs_size(); ++i) {
      const config::Spring& spring = frame_.springs(i);
      const std::string here = entry(path_, "springs", i);
      FrameSpring read;
      read.node = nodes_.find(spring.node(), here + ".node", problems_);
      if (!spring.to().empty()) read.to = nodes_.find(spring.to(), here + ".to", problems_);
      if (spring.node() == spring.to())
        problems_.add(here, "a spring from `" + spring.node() + "` to itself does nothing");
      read.dof = static_cast<NodeDof>(spring.dof());
      check(here, [&] { require_at_least(spring.damping(), 0.0, "damping"); });
      read.damping = spring.damping();
      check("", [&] {
        std::unique_ptr<RestoringForce> law =
            make_restoring_force(spring.law(), here + ".law");
        if (spring.law().has_linear()) {
          read.stiffness = law->initial_stiffness();
        } else {
          read.law = std::move(law);
        }
      });
      model_.springs.push_back(std::move(read));
    }
  }

  const config::Frame& frame_;
  std::string path_;
  FrameModel model_;
  SettingErrorCollector problems_;
  Names nodes_{"node"};
  Names sections_{"section"};
  std::unordered_set<std::string> member_names_;
};

}  // namespace

FrameModel frame_model(const config::Frame& frame, const std::string& path) {
  return FrameReader(frame, path).read();
}

FrameModel beam_model(const config::Beam& beam, const std::string& path) {
  FrameModel model = SettingErrorCollector::below(path, [&beam] {
    require_positive(beam.length(), "length");
    require_positive(beam.elements(), "elements");
    require_positive(beam.e(), "E");
    require_positive(beam.i(), "I");
    require_positive(beam.mass_per_length(), "mass_per_length");
    return beam_model(BeamSettings{.length = beam.length(),
                                   .elements = static_cast<int>(beam.elements()),
                                   .elastic_modulus = beam.e(),
                                   .second_moment = beam.i(),
                                   .mass_per_length = beam.mass_per_length(),
                                   .mass_matrix = beam.mass_matrix() == config::CONSISTENT
                                                      ? MassMatrixKind::kConsistent
                                                      : MassMatrixKind::kLumped});
  });
  Names nodes("node");
  for (const FrameNode& node : model.nodes) nodes.add(node.name);
  SettingErrorCollector problems;
  fix(model, beam.supports(), nodes, path, problems);
  problems.throw_if_any();
  return model;
}

}  // namespace trestle
