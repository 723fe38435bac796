#include "observe/web/record_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/number_text.h"
#include "core/base/time.h"
#include "core/base/utc_text.h"
#include "core/types/participant.h"
#include "core/types/record_names.h"
#include "observe/live/actuator_json.h"
#include "observe/live/agreed_actuators.h"
#include "observe/live/site_facts.h"
#include "observe/web/geometry_json.h"

namespace trestle::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostValues = 100'000;
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json known(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double fact_number(const journal::JournalFollower& journal, const char* key) {
  const auto text = journal.meta(key);
  return text ? parse_number(*text).value_or(0.0) : 0.0;
}

std::vector<std::string> site_names(const journal::JournalFollower& journal) {
  const std::string node = journal.meta(meta_key::kNode).value_or("");
  if (node != kIntegratorNode) return {node};
  std::vector<std::string> names;
  std::istringstream sites(journal.meta(meta_key::kSites).value_or(""));
  for (std::string name; std::getline(sites, name, ',');) names.push_back(name);
  return names;
}

/// @param actuator  its place at the site
Json limits_of(const ActuatorLimits& limits, std::size_t actuator,
               const std::map<std::string, std::string>& origins) {
  const std::array<double, live::kLimitKinds> values{
      limits.displacement, limits.rate,           limits.acceleration,
      limits.force,        limits.tracking_error, limits.energy_error};
  Json json = Json::object();
  const std::string path = "actuators[" + std::to_string(actuator) + "].";
  for (std::size_t i = 0; i < live::kLimitKinds; ++i) {
    if (!std::isfinite(values[i])) continue;
    const char* const key = live::limit_key(static_cast<live::LimitKind>(i));
    json[key] = {{"limit", values[i]}};
    if (const auto origin = origins.find(path + key); origin != origins.end())
      json[key]["from"] = origin->second;
  }
  return json;
}

/// The day on which a record began, as 2026-11-27; empty: not known.
std::string day_of(const journal::JournalFollower& journal) {
  constexpr std::size_t kDayLetters = 10;
  const std::string begun = journal.meta(meta_key::kBegun).value_or("");
  std::int64_t nanoseconds = 0;
  const auto read = std::from_chars(begun.data(), begun.data() + begun.size(), nanoseconds);
  if (begun.empty() || read.ec != std::errc()) return {};
  return utc_text(nanoseconds).substr(0, kDayLetters);
}

void add_facts(Json& site, const live::SiteFacts& facts) {
  site["real_equipment"] = facts.real_equipment;
  if (facts.twin) site["twin"] = true;
  site["watchdog"] = !facts.real_equipment     ? "simulated"
                     : facts.hardware_watchdog ? "hardware"
                                               : "none";
  if (!facts.specimen.empty()) site["specimen"] = facts.specimen;
  if (!facts.calibrated_until.empty()) site["calibrated_until"] = facts.calibrated_until;
  if (!facts.expired.empty()) site["expired_calibrations"] = facts.expired;
  if (!facts.uncalibrated.empty()) site["uncalibrated"] = facts.uncalibrated;
}

Json sites_of(const WatchedRecord& record) {
  const journal::JournalFollower& journal = *record.journal();
  const std::string begun = day_of(journal);
  const bool integrator = journal.meta(meta_key::kNode) == kIntegratorNode;
  Json sites = Json::array();
  for (const std::string& name : site_names(journal)) {
    const std::string contract =
        journal.meta(integrator ? meta_key::kContractOf + name : meta_key::kContract)
            .value_or("");
    const live::SiteFacts facts = live::read_site_facts(
        contract, begun, journal.meta(meta_key::kLimitOriginsOf + name).value_or(""));
    Json actuators = Json::array();
    for (const live::AgreedActuator& each : live::read_agreed_actuators(contract))
      actuators.push_back(
          {{"name", each.name},
           {"kind", each.kind == DofKind::kRotation ? "rotation" : "translation"},
           {"limits", limits_of(each.limits, actuators.size(), facts.limit_origins)}});
    Json site = {{"name", name}, {"actuators", std::move(actuators)}};
    add_facts(site, facts);
    for (const PeerStatus& peer : record.view().status.peers)
      if (peer.name == name) site["address"] = peer.where;
    sites.push_back(std::move(site));
  }
  return sites;
}

/// Of the record; before there is one, as the node tells them.
void add_participants(Json& run, const WatchedRecord& record) {
  const auto recorded = record.journal() != nullptr
                            ? record.journal()->meta(meta_key::kParticipants).value_or("")
                            : std::string();
  Json people = Json::array();
  for (const Participant& each :
       recorded.empty() ? record.view().status.participants : read_participants(recorded))
    people.push_back({{"name", each.name},
                      {"role", each.role},
                      {"place", each.place},
                      {"telephone", each.telephone}});
  if (!people.empty()) run["participants"] = std::move(people);
}

Json streams_of(const journal::JournalFollower& journal) {
  Json streams = Json::array();
  for (const char* const name :
       {stream_name::kResult, stream_name::kIntent, stream_name::kAnswer,
        stream_name::kLedger, stream_name::kClosing, stream_name::kTick,
        stream_name::kDrive}) {
    if (!journal.has_stream(name)) continue;
    const bool ticks = std::string_view(name) == stream_name::kTick ||
                       std::string_view(name) == stream_name::kDrive;
    Json channels = Json::array();
    for (const Channel& channel : journal.channels(name))
      channels.push_back({{"name", channel.name}, {"unit", channel.unit}});
    streams.push_back(
        {{"name", name},
         {"spacing_s", fact_number(journal, ticks ? meta_key::kTick : meta_key::kTimeStep)},
         {"channels", std::move(channels)}});
  }
  return streams;
}

/// The channel of the ground acceleration; null if none is recorded.
Json ground_of(const journal::JournalFollower& journal) {
  if (!journal.has_stream(stream_name::kResult)) return nullptr;
  for (const Channel& channel : journal.channels(stream_name::kResult))
    if (channel.name.starts_with("ground.") && channel.name.ends_with("acc_m_s2"))
      return channel.name;
  return nullptr;
}

Json actuators_of(const WatchedRecord& record) {
  Json actuators = Json::array();
  const std::vector<live::ActuatorView>& views = record.view().actuators;
  for (std::size_t i = 0; i < views.size(); ++i) {
    Json one = live::actuator_json(views[i]);
    if (i < record.highest().size())
      for (std::size_t kind = 0; kind < live::kLimitKinds; ++kind) {
        const auto found =
            one["limits"].find(live::limit_key(static_cast<live::LimitKind>(kind)));
        if (found != one["limits"].end())
          (*found)["highest"] = known(record.highest()[i][kind].ratio());
      }
    actuators.push_back(std::move(one));
  }
  return actuators;
}

/// Medians of the last thousand steps.
void add_accounts(Json& site, const live::SiteAccounts& told) {
  Json accounts = Json::object();
  for (const live::AccountTimes& account : told.accounts) {
    if (!std::isfinite(account.median)) continue;
    accounts[account.name] = account.median;
    const std::string_view name = account.name;
    if (name == "uplink" || name == "downlink")
      site[std::string(name) + "_s"] = account.median;
  }
  site["clock_bound_s"] = known(told.clock_bound);
  site["path_bound_s"] = site["clock_bound_s"];
  if (!accounts.empty()) site["accounts"] = std::move(accounts);
}

/// A channel besides displacements and forces. A contact is closed or open; of any other
/// the value alone is known, not whether it is as it should be.
Json interlock_of(const RigReading& reading) {
  constexpr double kClosed = 0.5;
  if (reading.unit == "0/1") {
    const bool closed = reading.mean >= kClosed;
    // An interlock that is not read must not look as if nothing were wrong.
    const char* const text = closed                        ? "closed"
                             : std::isfinite(reading.mean) ? "open"
                                                           : "not known";
    const bool ok = std::isfinite(reading.mean) && closed != reading.stops_closed;
    return {{"name", reading.channel}, {"text", text}, {"ok", ok}};
  }
  return {{"name", reading.channel},
          {"text", Json(nullptr)},
          {"ok", Json(nullptr)},
          {"value", known(reading.mean)},
          {"unit", reading.unit}};
}

/// Channels besides are those without a deviation.
void add_readings(Json& site, const std::vector<RigReading>& readings) {
  if (readings.empty()) return;
  site["interlocks"] = Json::array();
  site["readings"] = Json::array();
  for (const RigReading& each : readings)
    if (std::isfinite(each.deviation))
      site["readings"].push_back({{"channel", each.channel},
                                  {"unit", each.unit},
                                  {"mean", known(each.mean)},
                                  {"deviation", known(each.deviation)}});
    else
      site["interlocks"].push_back(interlock_of(each));
}

/// What an integrator that waits to be armed still needs.
Json arming_of(const ArmingStatus& arming) {
  Json checklist = Json::array();
  for (const ChecklistItem& item : arming.checklist)
    checklist.push_back({{"item", item.text},
                         {"by", item.by},
                         {"at", item.at},
                         {"state", item.state()},
                         {"reason", item.waived}});
  return {{"words", arming.words},
          {"armed_by", arming.armed_by},
          {"required", arming.required},
          {"checklist", std::move(checklist)}};
}

Json armed_of(const live::RecordedArming& arming) {
  return {{"by", arming.by},
          {"utc_ms", arming.utc_ns / kNanosecondsPerMillisecond},
          {"confirmed", arming.confirmed},
          {"open", arming.open},
          {"waived", arming.waived}};
}

/// The newest ones, oldest first.
Json acts_of(const std::vector<live::RecordedAct>& acts) {
  constexpr std::size_t kMostActs = 20;
  Json json = Json::array();
  for (std::size_t i = acts.size() - std::min(acts.size(), kMostActs); i < acts.size(); ++i)
    json.push_back({{"what", acts[i].what},
                    {"who", acts[i].who},
                    {"from", acts[i].from},
                    {"text", acts[i].text},
                    {"utc_ms", acts[i].utc_ns / kNanosecondsPerMillisecond}});
  return json;
}

Json standing_sites(const WatchedRecord& record) {
  Json sites = Json::array();
  for (const PeerStatus& peer : record.view().status.peers) {
    sites.push_back({{"name", peer.name},
                     {"state", peer.state},
                     {"step", peer.step < 0 ? Json(nullptr) : Json(peer.step)},
                     {"heard_s", peer.heard < 0.0 ? Json(nullptr) : known(peer.heard)},
                     {"rig", peer.rig}});
    add_readings(sites.back(), peer.readings);
  }
  for (const live::SiteAccounts& told : record.accounts()) {
    auto site = std::find_if(sites.begin(), sites.end(),
                             [&](const Json& one) { return one["name"] == told.site; });
    // Of a record that no process serves the ledger alone tells.
    if (site == sites.end()) {
      sites.push_back({{"name", told.site}});
      site = std::prev(sites.end());
    }
    add_accounts(*site, told);
  }
  return sites;
}

Json event_of(const NumberedEvent& numbered) {
  const journal::JournalEvent& event = numbered.event;
  Json json = {{"id", numbered.id},
               {"time_s", seconds(event.time.time_since_epoch())},
               {"kind", event.kind},
               {"node", event.node},
               {"text", event.text}};
  if (!numbered.who.empty()) json["who"] = numbered.who;
  return json;
}

void append_value(std::string& text, double value) {
  if (std::isfinite(value))
    append_number(text, value);
  else
    text += "null";
}

}  // namespace

std::string run_json(WatchedRecord& record, std::size_t records) {
  const live::TestView& view = record.view();
  Json run = {{"folder", record.folder()}, {"records", records}, {"ended", view.ended}};
  add_participants(run, record);
  const journal::JournalFollower* const journal = record.journal();
  // Before a test is armed it has no record, though its place is known.
  if (journal == nullptr || !journal->meta(meta_key::kSession)) return dumped(run);
  const auto fact = [journal](const char* key) {
    return journal->meta(key).value_or("");
  };
  run["test"] = view.test;
  run["mode"] = view.mode;
  run["node"] = view.node;
  run["session"] = fact(meta_key::kSession);
  run["software"] = fact(meta_key::kSoftware);
  run["begun_utc_ns"] = fact(meta_key::kBegun);
  run["time_step_s"] = view.time_step;
  run["steps_planned"] = view.steps_planned;
  run["steps"] = view.steps_done;
  run["streams"] = streams_of(*journal);
  run["sites"] = sites_of(record);
  const geometry::StructureGeometry& geometry = record.geometry();
  if (geometry.missing.empty())
    run["geometry"] = geometry_json(geometry);
  else
    run["geometry_missing"] = geometry.missing;
  if (Json ground = ground_of(*journal); !ground.is_null()) run["ground"] = ground;
  return dumped(run);
}

std::string standing_json(const WatchedRecord& record, std::size_t number,
                          std::int64_t utc_ms) {
  const live::TestView& view = record.view();
  const journal::JournalFollower* const journal = record.journal();
  Json left = nullptr;
  if (view.left)
    left = {{"seconds", view.left->seconds}, {"plus_minus", view.left->plus_minus}};
  Json standing = {
      {"type", "standing"},
      {"record", number},
      {"state", record.state()},
      {"served", view.served},
      {"session", journal != nullptr ? journal->meta(meta_key::kSession).value_or("") : ""},
      {"why", record.why()},
      {"help", record.help()},
      {"step", view.steps_done - 1},
      {"steps_planned", view.steps_planned},
      {"time_s", view.time()},
      {"rate", view.rate > 0.0 ? Json(view.rate) : Json(nullptr)},
      {"stands_still_s", view.stands_still},
      {"left", left},
      {"age_s", 0.0},
      {"utc_ms", utc_ms},
      {"skipped", view.rows_skipped},
      {"actuators", actuators_of(record)},
      {"misses", record.missed() ? Json(*record.missed()) : Json(nullptr)},
      {"faults", record.faults()},
      {"sites", standing_sites(record)}};
  if (view.status.arming) standing["arming"] = arming_of(*view.status.arming);
  if (!record.arming().by.empty()) standing["armed"] = armed_of(record.arming());
  if (!record.acts().empty()) standing["acts"] = acts_of(record.acts());
  return dumped(standing);
}

std::string events_json(const WatchedRecord& record, std::int64_t after) {
  Json events = Json::array();
  for (const NumberedEvent& event : record.events())
    if (event.id > after) events.push_back(event_of(event));
  return dumped({{"events", std::move(events)}});
}

std::string event_message(const NumberedEvent& event, std::size_t number) {
  Json message = {{"type", "event"}, {"record", number}};
  message.update(event_of(event));
  return dumped(message);
}

std::string gap_message(const RowGap& gap, std::size_t number) {
  return dumped({{"type", "gap"},
                 {"record", number},
                 {"stream", gap.stream},
                 {"first", gap.first},
                 {"count", gap.count}});
}

std::string work_json(const std::vector<live::ActuatorView>& actuators, std::int64_t index,
                      const std::vector<double>& values) {
  Json work = Json::array();
  for (std::size_t i = 0; i < std::min(actuators.size(), values.size()); ++i)
    work.push_back({{"site", actuators[i].site},
                    {"actuator", actuators[i].name},
                    {"energy_J", known(values[i])}});
  return dumped({{"index", index}, {"actuators", std::move(work)}});
}

std::string loop_json(const LoopCurve& curve, std::int64_t reached,
                      const LoopWanted& wanted) {
  const bool continues = wanted.generation == curve.generation();
  const std::vector<LoopPoint>& kept = curve.kept();
  const auto known = std::upper_bound(
      kept.begin(), kept.end(), continues ? wanted.after : std::int64_t{-1},
      [](std::int64_t index, const LoopPoint& point) { return index < point.index; });
  Json rows = Json::array();
  Json motion = Json::array();
  Json force = Json::array();
  Json apart = Json::array();
  const auto put = [&](const LoopPoint& point) {
    if (!point.joined) apart.push_back(rows.size());
    rows.push_back(point.index);
    motion.push_back(point.motion);
    force.push_back(point.force);
  };
  std::for_each(known, kept.end(), put);
  const auto stay = rows.size();
  if (const std::optional<LoopPoint> last = curve.last()) put(*last);
  return dumped({{"index", reached},
                 {"generation", curve.generation()},
                 {"continues", continues},
                 {"stay", stay},
                 {"rows", std::move(rows)},
                 {"motion", std::move(motion)},
                 {"force", std::move(force)},
                 {"apart", std::move(apart)}});
}

Result<std::string> rows_json(WatchedRecord& record, const RowsWanted& wanted) {
  RowStore* const store = record.rows(wanted.stream);
  if (store == nullptr)
    return Error{ErrorCode::kUnavailable,
                 "the record has no stream `" + wanted.stream + "`"};
  const Channels& all = record.journal()->channels(wanted.stream);
  std::vector<std::size_t> columns;
  std::vector<std::string> names = wanted.channels;
  if (names.empty())
    for (const Channel& channel : all) names.push_back(channel.name);
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Channel& channel) {
      return channel.name == name;
    });
    if (found == all.end())
      return Error{ErrorCode::kUnavailable, "the stream has no channel `" + name + "`"};
    columns.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  const std::int64_t newest = store->newest().value_or(-1);
  const std::int64_t to = std::min(wanted.to, newest);
  const auto width = std::max<std::int64_t>(static_cast<std::int64_t>(columns.size()), 1);
  if (to - wanted.from + 1 > kMostValues / width)
    return Error{ErrorCode::kRefused, "more than 100000 values; ask for fewer rows"};
  std::string text = dumped({{"stream", wanted.stream}, {"channels", names}});
  text.pop_back();
  text += ",\"rows\":[";
  bool any = false;
  store->visit(wanted.from, to, [&](const RecordRow& row) {
    text += any ? ",[" : "[";
    any = true;
    text += std::to_string(row.index);
    for (const std::size_t column : columns) {
      text += ',';
      append_value(text, row.values[column]);
    }
    text += ']';
  });
  return text + "]}";
}

}  // namespace trestle::web
