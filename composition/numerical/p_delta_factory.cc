#include "composition/numerical/p_delta_factory.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "composition/numerical/load_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "numerical/integration/buckling.h"
#include "numerical/integration/cholesky_factor.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/geometric_stiffness.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

struct Weights {
  Eigen::VectorXd load;
  std::vector<Eigen::VectorXd> on_members;  ///< one per member; size zero: none
};

Weights weights_of(const config::Excitation& given,
                   const structure::StructuralModel& structure) {
  // No history is read here: none belongs to gravity, which is told where loads are made.
  config::Excitation excitation = given;
  for (config::TimedLoad& load : *excitation.mutable_loads()) load.clear_history();
  const std::vector<LoadCase> loads = make_load_cases(excitation, structure, "excitation");
  Weights weights;
  weights.load = make_gravity_load(excitation, structure, loads, "excitation");
  weights.on_members.resize(structure.members.size());
  for (const excitation::MemberEndForces& ends :
       gravity_of_members(excitation, structure, loads)) {
    Eigen::VectorXd& sum = weights.on_members[ends.member];
    if (sum.size() == 0) sum = Eigen::VectorXd::Zero(ends.forces.size());
    sum += ends.forces;
  }
  return weights;
}

/// The translation that moves most in a mode.
std::string leading_dof(const structure::StructuralModel& structure,
                        const Eigen::VectorXd& shape) {
  std::string name;
  double most = 0.0;
  for (const structure::NamedDof& dof : structure.dofs) {
    if (shape.size() == 0 || dof.kind != DofKind::kTranslation) continue;
    const double moved = std::abs(shape[dof.equation]);
    if (moved <= most) continue;
    most = moved;
    name = dof.name;
  }
  return name;
}

/// What turns to first order in space, and exactly in a plane.
void refuse_first_order_turns(const config::Frame& frame, const std::string& path,
                              SettingErrorCollector& problems) {
  if (frame.diaphragms_size() > 0)
    problems.add(path + ".diaphragms",
                 "turn to first order, and the frame is corotational; take stiff members");
  for (int i = 0; i < frame.members_size(); ++i) {
    const config::Member& member = frame.members(i);
    if (member.linear()) continue;
    for (const auto& [given, key] : {std::pair{member.hinges_size() > 0, "hinges"},
                                     {member.has_releases(), "releases"},
                                     {member.has_plastic(), "plastic"}})
      if (given)
        problems.add(path + ".members[" + std::to_string(i) + "]." + key,
                     "would turn about axes at rest, and the frame is spatial and "
                     "corotational; put a short soft member there, or linear: true "
                     "for this one");
  }
}

/// What turns to first order only has no place in a frame that turns at will.
void read_corotational(const config::Frame& frame, structure::FrameModel& model,
                       const std::string& path, SettingErrorCollector& problems) {
  model.corotational = true;
  if (frame.rigid_links_size() > 0)
    problems.add(path + ".rigid_links",
                 "turn to first order, and the frame is corotational; take stiff members");
  for (int i = 0; i < frame.members_size(); ++i)
    if (frame.members(i).has_offsets() && !frame.members(i).linear())
      problems.add(
          path + ".members[" + std::to_string(i) + "].offsets",
          "turn to first order, and the frame is corotational; take stiff members, "
          "or linear: true for this one");
  if (model.spatial) refuse_first_order_turns(frame, path, problems);
}

}  // namespace

void read_geometry(const config::Frame& frame, structure::FrameModel& model,
                   const std::string& path, SettingErrorCollector& problems) {
  const bool p_delta = frame.geometry() == config::FRAME_GEOMETRY_P_DELTA;
  const bool corotational = frame.geometry() == config::FRAME_GEOMETRY_COROTATIONAL;
  if (!p_delta && frame.p_delta() != config::MEMBER_SWAY_CONSISTENT)
    problems.add(path + ".p_delta",
                 std::string("is of `geometry: p-delta`; this frame's geometry is ") +
                     (corotational ? "corotational" : "linear"));
  if (!p_delta && !corotational) {
    for (int i = 0; i < frame.members_size(); ++i)
      if (frame.members(i).linear())
        problems.add(
            path + ".members[" + std::to_string(i) + "].linear",
            "is of a frame with `geometry: p-delta` or `corotational`; all of this "
            "one is linear");
    return;
  }
  if (corotational) read_corotational(frame, model, path, problems);
  if (model.spatial) return;  // there it always is one
  for (structure::FrameMember& member : model.members) {
    if (member.hinge_from) member.released[0][2] = true;
    if (member.hinge_to) member.released[1][2] = true;
  }
}

void add_p_delta(structure::StructuralModel& structure, const config::Frame& frame,
                 const config::Excitation* excitation, const std::string& path) {
  if (frame.geometry() != config::FRAME_GEOMETRY_P_DELTA) return;
  const std::string here = path + ".geometry";
  if (excitation == nullptr || !excitation->has_gravity())
    throw SettingError(here,
                       "p-delta needs the axial forces of gravity, and the test has none; "
                       "give excitation.gravity, or take linear");
  const Weights weights = weights_of(*excitation, structure);
  const structure::SparseMatrix elastic = structure::combined_stiffness(structure);
  Eigen::VectorXd at_rest = weights.load;
  integration::CholeskyFactor(elastic).solve(at_rest);
  structure::add_geometric_stiffness(
      structure, structure::axial_forces(structure, at_rest, weights.on_members),
      frame.p_delta() == config::MEMBER_SWAY_CHORD
          ? structure::SecondOrderForm::kChord
          : structure::SecondOrderForm::kConsistent);
  const integration::Buckling buckling =
      integration::buckling(elastic, structure.geometric_stiffness);
  structure.buckling.factor = buckling.factor;
  structure.buckling.dof = leading_dof(structure, buckling.shape);
  if (buckling.factor > 1.0) return;
  throw SettingError(here, "the frame buckles at " + in_words(buckling.factor) +
                               " of its gravity load (lowest mode at `" +
                               structure.buckling.dof +
                               "`); make it stiffer, or reduce the load");
}

}  // namespace trestle::composition
