#include "studies/pretest/demand_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "adapters/simulated/linear_specimen.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/substructure_factory.h"
#include "composition/sites/control_factory.h"
#include "composition/sites/kinematics_factory.h"
#include "core/base/setting_error.h"
#include "numerical/substructure/site_bases.h"
#include "numerical/substructure/structural_substructure.h"
#include "site-servers/node/agreed_limits.h"

namespace trestle::pretest {
namespace {

/// The columns of a site's motion in the substructure's record, and the conversion to
/// strokes.
struct Probe {
  std::vector<std::size_t> displacement;
  std::vector<std::size_t> velocity;
  std::vector<std::size_t> acceleration;
  std::unique_ptr<const LoadingFrame> frame;
  /// The specimen's force per displacement, velocity and acceleration of the structure, at
  /// the rates of the laboratory; including its own inertia, which the site's load cells
  /// measure.
  Eigen::MatrixXd stiffness;
  Eigen::MatrixXd damping;
  Eigen::MatrixXd mass;
  std::vector<std::size_t> force;  ///< where it is recorded; empty: by the stiffness
  InterfaceLayout layout;          ///< with the rates that its ramps keep
  double scale = 1.0;              ///< of the wall's time over the structure's
  bool ramps = false;              ///< pseudo-dynamic
  InterfaceVector last;            ///< where its last ramp ended; size zero: at rest
};

/// How long the ramp over this way takes (ramp_motion.h).
double ramp_time(const InterfaceLayout& layout, const InterfaceVector& way) {
  constexpr double kPeakRate = 1.5;
  constexpr double kPeakAcceleration = 6.0;
  double time = 0.0;
  for (Eigen::Index i = 0; i < way.size(); ++i) {
    const InterfaceDof& dof = layout[static_cast<std::size_t>(i)];
    const double length = std::abs(way[i]);
    time = std::max({time, kPeakRate * length / dof.rate_limit,
                     std::sqrt(kPeakAcceleration * length / dof.acceleration_limit)});
  }
  return time;
}

/// The interface of a site as its own motion keeps to it.
InterfaceLayout paced_layout(const config::Test& test, int index,
                             const LoadingFrame& frame) {
  const config::Site& site = test.sites(index);
  const std::string path = "sites[" + std::to_string(index) + "]";
  InterfaceLayout layout = composition::interface_layout(site, path);
  layout.resize(static_cast<std::size_t>(site.interface_size()));
  const int actuators = frame.actuators();
  RigLimits limits = composition::make_limits(site.limits(), actuators, path + ".limits");
  limits.resize(static_cast<std::size_t>(actuators));
  site_node::limit_rates_to_actuators(limits, frame, layout);
  const PacingSettings pace = composition::make_pacing(test);
  for (InterfaceDof& dof : layout)
    dof.rate_limit = std::min(
        dof.rate_limit, dof.kind == DofKind::kRotation ? pace.rotation_rate : pace.rate);
  return layout;
}

std::size_t column(const Channels& channels, const std::string& dof, const char* quantity) {
  const std::string head = dof + "." + quantity;
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name.starts_with(head)) return i;
  throw SettingError("recording", "the motion of " + dof + " is not recorded");
}

Eigen::VectorXd gather(const std::vector<double>& row,
                       const std::vector<std::size_t>& columns) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    values[static_cast<Eigen::Index>(i)] = row[columns[i]];
  return values;
}

void raise(double& peak, double value) {
  peak = std::max(peak, std::abs(value));
}

/// The velocity that the mode makes of the structure's.
InterfaceVector paced_velocity(Probe& probe, const InterfaceVector& displacement,
                               const InterfaceVector& velocity, SiteDemand& demand) {
  if (!probe.ramps) return velocity / probe.scale;
  constexpr double kPeakRate = 1.5;
  if (probe.last.size() == 0) probe.last = InterfaceVector::Zero(displacement.size());
  const InterfaceVector way = displacement - probe.last;
  probe.last = displacement;
  const double time = ramp_time(probe.layout, way);
  demand.ramping += time;
  if (time == 0.0) return InterfaceVector::Zero(way.size());
  return kPeakRate / time * way;
}

InterfaceVector needed_force(const Probe& probe, const InterfaceMotion& motion,
                             const std::vector<double>& row) {
  if (!probe.force.empty()) return gather(row, probe.force);
  return probe.stiffness * motion.displacement + probe.damping * motion.velocity +
         probe.mass * motion.acceleration;
}

/// @param motion  of the interface against what its specimen stands on
void add(Probe& probe, const InterfaceMotion& motion, const std::vector<double>& row,
         SiteDemand& demand) {
  const InterfaceVector& displacement = motion.displacement;
  const InterfaceVector velocity =
      paced_velocity(probe, displacement, motion.velocity, demand);
  for (Eigen::Index i = 0; i < displacement.size(); ++i)
    raise(demand.targets[static_cast<std::size_t>(i)], displacement[i]);
  const ActuatorMotion stroke = probe.frame->to_actuators(
      InterfaceMotion{displacement, velocity, InterfaceVector::Zero(velocity.size())});
  const ActuatorVector force = probe.frame->force_to_actuators(
      needed_force(probe, motion, row), stroke.displacement);
  for (std::size_t i = 0; i < demand.actuators.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    raise(demand.actuators[i].displacement, stroke.displacement[k]);
    raise(demand.actuators[i].rate, stroke.velocity[k]);
    raise(demand.actuators[i].force, force[k]);
  }
}

/// The wanted motion when the physical components of the graph are computed, and the force
/// that they need.
std::vector<SiteDemand> graph_demand(config::Test test) {
  config::BondGraphModel& graph = *test.mutable_numerical()->mutable_bond_graph();
  graph.set_feedback(config::FEEDBACK_MODEL);
  // Both are of a measured motion, and there is none.
  graph.clear_record_physical();
  graph.clear_identification();
  std::vector<SiteDemand> demands;
  std::vector<SiteResponse> answers;
  std::vector<SiteTarget> requests;
  for (const config::Site& site : test.sites()) {
    const auto dofs = static_cast<std::size_t>(site.interface_size());
    const auto size = static_cast<Eigen::Index>(dofs);
    demands.push_back({site.name(), true, RigLimits(dofs, {0.0, 0.0, 0.0, 0.0, 0.0}),
                       std::vector<DofKind>(dofs, DofKind::kTranslation),
                       std::vector<double>(dofs, 0.0)});
    answers.push_back({InterfaceVector::Zero(size), InterfaceVector::Zero(size)});
    requests.emplace_back().target = InterfaceMotion::zero(size);
  }
  const double scale = composition::make_pacing(test).scale;
  const auto whole = composition::make_substructure(test, nullptr);
  std::vector<double> row(whole->channels().size());
  std::vector<std::array<std::size_t, 4>> columns;  // displacement, ..., site, DOF
  for (std::size_t s = 0; s < demands.size(); ++s)
    for (std::size_t i = 0; i < demands[s].actuators.size(); ++i) {
      const std::string& dof =
          test.sites(static_cast<int>(s)).interface(static_cast<int>(i));
      columns.push_back({column(whole->channels(), dof, "disp_"),
                         column(whole->channels(), dof, "load_"), s, i});
    }
  whole->prepare();
  whole->correct(-1, answers);
  for (std::int64_t step = 0; step < whole->steps(); ++step) {
    whole->predict(step, requests);
    if (!whole->correct(step, answers)) break;
    whole->record(row);
    for (const auto& [displacement, load, site, dof] : columns) {
      ActuatorLimits& peak = demands[site].actuators[dof];
      raise(peak.displacement, row[displacement]);
      raise(demands[site].targets[dof], row[displacement]);
      raise(peak.rate, row[displacement + 1] / scale);
      raise(peak.force, row[load]);
    }
  }
  return demands;
}

/// Their specimens can stand on the bridge.
bool vehicles_known(const config::Test& undivided) {
  try {
    composition::make_bridge(undivided, composition::BridgeSolution::kUndivided, {},
                             nullptr);
    return true;
  } catch (const SettingError&) {
    return false;
  }
}

/// The supports that the specimens stand on; none of a bridge.
substructure::SiteBases bases_of(const substructure::StructuralSubstructure* structure) {
  std::vector<structure::SiteBase> bases;
  int held = 0;
  if (structure != nullptr)
    for (const substructure::SiteInterface& interface : structure->parts().interfaces) {
      for (const int row : interface.base.rows) held = std::max(held, row + 1);
      bases.push_back(interface.base);
    }
  return {std::move(bases), held};
}

/// Runs the whole test, until its end or its divergence.
void run_through(NumericalSubstructure& whole, std::vector<Probe>& probes,
                 std::vector<SiteDemand>& demands) {
  std::vector<double> row(whole.channels().size());
  const auto* structure = dynamic_cast<const substructure::StructuralSubstructure*>(&whole);
  substructure::SiteBases bases = bases_of(structure);
  whole.prepare();
  whole.correct(-1, {});
  for (std::int64_t step = 0; step < whole.steps(); ++step) {
    whole.predict(step, {});
    if (!whole.correct(step, {})) break;
    whole.record(row);
    if (structure != nullptr) bases.move(structure->parts().excitation, step);
    for (std::size_t site = 0; site < probes.size(); ++site) {
      Probe& probe = probes[site];
      InterfaceMotion motion{gather(row, probe.displacement), gather(row, probe.velocity),
                             gather(row, probe.acceleration)};
      bases.make_relative(site, motion);
      add(probe, motion, row, demands[site]);
    }
  }
}

/// Adds the specimen's forces; the probe knows the mode.
void add_answers(const structure::ExperimentalPart& part, Eigen::Index moved,
                 Probe& probe) {
  probe.stiffness = part.stiffness.topLeftCorner(moved, moved);
  probe.damping = part.damping.topLeftCorner(moved, moved);
  Eigen::MatrixXd mass = part.mass;
  if (part.own_mass.size() > 0) mass += part.rate * part.rate * part.own_mass;
  probe.mass = mass.topLeftCorner(moved, moved);
  // If the integrator owns no inertia, the answers still have the structure's rates.
  const double rate = probe.ramps ? 0.0 : 1.0 / probe.scale;
  if (part.rate == rate) return;
  probe.damping *= rate;
  probe.mass *= rate * rate;
}

/// The test as it is computed here: without records, from where its specimens begin.
config::Test computed_alone(const config::Test& given) {
  config::Test test = given;
  test.clear_recording();
  // The zero of a specimen that stands preloaded is the state under gravity.
  test.mutable_recording()->set_from_gravity(
      std::none_of(test.sites().begin(), test.sites().end(), [](const config::Site& site) {
        return site.gravity() == config::SPECIMEN_GRAVITY_APPLY;
      }));
  test.clear_reference();
  test.clear_updating();  // no site answers, from which laws could follow
  test.set_undivided(false);
  return test;
}

}  // namespace

std::vector<std::unique_ptr<SpecimenModel>> linear_specimens(
    const config::Test& test, const std::vector<structure::ExperimentalPart>& parts) {
  // Damping and mass of a step ago, fed back without the rig's own inertia, would diverge.
  const bool stiffness_alone =
      test.numerical().integrator().constant_average_acceleration().site_force() ==
      config::OF_LAST_STEP;
  std::vector<std::unique_ptr<SpecimenModel>> specimens;
  for (const structure::ExperimentalPart& part : parts) {
    // As the laboratory's rates feel it; the mass that the integrator owns goes out again.
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(part.mass.rows(), part.mass.cols());
    const bool rates = part.rate > 0.0;
    Eigen::MatrixXd mass = stiffness_alone || !rates
                               ? none
                               : Eigen::MatrixXd(part.mass / (part.rate * part.rate));
    if (rates && part.own_mass.size() > 0) mass += part.own_mass;
    specimens.push_back(std::make_unique<simulated::LinearSpecimen>(
        part.stiffness,
        stiffness_alone || !rates ? none : Eigen::MatrixXd(part.damping / part.rate),
        mass));
  }
  return specimens;
}

std::vector<SiteDemand> estimate_demand(const config::Test& given) {
  return *estimate_demand(given, std::numeric_limits<double>::infinity());
}

std::optional<std::vector<SiteDemand>> estimate_demand(const config::Test& given,
                                                       double most_work) {
  config::Test test = computed_alone(given);
  if (test.numerical().has_bond_graph()) return graph_demand(std::move(test));
  composition::NumericalParts parts = composition::numerical_parts(test);
  std::vector<SiteDemand> demands;
  std::vector<Probe> probes;
  for (int i = 0; i < test.sites_size(); ++i) {
    const structure::ExperimentalPart& part =
        parts.experimental[static_cast<std::size_t>(i)];
    auto frame = composition::make_loading_frame(
        test.sites(i).loading_frame(), test.sites(i).interface_size(), "loading_frame");
    const std::vector<ActuatorDescription> actuators = site_node::describe_actuators(
        std::vector<ActuatorDescription>(static_cast<std::size_t>(frame->actuators())),
        composition::interface_layout(test.sites(i), "sites[" + std::to_string(i) + "]"),
        *frame);
    demands.push_back({part.site, test.sites(i).rig().has_specimen(),
                       RigLimits(actuators.size(), {0.0, 0.0, 0.0, 0.0, 0.0}),
                       site_node::kinds_of(actuators),
                       std::vector<double>(
                           static_cast<std::size_t>(test.sites(i).interface_size()), 0.0)});
    const Eigen::Index moved = test.sites(i).interface_size();
    Probe& probe = probes.emplace_back();
    probe.layout = paced_layout(test, i, *frame);
    probe.scale = composition::make_pacing(test).scale;
    probe.ramps = composition::mode_of(test) == ExecutionMode::kPseudoDynamic;
    probe.frame = std::move(frame);
    add_answers(part, moved, probe);
  }
  parts.undivided = linear_specimens(test, parts.experimental);
  test.set_undivided(true);
  std::vector<std::vector<std::string>> dofs;
  for (const structure::ExperimentalPart& part : parts.experimental)
    dofs.emplace_back(part.dofs.begin(),
                      part.dofs.end() - static_cast<std::ptrdiff_t>(part.force_only));
  const bool on_bridge = test.numerical().has_bridge();
  if (on_bridge && !vehicles_known(test)) {
    for (SiteDemand& demand : demands) demand.known = false;
    return demands;
  }
  const std::unique_ptr<NumericalSubstructure> whole =
      on_bridge ? composition::make_substructure(test, nullptr)
                : composition::make_numerical(test, std::move(parts), nullptr);
  if (static_cast<double>(whole->channels().size()) * static_cast<double>(whole->steps()) >
      most_work)
    return std::nullopt;
  for (std::size_t site = 0; site < probes.size(); ++site)
    for (const std::string& dof : dofs[site]) {
      probes[site].displacement.push_back(column(whole->channels(), dof, "disp_"));
      probes[site].velocity.push_back(column(whole->channels(), dof, "vel_"));
      if (!on_bridge)
        probes[site].acceleration.push_back(column(whole->channels(), dof, "acc_"));
      if (on_bridge) probes[site].force.push_back(column(whole->channels(), dof, "force_"));
    }

  run_through(*whole, probes, demands);
  return demands;
}

}  // namespace trestle::pretest
