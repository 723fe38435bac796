#include "gateway/operator/standing_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trestle::operators {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json count_or_null(std::int64_t value) {
  return value >= 0 ? Json(value) : Json(nullptr);
}

constexpr const char* kCommanded = "rig_command";
constexpr const char* kParticipants = "participants";
constexpr const char* kTwins = "twins";
constexpr const char* kStopsClosed = "stops_closed";  // of a contact; only where it does

Json readings_json(const std::vector<RigReading>& readings) {
  Json list = Json::array();
  for (const RigReading& each : readings) {
    list.push_back({{"channel", each.channel},
                    {"unit", each.unit},
                    {"mean", finite_or_null(each.mean)},
                    {"deviation", finite_or_null(each.deviation)},
                    {"drift", each.drift ? finite_or_null(*each.drift) : Json(nullptr)}});
    if (each.stops_closed) list.back()[kStopsClosed] = true;
  }
  return list;
}

void add_rig_report(Json& json, const RigReport& report) {
  Json& into = json[kCommanded];
  into = {{"action", report.action}, {"by", report.by},           {"state", report.state},
          {"done", report.done},     {"outcome", report.outcome}, {"zero", report.zero}};
  into["readings"] = readings_json(report.readings);
  for (std::size_t i = 0; i < report.readings.size(); ++i) {
    into["readings"][i]["tare"] = finite_or_null(report.readings[i].tare);
    into["readings"][i]["tared"] = report.readings[i].tared;
  }
  into["actuators"] = Json::array();
  for (const RigAxis& each : report.axes)
    into["actuators"].push_back({{"name", each.name},
                                 {"unit", each.unit},
                                 {"drive", finite_or_null(each.drive)},
                                 {"measured", finite_or_null(each.measured)},
                                 {"force", finite_or_null(each.force)}});
  into["exercise"] = Json::array();
  for (const ExerciseResult& each : report.exercise)
    into["exercise"].push_back({{"name", each.name},
                                {"unit", each.unit},
                                {"amplitude", finite_or_null(each.amplitude)},
                                {"gain", finite_or_null(each.gain)},
                                {"delay_s", finite_or_null(each.delay)},
                                {"noise", finite_or_null(each.noise)},
                                {"stiffness", finite_or_null(each.stiffness)},
                                {"finding", each.finding}});
}

constexpr const char* kArming = "arming";

Json item_json(const ChecklistItem& item) {
  Json json{{"item", item.text},
            {"by", item.by},
            {"at", item.at},
            {"state", item.state()},
            {"reason", item.waived}};
  const ReadingBound& bound = item.reading;
  if (bound.site.empty()) return json;
  json["reading"] = {
      {"site", bound.site},
      {"channel", bound.channel},
      {"within", bound.within},
      {"mean", bound.mean ? Json(*bound.mean) : Json(nullptr)},
      {"deviation", bound.deviation ? Json(*bound.deviation) : Json(nullptr)},
      {"unit", bound.unit}};
  return json;
}

Json bounded_json(const std::vector<ArmingReading>& readings) {
  Json list = Json::array();
  for (const ArmingReading& each : readings) {
    list.push_back({{"channel", each.channel},
                    {"unit", each.unit},
                    {"mean", finite_or_null(each.mean)},
                    {"deviation", finite_or_null(each.deviation)},
                    {"bound", finite_or_null(each.bound)},
                    {"ok", each.is_within()}});
    if (each.stops_closed) list.back()[kStopsClosed] = true;
  }
  return list;
}

void add_arming(Json& json, const ArmingStatus& arming) {
  Json& into = json[kArming];
  into = {{"words", arming.words},
          {"armed_by", arming.armed_by},
          {"checklist_required", arming.required}};
  into["checklist"] = Json::array();
  for (const ChecklistItem& each : arming.checklist)
    into["checklist"].push_back(item_json(each));
  into["sites"] = Json::array();
  for (const ArmingSite& each : arming.sites) {
    Json actuators = Json::array();
    for (const ArmingActuator& one : each.actuators)
      actuators.push_back({{"name", one.name},
                           {"unit", one.unit},
                           {"displacement", finite_or_null(one.displacement)},
                           {"rate", finite_or_null(one.rate)},
                           {"force", finite_or_null(one.force)},
                           {"delay_limit_s", finite_or_null(one.delay)}});
    into["sites"].push_back({{"name", each.name},
                             {"real_equipment", each.real_equipment},
                             {"clock_bound_s", finite_or_null(each.clock_bound)},
                             {"actuators", std::move(actuators)},
                             {"readings", bounded_json(each.readings)},
                             {"twin", each.twin},
                             {"expired_calibrations", each.expired}});
  }
}

double number_or(const Json& json, const char* key, double otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::int64_t count_or_none(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                           : -1;
}

/// @param otherwise  deviation of a reading without one
std::vector<RigReading> readings_of(const Json& list, double otherwise) {
  std::vector<RigReading> readings;
  for (const Json& each : list) {
    RigReading& reading = readings.emplace_back();
    reading.channel = each.value("channel", "");
    reading.unit = each.value("unit", "");
    reading.mean = number_or(each, "mean", std::numeric_limits<double>::quiet_NaN());
    reading.deviation = number_or(each, "deviation", otherwise);
    if (each.contains("drift") && each["drift"].is_number())
      reading.drift = each["drift"].get<double>();
    reading.tare = number_or(each, "tare", 0.0);
    reading.tared = each.value("tared", "");
    reading.stops_closed = each.value(kStopsClosed, false);
  }
  return readings;
}

void take_rig_report(const Json& json, NodeStatus& standing) {
  const auto found = json.find(kCommanded);
  if (found == json.end()) return;
  RigReport& report = standing.commanded.emplace();
  report.action = found->value("action", "");
  report.by = found->value("by", "");
  report.state = found->value("state", "");
  report.done = found->value("done", false);
  report.outcome = found->value("outcome", "");
  report.zero = found->value("zero", "");
  report.readings = readings_of(found->at("readings"), 0.0);
  for (const Json& each : found->at("actuators"))
    report.axes.push_back({each.value("name", ""), each.value("unit", ""),
                           number_or(each, "drive", 0.0), number_or(each, "measured", 0.0),
                           number_or(each, "force", 0.0)});
  if (!found->contains("exercise")) return;  // an earlier version serves the site
  for (const Json& each : found->at("exercise"))
    report.exercise.push_back(
        {each.value("name", ""), each.value("unit", ""), number_or(each, "amplitude", 0.0),
         number_or(each, "gain", std::numeric_limits<double>::quiet_NaN()),
         number_or(each, "delay_s", std::numeric_limits<double>::quiet_NaN()),
         number_or(each, "noise", 0.0),
         number_or(each, "stiffness", std::numeric_limits<double>::quiet_NaN()),
         each.value("finding", "")});
}

ChecklistItem item_of(const Json& json) {
  ChecklistItem item{json.value("item", ""), json.value("by", ""), json.value("at", ""),
                     json.value("reason", "")};
  const auto found = json.find("reading");
  if (found == json.end()) return item;
  const auto number = [&found](const char* key) {
    return found->contains(key) && found->at(key).is_number()
               ? std::optional(found->at(key).get<double>())
               : std::nullopt;
  };
  item.reading = {
      found->value("site", ""), found->value("channel", ""), number("within").value_or(0.0),
      number("mean"),           number("deviation"),         found->value("unit", "")};
  return item;
}

std::vector<ArmingReading> bounded_of(const Json& list) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<ArmingReading> readings;
  for (const Json& each : list)
    readings.push_back({each.value("channel", ""), each.value("unit", ""),
                        number_or(each, "mean", kUnknown),
                        number_or(each, "deviation", kUnknown),
                        number_or(each, "bound", std::numeric_limits<double>::infinity()),
                        each.value(kStopsClosed, false)});
  return readings;
}

void take_arming(const Json& json, NodeStatus& standing) {
  const auto found = json.find(kArming);
  if (found == json.end()) return;
  ArmingStatus& arming = standing.arming.emplace();
  arming.words = found->value("words", 1);
  arming.armed_by = found->value("armed_by", std::vector<std::string>{});
  arming.required = found->value("checklist_required", false);
  for (const Json& each : found->at("checklist")) arming.checklist.push_back(item_of(each));
  // A process of an earlier version states none.
  for (const Json& each : found->value("sites", Json::array())) {
    ArmingSite& site = arming.sites.emplace_back();
    site.name = each.value("name", "");
    site.real_equipment = each.value("real_equipment", false);
    site.clock_bound =
        number_or(each, "clock_bound_s", std::numeric_limits<double>::quiet_NaN());
    site.twin = each.value("twin", false);
    site.expired = each.value("expired_calibrations", std::vector<std::string>{});
    site.readings = bounded_of(each.value("readings", Json::array()));
    for (const Json& one : each.value("actuators", Json::array())) {
      constexpr double kNone = std::numeric_limits<double>::infinity();
      site.actuators.push_back(
          {one.value("name", ""), one.value("unit", "m"),
           number_or(one, "displacement", kNone), number_or(one, "rate", kNone),
           number_or(one, "force", kNone),
           number_or(one, "delay_limit_s", std::numeric_limits<double>::quiet_NaN())});
    }
  }
}

}  // namespace

void add_standing(nlohmann::ordered_json& json, const NodeStatus& standing) {
  json["node"] = standing.node;
  json["test"] = standing.test;
  json["session"] = standing.session;
  json["state"] = standing.state;
  json["state_reason"] = standing.reason;
  json["step"] = count_or_null(standing.step);
  json["steps"] = standing.steps;
  json["time_step_s"] = finite_or_null(standing.time_step);
  json["peers"] = Json::array();
  for (const PeerStatus& peer : standing.peers) {
    json["peers"].push_back(
        {{"name", peer.name},
         {"where", peer.where},
         {"state", peer.state},
         {"step", count_or_null(peer.step)},
         {"heard_ago_s", peer.heard >= 0.0 ? finite_or_null(peer.heard) : Json(nullptr)},
         {"rig", peer.rig}});
    if (!peer.readings.empty())
      json["peers"].back()["readings"] = readings_json(peer.readings);
  }
  json["waits"] = Json::array();
  for (const PendingWait& wait : standing.waits)
    json["waits"].push_back({{"whom", wait.whom},
                             {"what", wait.what},
                             {"since_s", finite_or_null(wait.since)},
                             {"until_s", finite_or_null(wait.until)},
                             {"then", wait.then}});
  json["rig"] = standing.rig;
  if (standing.commanded) add_rig_report(json, *standing.commanded);
  if (standing.arming) add_arming(json, *standing.arming);
  if (standing.said.number != 0)
    json["said_last"] = {{"number", standing.said.number},
                         {"by", standing.said.by},
                         {"text", standing.said.text}};
  if (!standing.twins.empty()) json[kTwins] = standing.twins;
  for (const Participant& each : standing.participants)
    json[kParticipants].push_back({{"name", each.name},
                                   {"place", each.place},
                                   {"telephone", each.telephone},
                                   {"role", each.role}});
}

NodeStatus standing_of(const nlohmann::ordered_json& json) {
  NodeStatus standing;
  standing.node = json.value("node", "");
  standing.test = json.value("test", "");
  standing.session = json.value("session", "");
  standing.state = json.value("state", "");
  standing.reason = json.value("state_reason", "");
  standing.step = count_or_none(json, "step");
  standing.steps = json.value("steps", std::int64_t{0});
  standing.time_step = number_or(json, "time_step_s", 0.0);
  for (const Json& peer : json.at("peers"))
    standing.peers.push_back({peer.value("name", ""), peer.value("where", ""),
                              peer.value("state", ""), count_or_none(peer, "step"),
                              number_or(peer, "heard_ago_s", -1.0), peer.value("rig", ""),
                              readings_of(peer.value("readings", Json::array()),
                                          std::numeric_limits<double>::quiet_NaN())});
  for (const Json& wait : json.at("waits"))
    standing.waits.push_back(
        {wait.value("whom", ""), wait.value("what", ""), number_or(wait, "since_s", 0.0),
         number_or(wait, "until_s", std::numeric_limits<double>::infinity()),
         wait.value("then", "")});
  standing.rig = json.value("rig", "");
  take_rig_report(json, standing);
  take_arming(json, standing);
  if (const auto said = json.find("said_last"); said != json.end())
    standing.said = {said->value("number", std::int64_t{0}), said->value("by", ""),
                     said->value("text", "")};
  standing.twins = json.value(kTwins, std::vector<std::string>{});
  if (!json.contains(kParticipants)) return standing;
  for (const Json& each : json.at(kParticipants))
    standing.participants.push_back({each.value("name", ""), each.value("place", ""),
                                     each.value("telephone", ""), each.value("role", "")});
  return standing;
}

}  // namespace trestle::operators
