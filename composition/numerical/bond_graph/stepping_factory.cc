#include "composition/numerical/bond_graph/stepping_factory.h"

#include <algorithm>
#include <cmath>

#include "composition/numerical/source_signal_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "numerical/excitation/excitation.h"
#include "proto/config/excitation.pb.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::bond_graph {
namespace {

constexpr double kLeadOfJunction = 0.5;     // what the hold of a step costs
constexpr double kLeadWithoutJunction = 1;  // where the rig shall be at the end of the step
constexpr double kMostDelay = 1.0;          // [s]
constexpr double kMostFilter = 0.125;       // cut-off over the rate of steps
constexpr double kLeastExcitation = 1e-9;   // [m]

using Problems = std::vector<SettingIssue>;

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "`" : ", `") + name + "`";
  return list.empty() ? "none" : list;
}

/// All controlled DOFs, site by site.
std::vector<PortLocation> controlled_dofs(
    const std::vector<structure::ExperimentalPart>& sites, Problems& problems) {
  std::vector<PortLocation> places;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::size_t controlled = sites[s].dofs.size() - sites[s].force_only;
    for (std::size_t i = 0; i < controlled; ++i)
      places.push_back({s, static_cast<Eigen::Index>(i), sites[s].dofs[i]});
    if (sites[s].force_only > 0)
      problems.push_back({"sites[" + std::to_string(s) + "].force_only",
                          "a bond graph has no force-only DOF; each cut bond is a port "
                          "with motion and force"});
  }
  return places;
}

std::vector<PortLocation> in_port_order(const config::BondGraphModel& message,
                                        const AugmentedSubstructure& model,
                                        std::vector<PortLocation> dofs,
                                        Problems& problems) {
  const std::string path = "numerical.bond_graph.ports";
  std::vector<std::string> bonds;
  for (const InterfacePort& port : model.ports) bonds.push_back(port.bond);
  std::vector<std::string> names;
  for (const PortLocation& dof : dofs) names.push_back(dof.name);
  if (dofs.size() != bonds.size()) {
    problems.push_back({path, "the cut has " + std::to_string(bonds.size()) + " bonds (" +
                                  listed(bonds) + "), the sites have " +
                                  std::to_string(dofs.size()) + " interface DOFs (" +
                                  listed(names) +
                                  "); each bond needs the DOF of an actuator"});
    return dofs;
  }
  if (message.ports().empty()) return dofs;
  std::vector<PortLocation> places(bonds.size());
  for (int i = 0; i < message.ports_size(); ++i) {
    const config::BondGraphPort& port = message.ports(i);
    const std::string here = path + "[" + std::to_string(i) + "]";
    const auto bond = std::find(bonds.begin(), bonds.end(), port.bond());
    const auto dof = std::find(names.begin(), names.end(), port.dof());
    if (bond == bonds.end())
      problems.push_back({here, "no bond `" + port.bond() + "` is cut" +
                                    suggest(port.bond(), bonds) + "; cut are " +
                                    listed(bonds)});
    if (dof == names.end())
      problems.push_back({here, "no site has an interface DOF `" + port.dof() + "`" +
                                    suggest(port.dof(), names)});
    if (bond == bonds.end() || dof == names.end()) continue;
    places[static_cast<std::size_t>(bond - bonds.begin())] =
        dofs[static_cast<std::size_t>(dof - names.begin())];
  }
  for (std::size_t i = 0; i < bonds.size() && problems.empty(); ++i)
    for (std::size_t j = 0; j < bonds.size(); ++j)
      if (places[i].name.empty() || (i != j && places[i].name == places[j].name)) {
        problems.push_back({path, "bond `" + bonds[i] +
                                      "` needs a separate interface DOF; name one for "
                                      "each of " +
                                      listed(bonds)});
        break;
      }
  return places;
}

std::vector<excitation::SourceSignal> signals_of(const config::Excitation& excitation,
                                                 const GraphSystem& model,
                                                 std::size_t ports, Problems& problems) {
  std::vector<excitation::SourceSignal> signals;
  const std::vector<std::string> known(
      model.inputs.begin() + static_cast<std::ptrdiff_t>(ports), model.inputs.end());
  for (int i = 0; i < excitation.sources_size(); ++i) {
    const std::string path = "excitation.sources[" + std::to_string(i) + "]";
    const std::string& name = excitation.sources(i).source();
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.push_back({path, "the graph has no source `" + name + "`" +
                                    suggest(name, known) + "; it has " + listed(known)});
    try {
      signals.push_back(composition::make_source_signal(excitation.sources(i), path));
    } catch (const SettingError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (excitation.has_synthetic() || excitation.moving_loads_size() > 0 ||
      (!excitation.record().empty() && excitation.record() != "none"))
    problems.push_back(
        {"excitation", "a bond graph is moved by its sources; write `sources: {" +
                           (known.empty() ? "r" : known.front()) +
                           ": {sine: {displacement: 5 mm, frequency: 2 Hz}}}`"});
  return signals;
}

double duration_of(const config::Test& test,
                   const std::vector<excitation::SourceSignal>& signals,
                   Problems& problems) {
  if (test.has_duration()) return test.duration();
  double longest = 0.0;
  for (const excitation::SourceSignal& signal : signals)
    longest = std::max(longest, signal.duration);
  if (longest == 0.0)
    problems.push_back({"excitation",
                        "nothing says when the test ends; give it a duration, or a source "
                        "that ends (a sweep, a record)"});
  return longest;
}

std::vector<double> delays_of(const config::BondGraphModel& message,
                              const AugmentedSubstructure& model, Problems& problems) {
  std::vector<double> delays;
  for (const TransferSystemInfo& transfer : model.transfers)
    delays.push_back(message.has_delay() ? message.delay() : transfer.delay);
  for (const double delay : delays)
    if (delay > kMostDelay) {
      problems.push_back({"numerical.bond_graph.delay",
                          "is " + std::to_string(delay) +
                              " s; the model cannot be computed more than 1 s ahead"});
      break;
    }
  return delays;
}

void require_stiffness(const AugmentedSubstructure& model, bool junction,
                       Problems& problems) {
  if (!junction) return;
  for (const TransferSystemInfo& transfer : model.transfers)
    if (!(transfer.stiffness > 0.0))
      problems.push_back({"numerical.bond_graph.file",
                          "the transfer system `" + transfer.name +
                              "` has no stiffness at rest, so that no displacement can be "
                              "commanded for a force; model its position servo with a "
                              "spring, or set virtual_junction: false"});
}

std::optional<IdentificationSettings> identification_of(
    const config::BondGraphModel& message, const SteppingSettings& settings,
    const AugmentedSubstructure& model, Problems& problems) {
  if (!message.has_identification()) return std::nullopt;
  const std::string path = "numerical.bond_graph.identification";
  const config::TransferIdentification& given = message.identification();
  if (!settings.virtual_junction)
    problems.push_back({path,
                        "identifies by the commands of the virtual junction, which is off; "
                        "leave one of the two out"});
  for (std::size_t i = 0; i < model.transfers.size(); ++i) {
    const TransferSystemInfo& transfer = model.transfers[i];
    if (settings.delay_of(i) > 0.0) {
      problems.push_back({path, "does not know commands that act late, and the delay of `" +
                                    transfer.name + "` is " +
                                    std::to_string(settings.delay_of(i)) +
                                    " s; set the delay to 0 or leave identification out"});
      break;
    }
    if (!(transfer.mass > 0.0 && transfer.damping > 0.0 && transfer.stiffness > 0.0))
      problems.push_back({path, "needs transfer systems of one mass, damper and spring; `" +
                                    transfer.name +
                                    "` is another one: give it m, c and k, or leave "
                                    "identification out"});
  }
  IdentificationSettings found;
  if (given.has_corrects()) found.corrects = given.corrects();
  if (given.has_memory()) found.memory = given.memory();
  if (given.has_excitation()) found.excitation = given.excitation();
  if (given.has_bound()) found.bound = given.bound();
  if (given.has_filter()) found.filter = given.filter();
  if (found.filter * settings.time_step > kMostFilter)
    problems.push_back(
        {path + ".filter",
         "is more than an eighth of the 1/time_step at which it is computed; "
         "lower it, or the time_step"});
  if (found.memory * found.filter < 1.0)
    problems.push_back({path + ".memory",
                        "is shorter than 1/filter, in which no motion can be told from "
                        "another; raise it, or the filter"});
  if (found.excitation < kLeastExcitation)
    problems.push_back({path + ".excitation",
                        "is below 1 nm, which every motion is: nothing would ever be "
                        "frozen; raise it above the noise of the displacement"});
  return found;
}

bool physical_outputs_of(const config::BondGraphModel& message, const Substructuring& model,
                         Problems& problems) {
  if (!message.record_physical()) return false;
  const std::string path = "numerical.bond_graph.record_physical";
  if (message.feedback() == config::FEEDBACK_MODEL)
    problems.push_back({path,
                        "computes the physical part under the measured motion, but with "
                        "feedback: model that part drives the model; leave one of the two "
                        "out"});
  if (model.physical.outputs.size() <= model.augmented.ports.size())
    problems.push_back(
        {path,
         "has nothing to record; name a component of the physical part under "
         "`outputs` of the model file"});
  return true;
}

void refuse_integrator(const config::Test& test, Problems& problems) {
  if (test.numerical().integrator().kind_case() != config::Integrator::KIND_NOT_SET)
    problems.push_back({"numerical.integrator",
                        "a bond graph needs none: its linear part is exact from step to "
                        "step, the rest goes by Runge and Kutta"});
}

}  // namespace

SteppingSettings stepping_settings(const config::Test& test, const Substructuring& model,
                                   const std::vector<structure::ExperimentalPart>& sites) {
  const config::BondGraphModel& message = test.numerical().bond_graph();
  const AugmentedSubstructure& augmented = model.augmented;
  Problems problems;
  SteppingSettings settings;
  settings.time_step = test.time_step();
  settings.virtual_junction = !message.has_virtual_junction() || message.virtual_junction();
  settings.model_feedback = message.feedback() == config::FEEDBACK_MODEL;
  settings.first_order_hold = message.force_hold() == config::FORCE_HOLD_FIRST_ORDER;
  settings.lead = message.has_lead()          ? message.lead()
                  : settings.virtual_junction ? kLeadOfJunction
                                              : kLeadWithoutJunction;
  settings.ports =
      in_port_order(message, augmented, controlled_dofs(sites, problems), problems);
  settings.sources =
      signals_of(test.excitation(), augmented.system, augmented.ports.size(), problems);
  settings.delay = delays_of(message, augmented, problems);
  settings.identification = identification_of(message, settings, augmented, problems);
  settings.physical_outputs = physical_outputs_of(message, model, problems);
  require_stiffness(augmented, settings.virtual_junction, problems);
  const double duration = duration_of(test, settings.sources, problems);
  if (problems.empty()) excitation::require_countable_steps(duration, test.time_step());
  settings.steps = excitation::step_count(duration, test.time_step());
  refuse_integrator(test, problems);
  if (!problems.empty()) throw SettingError(std::move(problems));
  return settings;
}

EmulatedSettings emulated_settings(const config::Test& test, const Substructuring& model,
                                   const std::vector<structure::ExperimentalPart>& sites) {
  Problems problems;
  EmulatedSettings settings;
  settings.time_step = test.time_step();
  if (sites.empty())
    for (const InterfacePort& port : model.augmented.ports)
      settings.dofs.push_back(port.bond);
  else
    for (const PortLocation& place :
         in_port_order(test.numerical().bond_graph(), model.augmented,
                       controlled_dofs(sites, problems), problems))
      settings.dofs.push_back(place.name);
  settings.sources = signals_of(test.excitation(), model.whole, 0, problems);
  if (test.numerical().bond_graph().record_physical() && !test.undivided())
    settings.compared = model.physical.outputs;
  const double duration = duration_of(test, settings.sources, problems);
  if (problems.empty()) excitation::require_countable_steps(duration, test.time_step());
  settings.steps = excitation::step_count(duration, test.time_step());
  refuse_integrator(test, problems);
  if (!problems.empty()) throw SettingError(std::move(problems));
  return settings;
}

}  // namespace trestle::bond_graph
