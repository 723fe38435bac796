#include "numerical/frame/numerical_catalog.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "core/mechanics/model_summary.h"
#include "core/types/setting_error.h"
#include "numerical/excitation/excitation_catalog.h"
#include "numerical/frame/frame_substructure.h"
#include "numerical/frame/model_catalog.h"
#include "numerical/integration/integrator_catalog.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

constexpr int kReportedModes = 3;
constexpr int kRecordAllUpTo = 300;  // equations

/// Runs a part of the set-up and keeps its problems, so that all are told at once.
class Problems {
 public:
  template <typename Part>
  auto collect(Part part) -> std::optional<decltype(part())> {
    try {
      return part();
    } catch (const SettingError& error) {
      for (const SettingProblem& problem : error.problems()) problems_.push_back(problem);
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
  std::vector<SettingProblem> problems_;
};

std::string milliseconds(double time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g ms", 1000.0 * time);
  return text.data();
}

bool empty(const SparseMatrix& matrix) {
  return matrix.squaredNorm() == 0.0;
}

/// The sentence for a step that is too long; nothing where it is not.
std::optional<std::string> instability(const Integrator& integrator,
                                       const Structure& structure, double time_step) {
  const double limit = integrator.stable_time_step();
  if (time_step < limit) return std::nullopt;
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

Excitation read_excitation(const config::Test& test, const Structure& structure) {
  std::vector<LoadPath> load_paths;
  for (int i = 0; i < test.excitation().moving_loads_size(); ++i) {
    const auto& nodes = test.excitation().moving_loads(i).path();
    load_paths.push_back(
        make_load_path(test.numerical(), structure, {nodes.begin(), nodes.end()},
                       "excitation.moving_loads[" + std::to_string(i) + "].path"));
  }
  ExcitationSettings settings{
      .time_step = test.time_step(), .duration = {}, .seed = test.seed()};
  if (test.has_duration()) settings.duration = test.duration();
  return make_excitation(test.excitation(), structure, std::move(load_paths), settings,
                         "excitation");
}

std::vector<SiteInterface> interfaces_of(const Structure& structure,
                                         const std::vector<ExperimentalPart>& parts) {
  std::vector<SiteInterface> interfaces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    SiteInterface interface;
    for (std::size_t j = 0; j < parts[i].dofs.size(); ++j) {
      const int equation = structure.equation(parts[i].dofs[j]);
      if (equation < 0)
        throw SettingError("sites[" + std::to_string(i) + "]" + dof_path(parts[i], j),
                           "the model has no free DOF `" + parts[i].dofs[j] + "`");
      interface.equations.push_back(equation);
    }
    interface.controlled = interface.equations;
    interface.controlled.resize(parts[i].dofs.size() - parts[i].force_only);
    interfaces.push_back(std::move(interface));
  }
  return interfaces;
}

std::string node_of(const std::string& dof) {
  return dof.substr(0, dof.rfind('.'));
}

/// Nodes as configured; by default all of a small model, those of the interface else.
std::vector<NamedDof> recorded_dofs(const config::Recording& recording,
                                    const Structure& structure,
                                    const std::vector<ExperimentalPart>& parts) {
  std::set<std::string> known;
  for (const NamedDof& dof : structure.dofs) known.insert(node_of(dof.name));
  std::set<std::string> wanted(recording.nodes().begin(), recording.nodes().end());
  for (int i = 0; i < recording.nodes_size(); ++i)
    if (!known.contains(recording.nodes(i)))
      throw SettingError("recording.nodes[" + std::to_string(i) + "]",
                         "the model has no node `" + recording.nodes(i) +
                             "` that can move; name one of the model's free nodes");
  if (wanted.empty() && structure.equations <= kRecordAllUpTo) wanted = known;
  if (wanted.empty())
    for (const ExperimentalPart& part : parts)
      for (const std::string& dof : part.dofs) wanted.insert(node_of(dof));
  std::vector<NamedDof> recorded;
  for (const NamedDof& dof : structure.dofs)
    if (wanted.contains(node_of(dof.name))) recorded.push_back(dof);
  return recorded;
}

void fill(NumericalReport& report, const Structure& structure, const Integrator& integrator,
          const Excitation& excitation, double time_step) {
  const ModelSummary summary = summarise(structure, kReportedModes);
  report.equations = summary.equations;
  report.periods = summary.periods;
  report.ratios = summary.ratios;
  report.integrator = integrator.name();
  report.stable_time_step = integrator.stable_time_step();
  report.steps = excitation.steps();
  report.duration = static_cast<double>(excitation.steps() - 1) * time_step;
}

}  // namespace

std::unique_ptr<NumericalSubstructure> make_numerical(const config::Test& test,
                                                      NumericalParts parts,
                                                      NumericalReport* report) {
  Problems problems;
  const double time_step = test.time_step();
  auto structure = problems.collect(
      [&] { return make_structure(test.numerical(), parts.experimental, "numerical"); });
  if (!structure) {
    // Without a model the record can still be read, and complained of.
    if (test.excitation().moving_loads_size() == 0)
      problems.collect([&] { return read_excitation(test, Structure()); });
    problems.throw_if_any();
  }
  auto excitation = problems.collect([&] { return read_excitation(test, *structure); });
  auto interfaces =
      problems.collect([&] { return interfaces_of(*structure, parts.experimental); });
  auto recorded = problems.collect(
      [&] { return recorded_dofs(test.recording(), *structure, parts.experimental); });
  auto integrator = problems.collect([&] {
    return make_integrator(test.numerical().integrator(), *structure, time_step,
                           "numerical.integrator");
  });
  if (integrator)
    if (auto why = instability(**integrator, *structure, time_step))
      problems.add("time_step", std::move(*why));
  problems.throw_if_any();

  if (report != nullptr) fill(*report, *structure, **integrator, *excitation, time_step);
  return std::make_unique<FrameSubstructure>(
      FrameParts{.structure = std::move(*structure),
                 .integrator = std::move(*integrator),
                 .excitation = std::move(*excitation),
                 .interfaces = std::move(*interfaces),
                 .undivided = std::move(parts.undivided),
                 .recorded = std::move(*recorded),
                 .time_step = time_step});
}

}  // namespace trestle
