#include "studies/pushover/pushover.h"

#include <array>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/load_factory.h"
#include "composition/numerical/model_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "core/yaml/overrides.h"
#include "numerical/integration/static_newton.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/test.pb.h"

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

class Pushed {
 public:
  Pushed(const std::vector<structure::ExperimentalPart>& parts,
         const structure::StructuralModel& structure)
      : parts_(parts), structure_(structure) {}

  void begin(PushoverCurve& curve) const {
    for (const structure::ExperimentalPart& part : parts_)
      for (const std::string& name : part.dofs)
        curve.specimens.push_back({.site = part.site,
                                   .dof = name,
                                   .rotation = direction_of(name) < 0,
                                   .displacement = {},
                                   .force = {}});
  }

  /// @param moved  beyond gravity
  void add(const VectorXd& moved, PushoverCurve& curve) const {
    std::size_t at = 0;
    for (const structure::ExperimentalPart& part : parts_) {
      VectorXd own(static_cast<Eigen::Index>(part.dofs.size()));
      for (std::size_t i = 0; i < part.dofs.size(); ++i)
        own[static_cast<Eigen::Index>(i)] = moved[structure_.equation(part.dofs[i])];
      const VectorXd force = part.stiffness.size() > 0 ? VectorXd(part.stiffness * own)
                                                       : VectorXd::Zero(own.size());
      for (Eigen::Index i = 0; i < own.size(); ++i) {
        curve.specimens[at].displacement.push_back(own[i]);
        curve.specimens[at++].force.push_back(force[i]);
      }
    }
  }

 private:
  const std::vector<structure::ExperimentalPart>& parts_;
  const structure::StructuralModel& structure_;
};

std::string in_words(const integration::NoEquilibrium& error,
                     const structure::StructuralModel& structure) {
  std::string where = "equation " + std::to_string(error.equation() + 1);
  for (const structure::NamedDof& dof : structure.dofs)
    if (dof.equation == error.equation()) where = dof.name;
  return std::string(error.what()) + " (at " + where + ")";
}

}  // namespace

PushoverCurve push_over(const config::Test& test, const PushoverSettings& settings) {
  if (test.numerical().has_bridge() || test.numerical().has_bond_graph())
    throw SettingError("numerical",
                       "is no structure that can be pushed; take a frame, "
                       "shear_building, beam or matrices");
  const composition::NumericalParts parts = composition::numerical_parts(test);
  const structure::StructuralModel structure = composition::make_structure(
      test.numerical(), parts.experimental, "numerical", &test.excitation());
  const int equation = equation_of(structure, settings.dof);
  const std::vector<composition::LoadCase> loads =
      composition::make_load_cases(test.excitation(), structure, "excitation");
  const VectorXd pattern = pattern_of(structure, loads, settings);
  VectorXd gravity =
      composition::make_gravity_load(test.excitation(), structure, loads, "excitation");
  const bool heavy = gravity.size() > 0;
  if (!heavy) gravity = VectorXd::Zero(structure.equations);

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
  const VectorXd start = newton.displacement();
  const double sum = along(structure, direction_of(settings.dof)).dot(pattern);
  const Pushed pushed(parts.experimental, structure);
  PushoverCurve curve;
  curve.settings = settings;
  pushed.begin(curve);
  double factor = 0.0;
  const auto add = [&](double displacement) {
    curve.displacement.push_back(displacement);
    curve.factor.push_back(factor);
    curve.shear.push_back(factor * sum);
    pushed.add(newton.displacement() - start, curve);
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
