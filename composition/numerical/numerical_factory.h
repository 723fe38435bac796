#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/ports/specimen_model.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Test;
}

namespace trestle::composition {

/// The facts about the sites that the numerical substructure needs, in the order of the
/// test.
struct NumericalParts {
  std::vector<structure::ExperimentalPart> experimental;
  /// One per part: the specimens of the undivided reference. Empty: a hybrid test.
  std::vector<std::unique_ptr<SpecimenModel>> undivided;
  /// One per part: the specimens of the undivided structure that is computed along.
  std::vector<std::unique_ptr<SpecimenModel>> reference;
};

/// Where the structure stands under gravity.
struct GravityReport {
  bool acts = false;
  double settlement = 0.0;  ///< largest vertical displacement [m]
  std::string settlement_dof;
  double drift = 0.0;  ///< largest sideways displacement [m]
  std::string drift_dof;
  /// Of gravity's axial forces at which the frame buckles, specimens included; infinite:
  /// at none; zero: not looked for, its geometry is linear.
  double buckling_factor = 0.0;
  std::string buckling_dof;          ///< that moves most then
  std::vector<std::string> applied;  ///< sites whose specimens step 0 takes there
};

/// Motion of a DOF in each mode, mass-normal.
struct ModeShapeRow {
  std::string dof;
  std::vector<double> modes;  ///< one per mode [1/√kg | rad/(m·√kg)]
};

/// One mode of the structure, specimens included.
struct ModeReport {
  double period = 0.0;  ///< [s]
  double ratio = 0.0;   ///< of critical damping
  /// Mass that moves with it as the ground does along x, y, z [kg].
  std::array<double, 3> effective_mass{};
};

/// One recorded storey, in space in one direction.
struct StoreyReport {
  std::string name;
  double height = 0.0;  ///< [m]
  std::size_t columns = 0;
  std::size_t specimens = 0;  ///< DOFs of specimens that its shear holds
};

/// A hinge that is rigid until it yields.
struct RigidHingeReport {
  std::string name;        ///< `<member>.from.rz`
  double hardening = 0.0;  ///< stiffness after yield, over that before
};

/// A link that is a friction pendulum.
struct PendulumReport {
  std::string name;
  double weight = 0.0;  ///< constant [N]
};

/// The support whose motion a specimen's base has, while supports move.
struct SpecimenBaseReport {
  std::string site;
  std::string support;
  bool named = true;  ///< by the site; else any would do, as all supports move alike
};

/// Supports that move each by itself.
struct MovingSupportsReport {
  std::vector<std::string> nodes;
  std::vector<SpecimenBaseReport> bases;  ///< one per site
};

/// Members that follow their chords at any displacement.
struct ChordReport {
  std::size_t members = 0;  ///< parts of members, too
  bool in_space = false;
};

/// What `trestle check` tells of it.
struct NumericalReport {
  int equations = 0;
  std::string counted = "free DOFs";  ///< name of the equations
  std::vector<double> periods;        ///< of the first modes, specimens included [s]
  std::vector<double> ratios;         ///< their damping ratios
  std::string integrator;
  double stable_time_step = 0.0;  ///< [s]; infinite: unconditional; NaN: no limit known
  std::int64_t steps = 0;
  double duration = 0.0;  ///< [s]
  GravityReport gravity;
  std::vector<ModeReport> modes;        ///< more of them than periods, where they are cheap
  std::array<double, 3> moving_mass{};  ///< in all modes, along x, y, z [kg]
  std::vector<ModeShapeRow> shapes;     ///< of all DOFs that move
  std::array<bool, 3> shaken{};         ///< whether the ground moves along x, y, z
  MovingSupportsReport moving_supports;
  ChordReport chords;
  std::vector<RigidHingeReport> rigid_hinges;
  std::vector<PendulumReport> pendulums;
  bool tangent_damping = false;        ///< Rayleigh's follows what yields
  std::vector<std::string> reactions;  ///< nodes whose support reactions are recorded
  std::vector<StoreyReport> storeys;   ///< that are recorded
};

/// Makes the numerical substructure of a test: model, integrator, excitation, record; and
/// its reference, if it has one. A reference given as numerical without a model uses the
/// test's own matrices with the removed parts; without an integrator it uses the test's.
/// @param report  filled if given
/// @throws SettingError with all problems that can be told at once
std::unique_ptr<NumericalSubstructure> make_numerical(const config::Test& test,
                                                      NumericalParts parts,
                                                      NumericalReport* report);

}  // namespace trestle::composition
