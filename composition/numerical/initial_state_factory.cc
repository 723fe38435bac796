#include "composition/numerical/initial_state_factory.h"

#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "core/base/nearest_name.h"
#include "core/base/setting_error_collector.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/static_equilibrium.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr int kDefaultIncrements = 10;

structure::NamedDof named(const structure::StructuralModel& structure, int equation) {
  for (const structure::NamedDof& dof : structure.dofs)
    if (dof.equation == equation) return dof;
  return {.name = "equation " + std::to_string(equation + 1)};
}

void stand_under_gravity(const config::Test& test,
                         const structure::StructuralModel& structure,
                         const Eigen::VectorXd& load, substructure::InitialState& state) {
  const config::Gravity& gravity = test.excitation().gravity();
  const int increments =
      gravity.has_steps() ? static_cast<int>(gravity.steps()) : kDefaultIncrements;
  try {
    state.gravity = integration::static_equilibrium(structure, load, increments);
  } catch (const integration::NoEquilibrium& error) {
    const structure::NamedDof dof = named(structure, error.equation());
    std::array<char, 256> text{};
    const bool turns = dof.kind == DofKind::kRotation;
    std::snprintf(
        text.data(), text.size(),
        "the structure does not carry it: %s at %.3g of gravity; largest residual "
        "%.3g %s at `%s`. Make it stronger, or reduce the loads",
        error.what(), error.factor(), 1e-3 * error.residual(), turns ? "kN.m" : "kN",
        dof.name.c_str());
    throw SettingError("excitation.gravity", text.data());
  }
  SnapshotWriter laws;
  for (const structure::NonlinearSpring& spring : structure.springs) {
    spring.law->save(laws);
    spring.law->reset();
  }
  state.laws = laws.values();
  integration::MemberForces members(structure);
  SnapshotWriter of_members;
  members.save(of_members);
  members.reset();
  state.member_laws = of_members.values();
}

/// A rig that moves in time cannot be taken to the state under gravity in one step.
void refuse_loads_in_time(const config::Test& test,
                          const std::vector<structure::ExperimentalPart>& parts) {
  SettingErrorCollector problems;
  const bool in_time =
      test.mode() == config::REAL_TIME || test.mode() == config::CONTINUOUS;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (in_time && !test.undivided() && parts[i].gravity_applied)
      problems.add("sites[" + std::to_string(i) + "].gravity",
                   "is apply: step 0 would have to take the specimen to the state under "
                   "gravity at once in this mode. Take pseudo-dynamic mode, or preloaded");
  problems.throw_if_any();
}

class MotionReader {
 public:
  MotionReader(const config::Test& test, const structure::StructuralModel& structure,
               const std::vector<substructure::SiteInterface>& interfaces)
      : test_(test), structure_(structure), interfaces_(interfaces) {}

  void read(substructure::InitialState& state) {
    const config::InitialState& initial = test_.excitation().initial();
    if (initial.nodes().empty()) return;
    state.displacement = state.velocity = Eigen::VectorXd::Zero(structure_.equations);
    for (int i = 0; i < initial.nodes_size(); ++i)
      read(initial.nodes(i), "excitation.initial.nodes[" + std::to_string(i) + "]", state);
    problems_.throw_if_any();
  }

 private:
  void read(const config::InitialMotion& node, const std::string& path,
            substructure::InitialState& state) {
    struct Part {
      const char* dof;
      double displacement;
      double velocity;
    };
    for (const Part& part :
         {Part{"x", node.x(), node.vx()}, Part{"y", node.y(), node.vy()},
          Part{"z", node.z(), node.vz()}, Part{"rx", node.rx(), node.vrx()},
          Part{"ry", node.ry(), node.vry()}, Part{"rz", node.rz(), node.vrz()}}) {
      if (part.displacement == 0.0 && part.velocity == 0.0) continue;
      const std::string name = node.node() + "." + part.dof;
      const int equation = structure_.equation(name);
      if (equation < 0) {
        problems_.add(path, missing(name));
        continue;
      }
      if (const auto [first, is_new] = given_.emplace(equation, name); !is_new)
        problems_.add(path, name + " is the same as " + first->second +
                                ", which has an initial motion already; leave one out");
      if (part.displacement != 0.0 && jumps(equation))
        problems_.add(path, name +
                                " is an interface DOF: the rig would have to jump there. "
                                "Leave the displacement out, or choose pseudo-dynamic or "
                                "simulated mode");
      state.displacement[equation] = part.displacement;
      state.velocity[equation] = part.velocity;
    }
  }

  std::string missing(const std::string& name) const {
    for (const structure::SlaveDof& slave : structure_.details.slaves)
      if (slave.name == name)
        return name + " follows " + slave.master + "; take " + slave.master +
               ", its master";
    std::vector<std::string> known;
    for (const structure::NamedDof& dof : structure_.dofs) known.push_back(dof.name);
    return "the model has no free DOF `" + name + "`" + suggest(name, known);
  }

  /// A rig that moves in time cannot begin away from where it stands.
  bool jumps(int equation) const {
    if (test_.undivided() ||
        (test_.mode() != config::REAL_TIME && test_.mode() != config::CONTINUOUS))
      return false;
    for (const substructure::SiteInterface& interface : interfaces_)
      for (const int own : interface.controlled)
        if (own == equation) return true;
    return false;
  }

  const config::Test& test_;
  const structure::StructuralModel& structure_;
  const std::vector<substructure::SiteInterface>& interfaces_;
  std::map<int, std::string> given_;  ///< by its equation, who gave it
  SettingErrorCollector problems_;
};

}  // namespace

substructure::InitialState make_initial_state(
    const config::Test& test, const structure::StructuralModel& structure,
    const Eigen::VectorXd& gravity, const std::vector<structure::ExperimentalPart>& parts,
    const std::vector<substructure::SiteInterface>& interfaces) {
  substructure::InitialState state;
  if (gravity.size() > 0) {
    refuse_loads_in_time(test, parts);
    stand_under_gravity(test, structure, gravity, state);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& equations = interfaces[i].equations;
      InterfaceVector at(static_cast<Eigen::Index>(equations.size()));
      for (std::size_t j = 0; j < equations.size(); ++j)
        at[static_cast<Eigen::Index>(j)] = state.gravity[equations[j]];
      InterfaceVector force = InterfaceVector::Zero(at.size());
      if (interfaces[i].preloaded && parts[i].stiffness.size() > 0)
        force = parts[i].stiffness * at;
      state.preload.push_back(std::move(force));
    }
  }
  MotionReader(test, structure, interfaces).read(state);
  return state;
}

}  // namespace trestle::composition
