#include "studies/pushover/pushover.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/load_factory.h"
#include "composition/numerical/model_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/rigs/specimen_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "core/yaml/overrides.h"
#include "numerical/integration/static_newton.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/test.pb.h"
#include "studies/pushover/specimen_law.h"

namespace trestle::pushover {
namespace {

using Eigen::VectorXd;

constexpr int kGravityIncrements = 10;

/// Ground direction of a translation, or -1.
int direction_of(const std::string& dof) {
  const std::string kind = dof.substr(dof.rfind('.') + 1);
  constexpr std::array<const char*, 3> kNames{"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    if (kind == kNames[static_cast<std::size_t>(i)]) return i;
  return -1;
}

int equation_of(const structure::StructuralModel& structure, const std::string& name) {
  std::vector<std::string> known;
  for (const structure::NamedDof& dof : structure.dofs)
    if (direction_of(dof.name) >= 0) known.push_back(dof.name);
  const int equation = structure.equation(name);
  if (equation < 0 || direction_of(name) < 0)
    throw SettingError("--node", "the model has no free translation `" + name + "`" +
                                     suggest(name, known));
  return equation;
}

/// Displacements as the ground moves by one along a direction.
VectorXd along(const structure::StructuralModel& structure, int direction) {
  if (structure.influence.size() > 0) return structure.influence.col(direction);
  VectorXd moved = VectorXd::Zero(structure.equations);
  for (const structure::NamedDof& dof : structure.dofs)
    if (direction_of(dof.name) == direction) moved[dof.equation] = 1.0;
  return moved;
}

VectorXd pattern_of(const structure::StructuralModel& structure,
                    const std::vector<composition::LoadCase>& loads,
                    const PushoverSettings& settings) {
  const int direction = direction_of(settings.dof);
  VectorXd pattern = VectorXd::Zero(structure.equations);
  switch (settings.pattern) {
    case Pattern::kMass:
      pattern = -structure.base_load.col(direction);
      break;
    case Pattern::kMode1: {
      const structure::Modes modes = structure::lowest_modes(structure, 1);
      pattern = structure::combined_mass(structure) * modes.shapes.col(0);
      if (modes.shapes(structure.equation(settings.dof), 0) < 0.0) pattern = -pattern;
      break;
    }
    case Pattern::kLoads:
      for (const composition::LoadCase& load : loads)
        if (!load.of_gravity) structure::add_force(load.forces, 1.0, pattern);
      break;
  }
  if (pattern.isZero(0.0))
    throw SettingError(
        "--pattern",
        settings.pattern == Pattern::kLoads
            ? "the test has no loads beside gravity; name some under excitation.loads, or "
              "take mass"
            : "no mass moves along " + settings.dof + "; take another pattern");
  return pattern;
}

class PushedSpecimens {
 public:
  /// Gives the structure the laws of the specimens, as members of it.
  /// @param gravity  displacements under gravity
  PushedSpecimens(const config::Test& test,
                  const std::vector<structure::ExperimentalPart>& parts,
                  const VectorXd& gravity, structure::StructuralModel& structure) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const structure::ExperimentalPart& part = parts[i];
      Specimen specimen{.part = part, .equations = {}, .zero = {}, .law = nullptr};
      for (const std::string& name : part.dofs)
        specimen.equations.push_back(structure.equation(name));
      specimen.zero = VectorXd::Zero(static_cast<Eigen::Index>(part.dofs.size()));
      if (!part.gravity_applied) specimen.zero = gravity(specimen.equations);
      const config::Site& site = test.sites(static_cast<int>(i));
      if (site.rig().has_specimen()) {
        specimen.by = SpecimenForce::kLaw;
        if (has_law(site.rig().specimen())) give_law(site, specimen, structure);
      }
      specimens_.push_back(std::move(specimen));
    }
  }

  void begin(PushoverCurve& curve) const {
    for (const Specimen& specimen : specimens_)
      for (const std::string& name : specimen.part.dofs)
        curve.specimens.push_back({.site = specimen.part.site,
                                   .dof = name,
                                   .rotation = direction_of(name) < 0,
                                   .by = specimen.by,
                                   .displacement = {},
                                   .force = {}});
  }

  /// @param displacement  of the structure, at which the laws were committed
  void add(const VectorXd& displacement, PushoverCurve& curve) const {
    std::size_t at = 0;
    for (const Specimen& specimen : specimens_) {
      const VectorXd own = displacement(specimen.equations) - specimen.zero;
      VectorXd force = VectorXd::Zero(own.size());
      if (specimen.part.stiffness.size() > 0) force = specimen.part.stiffness * own;
      if (specimen.law) force += specimen.law->beyond();
      for (Eigen::Index i = 0; i < own.size(); ++i) {
        curve.specimens[at].displacement.push_back(own[i]);
        curve.specimens[at++].force.push_back(force[i]);
      }
    }
  }

 private:
  struct Specimen {
    const structure::ExperimentalPart& part;
    std::vector<int> equations;
    VectorXd zero;  // displacements of the structure at which it is at rest
    std::shared_ptr<SpecimenLaw> law;
    SpecimenForce by = SpecimenForce::kNone;
  };

  /// The force of all others is that of K_e.
  static bool has_law(const config::Specimen& specimen) {
    return specimen.has_column() || specimen.has_springs() || specimen.has_frame();
  }

  static void give_law(const config::Site& site, Specimen& specimen,
                       structure::StructuralModel& structure) {
    const Eigen::Index dofs = specimen.zero.size();
    if (site.force_only_size() > 0 || dofs > structure::MemberLaw::kMostCoordinates) {
      specimen.by = SpecimenForce::kInitialStiffness;
      return;
    }
    specimen.law = std::make_shared<SpecimenLaw>(
        composition::make_specimen(site.rig().specimen(), static_cast<int>(dofs), 0,
                                   "sites." + site.name() + ".rig.specimen"),
        specimen.part.stiffness, specimen.zero);
    structure::AssembledMember member;
    member.name = site.name();
    member.equations = specimen.equations;
    member.ends = Eigen::MatrixXd::Identity(dofs, dofs);
    member.stiffness = specimen.part.stiffness;
    member.law = specimen.law;
    structure.members.push_back(std::move(member));
  }

  std::vector<Specimen> specimens_;
};

std::string in_words(const integration::NoEquilibrium& error,
                     const structure::StructuralModel& structure) {
  std::string where = "equation " + std::to_string(error.equation() + 1);
  for (const structure::NamedDof& dof : structure.dofs)
    if (dof.equation == error.equation()) where = dof.name;
  return std::string(error.what()) + " (at " + where + ")";
}

/// Displacements under gravity, specimens with their initial stiffness, as a run has them.
VectorXd under_gravity(const config::Test& test,
                       const structure::StructuralModel& structure, const VectorXd& gravity,
                       bool heavy) {
  integration::StaticNewton newton(structure);
  try {
    const config::Gravity& given = test.excitation().gravity();
    const int increments =
        given.has_steps() ? static_cast<int>(given.steps()) : kGravityIncrements;
    for (int i = 1; heavy && i <= increments; ++i)
      newton.reach(static_cast<double>(i) / increments * gravity,
                   static_cast<double>(i) / increments);
  } catch (const integration::NoEquilibrium& error) {
    throw SettingError("excitation.gravity", in_words(error, structure));
  }
  return newton.displacement();
}

}  // namespace

PushoverCurve push_over(const config::Test& test, const PushoverSettings& settings) {
  if (test.numerical().has_bridge() || test.numerical().has_bond_graph())
    throw SettingError("numerical",
                       "is no structure that can be pushed; take a frame, "
                       "shear_building, beam or matrices");
  const composition::NumericalParts parts = composition::numerical_parts(test);
  structure::StructuralModel structure = composition::make_structure(
      test.numerical(), parts.experimental, "numerical", &test.excitation());
  const int equation = equation_of(structure, settings.dof);
  const std::vector<composition::LoadCase> loads =
      composition::make_load_cases(test.excitation(), structure, "excitation");
  const VectorXd pattern = pattern_of(structure, loads, settings);
  VectorXd gravity =
      composition::make_gravity_load(test.excitation(), structure, loads, "excitation");
  const bool heavy = gravity.size() > 0;
  if (!heavy) gravity = VectorXd::Zero(structure.equations);

  const VectorXd settled = under_gravity(test, structure, gravity, heavy);
  const PushedSpecimens specimens(test, parts.experimental, settled, structure);
  integration::StaticNewton newton(structure, settled);
  if (heavy && std::any_of(parts.experimental.begin(), parts.experimental.end(),
                           [](const auto& part) { return part.gravity_applied; })) {
    try {
      newton.reach(gravity, 1.0);
    } catch (const integration::NoEquilibrium& error) {
      throw SettingError("excitation.gravity", in_words(error, structure));
    }
  }
  const VectorXd start = newton.displacement();
  const double sum = along(structure, direction_of(settings.dof)).dot(pattern);
  PushoverCurve curve;
  curve.settings = settings;
  specimens.begin(curve);
  double factor = 0.0;
  const auto add = [&](double displacement) {
    curve.displacement.push_back(displacement);
    curve.factor.push_back(factor);
    curve.shear.push_back(factor * sum);
    specimens.add(newton.displacement(), curve);
  };
  add(0.0);
  try {
    for (int i = 1; i <= settings.steps; ++i) {
      const double displacement =
          settings.displacement * static_cast<double>(i) / settings.steps;
      newton.push(gravity, pattern, equation, start[equation] + displacement, factor);
      add(displacement);
    }
  } catch (const integration::NoEquilibrium& error) {
    curve.ended = in_words(error, structure);
  }
  return curve;
}

PushoverCurve push_over_file(const std::string& file,
                             const std::vector<std::string>& overrides,
                             const std::string& software,
                             const PushoverSettings& settings) {
  const auto setup = composition::load_hybrid_test(
      file, yaml::parse_command_line_overrides(overrides), software);
  return push_over(setup->test, settings);
}

}  // namespace trestle::pushover
