#include "gateway/operator/operator_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/host/person.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::operators {
namespace {

using Json = nlohmann::ordered_json;
using enum OperatorVerb;

constexpr std::array kVerbs{kStatus, kWhy, kArm, kHold, kResume, kStop, kClear, kNote};
constexpr const char* kForm =
    R"(a request is one JSON object of texts on one line, such as {"verb":"status"})";

/// Parses a flat object of texts and stops at the first value of another type, so that a
/// hostile request cannot nest deeply.
class RequestReader final : public nlohmann::json_sax<Json> {
 public:
  std::optional<std::string> verb;
  std::optional<std::string> reason;
  std::optional<std::string> as;
  std::optional<std::string> drive;
  std::optional<std::string> text;
  std::optional<std::string> step;
  std::optional<std::string> file;
  std::optional<std::string> sha256;
  std::string problem;

  bool null() override { return refuse(kForm); }
  bool boolean(bool) override { return refuse(kForm); }
  bool number_integer(number_integer_t) override { return refuse(kForm); }
  bool number_unsigned(number_unsigned_t) override { return refuse(kForm); }
  bool number_float(number_float_t, const string_t&) override { return refuse(kForm); }
  bool binary(binary_t&) override { return refuse(kForm); }
  bool start_array(std::size_t) override { return refuse(kForm); }
  bool end_array() override { return refuse(kForm); }
  bool end_object() override { return true; }
  bool start_object(std::size_t) override {
    return std::exchange(inside_, true) ? refuse(kForm) : true;
  }
  bool key(string_t& word) override {
    field_ = word == "verb"     ? &verb
             : word == "reason" ? &reason
             : word == "as"     ? &as
             : word == "drive"  ? &drive
             : word == "text"   ? &text
             : word == "step"   ? &step
             : word == "file"   ? &file
             : word == "sha256" ? &sha256
                                : nullptr;
    if (field_ == nullptr)
      return refuse("unknown key `" + single_line_text(word) +
                    "`; known are verb, reason, as, drive, text, step, file and sha256");
    if (*field_) return refuse("key `" + word + "` is there twice");
    return true;
  }
  bool string(string_t& value) override {
    if (field_ == nullptr) return refuse(kForm);
    *std::exchange(field_, nullptr) = value;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return refuse(kForm);
  }

 private:
  bool refuse(std::string why) {
    if (problem.empty()) problem = std::move(why);
    return false;
  }

  bool inside_ = false;
  std::optional<std::string>* field_ = nullptr;
};

Error malformed(std::string why) {
  return {ErrorCode::kMalformed, std::move(why)};
}

std::string unknown_verb(const std::string& word) {
  std::string known;
  for (const OperatorVerb verb : kVerbs)
    known += (known.empty() ? "" : ", ") + std::string(name(verb));
  return "unknown verb `" + single_line_text(word) + "`; must be one of " + known;
}

/// The note of a request; only `note` has one.
Result<Note> note_of(const RequestReader& reader, OperatorVerb verb) {
  if (verb != kNote) {
    if (reader.text || reader.step || reader.file || reader.sha256)
      return malformed("`" + *reader.verb +
                       "` takes no text, step, file or sha256; note does");
    return Note{};
  }
  if (!reader.text || reader.text->empty()) return malformed("`note` needs a text");
  if (reader.file.has_value() != reader.sha256.has_value())
    return malformed("`file` and `sha256` of a note come together");
  Note note{.text = single_line_text(*reader.text),
            .file = single_line_text(reader.file.value_or("")),
            .sha256 = reader.sha256.value_or("")};
  constexpr std::size_t kDigits = 64;
  if (reader.sha256 &&
      (note.sha256.size() != kDigits ||
       note.sha256.find_first_not_of("0123456789abcdef") != std::string::npos))
    return malformed("`sha256` must be 64 hexadecimal digits");
  if (!reader.step) return note;
  const std::string& step = *reader.step;
  const auto [end, error] =
      std::from_chars(step.data(), step.data() + step.size(), note.step);
  if (error != std::errc() || end != step.data() + step.size() || note.step < -1)
    return malformed("`step` must be a whole number from -1 on");
  return note;
}

Result<OperatorRequest> request_of(const RequestReader& reader) {
  if (!reader.verb) return malformed(kForm);
  for (const OperatorVerb verb : kVerbs) {
    if (name(verb) != *reader.verb) continue;
    if (reader.reason && verb != kHold && verb != kStop)
      return malformed("`" + *reader.verb + "` takes no reason; hold and stop do");
    if (reader.drive && verb != kClear)
      return malformed("`" + *reader.verb + "` takes no drive; clear does");
    std::string reason = reader.reason.value_or("");
    if (reason.size() > kLongestReason)
      return malformed("the reason has " + std::to_string(reason.size()) +
                       " bytes; at most " + std::to_string(kLongestReason) + " are taken");
    const std::string called = reader.as.value_or("");
    if (std::string why = host::refusal_of_name(called); !why.empty())
      return malformed(std::move(why));
    std::string drive = reader.drive.value_or("");
    if (drive.size() > kLongestReason)
      return malformed("the drive has " + std::to_string(drive.size()) +
                       " bytes; at most " + std::to_string(kLongestReason) + " are taken");
    Result<Note> note = note_of(reader, verb);
    if (!note) return note.error();
    return OperatorRequest{verb, single_line_text(std::move(reason)), called,
                           single_line_text(std::move(drive)), std::move(note.value())};
  }
  return malformed(unknown_verb(*reader.verb));
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json count_or_null(std::int64_t value) {
  return value >= 0 ? Json(value) : Json(nullptr);
}

void add_standing(Json& json, const NodeStatus& standing) {
  json["node"] = standing.node;
  json["test"] = standing.test;
  json["session"] = standing.session;
  json["state"] = standing.state;
  json["state_reason"] = standing.reason;
  json["step"] = count_or_null(standing.step);
  json["steps"] = standing.steps;
  json["time_step_s"] = finite_or_null(standing.time_step);
  json["peers"] = Json::array();
  for (const PeerStatus& peer : standing.peers)
    json["peers"].push_back(
        {{"name", peer.name},
         {"where", peer.where},
         {"state", peer.state},
         {"step", count_or_null(peer.step)},
         {"heard_ago_s", peer.heard >= 0.0 ? finite_or_null(peer.heard) : Json(nullptr)},
         {"rig", peer.rig}});
  json["waits"] = Json::array();
  for (const PendingWait& wait : standing.waits)
    json["waits"].push_back({{"whom", wait.whom},
                             {"what", wait.what},
                             {"since_s", finite_or_null(wait.since)},
                             {"until_s", finite_or_null(wait.until)},
                             {"then", wait.then}});
  json["rig"] = standing.rig;
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

NodeStatus standing_of(const Json& json) {
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
                              number_or(peer, "heard_ago_s", -1.0), peer.value("rig", "")});
  for (const Json& wait : json.at("waits"))
    standing.waits.push_back(
        {wait.value("whom", ""), wait.value("what", ""), number_or(wait, "since_s", 0.0),
         number_or(wait, "until_s", std::numeric_limits<double>::infinity()),
         wait.value("then", "")});
  standing.rig = json.value("rig", "");
  return standing;
}

}  // namespace

std::string_view name(OperatorVerb verb) noexcept {
  switch (verb) {
    case kStatus:
      return "status";
    case kWhy:
      return "why";
    case kArm:
      return "arm";
    case kHold:
      return "hold";
    case kResume:
      return "resume";
    case kStop:
      return "stop";
    case kClear:
      return "clear";
    case kNote:
      return "note";
  }
  return "?";
}

Result<OperatorRequest> read_request(std::string_view line) {
  if (line.size() > kLongestRequest) return malformed("the request is too long");
  RequestReader reader;
  try {
    if (!Json::sax_parse(line.begin(), line.end(), &reader))
      return malformed(reader.problem.empty() ? kForm : reader.problem);
  } catch (const std::exception&) {
    return malformed(kForm);
  }
  return request_of(reader);
}

std::string write_request(const OperatorRequest& request) {
  Json json{{"verb", name(request.verb)}};
  if (!request.reason.empty()) json["reason"] = request.reason;
  if (!request.as.empty()) json["as"] = request.as;
  if (!request.drive.empty()) json["drive"] = request.drive;
  if (request.verb == kNote) {
    json["text"] = request.note.text;
    if (request.note.step != Note::kNow) json["step"] = std::to_string(request.note.step);
    if (!request.note.file.empty()) {
      json["file"] = request.note.file;
      json["sha256"] = request.note.sha256;
    }
  }
  return line_of(json);
}

std::string write_answer(const OperatorReply& answer) {
  Json json{{"ok", answer.refusal.empty()}};
  if (!answer.refusal.empty()) json["reason"] = answer.refusal;
  if (!answer.said.empty()) json["said"] = answer.said;
  if (!answer.why.empty()) json["why"] = answer.why;
  if (answer.standing) add_standing(json, *answer.standing);
  return line_of(json);
}

Result<OperatorReply> read_answer(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    OperatorReply answer;
    if (!json.at("ok").get<bool>())
      answer.refusal = json.value("reason", "no reason given");
    answer.said = json.value("said", "");
    if (json.contains("why")) answer.why = json["why"].get<std::vector<std::string>>();
    if (json.contains("state")) answer.standing = standing_of(json);
    return answer;
  } catch (const std::exception& error) {
    return malformed(std::string("the answer cannot be read (") + error.what() + ")");
  }
}

}  // namespace trestle::operators
