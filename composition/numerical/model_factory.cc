#include "composition/numerical/model_factory.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "composition/numerical/damping_factory.h"
#include "composition/numerical/frame_factory.h"
#include "composition/numerical/matrices_factory.h"
#include "composition/numerical/mechanics_factory.h"
#include "composition/numerical/p_delta_factory.h"
#include "composition/numerical/support_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/experimental_part.h"
#include "numerical/structure/frame_assembly.h"
#include "numerical/structure/load_path.h"
#include "numerical/structure/mechanism_check.h"
#include "numerical/structure/shear_building.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

/// A model before damping, and what was left out of it.
struct Draft {
  structure::StructuralModel structure;
  std::vector<std::string> fixed;
  /// Matrices that parts are taken out of when the damping of the whole is in.
  std::optional<structure::ImportedMatrices> whole;
};

Draft from_frame(structure::FrameModel model,
                 std::span<const structure::ExperimentalPart> parts) {
  // A specimen holds on to the rotations it shares, even where every member is hinged.
  std::unordered_set<std::string> held;
  for (const structure::ExperimentalPart& part : parts)
    held.insert(part.dofs.begin(), part.dofs.end());
  for (structure::FrameNode& node : model.nodes)
    for (const char* turn : {".rx", ".ry", ".rz"})
      if (held.contains(node.name + turn)) node.has_rotational_dof = true;
  std::vector<std::string> fixed = structure::fixed_dofs(model);
  return {structure::assemble(std::move(model)), std::move(fixed), {}};
}

Draft from_matrices(const config::Matrices& matrices, const std::string& path) {
  structure::ImportedMatrices given = given_matrices(matrices, path);
  structure::StructuralModel structure = structure::build_imported_model(given);
  if (given.without.empty()) return {std::move(structure), {}, {}};
  return {std::move(structure), {}, std::move(given)};
}

structure::StructuralModel shear_building(const config::ShearBuilding& building,
                                          const std::string& path) {
  SettingErrorCollector problems;
  std::unordered_set<std::string> names;
  std::vector<structure::Storey> storeys;
  for (int i = 0; i < building.storeys_size(); ++i) {
    const config::Storey& storey = building.storeys(i);
    const std::string here = path + ".storeys[" + std::to_string(i) + "]";
    structure::Storey read;
    read.name = storey.name();
    read.mass = storey.mass();
    read.stiffness = storey.stiffness();
    if (!names.insert(read.name).second)
      problems.add(here, "storey `" + read.name + "` is defined twice");
    if (storey.has_law() && storey.stiffness() != 0.0)
      problems.add(here, "both stiffness and law are given; give one of them");
    try {
      SettingErrorCollector::below(here, [&read] {
        // All of a storey's mass may stand in the laboratory; the integrators judge the
        // sum.
        require_at_least(read.mass, 0.0, "mass");
        require_at_least(read.stiffness, 0.0, "stiffness");
      });
      if (storey.law().has_linear()) {
        read.stiffness =
            make_restoring_force(storey.law(), here + ".law")->initial_stiffness();
      } else if (storey.has_law()) {
        read.law = make_restoring_force(storey.law(), here + ".law");
      }
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
    storeys.push_back(std::move(read));
  }
  if (storeys.empty())
    problems.add(path + ".storeys", "a building needs at least one storey");
  problems.throw_if_any();
  return trestle::structure::shear_building(std::move(storeys));
}

Draft draft(const config::Numerical& numerical,
            std::span<const structure::ExperimentalPart> parts, const std::string& path) {
  switch (numerical.model_case()) {
    case config::Numerical::kFrame:
      return from_frame(frame_model(numerical.frame(), path), parts);
    case config::Numerical::kBeam:
      return from_frame(beam_model(numerical.beam(), path), parts);
    case config::Numerical::kShearBuilding:
      return {shear_building(numerical.shear_building(), path), {}, {}};
    case config::Numerical::kMatrices:
      return from_matrices(numerical.matrices(), path);
    case config::Numerical::kBridge:     // built by numerical/bridge
    case config::Numerical::kBondGraph:  // and by numerical/bond_graph
    case config::Numerical::MODEL_NOT_SET:
      break;
  }
  throw SettingError(
      path,
      "no model given; describe a frame, shear_building, beam, matrices, bridge or "
      "bond_graph");
}

/// Returns the path of the model: `numerical.frame`.
std::string model_path(const config::Numerical& numerical, const std::string& path) {
  switch (numerical.model_case()) {
    case config::Numerical::kFrame:
      return path + ".frame";
    case config::Numerical::kShearBuilding:
      return path + ".shear_building";
    case config::Numerical::kBeam:
      return path + ".beam";
    case config::Numerical::kMatrices:
      return path + ".matrices";
    case config::Numerical::kBridge:     // built by numerical/bridge
    case config::Numerical::kBondGraph:  // and by numerical/bond_graph
    case config::Numerical::MODEL_NOT_SET:
      break;
  }
  return path;
}

const config::Damping& damping_of(const config::Numerical& numerical) {
  switch (numerical.model_case()) {
    case config::Numerical::kShearBuilding:
      return numerical.shear_building().damping();
    case config::Numerical::kBeam:
      return numerical.beam().damping();
    case config::Numerical::kMatrices:
      return numerical.matrices().damping();
    default:
      return numerical.frame().damping();
  }
}

bool stiffened_by(std::span<const structure::ExperimentalPart> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const structure::ExperimentalPart& part) {
                       return part.stiffness.size() > 0 && !part.stiffness.isZero(0.0);
                     });
}

void require_standing(const structure::StructuralModel& structure,
                      std::span<const structure::ExperimentalPart> parts,
                      const std::string& path) {
  SettingErrorCollector problems;
  for (const structure::Mechanism& mechanism : structure::mechanisms(structure))
    problems.add(path,
                 structure::describe(mechanism, stiffened_by(parts), structure.spatial));
  problems.throw_if_any();
}

}  // namespace

structure::StructuralModel make_structure(
    const config::Numerical& numerical, std::span<const structure::ExperimentalPart> parts,
    const std::string& path, const config::Excitation* excitation) {
  const std::string here = model_path(numerical, path);
  Draft model = draft(numerical, parts, here);
  if (model.structure.equations == 0)
    throw SettingError(here, "every DOF is fixed; nothing is left to move");
  if (model.whole) {
    add_damping(model.structure, damping_of(numerical), here + ".damping");
    structure::remove_parts(model.structure, *model.whole);
  }
  std::vector<structure::ExperimentalPart> standing(parts.begin(), parts.end());
  if (excitation != nullptr) use_common_support(*excitation, model.structure, standing);
  structure::add_experimental_parts(model.structure, standing, model.fixed);
  require_standing(model.structure, parts, here);
  if (numerical.has_frame())
    add_p_delta(model.structure, numerical.frame(), excitation, here);
  if (!model.whole) add_damping(model.structure, damping_of(numerical), here + ".damping");
  return std::move(model.structure);
}

structure::LoadPath make_load_path(const config::Numerical& numerical,
                                   const structure::StructuralModel& structure,
                                   const std::vector<std::string>& nodes,
                                   const std::string& path) {
  const std::string here = "numerical";
  structure::FrameModel model;
  if (numerical.has_frame()) {
    model = frame_model(numerical.frame(), model_path(numerical, here));
  } else if (numerical.has_beam()) {
    model = beam_model(numerical.beam(), model_path(numerical, here));
  } else {
    throw SettingError(path,
                       "a moving load needs a frame or a beam; this model has no members");
  }
  try {
    return structure::load_path(model, structure, nodes);
  } catch (const SettingError& error) {
    SettingErrorCollector problems;
    for (const SettingIssue& problem : error.problems())
      problems.add(path + problem.path, problem.what);
    problems.throw_if_any();
  }
  return {};
}

}  // namespace trestle::composition
