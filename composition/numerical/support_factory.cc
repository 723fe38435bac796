#include "composition/numerical/support_factory.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "composition/numerical/imposed_motion.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "proto/config/excitation.pb.h"

namespace trestle::composition {
namespace {

const char* name_of(config::Direction direction) {
  constexpr std::array<const char*, 6> kNames{"x", "y", "z", "rx", "ry", "rz"};
  return kNames[static_cast<std::size_t>(direction)];
}

std::string held_node(const std::string& dof) {
  return dof.substr(0, dof.rfind('.'));
}
std::string held_direction(const std::string& dof) {
  return dof.substr(dof.rfind('.'));
}

/// What moves, without where: equal texts are one motion.
std::string motion_alone(const config::SupportMotion& motion) {
  config::SupportMotion alone = motion;
  alone.clear_nodes();
  alone.set_scale(motion.has_scale() ? motion.scale() : 1.0);
  return alone.SerializeAsString();
}

excitation::SupportHistory read_history(const config::SupportMotion& motion,
                                        const std::string& path) {
  const config::SupportHistory& given = motion.motion();
  const std::string here = path + ".motion";
  if (given.quantity() == config::SUPPORT_QUANTITY_DISPLACEMENT) {
    if (given.has_unit())
      throw SettingError(here + ".unit",
                         "is of accelerations; displacements are in m (rad)");
    return excitation::read_support_displacements(
        given.file(), motion.has_scale() ? motion.scale() : 1.0, here + ".file");
  }
  return excitation::SupportHistory::of_acceleration(read_support_motion(motion, path));
}

/// Supports of what has a law do not move.
/// @param moved  by their rows, who moves them
void refuse_laws_at_moving(const structure::StructuralModel& structure,
                           const std::map<int, std::string>& moved,
                           SettingErrorCollector& problems) {
  for (const structure::AssembledMember& member : structure.members) {
    if (!member.law) continue;
    for (const int row : member.held)
      if (const auto found = moved.find(row); found != moved.end())
        problems.add(found->second,
                     "moves " + structure.held.dofs[static_cast<std::size_t>(row)].name +
                         ", where the member `" + member.name +
                         "` begins or ends, which has fibres or is corotational; put an "
                         "elastic member (linear: true) between");
  }
  for (const structure::NonlinearSpring& spring : structure.springs)
    for (const structure::DofTerm& term : spring.held)
      if (const auto found = moved.find(term.equation); found != moved.end())
        problems.add(found->second,
                     "moves " +
                         structure.held.dofs[static_cast<std::size_t>(term.equation)].name +
                         ", where a spring, link or hinge with a law begins; put an "
                         "elastic member between");
}

/// A specimen rests before the test, and so must what it stands on.
void refuse_begin_elsewhere(const structure::StructuralModel& structure,
                            const SupportCase& support, const std::string& path,
                            SettingErrorCollector& problems) {
  const structure::HeldDofs::Matrix& sites = structure.held.site_stiffness;
  if (sites.size() == 0 ||
      std::none_of(support.rows.begin(), support.rows.end(),
                   [&sites](int row) { return sites.innerVector(row).nonZeros() > 0; }))
    return;
  const double first = support.history.at(-support.start).displacement;
  if (first != 0.0)
    problems.add(path + ".motion",
                 "begins at " + in_words(first) +
                     ", where a specimen that stands on it would have to jump; let it "
                     "begin at 0");
}

}  // namespace

std::vector<SupportCase> make_support_cases(const config::Excitation& excitation,
                                            const structure::StructuralModel& structure,
                                            const std::string& path) {
  SettingErrorCollector problems;
  std::vector<SupportCase> cases;
  if (excitation.supports().empty()) return cases;
  const bool none = excitation.record().empty() || excitation.record() == "none";
  if (!none || excitation.has_synthetic() || excitation.motions_size() > 0)
    problems.add(path + ".supports",
                 "stands beside motions of the ground, which move all supports alike; give "
                 "one of them");
  if (structure.held.dofs.empty())
    problems.add(path + ".supports", "are of a frame with supports; this model has none");
  if (structure.modal_damping.coefficient.size() > 0)
    problems.add(path + ".supports",
                 "cannot move with modal damping, which knows no supports; take rayleigh");
  std::vector<std::string> known;
  for (const structure::HeldDof& dof : structure.held.dofs) known.push_back(dof.name);
  std::map<int, std::string> moved;
  for (int i = 0; i < excitation.supports_size(); ++i) {
    const config::SupportMotion& motion = excitation.supports(i);
    const std::string here = path + ".supports[" + std::to_string(i) + "]";
    SupportCase made{.rows = {}, .history = {}, .start = motion.start()};
    for (int j = 0; j < motion.nodes_size(); ++j) {
      const std::string at = here + ".nodes[" + std::to_string(j) + "]";
      const std::string name = motion.nodes(j) + "." + name_of(motion.dof());
      const std::vector<int> rows = structure.held.rows(name);
      if (rows.empty()) {
        problems.add(at, "no support holds `" + name + "`, so that it could move" +
                             suggest(name, known));
        continue;
      }
      if (const auto first = moved.find(rows.front()); first != moved.end())
        problems.add(at, name + " moves by " + first->second + " already");
      for (const int row : rows) moved.emplace(row, here);
      made.rows.insert(made.rows.end(), rows.begin(), rows.end());
    }
    try {
      made.history = read_history(motion, here);
      refuse_begin_elsewhere(structure, made, here, problems);
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
    cases.push_back(std::move(made));
  }
  refuse_laws_at_moving(structure, moved, problems);
  problems.throw_if_any();
  return cases;
}

std::optional<std::string> common_support(const config::Excitation& excitation,
                                          const structure::StructuralModel& structure) {
  std::map<std::string, std::set<std::string>> held;  // directions of each node
  for (const structure::HeldDof& dof : structure.held.dofs)
    held[held_node(dof.name)].insert(held_direction(dof.name));
  std::map<std::string, std::string> motions;   // of held DOFs
  std::map<std::string, std::string> together;  // of directions
  for (const config::SupportMotion& motion : excitation.supports()) {
    const std::string along = std::string(".") + name_of(motion.dof());
    if (along.starts_with(".r") && held.size() > 1) return {};
    for (const std::string& node : motion.nodes())
      motions[node + along] = motion_alone(motion);
    together[along] = motion_alone(motion);
  }
  for (const auto& [node, directions] : held)
    for (const auto& [along, all] : together)
      if (directions.contains(along) && motions[node + along] != all) return {};
  std::optional<std::string> best;
  for (const auto& [node, directions] : held) {
    const bool holds = std::all_of(
        together.begin(), together.end(),
        [&of = directions](const auto& each) { return of.contains(each.first); });
    if (holds && (!best || directions.size() > held[*best].size())) best = node;
  }
  return together.empty() ? std::nullopt : best;
}

void use_common_support(const config::Excitation& excitation,
                        const structure::StructuralModel& structure,
                        std::vector<structure::ExperimentalPart>& parts) {
  if (excitation.supports().empty()) return;
  const std::optional<std::string> common = common_support(excitation, structure);
  if (!common) return;
  for (structure::ExperimentalPart& part : parts)
    if (part.support.empty()) part.support = *common;
}

excitation::SupportMotion sampled(const SupportCase& support,
                                  const structure::StructuralModel& structure,
                                  double time_step, std::int64_t steps) {
  const structure::HeldDofs& held = structure.held;
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(held.size());
  for (const int row : support.rows) moved[row] = 1.0;
  excitation::SupportMotion motion{.rows = support.rows,
                                   .by_displacement = -(held.stiffness.transpose() * moved),
                                   .by_velocity = -(held.damping.transpose() * moved),
                                   .by_acceleration = -(held.mass.transpose() * moved),
                                   .states = {}};
  if (held.site_stiffness.size() > 0) {
    motion.by_velocity -= held.site_damping.transpose() * moved;
    motion.by_acceleration -= held.site_mass.transpose() * moved;
  }
  motion.states.reserve(static_cast<std::size_t>(steps));
  for (std::int64_t k = 0; k < steps; ++k)
    motion.states.push_back(
        support.history.at(static_cast<double>(k) * time_step - support.start));
  return motion;
}

}  // namespace trestle::composition
