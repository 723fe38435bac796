#include "composition/rigs/frame_specimen_factory.h"

#include <algorithm>
#include <vector>

#include "adapters/simulated/frame_specimen.h"
#include "composition/numerical/damping_factory.h"
#include "composition/numerical/frame_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/frame_assembly.h"
#include "numerical/structure/mechanism_check.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {
namespace {

/// Two dense solves of this size are done in a few microseconds of a control tick.
constexpr int kMostEquations = 150;

using Names = google::protobuf::RepeatedPtrField<std::string>;

void check_size(const Names& names, int interface_dofs, const std::string& path) {
  if (names.size() != interface_dofs)
    throw SettingError(path, "names " + std::to_string(names.size()) +
                                 " DOFs; the site has " + std::to_string(interface_dofs) +
                                 " interface DOFs");
}

/// The rotation of an interface node is a DOF even where all members are hinged to it.
void keep_rotations(structure::FrameModel& model, const Names& names) {
  for (structure::FrameNode& node : model.nodes)
    for (const char* turn : {".rx", ".ry", ".rz"})
      if (std::find(names.begin(), names.end(), node.name + turn) != names.end())
        node.has_rotational_dof = true;
}

std::string why_not(const std::string& name, const structure::StructuralModel& structure,
                    const std::vector<std::string>& fixed) {
  if (std::find(fixed.begin(), fixed.end(), name) != fixed.end())
    return name + " is fixed by a support of the frame; the rig must be free to move it";
  std::vector<std::string> known;
  for (const structure::NamedDof& dof : structure.dofs) known.push_back(dof.name);
  return "the frame has no DOF `" + name + "`" + suggest(name, known);
}

std::vector<int> interface_equations(const Names& names,
                                     const structure::StructuralModel& structure,
                                     const std::vector<std::string>& fixed,
                                     const std::string& path) {
  std::vector<int> equations;
  SettingErrorCollector problems;
  for (int i = 0; i < names.size(); ++i) {
    const std::string entry = path + "[" + std::to_string(i) + "]";
    const int equation = structure.equation(names[i]);
    if (equation < 0) {
      problems.add(entry, why_not(names[i], structure, fixed));
      continue;
    }
    if (std::find(equations.begin(), equations.end(), equation) != equations.end())
      problems.add(entry, names[i] +
                              " is an interface DOF already, by this name or by that of "
                              "a node on the same rigid floor");
    equations.push_back(equation);
  }
  problems.throw_if_any();
  return equations;
}

/// The inner DOFs alone, the interface held.
structure::StructuralModel held_structure(const structure::StructuralModel& structure,
                                          const std::vector<int>& interface) {
  structure::StructuralModel held;
  std::vector<int> inner(static_cast<std::size_t>(structure.equations));
  for (int i = 0; i < structure.equations; ++i)
    inner[static_cast<std::size_t>(i)] =
        std::find(interface.begin(), interface.end(), i) == interface.end()
            ? held.equations++
            : -1;
  for (const structure::NamedDof& dof : structure.dofs)
    if (const int row = inner[static_cast<std::size_t>(dof.equation)]; row >= 0)
      held.dofs.push_back({dof.name, dof.kind, row});
  const structure::SparseMatrix K = structure::numerical_stiffness(structure);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < K.outerSize(); ++j)
    for (structure::SparseMatrix::InnerIterator entry(K, j); entry; ++entry) {
      const int row = inner[static_cast<std::size_t>(entry.row())];
      const int column = inner[static_cast<std::size_t>(entry.col())];
      if (row >= 0 && column >= 0) entries.emplace_back(row, column, entry.value());
    }
  const int n = held.equations;
  held.stiffness.resize(n, n);
  held.stiffness.setFromTriplets(entries.begin(), entries.end());
  for (structure::SparseMatrix* matrix :
       {&held.mass, &held.damping, &held.experimental_mass, &held.experimental_damping,
        &held.experimental_stiffness})
    matrix->resize(n, n);
  return held;
}

void check_mechanisms(const structure::StructuralModel& structure,
                      const std::vector<int>& interface, const std::string& path) {
  SettingErrorCollector problems;
  for (const structure::Mechanism& mechanism :
       structure::mechanisms(held_structure(structure, interface)))
    problems.add(path, "while the rig holds the interface, " +
                           structure::describe(mechanism, false));
  problems.throw_if_any();
}

void damp(structure::StructuralModel& structure, const config::Damping& damping,
          const std::string& path) {
  if (damping.rayleigh().stiffness() == config::RAYLEIGH_STIFFNESS_TANGENT)
    throw SettingError(
        path + ".rayleigh.stiffness",
        "is tangent, which is for the numerical part with kind: implicit; of "
        "a specimen take initial or elastic");
  try {
    add_damping(structure, damping, path);
  } catch (const SettingError&) {
    throw;
  } catch (const std::exception&) {
    // Its modes are those of the frame with a free interface.
    throw SettingError(path,
                       "the frame alone has no modes to put damping ratios on: without "
                       "the rig it is a mechanism; give Rayleigh factors");
  }
}

}  // namespace

std::unique_ptr<SpecimenModel> make_frame_specimen(const config::FrameSpecimen& specimen,
                                                   int interface_dofs,
                                                   const std::string& path) {
  check_size(specimen.interface(), interface_dofs, path + ".interface");
  if (specimen.frame().geometry() != config::FRAME_GEOMETRY_LINEAR)
    throw SettingError(
        path + ".frame.geometry",
        "must be linear: a simulated specimen has neither the axial forces of "
        "gravity nor large displacements; take linear");
  if (specimen.frame().links_size() > 0)
    throw SettingError(path + ".frame.links",
                       "are of the numerical part; a specimen has springs and hinges");
  for (int i = 0; i < specimen.frame().sections_size(); ++i)
    if (specimen.frame().sections(i).has_fibres())
      throw SettingError(path + ".frame.sections[" + std::to_string(i) + "].fibres",
                         "are of the numerical part; a specimen has springs and hinges");
  structure::FrameModel model = frame_model(specimen.frame(), path + ".frame");
  keep_rotations(model, specimen.interface());
  const std::vector<std::string> fixed = structure::fixed_dofs(model);
  structure::StructuralModel structure = structure::assemble(std::move(model));
  if (structure.equations > kMostEquations)
    throw SettingError(path + ".frame", "has " + std::to_string(structure.equations) +
                                            " free DOFs; a specimen that is integrated "
                                            "with the control tick may have " +
                                            std::to_string(kMostEquations));
  const std::vector<int> interface =
      interface_equations(specimen.interface(), structure, fixed, path + ".interface");
  check_mechanisms(structure, interface, path + ".frame");
  if (specimen.frame().has_damping())
    damp(structure, specimen.frame().damping(), path + ".frame.damping");
  return std::make_unique<simulated::FrameSpecimen>(std::move(structure), interface);
}

}  // namespace trestle::composition
