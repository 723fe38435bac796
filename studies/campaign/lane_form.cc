#include "studies/campaign/lane_form.h"

#include <algorithm>

#include "adapters/simulated/kinematic_specimen.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/simulated_rig.h"
#include "numerical/substructure/substructure_with_reference.h"
#include "site-servers/compensators/narx_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "studies/campaign/recalled_reference.h"
#include "studies/lanes/lane_parts.h"

namespace trestle::campaign {
namespace {

void require_lanes(bool possible, const std::string& why) {
  if (!possible) throw NotBatchable(why);
}

bool same_geometry(const kinematics::CouplerFrame& a, const kinematics::CouplerFrame& b) {
  std::vector<double> sizes[2];
  for (const auto* frame : {&a, &b}) {
    lanes::FieldWriter write(sizes[frame == &a ? 0 : 1]);
    kinematics::CouplerGeometry<double>::fields(frame->geometry(), write);
  }
  return sizes[0] == sizes[1] &&
         a.geometry().sine_in_inverse == b.geometry().sine_in_inverse;
}

template <typename Values>
bool same_values(const Values& a, const Values& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same_noise(const simulated::SensorNoise& a, const simulated::SensorNoise& b) {
  if (a.displacement != b.displacement || a.sequences.size() != b.sequences.size())
    return false;
  for (std::size_t i = 0; i < a.sequences.size(); ++i) {
    if (a.sequences[i].has_value() != b.sequences[i].has_value()) return false;
    if (!a.sequences[i]) continue;
    SnapshotWriter mine;
    SnapshotWriter theirs;
    a.sequences[i]->save(mine);
    b.sequences[i]->save(theirs);
    if (mine.values() != theirs.values()) return false;
  }
  return true;
}

void require_plain_pace(const composition::HybridTestSetup& setup) {
  require_lanes(setup.integrator.sites.size() == 1 && setup.sites_here.size() == 1,
                "it has not exactly one site");
  require_lanes(setup.integrator.mode == ExecutionMode::kSimulated &&
                    setup.integrator.pace.virtual_clock &&
                    setup.integrator.pace.latency_steps == 0,
                "its steps are not those of lock-step on the virtual clock");
  require_lanes(setup.integrator.sites.front().ticks_per_step == 1,
                "a step of it has more than one control tick");
  require_lanes(!setup.sites_here.front().link, "it emulates a network");
}

}  // namespace

LaneForm::LaneForm(composition::HybridTestSetup& setup) : setup_(setup) {
  require_plain_pace(setup);
  setup.sites_here.front().rig->prepare(
      {.tick = setup.integrator.time_step, .seed = setup.integrator.seed});
  find_structure();
  find_integrator();
  find_rig();
  find_control();
  find_narx();
}

void LaneForm::find_structure() {
  const NumericalSubstructure* test = setup_.substructure.get();
  if (const auto* both =
          dynamic_cast<const substructure::SubstructureWithReference*>(test)) {
    const auto* recalled = dynamic_cast<const RecalledReference*>(&both->reference());
    require_lanes(recalled != nullptr,
                  "a draw reaches its reference, or no run of it came to its end");
    reference_ = recalled->rows();
    test = &both->test();
  }
  structure_ = dynamic_cast<const substructure::StructuralSubstructure*>(test);
  require_lanes(structure_ != nullptr,
                "its numerical part is no structure of mass, damping and stiffness");
  const substructure::StructuralSubstructureParts& parts = structure_->parts();
  require_lanes(parts.structure.springs.empty(), "its structure has nonlinear springs");
  require_lanes(std::all_of(parts.structure.members.begin(), parts.structure.members.end(),
                            [](const structure::AssembledMember& member) {
                              return member.law == nullptr;
                            }),
                "it has fibre members or corotational geometry");
  require_lanes(!parts.record_energies && parts.outputs.members.empty(),
                "it records energies, or forces of members");
  require_lanes(parts.outputs.supports.nodes.empty() && !parts.outputs.supports.base &&
                    parts.outputs.storeys.empty() && parts.outputs.links.empty(),
                "it records reactions, storeys or links");
  require_lanes(!parts.excitation.moves_supports(), "its supports move by themselves");
  const substructure::InitialState& initial = parts.initial;
  require_lanes(initial.gravity.size() == 0 && initial.displacement.size() == 0 &&
                    initial.velocity.size() == 0 && initial.preload.empty(),
                "it does not begin at rest without gravity");
  require_lanes(parts.interfaces.size() == 1 && parts.undivided.empty(),
                "its numerical part has not exactly one interface");
  for (const structure::NamedDof& dof : parts.recorded) recorded_.push_back(dof.equation);
}

void LaneForm::find_integrator() {
  integrator_ = dynamic_cast<const integration::ConstantAverageAcceleration*>(
      &structure_->integrator());
  require_lanes(integrator_ != nullptr && integrator_->uses_previous_step_force(),
                "its integrator is not constant-average-acceleration with site_force: "
                "of-last-step");
  rows_ = integrator_->unbalanced().rows();
  require_lanes(!rows_.start.empty() && integrator_->effective().inverse().size() > 0 &&
                    !integrator_->effective().has_modal_part(),
                "its structure has no full damping matrix, or more than 48 equations");
}

void LaneForm::find_rig() {
  const auto* rig =
      dynamic_cast<const simulated::SimulatedRig*>(setup_.sites_here.front().rig.get());
  require_lanes(rig != nullptr, "its rig is not simulated, or loaded by its specimen");
  require_lanes(rig->specimen_input() == simulated::SpecimenInput::kMeasuredDisplacement,
                "its force is not computed from the measured displacement");
  require_lanes(!rig->has_estimator(), "its rig has an estimator of its state");
  require_lanes(!rig->has_dropout(), "its transducers drop out");
  const auto* frame = dynamic_cast<const kinematics::CouplerFrame*>(&rig->frame());
  const auto* outer = dynamic_cast<const kinematics::CouplerFrame*>(
      setup_.sites_here.front().settings.loading_frame.get());
  require_lanes(frame != nullptr && outer != nullptr && same_geometry(*frame, *outer),
                "its loading frame is no coupler");
  const auto* actuators =
      dynamic_cast<const simulated::LinearActuators*>(&rig->actuators());
  const math::SampledSystem* const sampled =
      actuators == nullptr ? nullptr : actuators->without_feedthrough();
  require_lanes(sampled != nullptr,
                "its actuators are no linear system without feedthrough");
  const auto* specimen =
      dynamic_cast<const simulated::KinematicSpecimen*>(&rig->specimen());
  require_lanes(specimen != nullptr && specimen->dofs() == forces() &&
                    interface().controlled.size() == lanes::kLaneActuators &&
                    std::equal(interface().controlled.begin(), interface().controlled.end(),
                               interface().equations.begin()),
                "its specimen is not kinematic");
  noise_ = &rig->noise();
  for (Eigen::Index i = 0; i < lanes::kLaneActuators; ++i)
    require_lanes((noise_->sequences[static_cast<std::size_t>(i)] ||
                   noise_->displacement(i) == 0.0) &&
                      noise_->force(i) == 0.0,
                  "its transducers have noise that is no published sequence");
  actuator_states_ = sampled->step().state.size();
  sine_in_inverse_ = frame->geometry().sine_in_inverse;
  lanes::FieldWriter write(parts_);
  kinematics::CouplerGeometry<double>::fields(frame->geometry(), write);
  math::SampledStep<double>::fields(sampled->step(), write);
  simulated::KinematicStep<double>::fields(specimen->step(), write);
}

void LaneForm::find_control() {
  require_lanes(site().specimen_mass.empty(),
                "its site leaves out the inertia of the specimen");
  for (const ActuatorLimits& limits : site().limits)
    require_lanes(limits.energy_error == ActuatorLimits::kNone,
                  "a limit of it is on the energy error");
  const ControlChainFactory& chain = *setup_.sites_here.front().settings.control_chain;
  const double tick = setup_.integrator.time_step;
  compensator_ = chain.make_compensator(site().compensator, lanes::kLaneActuators, tick);
  controller_ = chain.make_controller(site().controller, lanes::kLaneActuators, tick);
  forwards_targets_ =
      dynamic_cast<const compensators::NoCompensator*>(compensator_.get()) != nullptr &&
      dynamic_cast<const controllers::PassThrough*>(controller_.get()) != nullptr;
}

/// NARX of motion taps is computed for all lanes at once, any other compensator one by one.
void LaneForm::find_narx() {
  lanes::LaneParts<double> parts;
  auto* const narx = dynamic_cast<compensators::NarxCompensator*>(compensator_.get());
  if (narx != nullptr && narx->step(0) &&
      dynamic_cast<const controllers::PassThrough*>(controller_.get()) != nullptr) {
    narx_ = narx;
    for (int i = 0; i < lanes::kLaneActuators; ++i) parts.narx[i] = *narx->step(i);
  }
  lanes::FieldWriter write(parts_);
  for (const auto& actuator : parts.narx)
    compensators::NarxStep<double>::fields(actuator, write);
}

int LaneForm::narx_window() const noexcept {
  return narx_ == nullptr ? 0 : narx_->window();
}

/// Lanes share one layout: fewer taps and a longer filter have as many numbers as more taps
/// and a shorter one.
Eigen::Index LaneForm::narx_taps() const noexcept {
  return narx_ == nullptr ? 0 : narx_->coefficients(0).size();
}

void LaneForm::take_over(int actuator,
                         std::span<const double> coefficients) const noexcept {
  if (narx_ != nullptr) narx_->take_over(actuator, coefficients);
}

bool LaneForm::fits(const LaneForm& other) const {
  const substructure::StructuralSubstructureParts& mine = structure_->parts();
  const substructure::StructuralSubstructureParts& theirs = other.structure_->parts();
  return steps() == other.steps() &&
         setup_.integrator.time_step == other.setup_.integrator.time_step &&
         reference_ == other.reference_ && same_values(rows_.start, other.rows_.start) &&
         same_values(rows_.column, other.rows_.column) &&
         std::equal(rows_.entries.begin(), rows_.entries.end(), other.rows_.entries.begin(),
                    other.rows_.entries.end(),
                    [](const auto& a, const auto& b) { return (a == b).all(); }) &&
         integrator_->effective().inverse() == other.integrator_->effective().inverse() &&
         mine.excitation.surely_equals(theirs.excitation) &&
         interface().equations == other.interface().equations &&
         recorded_ == other.recorded_ && site().limits == other.site().limits &&
         site().layout == other.site().layout && same_noise(*noise_, *other.noise_) &&
         sine_in_inverse_ == other.sine_in_inverse_ &&
         forwards_targets_ == other.forwards_targets_ &&
         narx_window() == other.narx_window() && narx_taps() == other.narx_taps() &&
         actuator_states_ == other.actuator_states_ && parts_.size() == other.parts_.size();
}

void LaneForm::describe(lanes::LaneProblem& problem) const {
  problem.time_step = setup_.integrator.time_step;
  problem.equations = structure_->parts().structure.equations;
  problem.rows = {rows_.start.size() - 1, rows_.start.data(), rows_.column.data(),
                  rows_.entries.data()};
  problem.inverse = integrator_->effective().inverse().data();
  problem.forces = forces();
  problem.force_equations = interface().equations.data();
  problem.recorded = recorded();
  problem.recorded_equations = recorded_.data();
  problem.sine_in_inverse = sine_in_inverse_;
  problem.forwards_targets = forwards_targets_;
  problem.narx_window = narx_window();
  for (std::size_t i = 0; i < lanes::kLaneActuators; ++i) {
    const ActuatorLimits limits =
        i < site().limits.size() ? site().limits[i] : ActuatorLimits{};
    problem.limits[i] = {.displacement = limits.displacement,
                         .rate = limits.rate,
                         .acceleration = limits.acceleration,
                         .force = limits.force,
                         .tracking_error = limits.tracking_error,
                         .target = site().layout[i].displacement_limit};
  }
}

std::vector<double> LaneForm::loads() const {
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure_->parts().structure.equations);
  std::vector<double> table;
  table.reserve(static_cast<std::size_t>(steps() * load.size()));
  for (std::int64_t step = 0; step < steps(); ++step) {
    structure_->parts().excitation.load(step, load);
    table.insert(table.end(), load.begin(), load.end());
  }
  return table;
}

std::vector<double> LaneForm::noise() const {
  auto sequences = noise_->sequences;
  std::vector<double> table;
  for (std::int64_t read = 0; read <= steps(); ++read)
    for (std::size_t i = 0; i < lanes::kLaneActuators; ++i)
      table.push_back(sequences[i] ? noise_->displacement(static_cast<Eigen::Index>(i)) *
                                         sequences[i]->next()
                                   : 0.0);
  return table;
}

}  // namespace trestle::campaign
