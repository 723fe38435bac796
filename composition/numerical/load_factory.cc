#include "composition/numerical/load_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/excitation/ground_motion.h"
#include "numerical/structure/member_load.h"
#include "proto/config/excitation.pb.h"

namespace trestle::composition {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;
constexpr double kStandardGravity = 9.80665;  // [m/s²]

std::string item(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

struct History {
  std::function<double(double)> factor;
  double end = 0.0;
};

History history_of_file(const std::string& file, const std::string& path) {
  excitation::GroundMotion record = excitation::read_plain_columns(file, "", path);
  const double end = record.duration();
  return {[record = std::move(record)](double t) {
            const auto& times = record.time;
            const auto& values = record.acceleration;
            if (t <= times.front()) return values.front();
            if (t >= times.back()) return values.back();
            const auto after = static_cast<std::size_t>(
                std::upper_bound(times.begin(), times.end(), t) - times.begin());
            const double part = (t - times[after - 1]) / (times[after] - times[after - 1]);
            return values[after - 1] + part * (values[after] - values[after - 1]);
          },
          end};
}

History make_history(const config::LoadHistory& history, const std::string& path) {
  switch (history.factor_case()) {
    case config::LoadHistory::kSine: {
      const double omega = kFullTurn * history.sine().frequency();
      const double phase = history.sine().phase();
      return {[=](double t) { return std::sin(omega * t + phase); }, 0.0};
    }
    case config::LoadHistory::kSweep: {
      const double from = history.sweep().from();
      const double to = history.sweep().to();
      const double T = history.sweep().duration();
      return {[=](double t) {
                const double turns = t <= T ? from * t + (to - from) * t * t / (2.0 * T)
                                            : 0.5 * (from + to) * T + to * (t - T);
                return std::sin(kFullTurn * turns);
              },
              T};
    }
    case config::LoadHistory::kRamp: {
      const double T = history.ramp();
      return {[=](double t) {
                const double s = std::clamp(t / T, 0.0, 1.0);
                return s * s * (3.0 - 2.0 * s);
              },
              T};
    }
    case config::LoadHistory::kFile:
      if (history.file() != "constant")
        return history_of_file(history.file(), path + ".file");
      break;
    case config::LoadHistory::FACTOR_NOT_SET:
      break;
  }
  return {};
}

/// Finds DOFs and members of a structure by name.
class Places {
 public:
  explicit Places(const structure::StructuralModel& structure) {
    for (const structure::NamedDof& dof : structure.dofs) {
      dofs_.emplace(dof.name, structure::DofTerms{{dof.equation, 1.0}});
      nodes_.insert(dof.name.substr(0, dof.name.rfind('.')));
    }
    for (const structure::SlaveDof& slave : structure.details.slaves) {
      dofs_.emplace(slave.name, slave.terms);
      held_.emplace(slave.name, slave.held);
      nodes_.insert(slave.name.substr(0, slave.name.rfind('.')));
    }
    for (std::size_t i = 0; i < structure.held.dofs.size(); ++i) {
      const std::string& name = structure.held.dofs[i].name;
      held_.emplace(name, structure::DofTerms{{static_cast<int>(i), 1.0}});
      supports_.insert(name.substr(0, name.rfind('.')));
    }
    for (std::size_t i = 0; i < structure.members.size(); ++i) {
      const structure::AssembledMember& member = structure.members[i];
      if (member.part > 0) {
        ++members_.at(member.name).parts;
        continue;
      }
      Member& known = members_[member.name];
      if (known.parts++ == 0)
        known.first = i;
      else
        known.twice = true;
    }
  }

  struct Member {
    std::size_t first = 0;
    std::size_t parts = 0;
    bool twice = false;
  };

  bool has_node(const std::string& node) const {
    return nodes_.contains(node) || supports_.contains(node);
  }
  /// Null: a support holds it.
  const structure::DofTerms* dof(const std::string& name) const {
    const auto found = dofs_.find(name);
    return found == dofs_.end() ? nullptr : &found->second;
  }
  /// Null: no support holds it.
  const structure::DofTerms* held(const std::string& name) const {
    const auto found = held_.find(name);
    return found == held_.end() ? nullptr : &found->second;
  }
  const Member* member(const std::string& name) const {
    const auto found = members_.find(name);
    return found == members_.end() ? nullptr : &found->second;
  }
  std::string near_node(const std::string& name) const {
    return suggest(name, std::vector<std::string>(nodes_.begin(), nodes_.end()));
  }
  std::string near_member(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, member] : members_) names.push_back(known);
    std::sort(names.begin(), names.end());
    return suggest(name, names);
  }

 private:
  std::unordered_map<std::string, structure::DofTerms> dofs_;
  std::unordered_map<std::string, structure::DofTerms> held_;
  std::unordered_map<std::string, Member> members_;
  std::set<std::string> nodes_;
  std::set<std::string> supports_;
};

class LoadReader {
 public:
  LoadReader(const structure::StructuralModel& structure, SettingErrorCollector& problems)
      : structure_(structure), places_(structure), problems_(problems) {}

  /// Fills what the load is without its history.
  void read(const config::TimedLoad& load, const std::string& path, LoadCase& made) {
    load_ = Eigen::VectorXd::Zero(structure_.equations);
    held_load_ = Eigen::VectorXd::Zero(structure_.held.size());
    members_.clear();
    for (int i = 0; i < load.nodes_size(); ++i) add(load.nodes(i), item(path, "nodes", i));
    for (int i = 0; i < load.members_size(); ++i)
      add(load.members(i), item(path, "members", i));
    const double scale = load.has_scale() ? load.scale() : 1.0;
    for (int i = 0; i < structure_.equations; ++i)
      if (load_[i] != 0.0) made.forces.push_back({i, scale * load_[i]});
    for (Eigen::Index i = 0; i < held_load_.size(); ++i)
      if (held_load_[i] != 0.0)
        made.held.push_back({static_cast<int>(i), scale * held_load_[i]});
    for (excitation::MemberEndForces& ends : members_) ends.forces *= scale;
    made.members = std::move(members_);
  }

 private:
  void add(const config::NodalLoad& load, const std::string& path) {
    if (!places_.has_node(load.node())) {
      problems_.add(path, "the model has no node `" + load.node() + "`" +
                              places_.near_node(load.node()));
      return;
    }
    const std::array<std::pair<const char*, double>, 6> parts{{{"x", load.x()},
                                                               {"y", load.y()},
                                                               {"z", load.z()},
                                                               {"rx", load.mx()},
                                                               {"ry", load.my()},
                                                               {"rz", load.mz()}}};
    for (const auto& [dof, force] : parts) {
      if (force == 0.0) continue;
      const std::string name(dof);
      if (!structure_.spatial && (name == "z" || name == "rx" || name == "ry")) {
        problems_.add(path,
                      "a force along z, a moment about x or y need a spatial model; "
                      "this one is planar");
        continue;
      }
      // A support that holds the DOF takes the force.
      if (const structure::DofTerms* terms = places_.dof(load.node() + "." + dof))
        structure::add_force(*terms, force, load_);
      if (const structure::DofTerms* terms = places_.held(load.node() + "." + dof))
        structure::add_force(*terms, force, held_load_);
    }
  }

  void add(const config::MemberLoad& load, const std::string& path) {
    const Places::Member* found = places_.member(load.member());
    if (found == nullptr || found->twice) {
      problems_.add(path, found == nullptr ? "the model has no member `" + load.member() +
                                                 "`" + places_.near_member(load.member())
                                           : "two members are called `" + load.member() +
                                                 "`; give them names");
      return;
    }
    if (!structure_.spatial &&
        (load.z() != 0.0 ||
         std::any_of(load.points().begin(), load.points().end(),
                     [](const auto& point) { return point.z() != 0.0; })))
      problems_.add(path, "a load along z needs a spatial model; this one is planar");
    const Eigen::Vector3d uniform(load.x(), load.y(), load.z());
    for (std::size_t i = 0; i < found->parts; ++i) {
      const std::size_t index = found->first + i;
      const structure::AssembledMember& part = structure_.members[index];
      if (!uniform.isZero(0.0))
        add_ends(index,
                 structure::uniform_load(part, in_local(part, load.local(), uniform)));
    }
    for (int i = 0; i < load.points_size(); ++i)
      add(load.points(i), load.local(), *found, item(path, "points", i));
  }

  void add(const config::PointLoad& point, bool local, const Places::Member& member,
           const std::string& path) {
    double at = point.at();
    double whole = 0.0;
    for (std::size_t i = 0; i < member.parts; ++i)
      whole += structure_.members[member.first + i].length;
    if (at > whole * (1.0 + 1e-12)) {
      problems_.add(path + ".at", "is " + in_words(at) + " m; the member is " +
                                      in_words(whole) + " m long");
      return;
    }
    const Eigen::Vector3d force(point.x(), point.y(), point.z());
    for (std::size_t i = 0; i < member.parts; ++i) {
      const structure::AssembledMember& part = structure_.members[member.first + i];
      if (at <= part.length || i + 1 == member.parts) {
        add_ends(member.first + i, structure::point_load(part, std::min(at, part.length),
                                                         in_local(part, local, force)));
        return;
      }
      at -= part.length;
    }
  }

  void add_ends(std::size_t member, Eigen::VectorXd forces) {
    structure::add_end_forces(structure_.members[member], forces, load_);
    structure::add_held_end_forces(structure_.members[member], forces, held_load_);
    members_.push_back({member, std::move(forces)});
  }

  static Eigen::Vector3d in_local(const structure::AssembledMember& member, bool local,
                                  const Eigen::Vector3d& force) {
    return local ? force : Eigen::Vector3d(member.axes * force);
  }

  const structure::StructuralModel& structure_;
  Places places_;
  SettingErrorCollector& problems_;
  Eigen::VectorXd load_;
  Eigen::VectorXd held_load_;
  std::vector<excitation::MemberEndForces> members_;
};

void mark_gravity(const config::Gravity& gravity, std::vector<LoadCase>& loads,
                  const std::string& path, SettingErrorCollector& problems) {
  const auto none = static_cast<int>(
      std::count(gravity.from().begin(), gravity.from().end(), config::WEIGHT_OF_NONE));
  if (none > 0 && gravity.from_size() > none)
    problems.add(path + ".gravity.from",
                 "none stands beside weights that act; take none out, or give [] alone");
  std::vector<std::string> names;
  for (const LoadCase& load : loads) names.push_back(load.name);
  for (int i = 0; i < gravity.loads_size(); ++i) {
    const std::string here = item(path + ".gravity", "loads", i);
    const auto found = std::find(names.begin(), names.end(), gravity.loads(i));
    if (found == names.end()) {
      problems.add(here, "no load is called `" + gravity.loads(i) + "`" +
                             suggest(gravity.loads(i), names));
      continue;
    }
    const auto index = static_cast<int>(found - names.begin());
    LoadCase& load = loads[static_cast<std::size_t>(index)];
    load.of_gravity = true;
    if (load.factor)
      problems.add(
          item(path, "loads", index) + ".history",
          "`" + load.name +
              "` belongs to gravity, which does not change; leave the history out");
  }
}

double acceleration_of(const config::Gravity& gravity) {
  return gravity.has_acceleration() ? gravity.acceleration() : kStandardGravity;
}

bool wants(const config::Gravity& gravity, config::WeightOf what) {
  return gravity.from().empty() || std::find(gravity.from().begin(), gravity.from().end(),
                                             what) != gravity.from().end();
}

std::vector<excitation::MemberEndForces> weights_of_members(
    const config::Gravity& gravity, const structure::StructuralModel& structure) {
  std::vector<excitation::MemberEndForces> weights;
  if (!wants(gravity, config::WEIGHT_OF_MEMBERS)) return weights;
  const double g = acceleration_of(gravity);
  for (std::size_t i = 0; i < structure.members.size(); ++i) {
    const structure::AssembledMember& member = structure.members[i];
    if (member.mass_per_length > 0.0)
      weights.push_back(
          {i, structure::uniform_load(
                  member, -g * member.mass_per_length * member.axes.col(structure.up()))});
  }
  return weights;
}

}  // namespace

std::vector<LoadCase> make_load_cases(const config::Excitation& excitation,
                                      const structure::StructuralModel& structure,
                                      const std::string& path) {
  SettingErrorCollector problems;
  std::vector<LoadCase> loads;
  LoadReader reader(structure, problems);
  for (int i = 0; i < excitation.loads_size(); ++i) {
    const config::TimedLoad& load = excitation.loads(i);
    const std::string here = item(path, "loads", i);
    LoadCase& made = loads.emplace_back();
    made.name = load.name();
    reader.read(load, here, made);
    try {
      History history = make_history(load.history(), here + ".history");
      made.factor = std::move(history.factor);
      made.end = history.end;
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  }
  mark_gravity(excitation.gravity(), loads, path, problems);
  problems.throw_if_any();
  return loads;
}

excitation::TimedLoad sampled(const LoadCase& load, double time_step, std::int64_t steps) {
  excitation::TimedLoad timed{
      .forces = load.forces,
      .factors = std::vector<double>(static_cast<std::size_t>(steps), 1.0),
      .members = load.members,
      .held = load.held};
  if (load.factor)
    for (std::size_t k = 0; k < timed.factors.size(); ++k)
      timed.factors[k] = load.factor(static_cast<double>(k) * time_step);
  return timed;
}

Eigen::VectorXd make_gravity_load(const config::Excitation& excitation,
                                  const structure::StructuralModel& structure,
                                  const std::vector<LoadCase>& loads,
                                  const std::string& path) {
  if (!excitation.has_gravity()) return {};
  const config::Gravity& gravity = excitation.gravity();
  const double g = acceleration_of(gravity);
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  const int up = structure.up();
  if (wants(gravity, config::WEIGHT_OF_MASSES)) {
    load += g * structure.base_load.col(up);
    if (structure.member_base_load.size() > 0)
      load -= g * structure.member_base_load.col(up);
  }
  for (const excitation::MemberEndForces& ends : weights_of_members(gravity, structure))
    structure::add_end_forces(structure.members[ends.member], ends.forces, load);
  for (const LoadCase& one : loads)
    if (one.of_gravity) structure::add_force(one.forces, 1.0, load);
  if (load.isZero(0.0))
    throw SettingError(path + ".gravity",
                       "nothing has weight: no mass moves up and down, no member has mass, "
                       "and no load is named; name `loads`, or leave gravity out");
  return load;
}

Eigen::VectorXd make_held_gravity_load(const config::Excitation& excitation,
                                       const structure::StructuralModel& structure,
                                       const std::vector<LoadCase>& loads) {
  const structure::HeldDofs& held = structure.held;
  if (!excitation.has_gravity() || held.dofs.empty()) return {};
  Eigen::VectorXd load = Eigen::VectorXd::Zero(held.size());
  if (wants(excitation.gravity(), config::WEIGHT_OF_MASSES))
    load += acceleration_of(excitation.gravity()) *
            (held.base_load - held.member_base_load).col(structure.up());
  for (const excitation::MemberEndForces& ends :
       weights_of_members(excitation.gravity(), structure))
    structure::add_held_end_forces(structure.members[ends.member], ends.forces, load);
  for (const LoadCase& one : loads)
    if (one.of_gravity) structure::add_force(one.held, 1.0, load);
  return load;
}

std::vector<excitation::MemberEndForces> gravity_of_members(
    const config::Excitation& excitation, const structure::StructuralModel& structure,
    const std::vector<LoadCase>& loads) {
  if (!excitation.has_gravity()) return {};
  std::vector<excitation::MemberEndForces> ends =
      weights_of_members(excitation.gravity(), structure);
  for (const LoadCase& load : loads)
    if (load.of_gravity) ends.insert(ends.end(), load.members.begin(), load.members.end());
  return ends;
}

}  // namespace trestle::composition
