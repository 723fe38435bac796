#include "composition/numerical/frame_factory.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <unordered_set>

#include "composition/numerical/fibre_factory.h"
#include "composition/numerical/frame_links.h"
#include "composition/numerical/frame_sections.h"
#include "composition/numerical/hinge_law.h"
#include "composition/numerical/mechanics_factory.h"
#include "composition/numerical/name_places.h"
#include "composition/numerical/p_delta_factory.h"
#include "composition/numerical/regular_frame.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/beam_model.h"
#include "numerical/structure/constraint_rules.h"
#include "numerical/structure/frame_numbering.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

std::string entry(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

std::vector<int> find_nodes(const google::protobuf::RepeatedPtrField<std::string>& names,
                            const NamePlaces& known, const std::string& path,
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

void fix(structure::FrameModel& model,
         const google::protobuf::RepeatedPtrField<config::Support>& supports,
         const NamePlaces& known, const std::string& path,
         SettingErrorCollector& problems) {
  for (int i = 0; i < supports.size(); ++i)
    for (const int node :
         find_nodes(supports[i].nodes(), known, entry(path, "supports", i), problems))
      for (const int dof : supports[i].fixed()) {
        auto& fixed = model.nodes[structure::place(node)].fixed;
        if (dof == config::DOF_ALL)
          fixed.fill(true);
        else
          fixed[structure::place(dof)] = true;
        if (!model.spatial && dof > config::DOF_RZ && dof != config::DOF_ALL)
          problems.add(entry(path, "supports", i) + ".fixed",
                       "z, rx and ry are of a spatial frame; this one is planar");
      }
}

/// Three coordinates, or zero where fewer are given.
Eigen::Vector3d vector_of(const google::protobuf::RepeatedField<double>& values) {
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  for (int i = 0; i < std::min(values.size(), 3); ++i) vector[i] = values[i];
  return vector;
}

class FrameReader {
 public:
  FrameReader(const config::Frame& frame, std::string path)
      : frame_(with_regular_part(frame, path)),
        given_nodes_(frame.nodes_size()),
        path_(std::move(path)) {}

  structure::FrameModel read() {
    model_.mass_matrix = frame_.mass_matrix() == config::CONSISTENT
                             ? structure::MassMatrixKind::kConsistent
                             : structure::MassMatrixKind::kLumped;
    read_nodes();
    read_diaphragms();
    fix(model_, frame_.supports(), nodes_, path_, problems_);
    model_.sections = read_frame_sections(frame_, model_, path_, sections_, problems_);
    read_members();
    read_floors();
    read_masses();
    read_springs();
    read_rigid_links();
    read_ties();
    read_frame_links(frame_.links(), nodes_, path_, model_, problems_);
    read_geometry(frame_, model_, path_, problems_);
    prepare_fibre_members(frame_, model_, path_, problems_);
    problems_.throw_if_any();
    check_constraints();
    check_levels();
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
    const config::Node* planar = nullptr;
    const config::Node* spatial = nullptr;
    for (const config::Node& node : frame_.nodes()) {
      const config::Node*& kind = node.has_z() ? spatial : planar;
      if (kind == nullptr) kind = &node;
    }
    model_.spatial = spatial != nullptr;
    if (frame_.nodes().empty())
      problems_.add(path_, "nodes is missing; must have at least 1 entry");
    if (spatial != nullptr && planar != nullptr)
      problems_.add(path_ + ".nodes", "`" + spatial->name() + "` has 3 coordinates, `" +
                                          planar->name() +
                                          "` 2; give all nodes the same number of them");
    for (int i = 0; i < frame_.nodes_size(); ++i) {
      const config::Node& node = frame_.nodes(i);
      const std::string here = entry(path_, "nodes", i);
      if (!nodes_.add(node.name()))
        problems_.add(here, "node `" + node.name() + "` is defined twice");
      const bool dotted = i < given_nodes_ && node.name().find('.') != std::string::npos;
      if (node.name().empty() || dotted)
        problems_.add(
            here, "a node's name must not be empty or hold a dot: `" + node.name() + "`");
      if (!std::isfinite(node.x()) || !std::isfinite(node.y()))
        problems_.add(here,
                      "node `" + node.name() + "` has a coordinate that is no number");
      structure::FrameNode entry_of_model;
      entry_of_model.name = node.name();
      entry_of_model.x = node.x();
      entry_of_model.y = node.y();
      entry_of_model.z = node.z();
      if (!std::isfinite(node.z()))
        problems_.add(here,
                      "node `" + node.name() + "` has a coordinate that is no number");
      model_.nodes.push_back(std::move(entry_of_model));
    }
  }

  void read_members() {
    for (int i = 0; i < frame_.members_size(); ++i) {
      const config::Member& member = frame_.members(i);
      const std::string here = entry(path_, "members", i);
      structure::FrameMember read{
          .from = nodes_.find(member.from(), here + ".from", problems_),
          .to = nodes_.find(member.to(), here + ".to", problems_),
          .section = sections_.find(member.section(), here + ".section", problems_)};
      read.name = name_of(member, here);
      read.linear = member.linear();
      if (member.has_points()) read.points = static_cast<int>(member.points());
      read_offsets(member, here, read);
      read_releases(member, here, read);
      if (read.from >= 0 && read.to >= 0 && check_length(read, member, here))
        read_axes(member, here, read);
      const int first = static_cast<int>(model_.members.size());
      if (member.has_parts() && member.parts() > 1 && read.from >= 0 && read.to >= 0)
        cut(read, static_cast<int>(member.parts()));
      else
        model_.members.push_back(read);
      read_plastic(member, here, first, static_cast<int>(model_.members.size()) - 1);
    }
  }

  void read_offsets(const config::Member& member, const std::string& here,
                    structure::FrameMember& read) {
    const int coordinates = model_.spatial ? 3 : 2;
    for (const auto& [values, end, key] :
         {std::tuple{&member.offsets().from(), std::size_t{0}, "from"},
          {&member.offsets().to(), std::size_t{1}, "to"}}) {
      if (!values->empty() && values->size() != coordinates)
        problems_.add(here + ".offsets." + key, "has " + std::to_string(values->size()) +
                                                    " coordinates; this frame has " +
                                                    std::to_string(coordinates));
      read.offsets[end] = vector_of(*values);
    }
  }

  void read_releases(const config::Member& member, const std::string& here,
                     structure::FrameMember& read) {
    for (const int end : member.hinges()) {
      (end == config::END_FROM ? read.hinge_from : read.hinge_to) = true;
      if (model_.spatial)
        read.released[end == config::END_FROM ? 0 : 1] = {false, true, true};
    }
    for (const auto& [turns, end, key] :
         {std::tuple{&member.releases().from(), std::size_t{0}, "from"},
          {&member.releases().to(), std::size_t{1}, "to"}})
      for (const int turn : *turns) {
        if (model_.spatial)
          read.released[end][structure::place(turn)] = true;
        else if (turn == config::LOCAL_TURN_RZ)
          (end == 0 ? read.hinge_from : read.hinge_to) = true;
        else
          problems_.add(here + ".releases." + key,
                        "rx and ry are of a spatial frame; this one is planar");
      }
    if (read.released[0][0] && read.released[1][0])
      problems_.add(here + ".releases",
                    "torsion is released at both ends: the member would turn about itself; "
                    "release it at one");
  }

  /// Local axes of a spatial member.
  void read_axes(const config::Member& member, const std::string& here,
                 structure::FrameMember& read) {
    if (!model_.spatial) {
      if (!member.z().empty() || member.has_roll())
        problems_.add(here, "z and roll are of a spatial frame; this one is planar");
      return;
    }
    const auto [start, end] = structure::member_ends(model_, read);
    const Eigen::Vector3d x = (end - start).normalized();
    constexpr double kVertical = 0.01745240643728351;  // sine of 1 degree
    read.z = std::hypot(x.x(), x.y()) < kVertical ? Eigen::Vector3d::UnitX()
                                                  : Eigen::Vector3d::UnitZ();
    read.roll = member.roll();
    if (member.z().empty()) return;
    if (member.z_size() != 3)
      problems_.add(here + ".z", "has " + std::to_string(member.z_size()) +
                                     " coordinates; a direction in space has 3");
    read.z = vector_of(member.z());
    constexpr double kAlong = 1e-6;
    if (!(read.z.cross(x).norm() > kAlong * read.z.norm())) {
      problems_.add(here + ".z", "the z of `" + read.name +
                                     "` points along the member; give another, or leave it "
                                     "out");
      read.z = std::abs(x.z()) < 0.5 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX();
    }
  }

  void read_plastic(const config::Member& member, const std::string& here, int first,
                    int last) {
    for (const auto& [given, end, index, key] :
         {std::tuple{&member.plastic().from(), 0, first, "from"},
          {&member.plastic().to(), 1, last, "to"}}) {
      const std::string path = here + ".plastic." + key;
      if (!given->has_rz() && !given->has_ry()) continue;
      structure::FrameMember& own = model_.members[structure::place(index)];
      if (end == 0 ? own.hinge_from : own.hinge_to)
        problems_.add(path,
                      "this end has a hinge already, which passes no moment; take one "
                      "of them out");
      if (given->has_ry() && !model_.spatial)
        problems_.add(path + ".ry", "is of a spatial frame; this one is planar");
      if (given->has_rz()) add_hinge(given->rz(), path + ".rz", index, end, 2);
      if (given->has_ry() && model_.spatial)
        add_hinge(given->ry(), path + ".ry", index, end, 1);
    }
  }

  void add_hinge(const config::RestoringForceLaw& law, const std::string& path, int member,
                 int end, int rotation) {
    check("", [&] {
      model_.hinges.push_back(
          {.member = member,
           .end = end,
           .rotation = rotation,
           .law = make_restoring_force(law_of_hinge(law, model_, member, rotation), path)});
    });
    model_.members[structure::place(member)]
        .released[structure::place(end)][structure::place(rotation)] = true;
  }

  /// What its own nodes and rotations are called by.
  std::string name_of(const config::Member& member, const std::string& here) {
    const bool given = !member.name().empty();
    const std::string name = given ? member.name() : member.from() + "-" + member.to();
    if (!frame_.has_regular() && name.find('.') != std::string::npos)
      problems_.add(here + ".name", "a member's name must not hold a dot: `" + name + "`");
    const bool needed = given || !member.hinges().empty() || member.parts() > 1 ||
                        member.has_releases() || member.has_plastic();
    if (needed && !member_names_.insert(name).second)
      problems_.add(here, "two members are called `" + name + "`; give them names");
    if (given && nodes_.known(name))
      problems_.add(here + ".name", "`" + name + "` is a node; call the member otherwise");
    return name;
  }

  /// Inner nodes `<member>.1` ... on the straight line between its ends.
  void cut(const structure::FrameMember& whole, int parts) {
    const auto [start, end] = structure::member_ends(model_, whole);
    int before = whole.from;
    for (int k = 1; k <= parts; ++k) {
      structure::FrameMember part = whole;
      part.part = k - 1;
      part.from = before;
      part.hinge_from = whole.hinge_from && k == 1;
      part.hinge_to = whole.hinge_to && k == parts;
      if (k > 1) part.released[0] = {};
      if (k < parts) part.released[1] = {};
      if (k > 1) part.offsets[0].setZero();
      if (k < parts) part.offsets[1].setZero();
      if (k < parts) {
        const double along = static_cast<double>(k) / parts;
        structure::FrameNode node;
        node.name = whole.name + "." + std::to_string(k);
        node.x = start.x() + along * (end.x() - start.x());
        node.y = start.y() + along * (end.y() - start.y());
        node.z = start.z() + along * (end.z() - start.z());
        part.to = static_cast<int>(model_.nodes.size());
        model_.nodes.push_back(std::move(node));
      }
      before = part.to;
      model_.members.push_back(std::move(part));
    }
  }

  /// @returns whether the member has a length
  bool check_length(const structure::FrameMember& read, const config::Member& member,
                    const std::string& here) {
    const structure::FrameNode& from = model_.nodes[structure::place(read.from)];
    const auto [start, end] = structure::member_ends(model_, read);
    if (read.from == read.to) {
      problems_.add(here, "a member from `" + member.from() +
                              "` to itself; it needs two different nodes");
      return false;
    }
    if ((end - start).norm() > 0.0) return true;
    problems_.add(here, "the member from `" + member.from() + "` to `" + member.to() +
                            "` has no length: both nodes are at (" + in_words(from.x) +
                            ", " + in_words(from.y) +
                            (model_.spatial ? ", " + in_words(from.z) : "") + ")");
    return false;
  }

  void read_diaphragms() {
    if (!model_.spatial && frame_.diaphragms_size() > 0)
      problems_.add(
          path_ + ".diaphragms",
          "are of a spatial frame; in a planar one take `floors` with rigid: true");
    for (int i = 0; i < frame_.diaphragms_size(); ++i) {
      const config::FloorDiaphragm& given = frame_.diaphragms(i);
      const std::string here = entry(path_, "diaphragms", i);
      check(here, [&] { require_at_least(given.mass(), 0.0, "mass"); });
      structure::Diaphragm read{.centre = static_cast<int>(model_.nodes.size()),
                                .nodes = find_nodes(given.nodes(), nodes_, here, problems_),
                                .mass = given.mass(),
                                .rotational_inertia = given.rotational_inertia()};
      if (!nodes_.add(given.name()))
        problems_.add(here,
                      "`" + given.name() + "` is a node; call the diaphragm otherwise");
      if (!given.centre().empty() && given.centre_size() != 2)
        problems_.add(here + ".centre", "has " + std::to_string(given.centre_size()) +
                                            " coordinates; give x and y");
      structure::FrameNode centre;
      centre.name = given.name();
      centre.diaphragm = true;
      for (const int node : read.nodes) {
        const double share = 1.0 / static_cast<double>(read.nodes.size());
        centre.x += share * model_.nodes[structure::place(node)].x;
        centre.y += share * model_.nodes[structure::place(node)].y;
        centre.z += share * model_.nodes[structure::place(node)].z;
      }
      if (given.centre_size() == 2) {
        centre.x = given.centre(0);
        centre.y = given.centre(1);
      }
      model_.nodes.push_back(std::move(centre));
      model_.diaphragms.push_back(std::move(read));
    }
  }

  /// The nodes of a diaphragm lie on one level, within 2 % of the storey below or above.
  void check_levels() {
    constexpr double kPart = 0.02;
    for (std::size_t i = 0; i < model_.diaphragms.size(); ++i) {
      const structure::Diaphragm& diaphragm = model_.diaphragms[i];
      double storey = 0.0;
      for (const structure::FrameMember& member : model_.members)
        for (const int node : diaphragm.nodes)
          if (member.from == node || member.to == node)
            storey =
                std::max(storey, std::abs(model_.nodes[structure::place(member.to)].z -
                                          model_.nodes[structure::place(member.from)].z));
      const structure::FrameNode& first =
          model_.nodes[structure::place(diaphragm.nodes.front())];
      for (const int node : diaphragm.nodes)
        if (const structure::FrameNode& other = model_.nodes[structure::place(node)];
            std::abs(other.z - first.z) > kPart * storey)
          problems_.add(entry(path_, "diaphragms", static_cast<int>(i)),
                        "its nodes are not on one level: `" + first.name + "` at z " +
                            in_words(first.z) + " m, `" + other.name + "` at z " +
                            in_words(other.z) + " m");
    }
  }

  void read_rigid_links() {
    for (int i = 0; i < frame_.rigid_links_size(); ++i) {
      const config::RigidLinks& given = frame_.rigid_links(i);
      const std::string here = entry(path_, "rigid_links", i);
      structure::RigidLink link{
          .master = nodes_.find(given.master(), here + ".master", problems_), .slaves = {}};
      for (int j = 0; j < given.slaves_size(); ++j) {
        const int slave = nodes_.find(given.slaves(j), entry(here, "slaves", j), problems_);
        if (slave >= 0) link.slaves.push_back(slave);
      }
      if (link.master >= 0) model_.rigid_links.push_back(std::move(link));
    }
  }

  void read_ties() {
    for (int i = 0; i < frame_.ties_size(); ++i) {
      const config::EqualDofs& given = frame_.ties(i);
      const std::string here = entry(path_, "ties", i);
      structure::DofTie tie{.nodes = find_nodes(given.nodes(), nodes_, here, problems_),
                            .dofs = {}};
      for (const int dof : given.dofs()) {
        if (dof != config::DOF_ALL) {
          tie.dofs.push_back(static_cast<structure::NodeDof>(dof));
        } else if (model_.spatial) {
          tie.dofs.assign(structure::kSpatialDofs.begin(), structure::kSpatialDofs.end());
        } else {
          tie.dofs.assign(structure::kPlanarDofs.begin(), structure::kPlanarDofs.end());
        }
      }
      model_.ties.push_back(std::move(tie));
    }
  }

  void check_constraints() {
    const structure::ConstraintRules rules(model_);
    for (const structure::ConstraintProblem& problem : rules.problems())
      problems_.add(path_, problem.what);
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
      if (model_.spatial)
        problems_.add(here, "floors are of a planar frame; take `diaphragms`");
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
      structure::FrameSpring read;
      read.node = nodes_.find(spring.node(), here + ".node", problems_);
      if (!spring.to().empty()) read.to = nodes_.find(spring.to(), here + ".to", problems_);
      if (spring.node() == spring.to())
        problems_.add(here, "a spring from `" + spring.node() + "` to itself does nothing");
      read.dof = static_cast<structure::NodeDof>(spring.dof());
      if (spring.dof() == config::DOF_ALL ||
          (!model_.spatial && spring.dof() > config::DOF_RZ))
        problems_.add(here + ".dof",
                      spring.dof() == config::DOF_ALL
                          ? "a spring acts along one DOF; name it"
                          : "z, rx and ry are of a spatial frame; this one is planar");
      check(here, [&] { require_at_least(spring.damping(), 0.0, "damping"); });
      read.damping = spring.damping();
      check("", [&] {
        std::unique_ptr<materials::RestoringForce> law =
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

  const config::Frame frame_;  // what the generator makes stands behind what is given
  int given_nodes_;
  std::string path_;
  structure::FrameModel model_;
  SettingErrorCollector problems_;
  NamePlaces nodes_{"node"};
  NamePlaces sections_{"section"};
  std::unordered_set<std::string> member_names_;
};

}  // namespace

structure::FrameModel frame_model(const config::Frame& frame, const std::string& path) {
  return FrameReader(frame, path).read();
}

structure::FrameModel beam_model(const config::Beam& beam, const std::string& path) {
  structure::FrameModel model = SettingErrorCollector::below(path, [&beam] {
    require_above_zero(beam.length(), "length");
    require_above_zero(beam.elements(), "elements");
    require_above_zero(beam.e(), "E");
    require_above_zero(beam.i(), "I");
    require_above_zero(beam.mass_per_length(), "mass_per_length");
    return structure::beam_model(
        structure::BeamSettings{.length = beam.length(),
                                .elements = static_cast<int>(beam.elements()),
                                .elastic_modulus = beam.e(),
                                .second_moment = beam.i(),
                                .mass_per_length = beam.mass_per_length(),
                                .mass_matrix = beam.mass_matrix() == config::CONSISTENT
                                                   ? structure::MassMatrixKind::kConsistent
                                                   : structure::MassMatrixKind::kLumped});
  });
  NamePlaces nodes("node");
  for (const structure::FrameNode& node : model.nodes) nodes.add(node.name);
  SettingErrorCollector problems;
  fix(model, beam.supports(), nodes, path, problems);
  problems.throw_if_any();
  return model;
}

}  // namespace trestle::composition
