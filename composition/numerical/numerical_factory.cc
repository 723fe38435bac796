#include "composition/numerical/numerical_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "composition/numerical/excitation_factory.h"
#include "composition/numerical/frame_outputs.h"
#include "composition/numerical/initial_state_factory.h"
#include "composition/numerical/integrator_factory.h"
#include "composition/numerical/model_factory.h"
#include "composition/numerical/model_report.h"
#include "composition/numerical/stiffness_under_gravity.h"
#include "composition/numerical/support_factory.h"
#include "composition/numerical/twin_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/modal_summary.h"
#include "numerical/structure/site_base.h"
#include "numerical/substructure/structural_substructure.h"
#include "numerical/substructure/substructure_with_reference.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr int kReportedModes = 3;
constexpr int kTabledModes = 12;
constexpr int kTableUpTo = 600;      // equations, all of whose modes are found at once
constexpr int kRecordAllUpTo = 300;  // equations

/// Runs a part of the set-up and keeps its problems, so that one error reports all.
class Problems {
 public:
  template <typename Part>
  auto collect(Part part) -> std::optional<decltype(part())> {
    try {
      return part();
    } catch (const SettingError& error) {
      for (const SettingIssue& problem : error.problems()) problems_.push_back(problem);
      return std::nullopt;
    }
  }
  void add(std::string path, std::string what) {
    problems_.push_back({std::move(path), std::move(what)});
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw SettingError(problems_);
  }

 private:
  std::vector<SettingIssue> problems_;
};

std::string milliseconds(double time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g ms", 1000.0 * time);
  return text.data();
}

bool empty(const structure::SparseMatrix& matrix) {
  return matrix.squaredNorm() == 0.0;
}

/// The sentence for a step that is too long; nothing if it is not.
std::optional<std::string> instability(const integration::TimeIntegrator& integrator,
                                       const structure::StructuralModel& structure,
                                       double time_step) {
  const double limit = integrator.stable_time_step();
  if (time_step < limit || std::isnan(limit)) return std::nullopt;
  const std::string name = integrator.name();
  if (limit == 0.0)
    return name +
           " is never stable here: the specimens' forces contain more inertia than "
           "the numerical part has at the interface; give the interface more mass";
  std::string why = "specimens included";
  const bool plain =
      empty(structure.experimental_damping) && empty(structure.experimental_mass);
  if (plain && name == "explicit-newmark")
    why = "shortest period " + milliseconds(std::numbers::pi * limit);
  else if (name == "constant-average-acceleration")
    why = "the specimens' forces enter explicitly";
  return "time_step is " + milliseconds(time_step) + "; " + name + " is stable up to " +
         milliseconds(limit) + " for this structure (" + why + ")";
}

/// A numerical part and its path in the configuration.
struct Model {
  const config::Numerical& numerical;
  std::string path;
};

structure::StructuralModel structure_of(
    const config::Test& test, const Model& model,
    const std::vector<structure::ExperimentalPart>& parts) {
  return make_structure(model.numerical, parts, model.path, &test.excitation());
}

excitation::Excitation read_excitation(const config::Test& test, const Model& model,
                                       const structure::StructuralModel& structure) {
  std::vector<structure::LoadPath> load_paths;
  for (int i = 0; i < test.excitation().moving_loads_size(); ++i) {
    const auto& nodes = test.excitation().moving_loads(i).path();
    load_paths.push_back(
        make_load_path(model.numerical, structure, {nodes.begin(), nodes.end()},
                       "excitation.moving_loads[" + std::to_string(i) + "].path"));
  }
  ExcitationSettings settings{
      .time_step = test.time_step(), .duration = {}, .seed = test.seed()};
  if (test.has_duration()) settings.duration = test.duration();
  return make_excitation(test.excitation(), structure, std::move(load_paths), settings,
                         "excitation");
}

/// Without a model the records can still be read, and complained of.
bool read_records(const config::Test& test) {
  config::Excitation records = test.excitation();
  const bool loaded = records.moving_loads_size() > 0 || records.loads_size() > 0 ||
                      records.supports_size() > 0;
  if (loaded && !test.has_duration()) return false;
  records.clear_loads();
  records.clear_gravity();
  records.clear_moving_loads();
  records.clear_supports();
  structure::StructuralModel nothing;
  nothing.base_load = Eigen::MatrixXd::Zero(0, structure::kGroundDirections);
  nothing.spatial = true;
  ExcitationSettings settings{
      .time_step = test.time_step(), .duration = {}, .seed = test.seed()};
  if (test.has_duration()) settings.duration = test.duration();
  make_excitation(records, nothing, {}, settings, "excitation");
  return true;
}

std::vector<substructure::SiteInterface> interfaces_of(
    const structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts) {
  std::vector<substructure::SiteInterface> interfaces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    substructure::SiteInterface interface;
    interface.preloaded = !parts[i].gravity_applied;
    for (std::size_t j = 0; j < parts[i].dofs.size(); ++j) {
      const int equation = structure.equation(parts[i].dofs[j]);
      if (equation < 0)
        throw SettingError(
            "sites[" + std::to_string(i) + "]" + structure::dof_path(parts[i], j),
            "the model has no free DOF `" + parts[i].dofs[j] + "`");
      interface.equations.push_back(equation);
    }
    if (!parts[i].support.empty())
      interface.base =
          structure::site_base(structure, interface.equations, parts[i].support);
    interface.controlled = interface.equations;
    interface.controlled.resize(parts[i].dofs.size() - parts[i].force_only);
    interfaces.push_back(std::move(interface));
  }
  return interfaces;
}

std::string node_of(const std::string& dof) {
  return dof.substr(0, dof.rfind('.'));
}

/// The DOFs that the criteria need, whatever else is recorded.
std::vector<std::string> compared_dofs(
    const config::Test& test, const std::vector<structure::ExperimentalPart>& parts) {
  std::vector<std::string> names(test.criteria().responses().begin(),
                                 test.criteria().responses().end());
  for (const structure::ExperimentalPart& part : parts)
    names.insert(names.end(), part.dofs.begin(), part.dofs.end());
  return names;
}

void require_responses(const config::Test& test,
                       const structure::StructuralModel& structure,
                       const std::string& whose) {
  std::vector<std::string> known;
  for (const structure::NamedDof& dof : structure.dofs) known.push_back(dof.name);
  SettingErrorCollector problems;
  for (int i = 0; i < test.criteria().responses_size(); ++i) {
    const std::string& name = test.criteria().responses(i);
    if (structure.equation(name) < 0)
      problems.add("criteria.responses[" + std::to_string(i) + "]",
                   whose + " has no free DOF `" + name + "`" + suggest(name, known));
  }
  problems.throw_if_any();
}

/// Nodes as configured; by default all of a small model, those of the interface else. And
/// what is compared.
std::vector<structure::NamedDof> recorded_dofs(
    const config::Test& test, const structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts) {
  const config::Recording& recording = test.recording();
  std::set<std::string> known;
  for (const structure::NamedDof& dof : structure.dofs) known.insert(node_of(dof.name));
  std::set<std::string> wanted(recording.nodes().begin(), recording.nodes().end());
  for (int i = 0; i < recording.nodes_size(); ++i)
    if (!known.contains(recording.nodes(i)))
      throw SettingError("recording.nodes[" + std::to_string(i) + "]",
                         "the model has no node `" + recording.nodes(i) +
                             "` that can move; name one of the model's free nodes");
  if (wanted.empty() && structure.equations <= kRecordAllUpTo) wanted = known;
  if (wanted.empty())
    for (const structure::ExperimentalPart& part : parts)
      for (const std::string& dof : part.dofs) wanted.insert(node_of(dof));
  if (wanted.empty() && structure.equations > 0)
    throw SettingError("recording.nodes",
                       "the model has " + std::to_string(structure.equations) +
                           " equations, of which only up to " +
                           std::to_string(kRecordAllUpTo) +
                           " are recorded unasked, and no interface; nothing would be "
                           "recorded. Name the nodes to record");
  require_responses(test, structure, "the model");
  const std::vector<std::string> compared =
      test.has_reference() || test.criteria().responses_size() > 0
          ? compared_dofs(test, parts)
          : std::vector<std::string>();
  std::vector<structure::NamedDof> recorded;
  for (const structure::NamedDof& dof : structure.dofs)
    if (wanted.contains(node_of(dof.name)) ||
        std::find(compared.begin(), compared.end(), dof.name) != compared.end())
      recorded.push_back(dof);
  return recorded;
}

/// What of `names` the reference has.
std::vector<structure::NamedDof> named_dofs(const structure::StructuralModel& structure,
                                            const std::vector<std::string>& names) {
  std::vector<structure::NamedDof> found;
  for (const structure::NamedDof& dof : structure.dofs)
    if (std::find(names.begin(), names.end(), dof.name) != names.end())
      found.push_back(dof);
  return found;
}

/// Whether the ground moves along x, y, z.
std::array<bool, 3> shaken(const config::Excitation& excitation) {
  std::array<bool, 3> along{};
  const auto shake = [&along](config::Direction direction) {
    if (direction <= config::Z) along[static_cast<std::size_t>(direction)] = true;
  };
  const std::string& record = excitation.record();
  if ((!record.empty() && record != "none") || excitation.has_synthetic())
    shake(excitation.direction());
  for (const config::BaseMotion& motion : excitation.motions()) {
    shake(motion.direction());
    if (motion.angle() != 0.0) shake(config::X), shake(config::Y);
  }
  return along;
}

void fill(NumericalReport& report, const structure::StructuralModel& structure,
          const integration::TimeIntegrator& integrator,
          const excitation::Excitation& excitation, double time_step) {
  const structure::ModalSummary summary = structure::summarise_modes(
      structure, structure.equations <= kTableUpTo ? kTabledModes : kReportedModes);
  report.equations = summary.equations;
  report.tangent_damping = structure.details.tangent_factor.has_value();
  report.shapes = mode_shape_rows(structure, summary.shapes);
  for (std::size_t i = 0; i < summary.periods.size(); ++i) {
    ModeReport& mode = report.modes.emplace_back(
        ModeReport{.period = summary.periods[i], .ratio = summary.ratios[i]});
    for (std::size_t k = 0; k < mode.effective_mass.size(); ++k)
      mode.effective_mass[k] = summary.effective_masses(static_cast<Eigen::Index>(i),
                                                        static_cast<Eigen::Index>(k));
    if (i >= kReportedModes) continue;
    report.periods.push_back(mode.period);
    report.ratios.push_back(mode.ratio);
  }
  for (std::size_t k = 0; k < report.moving_mass.size(); ++k)
    report.moving_mass[k] = summary.moving_mass[static_cast<Eigen::Index>(k)];
  report.integrator = integrator.name();
  report.stable_time_step = integrator.stable_time_step();
  report.steps = excitation.steps();
  report.duration = static_cast<double>(excitation.steps() - 1) * time_step;
}

/// What needs the forces of this step, where the integrator feels those of the last one.
void refuse_forces_of_last_step(const config::Test& test,
                                const integration::TimeIntegrator& integrator,
                                bool under_gravity,
                                const std::vector<structure::ExperimentalPart>& parts) {
  if (!integrator.uses_previous_step_force()) return;
  const std::string name = integrator.name();
  if (test.excitation().initial().nodes_size() > 0)
    throw SettingError("excitation.initial",
                       name +
                           " with the forces of the last step begins at rest; take the "
                           "forces of this step, or leave the initial motion out");
  for (std::size_t i = 0; under_gravity && i < parts.size(); ++i)
    if (parts[i].gravity_applied)
      throw SettingError("sites[" + std::to_string(i) + "].gravity",
                         "is apply, and " + name +
                             " with the forces of the last step would feel the specimen "
                             "a step late; take the forces of this step, or preloaded");
}

/// The largest translation, and the largest sideways one.
GravityReport gravity_report(const structure::StructuralModel& structure,
                             const substructure::InitialState& state,
                             const std::vector<structure::ExperimentalPart>& parts) {
  GravityReport report;
  if (state.gravity.size() == 0) return report;
  report.acts = true;
  report.buckling_factor = structure.buckling.factor;
  report.buckling_dof = structure.buckling.dof;
  for (const structure::ExperimentalPart& part : parts)
    if (part.gravity_applied) report.applied.push_back(part.site);
  const char* up = structure.spatial ? ".z" : ".y";
  for (const structure::NamedDof& dof : structure.dofs) {
    if (dof.kind != DofKind::kTranslation) continue;
    const double moved = std::abs(state.gravity[dof.equation]);
    const bool vertical = dof.name.ends_with(up);
    double& largest = vertical ? report.settlement : report.drift;
    if (moved <= largest) continue;
    largest = moved;
    (vertical ? report.settlement_dof : report.drift_dof) = dof.name;
  }
  return report;
}

/// A path of loads is that of the frame at rest.
void refuse_moving_loads(const config::Test& test, const config::Numerical& numerical,
                         Problems& problems) {
  if (test.excitation().moving_loads_size() > 0 &&
      numerical.frame().geometry() == config::FRAME_GEOMETRY_COROTATIONAL)
    problems.add("excitation.moving_loads",
                 "go along members at rest, and the frame is corotational; take p-delta or "
                 "linear geometry");
}

/// What the whole test refuses beside what its parts do.
void refuse_together(const config::Test& test, const config::Numerical& numerical,
                     const std::vector<structure::ExperimentalPart>& parts,
                     Problems& problems) {
  refuse_moving_loads(test, numerical, problems);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (test.excitation().supports_size() > 0 && parts[i].support.empty())
      problems.add("sites[" + std::to_string(i) + "].support",
                   "is missing: supports move differently, and the targets of `" +
                       parts[i].site +
                       "` are relative to the one that its specimen stands on; name that "
                       "node");
  if (commands_per_step(numerical.integrator()) == 1) return;
  if (test.updating_size() > 0)
    problems.add("updating",
                 "follows one answer of a step, and sites: each-iteration gives several; "
                 "take sites: once");
  if (test.excitation().supports_size() > 0 && !parts.empty())
    problems.add("excitation.supports",
                 "move once a step, and the commands of sites: each-iteration would need "
                 "their motion between two steps; take sites: once");
}

/// What each specimen stands on, while supports move.
/// @param given  the parts as the sites name their supports
std::vector<SpecimenBaseReport> bases_of(
    const std::vector<structure::ExperimentalPart>& parts,
    const std::vector<structure::ExperimentalPart>& given) {
  std::vector<SpecimenBaseReport> bases;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!parts[i].support.empty())
      bases.push_back({.site = parts[i].site,
                       .support = parts[i].support,
                       .named = !given[i].support.empty()});
  return bases;
}

/// What the ground does, and what is recorded of a frame.
void fill(NumericalReport& report, const config::Test& test,
          const config::Numerical& numerical, const structure::StructuralModel& structure,
          const substructure::OutputSettings& outputs) {
  for (const structure::AssembledMember& member : structure.members)
    if (member.law && member.law->follows_chord()) ++report.chords.members;
  report.chords.in_space = structure.spatial;
  report.shaken = shaken(test.excitation());
  report.rigid_hinges = rigid_hinges(numerical.frame());
  report.pendulums = pendulums(numerical.frame());
  for (const config::SupportMotion& motion : test.excitation().supports())
    for (const std::string& node : motion.nodes())
      report.moving_supports.nodes.push_back(node);
  report.reactions = outputs.supports.nodes;
  for (const substructure::StoreyDirection& storey : outputs.storeys)
    report.storeys.push_back(
        {storey.name, storey.height, storey.columns.size(), storey.specimens.size()});
}

/// How the specimens of the undivided structure are moved.
std::vector<substructure::UndividedShare> shares_of(const NumericalParts& parts) {
  std::vector<substructure::UndividedShare> shares;
  if (parts.undivided.empty()) return shares;
  for (const structure::ExperimentalPart& part : parts.experimental)
    shares.push_back({.own_mass = part.own_mass, .rate = part.rate});
  return shares;
}

/// The sentence for a step that is too long, if it is.
void check_time_step(
    const std::optional<std::unique_ptr<integration::TimeIntegrator>>& integrator,
    const structure::StructuralModel& structure, double time_step, bool reference,
    Problems& problems) {
  if (!integrator) return;
  if (const auto why = instability(**integrator, structure, time_step))
    problems.add("time_step", (reference ? "of the reference: " : "") + *why);
}

/// As the test wants, or what of `only` the reference has.
std::vector<structure::NamedDof> recorded_of(
    const config::Test& test, const structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts,
    const std::vector<std::string>* only) {
  if (only == nullptr) return recorded_dofs(test, structure, parts);
  require_responses(test, structure, "the reference");
  return named_dofs(structure, *only);
}

/// None of a reference, and where something is wrong.
std::vector<substructure::TwinSettings> twins_of(
    const config::Test& test, structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts, bool reference,
    Problems& problems) {
  if (reference) return {};
  auto twins = problems.collect([&] { return make_twins(test, structure, parts); });
  return twins ? std::move(*twins) : std::vector<substructure::TwinSettings>();
}

void check_twins(const std::vector<substructure::TwinSettings>& twins,
                 const integration::TimeIntegrator& integrator, double time_step,
                 Problems& problems) {
  if (const auto why = too_stiff(twins, integrator, time_step))
    problems.add("updating", *why);
}

/// @param only  DOFs to record, of those that the model has; null: as the test wants
std::unique_ptr<NumericalSubstructure> build(const config::Test& test, const Model& model,
                                             NumericalParts parts,
                                             const std::vector<std::string>* only,
                                             NumericalReport* report) {
  Problems problems;
  auto structure =
      problems.collect([&] { return structure_of(test, model, parts.experimental); });
  if (!structure) {
    problems.collect([&] { return read_records(test); });
    problems.throw_if_any();
  }
  const std::vector<structure::ExperimentalPart> given = parts.experimental;
  use_common_support(test.excitation(), *structure, parts.experimental);
  auto excitation =
      problems.collect([&] { return read_excitation(test, model, *structure); });
  auto interfaces =
      problems.collect([&] { return interfaces_of(*structure, parts.experimental); });
  auto recorded = problems.collect(
      [&] { return recorded_of(test, *structure, parts.experimental, only); });
  auto outputs = problems.collect([&] {
    return only == nullptr ? make_frame_outputs(test, *structure, parts.experimental)
                           : substructure::OutputSettings();
  });
  auto twins = twins_of(test, *structure, parts.experimental, only != nullptr, problems);
  auto integrator = problems.collect([&] {
    return make_integrator(model.numerical.integrator(), *structure, test.time_step(),
                           model.path + ".integrator");
  });
  check_time_step(integrator, *structure, test.time_step(), only != nullptr, problems);
  if (integrator) check_twins(twins, **integrator, test.time_step(), problems);
  refuse_together(test, model.numerical, parts.experimental, problems);
  problems.throw_if_any();
  substructure::InitialState initial = make_initial_state(
      test, *structure, excitation->gravity(), parts.experimental, *interfaces);
  refuse_forces_of_last_step(test, **integrator, excitation->gravity().size() > 0,
                             parts.experimental);
  if (report != nullptr) {
    report->gravity = gravity_report(*structure, initial, parts.experimental);
    const StiffnessUnderGravity about_gravity(*structure, initial);
    fill(*report, *structure, **integrator, *excitation, test.time_step());
    fill(*report, test, model.numerical, *structure, *outputs);
    report->moving_supports.bases = bases_of(parts.experimental, given);
  }
  std::vector<substructure::UndividedShare> shares = shares_of(parts);
  substructure::StructuralSubstructureParts made{
      .structure = std::move(*structure),
      .integrator = std::move(*integrator),
      .excitation = std::move(*excitation),
      .interfaces = std::move(*interfaces),
      .undivided = std::move(parts.undivided),
      .shares = std::move(shares),
      .recorded = std::move(*recorded),
      .time_step = test.time_step(),
      .initial = std::move(initial),
      .record_from_gravity = test.recording().from_gravity(),
      .record_energies = only == nullptr && test.recording().energies(),
      .outputs = std::move(*outputs),
      .twins = std::move(twins)};
  return std::make_unique<substructure::StructuralSubstructure>(std::move(made));
}

std::vector<std::string> displacement_dofs(const Channels& channels) {
  std::vector<std::string> dofs;
  for (const Channel& channel : channels)
    if (const std::size_t end = channel.name.find(".disp_"); end != std::string::npos)
      dofs.push_back(channel.name.substr(0, end));
  return dofs;
}

/// Computed along where `beside` is recorded.
std::unique_ptr<NumericalSubstructure> make_reference(const config::Test& test,
                                                      NumericalParts parts,
                                                      const Channels& beside) {
  const std::vector<std::string> dofs = displacement_dofs(beside);
  if (test.reference().has_undivided())
    return build(test, {test.numerical(), "numerical"}, std::move(parts), &dofs, nullptr);
  config::Numerical numerical = test.reference().numerical();
  std::string path = "reference.numerical";
  if (numerical.model_case() == config::Numerical::MODEL_NOT_SET) {
    path = "numerical";
    const config::Integrator own = numerical.integrator();
    numerical = test.numerical();
    if (numerical.has_matrices()) numerical.mutable_matrices()->clear_without();
    if (own.kind_case() != config::Integrator::KIND_NOT_SET)
      *numerical.mutable_integrator() = own;
  } else if (numerical.integrator().kind_case() == config::Integrator::KIND_NOT_SET) {
    *numerical.mutable_integrator() = test.numerical().integrator();
  }
  return build(test, {numerical, path}, {}, &dofs, nullptr);
}

}  // namespace

std::unique_ptr<NumericalSubstructure> make_numerical(const config::Test& test,
                                                      NumericalParts parts,
                                                      NumericalReport* report) {
  NumericalParts whole{.experimental = parts.experimental,
                       .undivided = std::move(parts.reference),
                       .reference = {}};
  // No table shakes what is computed beside the test.
  for (structure::ExperimentalPart& part : whole.experimental) part.base_moves = false;
  auto substructure =
      build(test, {test.numerical(), "numerical"}, std::move(parts), nullptr, report);
  if (test.reference().kind_case() == config::Reference::KIND_NOT_SET) return substructure;
  const int every = commands_per_reference_step(test.numerical().integrator(),
                                                test.reference().numerical().integrator());
  auto reference = make_reference(test, std::move(whole), substructure->channels());
  return std::make_unique<substructure::SubstructureWithReference>(
      std::move(substructure), std::move(reference), every);
}

}  // namespace trestle::composition
