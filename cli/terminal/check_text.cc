#include "cli/terminal/check_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "studies/pretest/stability_words.h"

namespace trestle::cli {
namespace {

std::string formatted(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string list(const std::vector<double>& values, const char* format) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + formatted(format, value);
  return text;
}

std::string scaled(double value, double factor, const char* unit) {
  return formatted("%.3g ", value * factor) + unit;
}

std::string triple(const ActuatorLimits& limits, DofKind kind) {
  const bool rotation = kind == DofKind::kRotation;
  const auto one = [](double value, double factor, const char* unit) {
    return std::isinf(value) ? std::string("none") : "±" + scaled(value, factor, unit);
  };
  return one(limits.displacement, 1e3, rotation ? "mrad" : "mm") + ", " +
         one(limits.rate, 1e3, rotation ? "mrad/s" : "mm/s") + ", " +
         one(limits.force, 1e-3, rotation ? "kN.m" : "kN");
}

bool inside(const ActuatorLimits& demand, const ActuatorLimits& limits) {
  return demand.displacement <= limits.displacement && demand.rate <= limits.rate &&
         demand.force <= limits.force;
}

void print_bridge(const composition::BridgeReport& bridge) {
  std::map<std::string, int> alike;  // in the words of the line
  for (const composition::BridgeReport::Span& span : bridge.spans)
    ++alike[formatted("of %.4g m; deflection at midspan under ", span.length) +
            formatted("%.4g kN ", 1e-3 * bridge.weight) +
            formatted("%.4g mm", 1e3 * span.deflection)];
  for (const auto& [words, count] : alike)
    std::printf("spans      %d %s\n", count, words.c_str());
  std::vector<double> percent = bridge.ratios;
  for (double& ratio : percent) ratio *= 100.0;
  std::printf("modes      %d by %s, %s Hz ... %.4g Hz; damping %s %%\n", bridge.modes,
              bridge.form.c_str(), list(bridge.frequencies, "%.5g").c_str(), bridge.highest,
              list(percent, "%.2g").c_str());
  std::printf(
      "vehicles   %d wheel%s over %.4g m, %.5g kN in all; on the bridge for %.4g s\n",
      bridge.wheels, bridge.wheels == 1 ? "" : "s", bridge.length,
      1e-3 * bridge.total_weight, bridge.on_bridge);
  if (bridge.roughness > 0.0)
    std::printf("track      irregularity up to %.3g mm\n", 1e3 * bridge.roughness);
  if (!std::isnan(bridge.loop_gain))
    std::printf("loop       with wheels at midspan at most %.3g times (%.4g Hz): %s\n",
                bridge.loop_gain, bridge.loop_frequency,
                bridge.loop_gain < 1.0
                    ? "stable however late a table is that does not amplify"
                    : "late tables may make it unstable");
}

/// The modes that together move 90 % of the mass as the ground does, or all that are known.
void print_modes(const composition::NumericalReport& model) {
  constexpr double kEnough = 0.9;
  constexpr std::array<char, 3> kNames{'x', 'y', 'z'};
  std::array<double, 3> carried{};
  const auto part = [&model](const std::array<double, 3>& mass, std::size_t k) {
    return mass[k] / model.moving_mass[k];
  };
  const auto lacking = [&](std::size_t k) {
    return model.shaken[k] && model.moving_mass[k] > 0.0 && part(carried, k) < kEnough;
  };
  std::size_t told = 0;
  for (const composition::ModeReport& mode : model.modes) {
    if (!lacking(0) && !lacking(1) && !lacking(2)) break;
    std::string masses;
    for (std::size_t k = 0; k < carried.size(); ++k) {
      carried[k] += mode.effective_mass[k];
      if (model.shaken[k] && model.moving_mass[k] > 0.0)
        masses +=
            (masses.empty() ? ", " : " and ") +
            formatted("%.1f %% of the mass in ", 100.0 * part(mode.effective_mass, k)) +
            kNames[k];
    }
    std::printf("mode %-5zu %s Hz, %s s, damping %s %%%s\n", ++told,
                formatted("%.4g", 1.0 / mode.period).c_str(),
                formatted("%.4g", mode.period).c_str(),
                formatted("%.2f", 100.0 * mode.ratio).c_str(), masses.c_str());
  }
  for (std::size_t k = 0; k < carried.size(); ++k)
    if (lacking(k))
      std::printf(
          "modes      the first %zu carry %.1f %% of the mass in %c, less than 90 %%: "
          "higher "
          "modes matter there\n",
          told, 100.0 * part(carried, k), kNames[k]);
    else if (told > 0 && model.shaken[k] && model.moving_mass[k] > 0.0)
      std::printf("modes      the first %zu carry %.1f %% of the mass in %c\n", told,
                  100.0 * part(carried, k), kNames[k]);
}

/// Where gravity moves the structure, and how the specimens get there.
void print_gravity(const composition::GravityReport& gravity, std::size_t sites) {
  std::string text;
  const auto tell = [&text](const char* what, double moved, const std::string& dof) {
    if (moved > 0.0)
      text += (text.empty() ? "" : ", ") + std::string(what) +
              formatted(" up to %.4g mm", 1e3 * moved) + " at " + dof;
  };
  tell("settlement", gravity.settlement, gravity.settlement_dof);
  tell("drift", gravity.drift, gravity.drift_dof);
  if (text.empty()) text = "carried without displacement";
  std::string taken;
  for (const std::string& site : gravity.applied)
    taken += (taken.empty() ? "; step 0 takes there: " : ", ") + site;
  const char* others = taken.empty()                    ? "; specimens stand preloaded"
                       : gravity.applied.size() < sites ? "; others stand preloaded"
                                                        : "";
  std::printf("gravity    %s%s%s\n", text.c_str(), taken.c_str(), others);
  if (std::isinf(gravity.buckling_factor))
    std::printf("buckling   the axial forces of gravity press no member\n");
  else if (gravity.buckling_factor > 0.0)
    std::printf(
        "buckling   at %.4g of gravity, lowest mode at %s; axial forces "
        "act on the bent members\n",
        gravity.buckling_factor, gravity.buckling_dof.c_str());
}

/// Support reactions and storeys of the record.
void print_outputs(const composition::NumericalReport& model) {
  if (model.chords.members > 0)
    std::printf("geometry   corotational: %zu members and parts follow their chords%s\n",
                model.chords.members,
                model.chords.in_space ? "; rotations of a node are those of its rotation "
                                        "vector, short of a whole turn"
                                      : "");
  if (!model.moving_supports.nodes.empty()) {
    std::string nodes;
    for (const std::string& node : model.moving_supports.nodes)
      nodes += (nodes.empty() ? "" : ", ") + node;
    std::printf("supports   %s move by themselves; all motions are absolute\n",
                nodes.c_str());
  }
  for (const composition::SpecimenBaseReport& base : model.moving_supports.bases)
    std::printf("base       %s: targets are relative to support %s%s\n", base.site.c_str(),
                base.support.c_str(),
                base.named ? "" : "; the site names none, and all supports move alike");
  for (const composition::RigidHingeReport& hinge : model.rigid_hinges) {
    std::printf(
        "hinge      %s: rigid is taken as 1000*6EI/L; the matrix's condition grows by as "
        "much, and three digits of a force are lost\n",
        hinge.name.c_str());
    if (hinge.hardening > 0.0)
      std::printf(
          "hinge      %s: after yield its hardening of %.3g leaves %.3g*6EI/L; give the "
          "part of 1000*6EI/L that is meant\n",
          hinge.name.c_str(), hinge.hardening, 1e3 * hinge.hardening);
  }
  for (const composition::PendulumReport& pendulum : model.pendulums)
    std::printf(
        "bearing    %s: friction pendulum, its weight stays %.4g kN; uplift is not "
        "modelled\n",
        pendulum.name.c_str(), 1e-3 * pendulum.weight);
  if (model.tangent_damping)
    std::printf(
        "damping    follows the tangent of what yields, as the last step left it; the "
        "ratios "
        "are those at rest\n");
  if (!model.reactions.empty()) {
    std::string nodes;
    for (const std::string& node : model.reactions)
      nodes += (nodes.empty() ? "" : ", ") + node;
    std::printf("reactions  recorded at %s\n", nodes.c_str());
  }
  for (const composition::StoreyReport& storey : model.storeys)
    std::printf("storey     %s: %.4g m high, shear of %zu columns%s\n", storey.name.c_str(),
                storey.height, storey.columns,
                storey.specimens > 0 ? " and of specimens" : "");
}

void print_model(const composition::HybridTestSetup& setup) {
  const composition::NumericalReport& model = setup.report.model;
  const double dt = setup.test.time_step();
  std::printf("%s    %s, time step %s ms, %lld steps (%.4g s)\n", setup.test.test().c_str(),
              name(setup.integrator.mode), formatted("%.4g", dt * 1e3).c_str(),
              static_cast<long long>(model.steps), model.duration);
  if (setup.report.bridge != nullptr) return print_bridge(*setup.report.bridge);
  std::vector<double> percent = model.ratios;
  for (double& ratio : percent) ratio *= 100.0;
  std::printf(
      "model      %d %s%s%s\n", model.equations, model.counted.c_str(),
      model.periods.empty()
          ? ""
          : (", periods with the specimens " + list(model.periods, "%.3g") + " s").c_str(),
      percent.empty() ? "" : ("; damping " + list(percent, "%.1f") + " %").c_str());
  print_modes(model);
  if (model.gravity.acts) print_gravity(model.gravity, setup.integrator.sites.size());
  print_outputs(model);
  if (setup.integrator.time_step < dt)
    std::printf("commands   %.0f in a step, %.4g ms apart\n",
                dt / setup.integrator.time_step, setup.integrator.time_step * 1e3);
  if (std::isnan(model.stable_time_step))
    std::printf(
        "integrator %s, forces of the last step: no limit of the time step is known; the "
        "damping must bear them (we use %.4g ms)\n",
        model.integrator.c_str(), dt * 1e3);
  else if (std::isinf(model.stable_time_step))
    std::printf("integrator %s, stable at any time step (we use %.4g ms)\n",
                model.integrator.c_str(), dt * 1e3);
  else
    std::printf("integrator %s, stable up to %.4g ms (we use %.4g ms)\n",
                model.integrator.c_str(), model.stable_time_step * 1e3, dt * 1e3);
}

void print_sites(const pretest::TestCheck& check) {
  const composition::HybridTestSetup& setup = *check.setup;
  for (const integrator_node::SiteSpecification& site : setup.integrator.sites) {
    std::string dofs;
    for (const InterfaceDof& dof : site.layout)
      dofs += (dofs.empty() ? "" : ", ") + dof.name +
              (dof.role == DofRole::kForceOnly ? " (force only)" : "");
    std::printf("interface  %s: %s  (%s)\n", site.name.c_str(), dofs.c_str(),
                site.where.c_str());
  }
  for (std::size_t i = 0; i < check.connections.size(); ++i)
    std::printf("reached    %s: %s\n", setup.test.sites(static_cast<int>(i)).name().c_str(),
                check.connections[i].c_str());
  for (std::size_t i = 0; i < check.demands.size(); ++i) {
    const pretest::SiteDemand& demand = check.demands[i];
    if (!demand.known) {
      std::printf("asked for  %s: not known; its specimen is not in this file\n",
                  demand.site.c_str());
      continue;
    }
    const RigLimits& limits = setup.integrator.sites[i].limits;
    for (std::size_t k = 0; k < demand.actuators.size(); ++k) {
      const ActuatorLimits limit = k < limits.size() ? limits[k] : ActuatorLimits{};
      std::printf("asked for  %s %zu up to %s (linear estimate)   limits %s   %s\n",
                  demand.site.c_str(), k + 1,
                  triple(demand.actuators[k], demand.kinds[k]).c_str(),
                  triple(limit, demand.kinds[k]).c_str(),
                  inside(demand.actuators[k], limit) ? "ok" : "ABOVE ITS LIMIT");
    }
  }
}

void print_stability(const pretest::StabilityReport& report) {
  for (const std::string& line : pretest::in_words(report))
    std::printf("stability  %s\n", line.c_str());
}

std::string duration_words(double time) {
  if (time < 120.0) return formatted("%.3g s", time);
  if (time < 7200.0) return formatted("%.3g min", time / 60.0);
  return time < 2.0 * 86400.0 ? formatted("%.3g h", time / 3600.0)
                              : formatted("%.3g days", time / 86400.0);
}

/// `along.csv along x, peak ground acceleration 3.4 m/s2 (0.35 g)`
std::string in_words(const composition::ImposedMotion& motion) {
  std::string text = motion.record;
  if (motion.dofs.empty())
    text += motion.turns() ? " about " + motion.direction.substr(1)
                           : " along " + motion.direction;
  for (const std::string& dof : motion.dofs)
    text += (dof == motion.dofs.front() ? " of " : ", ") + dof;
  if (motion.angle != 0.0)
    text += formatted(" turned by %.4g deg", motion.angle * 180.0 / std::numbers::pi);
  text += motion.dofs.empty() ? ", peak ground " : ", peak ";
  const std::string unit = motion.turns() ? "rad" : "m";
  if (motion.displaced)
    return text + "displacement " + formatted("%.4g m", 1e3 * motion.peak) + unit;
  text += "acceleration " + formatted("%.4g ", motion.peak) + unit + "/s2";
  return motion.turns() ? text : text + formatted(" (%.3g g)", motion.peak / 9.80665);
}

void print_outlook(const pretest::TestOutlook& outlook) {
  if (!outlook.record.empty())
    std::printf("excitation %s, peak ground acceleration %.4g m/s2 (%.3g g)\n",
                outlook.record.c_str(), outlook.peak_ground_acceleration,
                outlook.peak_ground_acceleration / 9.80665);
  for (const composition::ImposedMotion& motion : outlook.motions)
    std::printf("excitation %s\n", in_words(motion).c_str());
  if (outlook.wall)
    std::printf("takes      %s%s of the wall\n",
                outlook.wall_at_least ? "at least " : "about ",
                duration_words(*outlook.wall).c_str());
  else
    std::printf("takes      as long as it computes; nothing waits for the wall\n");
}

/// Questions here; what must change goes to standard error, too.
void print_findings(const std::vector<pretest::TestFinding>& findings) {
  int stops = 0;
  for (const pretest::TestFinding& finding : findings) {
    const bool question = finding.weight == pretest::TestFinding::Weight::kQuestion;
    stops += question ? 0 : 1;
    const char* const mark = finding.kind == "calibration-expired" ? "WARNING   "
                             : question                            ? "question  "
                                                                   : "CHANGE    ";
    std::printf("%s %s\n", mark, pretest::in_words(finding).c_str());
  }
  if (stops == 0)
    std::printf("verdict    may be run\n");
  else
    std::printf("verdict    NOT TO BE RUN as it is: %d finding%s to change\n", stops,
                stops == 1 ? "" : "s");
}

}  // namespace

void print_check(const pretest::TestCheck& check) {
  print_model(*check.setup);
  print_outlook(check.outlook);
  if (check.step_cost.steps > 0)
    std::printf(
        "step       computed in %.3g ms at most, median %.3g ms, on this host (%d steps)\n",
        1e3 * check.step_cost.worst, 1e3 * check.step_cost.typical, check.step_cost.steps);
  print_sites(check);
  for (const std::string& note : check.specimen_notes)
    std::printf("specimen   %s\n", note.c_str());
  for (const std::string& note : check.damping_notes)
    std::printf("damping    %s\n", note.c_str());
  print_stability(check.stability);
  for (const std::string& question : check.questions)
    std::printf("question   %s\n", question.c_str());
  print_findings(check.findings);
}

}  // namespace trestle::cli
