#include "composition/hybrid_test/hybrid_test_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "composition/hybrid_test/checklist_factory.h"
#include "composition/hybrid_test/contacts_factory.h"
#include "composition/hybrid_test/interface_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/site_name.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "composition/hybrid_test/unused_keys.h"
#include "composition/numerical/integrator_factory.h"
#include "composition/rigs/simulated_factory.h"
#include "composition/sites/calibration_factory.h"
#include "composition/sites/compensator_factory.h"
#include "composition/sites/control_chain_factory.h"
#include "composition/sites/control_factory.h"
#include "composition/sites/control_presets.h"
#include "composition/sites/control_text.h"
#include "composition/sites/controller_factory.h"
#include "composition/sites/inlined_files.h"
#include "composition/sites/kinematics_factory.h"
#include "composition/sites/specimen_papers_factory.h"
#include "composition/sites/startup_checks_factory.h"
#include "core/base/person_name.h"
#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/base/twin_notice.h"
#include "site-servers/node/agreed_limits.h"

namespace trestle::composition {
namespace {

// Control ticks per second if a step is stretched and no rate is set.
constexpr double kUsualRate = 1024.0;
// Sites in other processes may come back within this time.
constexpr Duration kUsualHold = std::chrono::seconds(30);

Duration duration_or(bool given, double in_seconds, Duration otherwise) {
  return given ? Duration{static_cast<std::int64_t>(in_seconds * 1e9)} : otherwise;
}

evaluation::SynchronisationWindow synchronisation_window(
    const config::Synchronisation& message) {
  evaluation::SynchronisationWindow window;
  if (message.has_from()) window.from = message.from();
  if (message.has_until()) window.until = message.until();
  window.frequencies = {message.frequencies().begin(), message.frequencies().end()};
  return window;
}

/// What it measures has another origin than the recorded displacements.
bool is_relative(const config::Test& test, const config::Site& site) {
  if (test.excitation().supports_size() > 0) return true;
  const bool preloaded = site.gravity() != config::SPECIMEN_GRAVITY_APPLY;
  return test.excitation().has_gravity() && preloaded != test.recording().from_gravity();
}

std::string site_path(int index) {
  return "sites[" + std::to_string(index) + "]";
}

/// The transducers that the test's checklist may compare.
std::vector<ChecklistRig> checklist_rigs(const config::Test& test) {
  std::vector<ChecklistRig> rigs;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    ChecklistRig& rig = rigs.emplace_back();
    rig.site = site.name();
    if (is_remote(site)) continue;
    const config::LoadingFrame& frame = site.loading_frame();
    rig.actuators = loading_frame(site, site_path(i))->actuators();
    rig.further = site.has_adapter();
    if (frame.has_matrix() || frame.has_coupler()) continue;
    for (const auto& dof : make_interface_layout(site)) rig.kinds.push_back(dof.kind);
  }
  return rigs;
}

/// Written in the test, each item must be confirmed. The default may stay open, so that a
/// script that arms without a terminal still arms.
ArmingStatus arming_list_of(const config::Test& test) {
  ArmingStatus arming;
  arming.words = test.arming().has_words() ? static_cast<int>(test.arming().words()) : 1;
  arming.required = test.checklist_size() > 0;
  arming.checklist = make_checklist(test.checklist(), checklist_rigs(test), "checklist");
  if (!arming.required)
    for (const char* item :
         {"emergency stop pressed and released today", "nobody in the cage",
          "hydraulics at pressure", "limits read aloud", "zero readings seen",
          "space for the record"})
      arming.checklist.push_back({item});
  return arming;
}

std::vector<site_node::TargetLimit> target_limits(const config::Limits& limits) {
  std::vector<site_node::TargetLimit> named;
  for (const config::InterfaceLimit& limit : limits.interface()) {
    site_node::TargetLimit& added = named.emplace_back();
    added.dof = limit.dof();
    added.displacement = limit.displacement();
    if (limit.has_rate()) added.rate = limit.rate();
    if (limit.has_acceleration()) added.acceleration = limit.acceleration();
  }
  return named;
}

/// The site's part of the loop: at force-only DOFs its specimen does not move, so that only
/// the undivided reference has a stiffness there.
void copy_corner(const Eigen::MatrixXd& from, Eigen::Index size, Eigen::MatrixXd& to) {
  to.topLeftCorner(size, size) = from.topLeftCorner(size, size);
}

/// 0: not known here.
int actuator_count(const config::Site& site, const std::string& path) {
  return is_remote(site) ? 0 : loading_frame(site, path)->actuators();
}

/// Why a site's twin cannot stand for it; empty: it can, or is not asked to.
std::string twin_problem(const config::Site& site) {
  if (!site.twin()) return {};
  const std::string name = "site " + site.name();
  if (!site.remote() && site.address().empty() && !site.has_adapter())
    return name +
           " has neither an address, remote nor an adapter: no laboratory is to be left "
           "out, and its rig is simulated anyway; leave twin out";
  if (!site.has_rig())
    return name +
           " has no twin to stand for it; give it one here: the `rig:` of its "
           "laboratory's file, simulated (docs/howto/characterise-a-rig.md)";
  return {};
}

/// For sentences.
std::string place_of(const config::Site& site, const std::string& listen) {
  if (site.twin()) return "TWIN in this process";
  if (!site.address().empty()) return site.address();
  return site.remote() ? "calls in at " + listen : "in this process";
}

/// As bytes for the site. If its actuators are known, the compensator is made once here, so
/// that an invalid setting is reported with its line before any site is contacted.
std::string compensator_for(const config::Site& site, int actuators, double tick,
                            const std::string& path) {
  const config::Compensator message =
      inline_files(site.compensator(), site.name(), tick, path + ".compensator");
  if (actuators > 0) make_compensator(message, actuators, tick, path + ".compensator");
  return message.SerializeAsString();
}

/// The same of the controller.
std::string controller_for(const config::Site& site, int actuators, double tick,
                           const std::string& path) {
  const config::ActuatorController message =
      inline_files(site.controller(), path + ".controller");
  if (actuators > 0) make_controller(message, actuators, tick, path + ".controller");
  return message.SerializeAsString();
}

/// The noise that the criteria may subtract: of a rig in this process whose actuators are
/// its interface DOFs.
integrator_node::KnownSensorNoise known_noise(const config::Test& test,
                                              const config::Site& site, int actuators,
                                              double tick, const std::string& path) {
  const config::LoadingFrame& frame = site.loading_frame();
  if (is_remote(site) || !site.has_rig() || frame.has_matrix() || frame.has_coupler())
    return {};
  const simulated::SensorNoise noise =
      make_sensor_noise(site.rig(), actuators, path + ".rig.noise");
  integrator_node::KnownSensorNoise known{
      .seed = test.seed(), .stream = stream_id(site.name()), .tick = tick};
  for (Eigen::Index i = 0; i < noise.displacement.size(); ++i) {
    const auto actuator = static_cast<std::size_t>(i);
    const bool published =
        actuator < noise.sequences.size() && noise.sequences[actuator].has_value();
    known.displacement.push_back(published ? 0.0 : noise.displacement(i));
    known.force.push_back(noise.force(i));
  }
  return known;
}

/// The person who answers for missing limits, and the reason.
/// @param path  before the keys of the site, with its dot; empty: the file is its own
void check_names(const config::SiteArming& arming, const std::string& path,
                 std::vector<SettingIssue>& problems) {
  if (!arming.has_without_limits()) return;
  const std::string key = path + "arming.without_limits";
  const config::WithoutLimits& without = arming.without_limits();
  if (!is_person_name(without.by()))
    problems.push_back({key + ".by",
                        "`by` must be the name of the person who answers for it, with a "
                        "letter; `unknown` and `integrator` are reserved. It is in the "
                        "audit and in the contract of each test"});
  if (!has_letter(without.reason()))
    problems.push_back({key + ".reason",
                        "`reason` must say why the rig may move without limits, in words; "
                        "it is in the audit and in the contract of each test"});
}

std::optional<site_node::WithoutLimits> without_limits_of(
    const config::SiteArming& arming) {
  if (!arming.has_without_limits()) return std::nullopt;
  return site_node::WithoutLimits{without_outer_blanks(arming.without_limits().by()),
                                  without_outer_blanks(arming.without_limits().reason())};
}

/// The parts of a site's contracts that its messages do not contain: of a site in this
/// process, or of a laboratory's own file.
/// @param path  before the keys of the site, with its dot; empty: the file is its own
template <typename Site>
session::ContractEntries stated_facts(const Site& site, int actuators,
                                      const std::string& path) {
  const std::string action = format_message(site.safe_action());
  const std::string checks = format_message(site.start_checks());
  session::ContractEntries facts{{"safe_action", action.empty() ? "default" : action},
                                 {"start_checks", checks.empty() ? "none" : checks}};
  if (const auto answered_for = without_limits_of(site.arming()))
    facts.emplace_back("without_limits", answered_for->by + ": " + answered_for->reason);
  for (auto& fact : session::calibration_entries(
           make_calibrations(site.calibration(), actuators, path + "calibration")))
    facts.push_back(std::move(fact));
  for (auto& fact :
       session::specimen_entries(make_specimen_papers(site.specimen(), path + "specimen")))
    facts.push_back(std::move(fact));
  for (auto& fact : contact_entries(site, path)) facts.push_back(std::move(fact));
  return facts;
}

checks::StartCheckSettings start_checks_of(const config::SiteFile& file, int actuators) {
  checks::StartCheckSettings settings =
      make_start_checks(file.start_checks(), actuators, "start_checks");
  settings.checklist = make_site_checklist(
      file.checklist(), {.site = file.site(), .actuators = actuators}, "checklist");
  return settings;
}

/// Of a site of a test: whether its laboratory takes part.
session::ContractEntries stated_facts_of_site(const config::Site& site, int actuators,
                                              const std::string& path) {
  session::ContractEntries facts = stated_facts(site, actuators, path);
  if (site.twin()) facts.emplace_back("twin", twin_notice(site.name()));
  return facts;
}

site_node::LongestTimes longest_times_of(const config::LongestTimes& message) {
  const auto or_else = [](bool given, double value, double usual) {
    return given ? value : usual;
  };
  return {.watchdog = or_else(message.has_watchdog(), message.watchdog(), 60.0),
          .heartbeat = or_else(message.has_heartbeat(), message.heartbeat(), 30.0),
          .step = or_else(message.has_step(), message.step(), 600.0),
          .settle = or_else(message.has_settle(), message.settle(), 600.0),
          .average = or_else(message.has_average(), message.average(), 60.0),
          .latency = or_else(message.has_latency(), message.latency(), 10.0),
          .ahead = or_else(message.has_ahead(), message.ahead(), 60.0)};
}

/// Which site it is, and what it stands for.
integrator_node::SiteSpecification described(const config::Test& test,
                                             const config::Site& site) {
  integrator_node::SiteSpecification in_test;
  in_test.name = site.name();
  in_test.twin = site.twin();
  in_test.relative = is_relative(test, site);
  in_test.to_gravity = site.gravity() == config::SPECIMEN_GRAVITY_APPLY;
  in_test.where = place_of(site, test.listen());
  return in_test;
}

}  // namespace

bool is_remote(const config::Site& site) {
  return !site.twin() && (site.remote() || !site.address().empty());
}

double command_step(const config::Test& test) {
  return test.time_step() / commands_per_step(test.numerical().integrator());
}

int ticks_per_step(const config::Test& test, const config::Site& site,
                   const std::string& path) {
  const double step = command_step(test) * make_pacing(test).scale;
  if (!site.has_control_tick())
    return make_pacing(test).scale == 1.0 ? 1
                                          : static_cast<int>(std::ceil(step * kUsualRate));
  const double ratio = step / site.control_tick();
  const double whole = std::round(ratio);
  if (whole < 1.0 || whole > 100000.0 || std::abs(ratio - whole) > 1e-9 * whole) {
    const int commands = commands_per_step(test.numerical().integrator());
    const std::string of_command =
        commands > 1 ? " / " + std::to_string(commands) + ", from one command to the next"
                     : "";
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
                  "control_tick goes %.7g times into the time step%s; must be a whole "
                  "number of times, at most 100000",
                  ratio, of_command.c_str());
    throw SettingError(path + ".control_tick", text.data());
  }
  return static_cast<int>(whole);
}

InterfaceLayout interface_layout(const config::Site& site, const std::string& path) {
  return limit_targets(site.limits(), make_interface_layout(site), path + ".limits");
}

integrator_node::IntegratorSettings integrator_settings(const config::Test& test,
                                                        const std::string& software,
                                                        std::int64_t steps) {
  integrator_node::IntegratorSettings settings;
  settings.test = test.test();
  settings.software = software;
  settings.time_step = command_step(test);
  settings.seed = test.seed();
  settings.steps = steps;
  settings.mode = mode_of(test);
  settings.pace = make_pacing(test);
  settings.misses = make_missed_response_settings(test);
  settings.clock_bound = clock_bound_of(test);
  settings.responses = {test.criteria().responses().begin(),
                        test.criteria().responses().end()};
  settings.synchronisation = synchronisation_window(test.criteria().synchronisation());
  for (const config::Participant& each : test.participants())
    settings.participants.push_back(
        {each.name(), each.place(), each.telephone(), each.role()});
  const config::Deadlines& deadlines = test.deadlines();
  settings.connect =
      duration_or(deadlines.has_connect(), deadlines.connect(), settings.connect);
  settings.answer = duration_or(deadlines.has_step(), deadlines.step(), settings.answer);
  settings.heartbeat =
      duration_or(deadlines.has_heartbeat(), deadlines.heartbeat(), settings.heartbeat);
  settings.watchdog =
      duration_or(deadlines.has_watchdog(), deadlines.watchdog(), settings.watchdog);
  const bool elsewhere = std::any_of(test.sites().begin(), test.sites().end(), is_remote);
  settings.without_hardware_watchdog = test.arming().without_hardware_watchdog();
  settings.arming = arming_list_of(test);
  settings.insecure = test.security().insecure();
  settings.hold = duration_or(deadlines.has_hold(), deadlines.hold(),
                              elsewhere ? kUsualHold : Duration::zero());
  if (test.undivided()) return settings;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = site_path(i);
    integrator_node::SiteSpecification in_test = described(test, site);
    in_test.layout = interface_layout(site, path);
    const int actuators = actuator_count(site, path);
    in_test.limits = make_limits(site.limits(), actuators, path + ".limits");
    in_test.ticks_per_step = ticks_per_step(test, site, path);
    in_test.shares_clock = !is_remote(site);
    const double tick = settings.time_step * settings.pace.scale / in_test.ticks_per_step;
    in_test.compensator = compensator_for(site, actuators, tick, path);
    in_test.controller = controller_for(site, actuators, tick, path);
    in_test.compensator_text = format_compensator(in_test.compensator);
    in_test.controller_text = format_controller(in_test.controller);
    in_test.noise = known_noise(test, site, actuators, tick, path);
    in_test.specimen_mass = mass_left_out(test, i);
    in_test.inertia_measured =
        !in_test.specimen_mass.empty() && inertia_is_measured(test.sites(i));
    settings.sites.push_back(std::move(in_test));
  }
  return settings;
}

NumericalParts numerical_parts(const config::Test& test) {
  NumericalParts parts;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    structure::ExperimentalPart part;
    part.site = site.name();
    for (const InterfaceDof& dof : make_interface_layout(site))
      part.dofs.push_back(dof.name);
    part.force_only = static_cast<std::size_t>(site.force_only_size());
    part.support = site.support();
    part.gravity_applied = site.gravity() == config::SPECIMEN_GRAVITY_APPLY;
    const auto dofs = static_cast<Eigen::Index>(part.dofs.size());
    part.stiffness = Eigen::MatrixXd::Zero(dofs, dofs);
    part.damping = part.mass = part.stiffness;
    if (test.numerical().has_bond_graph()) {
      // Its specimens are no matrices: stability and undivided structure know the graph.
    } else if (site.rig().has_specimen()) {
      std::unique_ptr<SpecimenModel> specimen =
          make_specimen(site.rig().specimen(), site.interface_size(),
                        site.force_only_size(), site_path(i) + ".rig.specimen");
      const Eigen::Index known = test.undivided() ? dofs : site.interface_size();
      copy_corner(specimen->initial_stiffness(), known, part.stiffness);
      part.elastic_stiffness = Eigen::MatrixXd::Zero(dofs, dofs);
      copy_corner(specimen->elastic_stiffness(), known, part.elastic_stiffness);
      copy_corner(specimen->damping(), known, part.damping);
      copy_corner(specimen->mass(), known, part.mass);
      own_inertia(test, i, specimen.get(), part);
      if (test.reference().has_undivided())
        parts.reference.push_back(
            make_specimen(site.rig().specimen(), site.interface_size(),
                          site.force_only_size(), site_path(i) + ".rig.specimen"));
      if (test.undivided()) parts.undivided.push_back(std::move(specimen));
    } else if (test.undivided() || test.reference().has_undivided()) {
      throw SettingError(site_path(i), "undivided needs the specimen of every site; " +
                                           site.name() + " has no rig in this file");
    } else {
      own_inertia(test, i, nullptr, part);
    }
    parts.experimental.push_back(std::move(part));
  }
  return parts;
}

site_node::SiteSettings site_settings(const config::Site& site, const std::string& software,
                                      int record_every, const std::string& path) {
  std::unique_ptr<const LoadingFrame> frame = loading_frame(site, path);
  const int actuators = frame->actuators();
  return {
      .name = site.name(),
      .software = software,
      .loading_frame = std::move(frame),
      .control_chain = &control_chain_factory(),
      .limits = {},
      .limit_place = {},
      .target_limits = {},
      .start_checks =
          make_start_checks(site.start_checks(), actuators, path + ".start_checks"),
      .stated = stated_facts_of_site(site, actuators, path + "."),
      .ticks = {.every = record_every},
      .watch = {.overrun = overrun_threshold(site.control_thread()),
                .most_overruns = most_overruns_of(site.control_thread())},
      .safe_action = make_safe_action(site.safe_action(), actuators, path + ".safe_action"),
      .without_limits = without_limits_of(site.arming())};
}

site_node::SiteSettings site_settings(const config::SiteFile& file,
                                      const std::string& software) {
  std::vector<SettingIssue> problems;
  check_names(file.arming(), "", problems);
  if (!problems.empty()) throw SettingError(std::move(problems));
  std::unique_ptr<const LoadingFrame> frame = loading_frame(file);
  const int actuators = frame->actuators();
  return {.name = file.site(),
          .software = software,
          .loading_frame = std::move(frame),
          .control_chain = &control_chain_factory(),
          .limits = make_limits(file.limits(), actuators, "limits"),
          .limit_place = {},
          .target_limits = target_limits(file.limits()),
          .start_checks = start_checks_of(file, actuators),
          .stated = stated_facts(file, actuators, ""),
          .ticks = {.every =
                        static_cast<int>(file.has_record_ticks() ? file.record_ticks() : 1),
                    .coefficients = file.record_coefficients()},
          .insecure = file.security().insecure(),
          .watch = {.overrun = overrun_threshold(file.control_thread()),
                    .most_overruns = most_overruns_of(file.control_thread()),
                    .without_hardware_watchdog = file.arming().without_hardware_watchdog()},
          .safe_action = make_safe_action(file.safe_action(), actuators, "safe_action"),
          .without_limits = without_limits_of(file.arming()),
          .longest = longest_times_of(file.longest())};
}

void require_limits(const RigLimits& limits, const site_node::SiteSettings& site,
                    const RigDescription& rig, const std::string& path) {
  const std::string place = path.empty() ? "" : path + ".";
  if (!rig.real_equipment) {
    if (site.without_limits)
      throw SettingError(place + "arming.without_limits",
                         "site " + site.name +
                             " has a simulated rig, which may move without limits; take "
                             "arming.without_limits out");
    return;
  }
  if (site.without_limits && site_node::missing_limits(limits, rig.actuators).empty())
    throw SettingError(
        place + "arming.without_limits",
        "all limits of site " + site.name + " are stated; take arming.without_limits out");
  const std::string why =
      site_node::refusal_without_limits(limits, rig.actuators, site.without_limits);
  if (!why.empty()) throw SettingError(place + "limits", "site " + site.name + ": " + why);
}

void expand_presets(config::Test& test) {
  for (int i = 0; i < test.sites_size(); ++i) {
    config::Site& site = *test.mutable_sites(i);
    const std::string path = site_path(i);
    const double tick =
        command_step(test) * make_pacing(test).scale / ticks_per_step(test, site, path);
    expand_presets(site, loading_frame(site, path)->actuators(), tick, path);
  }
}

void check_test(const config::Test& test, TestStart start) {
  std::vector<SettingIssue> problems;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = site_path(i);
    if (const std::string wrong = site_name_problem(site.name()); !wrong.empty())
      problems.push_back({path + ".name", wrong});
    if (site.interface_size() == 0)
      problems.push_back(
          {path, "site " + site.name() + " has no interface; name its DOFs"});
    const int dofs = site.interface_size() + site.force_only_size();
    if (dofs > kMaxInterfaceDofs)
      problems.push_back(
          {path + ".interface", "site " + site.name() + " has " + std::to_string(dofs) +
                                    " interface DOFs, force-only ones included; at most " +
                                    std::to_string(kMaxInterfaceDofs) + " are possible"});
    if (is_remote(site) && site.remote() && test.listen().empty())
      problems.push_back(
          {path + ".remote", "site " + site.name() +
                                 " calls in, but the test does not say where it "
                                 "listens; give it `listen: tcp://*:7000`"});
    if (std::string wrong = twin_problem(site); !wrong.empty())
      problems.push_back({path + ".twin", std::move(wrong)});
    if (site.remote() && !site.address().empty())
      problems.push_back(
          {path + ".remote",
           "site " + site.name() + " has both an address and remote; one of them"});
  }
  if (test.sites_size() == 0 && !test.undivided())
    problems.push_back(
        {"test", "there is no site; a hybrid test needs one (or set undivided)"});
  if (!test.has_excitation() && !test.numerical().has_bridge())
    problems.push_back({"", "excitation is missing; must be given"});
  const integrator_node::IntegratorSettings usual;
  const config::Deadlines& deadlines = test.deadlines();
  const double heartbeat =
      deadlines.has_heartbeat() ? deadlines.heartbeat() : seconds(usual.heartbeat);
  const double watchdog =
      deadlines.has_watchdog() ? deadlines.watchdog() : seconds(usual.watchdog);
  if (!(watchdog >= 2.0 * heartbeat))
    problems.push_back(
        {"deadlines.watchdog", "a watchdog of " + std::to_string(watchdog) +
                                   " s would bite between two heartbeats, " +
                                   std::to_string(heartbeat) +
                                   " s apart; make it at least twice as long"});
  if (test.checklist_size() > 0) try {
      make_checklist(test.checklist(), checklist_rigs(test), "checklist");
    } catch (const SettingError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  check_pace(test, problems);
  if (start == TestStart::kNew) {
    refuse_unused_keys(test, problems);
    for (int i = 0; i < test.sites_size(); ++i)
      check_names(test.sites(i).arming(), site_path(i) + ".", problems);
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
}

}  // namespace trestle::composition
