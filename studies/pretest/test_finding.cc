#include "studies/pretest/test_finding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/inner_modes.h"
#include "composition/sites/calibration_factory.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "studies/pretest/stability_words.h"

namespace trestle::pretest {
namespace {

constexpr double kMostDamping = 0.2;
constexpr double kLongestPeriod = 100.0;     // [s]
constexpr double kFarAbove = 50.0;           // a limit over what is asked for
constexpr double kMostAcceleration = 20.0;   // of the ground [m/s²]
constexpr double kLeastAcceleration = 1e-3;  // likewise

std::string figure(const char* format, double value) {
  char text[60];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// One of the quantities that a limit is stated for.
struct Quantity {
  const char* field;
  double ActuatorLimits::*value;
  double factor;
  const char* translation;
  const char* rotation;

  std::string text(double of, DofKind kind) const {
    const bool turns = kind == DofKind::kRotation;
    return figure("%.3g ", of * factor) + (turns ? rotation : translation);
  }
};

constexpr std::array<Quantity, 3> kQuantities{
    {{"displacement", &ActuatorLimits::displacement, 1e3, "mm", "mrad"},
     {"rate", &ActuatorLimits::rate, 1e3, "mm/s", "mrad/s"},
     {"force", &ActuatorLimits::force, 1e-3, "kN", "kN.m"}}};

/// Where a motion is set.
struct MotionSettings {
  std::string record;
  std::string unit;
  std::string scale;
};

class Look {
 public:
  Look(const composition::HybridTestSetup& setup, const std::vector<SiteDemand>& demands)
      : setup_(setup), demands_(demands) {}

  void at_structure();
  void at_record(const TestOutlook& outlook);
  void at_network();
  void at_rigs();
  void at_limits();
  void at_stability(const StabilityReport& report);
  void at_controllers();
  void at_calibrations();

  std::vector<TestFinding> found;

 private:
  void stops(const char* kind, const std::string& path, std::string what,
             std::string change) {
    add(TestFinding::Weight::kStops, kind, path, std::move(what), std::move(change));
  }
  void question(const char* kind, const std::string& path, std::string what,
                std::string change) {
    add(TestFinding::Weight::kQuestion, kind, path, std::move(what), std::move(change));
  }
  void add(TestFinding::Weight weight, const char* kind, const std::string& path,
           std::string what, std::string change) {
    found.push_back({weight, kind, path.empty() ? "" : setup_.where.location(path),
                     std::move(what), std::move(change)});
  }
  void at_damping(const std::vector<double>& ratios);
  void at_peak(double peak, const char* of_what, const std::string& record,
               const MotionSettings& settings);
  void at_gravity(std::size_t site);
  void at_period(double period);
  void at_site(std::size_t site);
  void at_actuator(std::size_t site, std::size_t actuator);
  void at_targets(std::size_t site);
  std::string less(double part) const;
  bool ramps() const { return setup_.integrator.mode == ExecutionMode::kPseudoDynamic; }
  std::string site_path(std::size_t site) const {
    return "sites[" + std::to_string(site) + "]";
  }

  const composition::HybridTestSetup& setup_;
  const std::vector<SiteDemand>& demands_;
};

void Look::at_damping(const std::vector<double>& ratios) {
  for (std::size_t i = 0; i < ratios.size(); ++i)
    if (ratios[i] > kMostDamping)
      question("damping", "numerical",
               "Mode " + std::to_string(i + 1) + " is damped by " +
                   figure("%.3g %% of critical, above ", 100.0 * ratios[i]) +
                   figure("%.0f %%.", 100.0 * kMostDamping),
               "Is this meant? Look at the damping and at its unit.");
}

void Look::at_period(double period) {
  if (period > kLongestPeriod)
    question("period", "numerical",
             "The first period is " + figure("%.4g s, above ", period) +
                 figure("%.0f s.", kLongestPeriod),
             "Is this meant? Look at the units of stiffness, mass and length.");
}

void Look::at_structure() {
  const composition::NumericalReport& model = setup_.report.model;
  if (setup_.report.bridge != nullptr) {
    const composition::BridgeReport& bridge = *setup_.report.bridge;
    at_damping(bridge.ratios);
    if (!bridge.frequencies.empty()) at_period(1.0 / bridge.frequencies.front());
    if (bridge.loop_gain >= 1.0)
      question("loop-gain", "numerical.bridge",
               figure("The loop over the bridge has a gain of %.3g.", bridge.loop_gain),
               "Late tables may make it unstable: rehearse the test with the tables' "
               "delay.");
    return;
  }
  at_damping(model.ratios);
  if (!model.periods.empty()) at_period(model.periods.front());
  for (const composition::InnerModes& modes : composition::inner_modes(setup_.test))
    if (modes.near())
      question("inner-modes", site_path(static_cast<std::size_t>(modes.site)),
               composition::in_words(setup_.test, modes) +
                   figure(", below %g times ", composition::InnerModes::kFar) +
                   figure("%.4g Hz", modes.matters) +
                   ", up to which modes of the structure carry 90 % of its mass.",
               "The integrator adds the inertia that the interface feels as long as the "
               "specimen's inner masses follow it: do they? Compare with `reference: "
               "undivided`, or make the node of the largest inner mass an interface.");
  const double dt = setup_.test.time_step();
  if (std::isfinite(model.stable_time_step) && dt > model.stable_time_step)
    stops("time-step", "time_step",
          "The time step " + figure("%.4g ms is above ", 1e3 * dt) +
              figure("%.4g ms, up to which ", 1e3 * model.stable_time_step) +
              model.integrator + " is stable.",
          "Make the time step smaller, or choose another integrator.");
}

void Look::at_peak(double peak, const char* of_what, const std::string& record,
                   const MotionSettings& settings) {
  if (peak <= kMostAcceleration && peak >= kLeastAcceleration) return;
  question("ground-motion", settings.record,
           std::string("The peak ") + of_what + " of " + record + " is " +
               figure("%.3g m/s2", peak) + figure(" (%.3g g).", peak / 9.80665),
           "Is this meant? Look at " + settings.unit + " and " + settings.scale + ".");
}

void Look::at_record(const TestOutlook& outlook) {
  if (!outlook.record.empty())
    at_peak(outlook.peak_ground_acceleration, "ground acceleration", outlook.record,
            {"excitation.record", "excitation.unit", "excitation.scale"});
  for (const composition::ImposedMotion& motion : outlook.motions) {
    if (motion.displaced || motion.turns()) continue;
    const bool ground = motion.dofs.empty();
    const std::string file = motion.path + (ground ? "" : ".motion");
    at_peak(
        motion.peak, ground ? "ground acceleration" : "acceleration", motion.record,
        {file + (ground ? ".record" : ".file"), file + ".unit", motion.path + ".scale"});
  }
}

void Look::at_network() {
  if (setup_.test.undivided()) return;
  const std::size_t before = found.size();
  try {
    composition::integrator_endpoint(setup_.test, setup_.where);
  } catch (const yaml::ConfigError& error) {
    for (const std::string& line : error.lines())
      found.push_back({TestFinding::Weight::kStops, "not-reached", "", line, ""});
  }
  if (found.size() > before) return;
  for (int i = 0; i < setup_.test.sites_size(); ++i)
    if (composition::describe_connection(setup_.test, i).starts_with("not at all"))
      stops("not-reached", site_path(static_cast<std::size_t>(i)) + ".address",
            "Site " + setup_.test.sites(i).name() + " is reached not at all.",
            "Give both ends keys (docs/explanation/security.md).");
}

/// Checks what the rigs of this process report; it loads plug-ins for that.
void Look::at_rigs() {
  std::size_t here = 0;
  for (std::size_t i = 0; i < setup_.remote.size(); ++i) {
    if (setup_.remote[i]) continue;
    const RigDescription rig = setup_.sites_here[here++].rig->description();
    const integrator_node::SiteSpecification& settings = setup_.integrator.sites[i];
    if (rig.real_equipment && setup_.integrator.mode == ExecutionMode::kSimulated)
      stops(
          "real-equipment", "mode",
          settings.name + " is real equipment, and mode simulated goes as fast as it can.",
          "Take pseudo-dynamic, continuous or real-time.");
    if (rig.real_equipment && !rig.hardware_watchdog &&
        !setup_.test.arming().without_hardware_watchdog())
      stops("hardware-watchdog", site_path(i),
            settings.name + " is real equipment that nothing stops if this program dies.",
            "Wire a hardware watchdog, or set arming.without_hardware_watchdog.");
    const double tick = setup_.integrator.time_step * setup_.integrator.pace.scale /
                        settings.ticks_per_step;
    const std::size_t measured = setup_.sites_here[here - 1].rig->accelerations().size();
    if (settings.inertia_measured && measured != controlled_dofs(settings.layout))
      stops("accelerometers", site_path(i) + ".inertia",
            "The rig of " + settings.name + " measures " + std::to_string(measured) +
                " accelerations of the specimen, and `inertia: measured` needs " +
                std::to_string(controlled_dofs(settings.layout)) + ".",
            "Take `inertia: commanded`, or give the rig an accelerometer for each "
            "interface DOF (docs/howto/write-an-adapter.md).");
    if (tick < rig.shortest_tick * (1.0 - 1e-9))
      stops("control-tick", site_path(i) + ".control_tick",
            "The control tick of " + settings.name + " is " +
                figure("%.4g ms, its rig bears no less than ", 1e3 * tick) +
                figure("%.4g ms.", 1e3 * rig.shortest_tick),
            "Make the control tick longer.");
  }
}

/// Those of the sites in this process; `trestle check SITE.yaml` looks at the others.
void Look::at_calibrations() {
  std::size_t here = 0;
  for (std::size_t i = 0; i < setup_.remote.size(); ++i) {
    if (setup_.remote[i]) continue;
    const composition::LocalSite& site = setup_.sites_here[here++];
    const std::string path = site_path(i) + ".calibration";
    for (const std::string& sentence :
         session::expired_today(site.settings.name, site.settings.stated))
      question("calibration-expired", path, sentence, "");
    const RigDescription rig = site.rig->description();
    if (!rig.real_equipment) continue;
    std::string without;
    for (const std::string& channel : session::uncalibrated_channels(
             session::read_calibrations(site.settings.stated), rig.actuators.size(),
             static_cast<std::size_t>(rig.reactions)))
      without += (without.empty() ? "" : ", ") + channel;
    if (!without.empty())
      question("no-calibration", site_path(i),
               site.settings.name + " states no calibration of: " + without + ".",
               "Give `calibration` (docs/howto/prepare-a-rig.md#calibrations).");
  }
}

/// Returns the advice that reduces the demand to this fraction.
std::string Look::less(double part) const {
  const config::Excitation& it = setup_.test.excitation();
  const config::Numerical& numerical = setup_.test.numerical();
  const std::string most = figure("%.2g", std::floor(99.0 * part) / 100.0);
  const std::string rest =
      ", as far as the estimate goes), or raise the limit if the equipment bears it.";
  if (it.supports_size() > 0 || it.motions_size() > 0)
    return "Scale the excitation down (each scale of excitation." +
           std::string(it.supports_size() > 0 ? "supports" : "motions") + ": at most " +
           figure("%.2g", 0.99 * part) + " times it" + rest;
  const bool record = !it.record().empty() ? it.record() != "none" : it.has_synthetic();
  if (record && !numerical.has_bond_graph() && !numerical.has_bridge()) {
    const double scale = it.has_scale() ? it.scale() : 1.0;
    return "Scale the excitation down (excitation.scale: at most " +
           figure("%.2g", 0.99 * part * scale) + rest;
  }
  return "Reduce what moves the structure to " + most +
         " of it, or raise the limit if the equipment bears it.";
}

void Look::at_actuator(std::size_t site, std::size_t actuator) {
  const integrator_node::SiteSpecification& settings = setup_.integrator.sites[site];
  const SiteDemand& demand = demands_[site];
  const ActuatorLimits limit =
      actuator < settings.limits.size() ? settings.limits[actuator] : ActuatorLimits{};
  const std::string name = settings.name + " actuator " + std::to_string(actuator + 1);
  const std::string path =
      site_path(site) + ".limits.actuators[" + std::to_string(actuator) + "]";
  for (const Quantity& quantity : kQuantities) {
    const double asked = demand.actuators[actuator].*quantity.value;
    const double allowed = limit.*quantity.value;
    const bool rate = quantity.value == &ActuatorLimits::rate;
    const DofKind kind = demand.kinds[actuator];
    const std::string both = std::string(quantity.field) + " " +
                             quantity.text(asked, kind) + ", limit " +
                             quantity.text(allowed, kind);
    if (asked > allowed)
      stops("above-limit", path + "." + quantity.field,
            name + " is asked for more than its limit: " + both + " (linear estimate).",
            rate && ramps() ? "Lower pseudo_dynamic.rate, or raise the limit if the "
                              "equipment bears it."
                            : less(allowed / asked));
    else if (std::isfinite(allowed) && asked > 0.0 && !(rate && ramps()) &&
             allowed > kFarAbove * asked)
      question("far-limit", path + "." + quantity.field,
               name + " has a limit " + figure("%.3g times ", allowed / asked) +
                   "what the linear estimate asks for: " + both + ".",
               "Is its unit meant? A limit protects if it is a few times what is asked "
               "for.");
  }
}

void Look::at_targets(std::size_t site) {
  const integrator_node::SiteSpecification& settings = setup_.integrator.sites[site];
  const SiteDemand& demand = demands_[site];
  for (std::size_t i = 0; i < demand.targets.size() && i < settings.layout.size(); ++i) {
    const InterfaceDof& dof = settings.layout[i];
    const Quantity& quantity = kQuantities[0];
    if (demand.targets[i] > dof.displacement_limit)
      stops("above-limit", site_path(site) + ".limits.interface",
            "The target of " + dof.name + " goes beyond its limit: " +
                quantity.text(demand.targets[i], dof.kind) + ", limit " +
                quantity.text(dof.displacement_limit, dof.kind) + " (linear estimate).",
            less(dof.displacement_limit / demand.targets[i]));
    else if (std::isfinite(dof.displacement_limit) && demand.targets[i] > 0.0 &&
             dof.displacement_limit > kFarAbove * demand.targets[i])
      question("far-limit", site_path(site) + ".limits.interface",
               "The limit of " + dof.name + " is " +
                   figure("%.3g times ", dof.displacement_limit / demand.targets[i]) +
                   "what the linear estimate asks for: " +
                   quantity.text(demand.targets[i], dof.kind) + ", limit " +
                   quantity.text(dof.displacement_limit, dof.kind) + ".",
               "Is its unit meant? A limit protects if it is a few times what is asked "
               "for.");
  }
}

/// In simulated mode step 0 is no ramp.
void Look::at_gravity(std::size_t site) {
  const auto& actuators = setup_.test.sites(static_cast<int>(site)).rig().actuators();
  if (!setup_.integrator.sites[site].to_gravity ||
      setup_.integrator.mode != ExecutionMode::kSimulated ||
      std::all_of(
          actuators.begin(), actuators.end(),
          [](const config::ActuatorModel& actuator) { return actuator.has_ideal(); }))
    return;
  question("gravity-jump", site_path(site) + ".gravity",
           "Step 0 takes the specimen of " + setup_.integrator.sites[site].name +
               " to the state under gravity at once: simulated mode has no ramp, and its "
               "actuators are not ideal.",
           "Take mode pseudo-dynamic, or ideal actuators.");
}

void Look::at_site(std::size_t site) {
  const integrator_node::SiteSpecification& settings = setup_.integrator.sites[site];
  at_gravity(site);
  // A remote laboratory sets its own limits.
  if (settings.shares_clock) {
    std::string without;
    const std::size_t actuators =
        site < demands_.size() ? demands_[site].actuators.size() : settings.limits.size();
    for (std::size_t k = 0; k < std::max<std::size_t>(actuators, 1); ++k)
      for (const Quantity& quantity : kQuantities)
        if (k >= settings.limits.size() || std::isinf(settings.limits[k].*quantity.value))
          without += (without.empty() ? "" : ", ") + std::string(quantity.field) + " " +
                     std::to_string(k + 1);
    if (!without.empty())
      question("no-limit", site_path(site) + ".limits",
               settings.name + " has no limit of: " + without +
                   " (the number is the actuator's).",
               "The gate lets everything pass there; give limits.actuators.");
  }
  if (site >= demands_.size() || !demands_[site].known) return;
  for (std::size_t k = 0; k < demands_[site].actuators.size(); ++k) at_actuator(site, k);
  at_targets(site);
}

void Look::at_limits() {
  if (setup_.test.undivided()) return;
  if (demands_.empty())
    question("no-estimate", "",
             "The model has " + std::to_string(setup_.report.model.equations) +
                 " equations, too many for a linear estimate of what is asked for.",
             "Nothing was compared with the limits; rehearse the test.");
  for (std::size_t i = 0; i < setup_.integrator.sites.size(); ++i) at_site(i);
}

void Look::at_stability(const StabilityReport& report) {
  if (!report.known || report.stable()) return;
  std::string words;
  for (const std::string& line : in_words(report))
    if (words.empty() && line.ends_with("UNSTABLE")) words = line;
  while (words.ends_with("UNSTABLE") || words.ends_with(' '))
    words.erase(words.size() - (words.ends_with(' ') ? 1 : 8));
  double late = 0.0;
  for (const LateActuator& actuator : report.actuators)
    late = std::max(late, actuator.delay);
  const bool by_delay =
      !report.cases.front().critical.at_least && late > report.cases.front().critical.delay;
  const std::string change =
      !report.compensates && by_delay
          ? "Give the sites a compensator, as compensator: {kind: ats, expected_delay: " +
                figure("%.3g ms", 1e3 * late) + "}, or make their actuators faster."
          : "Change compensator, controller, actuators, control tick, time step or latency "
            "until it is stable.";
  const bool allowed = setup_.test.arming().allow_unstable();
  add(allowed ? TestFinding::Weight::kQuestion : TestFinding::Weight::kStops, "unstable",
      "", "The closed loop is computed to be unstable: " + words + ".",
      allowed ? "arming.allow_unstable lets it run all the same." : change);
}

void Look::at_controllers() {
  for (int i = 0; i < setup_.test.sites_size() && !setup_.test.undivided(); ++i) {
    const config::Site& site = setup_.test.sites(i);
    if (!site.controller().has_msmc()) continue;
    const config::SlidingMode& it = site.controller().msmc();
    if (it.law() == config::PUBLISHED) continue;
    const controllers::SlidingModeSettings usual;
    const double rate = it.has_reaching_rate() ? it.reaching_rate() : usual.reaching_rate;
    const double gain = it.has_reaching_gain() ? it.reaching_gain() : usual.reaching_gain;
    const double width = it.has_tolerance() ? it.tolerance() : usual.tolerance;
    const integrator_node::SiteSpecification& in_test =
        setup_.integrator.sites[static_cast<std::size_t>(i)];
    const double tick =
        setup_.integrator.time_step * setup_.integrator.pace.scale / in_test.ticks_per_step;
    const double part = tick * (rate + gain / width);
    if (part < 1.0) continue;
    question("sliding-mode", site_path(static_cast<std::size_t>(i)) + ".controller",
             "The reaching law of " + site.name() + " takes " + figure("%.3g", part) +
                 " of a small distance in one control tick, 1 or more.",
             "It is lqg then, to the last digit: raise tolerance, or lower reaching_rate "
             "or reaching_gain.");
  }
}

}  // namespace

std::vector<TestFinding> findings_of(const composition::HybridTestSetup& setup,
                                     const std::vector<SiteDemand>& demands,
                                     const StabilityReport& stability,
                                     const TestOutlook& outlook) {
  Look look(setup, demands);
  look.at_structure();
  look.at_record(outlook);
  look.at_network();
  look.at_rigs();
  look.at_limits();
  look.at_calibrations();
  look.at_controllers();
  look.at_stability(stability);
  return std::move(look.found);
}

std::vector<TestFinding> questions_before_run(const composition::HybridTestSetup& setup,
                                              const std::vector<SiteDemand>& demands,
                                              const TestOutlook& outlook) {
  Look look(setup, demands);
  look.at_structure();
  look.at_record(outlook);
  look.at_limits();
  std::erase_if(look.found, [](const TestFinding& finding) {
    return finding.weight != TestFinding::Weight::kQuestion ||
           finding.kind == "no-estimate";
  });
  return std::move(look.found);
}

std::string in_words(const TestFinding& finding) {
  std::string text = finding.place.empty() ? "" : finding.place + ": ";
  text += finding.what;
  if (!finding.change.empty()) text += " " + finding.change;
  return text;
}

bool any_stops(const std::vector<TestFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const TestFinding& finding) {
    return finding.weight == TestFinding::Weight::kStops;
  });
}

}  // namespace trestle::pretest
