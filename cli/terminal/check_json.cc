#include "cli/terminal/check_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace trestle::cli {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const std::vector<pretest::TestFinding>& findings) {
  Json json = Json::array();
  for (const pretest::TestFinding& finding : findings)
    json.push_back(
        {{"weight",
          finding.weight == pretest::TestFinding::Weight::kStops ? "stops" : "question"},
         {"kind", finding.kind},
         {"place", finding.place},
         {"what", finding.what},
         {"change", finding.change}});
  return json;
}

Json as_json(const pretest::DelayMargin& margin) {
  return {{"delay_s", margin.delay}, {"at_least", margin.at_least}};
}

Json as_json(const pretest::ClosedLoopStability& loop) {
  Json json{{"stable", loop.stable}, {"spectral_radius", loop.spectral_radius}};
  if (!loop.stable) {
    json["frequency_hz"] = loop.frequency;
    return json;
  }
  json["margin"] = as_json(loop.margin);
  json["margins_of_actuators"] = Json::array();
  for (const pretest::DelayMargin& margin : loop.per_actuator)
    json["margins_of_actuators"].push_back(as_json(margin));
  return json;
}

Json as_json(const pretest::StepCost& cost) {
  return {{"worst_s", cost.worst}, {"median_s", cost.typical}, {"steps", cost.steps}};
}

Json as_json(const pretest::StabilityReport& report) {
  Json json{{"known", report.known}};
  if (!report.why.empty()) json[report.known ? "note" : "why"] = report.why;
  if (!report.known) return json;
  json["stable"] = report.stable();
  json["states"] = report.states;
  json["compensators"] = report.compensators;
  json["actuators"] = Json::array();
  for (const pretest::LateActuator& actuator : report.actuators) {
    Json one{{"site", actuator.site}, {"actuator", actuator.number}};
    // A NaN is written as null.
    one["delay_s"] = actuator.delay;
    one["delay_left_s"] = actuator.left;
    json["actuators"].push_back(one);
  }
  json["cases"] = Json::array();
  for (const pretest::StabilityCase& one : report.cases)
    json["cases"].push_back({{"stiffness_part", one.stiffness_part},
                             {"compensated", as_json(one.compensated)},
                             {"uncompensated", as_json(one.uncompensated)},
                             {"critical_delay", as_json(one.critical)}});
  return json;
}

Json as_json(const composition::BridgeReport& bridge) {
  Json json;
  json["spans"] = Json::array();
  for (const composition::BridgeReport::Span& span : bridge.spans)
    json["spans"].push_back({{"length_m", span.length}, {"deflection_m", span.deflection}});
  json["form"] = bridge.form;
  json["modes"] = bridge.modes;
  json["frequencies_hz"] = bridge.frequencies;
  json["highest_frequency_hz"] = bridge.highest;
  json["heaviest_wheel_n"] = bridge.weight;
  json["total_weight_n"] = bridge.total_weight;
  json["wheels"] = bridge.wheels;
  json["train_length_m"] = bridge.length;
  json["on_bridge_s"] = bridge.on_bridge;
  json["irregularity_m"] = bridge.roughness;
  // A NaN is written as null.
  json["loop_gain"] = bridge.loop_gain;
  json["loop_frequency_hz"] = bridge.loop_frequency;
  return json;
}

Json as_json(const composition::ImposedMotion& motion) {
  Json json{{"record", motion.record}, {"direction", motion.direction}};
  if (!motion.dofs.empty()) json["dofs"] = motion.dofs;
  if (motion.angle != 0.0) json["angle_rad"] = motion.angle;
  const std::string unit = motion.turns() ? "rad" : "m";
  json[motion.displaced ? "peak_displacement_" + unit
                        : "peak_acceleration_" + unit + "_s2"] = motion.peak;
  return json;
}

void add_ground_motion(const pretest::TestOutlook& outlook, Json& json) {
  if (!outlook.record.empty())
    json["ground_motion"] = {{"record", outlook.record},
                             {"peak_acceleration_m_s2", outlook.peak_ground_acceleration}};
  for (const composition::ImposedMotion& motion : outlook.motions)
    json["ground_motion"][motion.dofs.empty() ? "motions" : "supports"].push_back(
        as_json(motion));
}

Json sites_json(const pretest::TestCheck& check) {
  const composition::HybridTestSetup& setup = *check.setup;
  Json sites = Json::array();
  for (std::size_t i = 0; i < setup.integrator.sites.size(); ++i) {
    Json site;
    site["name"] = setup.integrator.sites[i].name;
    site["reached"] = check.connections[i];
    site["interface"] = Json::array();
    for (const InterfaceDof& dof : setup.integrator.sites[i].layout)
      if (dof.role == DofRole::kControlled)
        site["interface"].push_back(dof.name);
      else
        site["force_only"].push_back(dof.name);
    site["asked_for"] = Json::array();
    if (i < check.demands.size() && check.demands[i].known)
      for (const ActuatorLimits& peak : check.demands[i].actuators)
        site["asked_for"].push_back({{"displacement", peak.displacement},
                                     {"rate", peak.rate},
                                     {"force", peak.force}});
    sites.push_back(site);
  }
  return sites;
}

/// Supports, hinges and outputs of a frame.
void add_frame_details(const composition::NumericalReport& model, Json& json) {
  if (model.chords.members > 0) json["corotational_members"] = model.chords.members;
  if (model.tangent_damping) json["tangent_damping"] = true;
  if (!model.moving_supports.nodes.empty())
    json["moving_supports"] = model.moving_supports.nodes;
  for (const composition::SpecimenBaseReport& base : model.moving_supports.bases)
    json["specimen_bases"].push_back(
        {{"site", base.site}, {"support", base.support}, {"named", base.named}});
  for (const composition::RigidHingeReport& hinge : model.rigid_hinges)
    json["rigid_hinges"].push_back(hinge.name);
  for (const composition::PendulumReport& pendulum : model.pendulums)
    json["friction_pendulums"].push_back(
        {{"name", pendulum.name}, {"weight_N", pendulum.weight}});
  if (!model.reactions.empty()) json["reactions"] = model.reactions;
  for (const composition::StoreyReport& storey : model.storeys)
    json["storeys"].push_back({{"name", storey.name},
                               {"height_m", storey.height},
                               {"columns", storey.columns},
                               {"specimen_dofs", storey.specimens}});
}

}  // namespace

std::string check_json(const pretest::TestCheck& check) {
  const composition::HybridTestSetup& setup = *check.setup;
  const pretest::TestOutlook& outlook = check.outlook;
  const composition::NumericalReport& model = setup.report.model;
  Json json;
  json["test"] = setup.test.test();
  json["mode"] = name(setup.integrator.mode);
  json["time_step_s"] = setup.test.time_step();
  json["steps"] = model.steps;
  json["duration_s"] = model.duration;
  json["equations"] = model.equations;
  json["periods_s"] = model.periods;
  json["damping_ratios"] = model.ratios;
  if (!model.modes.empty()) {
    const auto along = [](const std::array<double, 3>& mass) {
      return Json{{"x", mass[0]}, {"y", mass[1]}, {"z", mass[2]}};
    };
    json["moving_mass_kg"] = along(model.moving_mass);
    for (const composition::ModeReport& mode : model.modes)
      json["modes"].push_back({{"period_s", mode.period},
                               {"damping_ratio", mode.ratio},
                               {"effective_mass_kg", along(mode.effective_mass)}});
  }
  json["integrator"] = model.integrator;
  json["integrator_stability"] = std::isnan(model.stable_time_step) ? "not known"
                                 : std::isinf(model.stable_time_step)
                                     ? "at any time step"
                                     : "below stable_time_step_s";
  json["stable_time_step_s"] =
      std::isfinite(model.stable_time_step) ? Json(model.stable_time_step) : nullptr;
  if (model.gravity.acts)
    json["gravity"] = {{"settlement_m", model.gravity.settlement},
                       {"settlement_dof", model.gravity.settlement_dof},
                       {"drift_m", model.gravity.drift},
                       {"drift_dof", model.gravity.drift_dof},
                       {"applied_at", model.gravity.applied}};
  if (model.gravity.buckling_factor > 0.0) {
    Json& gravity = json["gravity"];
    gravity["buckling_dof"] = model.gravity.buckling_dof;
    gravity["buckling_factor"] = std::isinf(model.gravity.buckling_factor)
                                     ? Json(nullptr)
                                     : Json(model.gravity.buckling_factor);
  }
  add_frame_details(model, json);
  if (setup.report.bridge != nullptr) json["bridge"] = as_json(*setup.report.bridge);
  if (check.step_cost.steps > 0) json["step_cost"] = as_json(check.step_cost);
  json["stability"] = as_json(check.stability);
  json["specimens"] = check.specimen_notes;
  json["sites"] = sites_json(check);
  json["wall_duration_s"] = outlook.wall ? Json(*outlook.wall) : nullptr;
  json["wall_duration_is_least"] = outlook.wall_at_least;
  add_ground_motion(outlook, json);
  json["findings"] = as_json(check.findings);
  json["verdict"] = pretest::any_stops(check.findings) ? "must change" : "may be run";
  json["questions"] = check.questions;
  return json.dump(2) + "\n";
}

}  // namespace trestle::cli
