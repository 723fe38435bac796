#include "gateway/operator/operator_json.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/number_text.h"
#include "core/base/person_name.h"
#include "core/host/person.h"
#include "gateway/operator/single_line_text.h"
#include "gateway/operator/standing_json.h"

namespace trestle::operators {
namespace {

using Json = nlohmann::ordered_json;
using enum OperatorVerb;

constexpr std::array kVerbs{kStatus, kWhy,  kArm, kHold,    kResume, kStop,
                            kClear,  kNote, kRig, kConfirm, kSay,    kWaive};
constexpr std::array kActions{RigRequest::Action::kStatus,   RigRequest::Action::kZero,
                              RigRequest::Action::kTare,     RigRequest::Action::kUndoTare,
                              RigRequest::Action::kJog,      RigRequest::Action::kHome,
                              RigRequest::Action::kExercise, RigRequest::Action::kRelease,
                              RigRequest::Action::kSetAside, RigRequest::Action::kContinue,
                              RigRequest::Action::kEnd};
constexpr const char* kForm =
    R"(a request is one JSON object of texts on one line, such as {"verb":"status"})";

/// The texts that a request of a command to a rig alone may have.
struct RigTexts {
  std::optional<std::string> action;
  std::optional<std::string> actuator;
  std::optional<std::string> amount;
  std::optional<std::string> rate;
  std::optional<std::string> force;
  std::optional<std::string> channels;
  std::optional<std::string> frequency;
  std::optional<std::string> delay;
  std::optional<std::string> noise;
  std::optional<std::string> token;
};

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
  std::optional<std::string> site;
  std::optional<std::string> starts;
  RigTexts rig;
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
    field_ = field_named(word);
    if (field_ == nullptr)
      return refuse(
          "unknown key `" + single_line_text(word) +
          "`; known are verb, reason, as, drive, text, step, file, sha256, site, starts, "
          "action, actuator, amount, rate, force, channels, frequency, delay, noise and "
          "token");
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
  std::optional<std::string>* field_named(const std::string& word) {
    using Field = std::pair<const char*, std::optional<std::string>*>;
    const std::array<Field, 20> fields{{{"verb", &verb},
                                        {"reason", &reason},
                                        {"as", &as},
                                        {"drive", &drive},
                                        {"text", &text},
                                        {"step", &step},
                                        {"file", &file},
                                        {"sha256", &sha256},
                                        {"site", &site},
                                        {"starts", &starts},
                                        {"action", &rig.action},
                                        {"rate", &rig.rate},
                                        {"actuator", &rig.actuator},
                                        {"amount", &rig.amount},
                                        {"force", &rig.force},
                                        {"channels", &rig.channels},
                                        {"frequency", &rig.frequency},
                                        {"delay", &rig.delay},
                                        {"noise", &rig.noise},
                                        {"token", &rig.token}}};
    for (const auto& [key, field] : fields)
      if (word == key) return field;
    return nullptr;
  }

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

/// A quantity or a name, as a person wrote it.
constexpr std::size_t kLongestRigText = 200;

/// Beside its text.
bool has_note_keys(const RequestReader& reader) {
  return reader.step || reader.file || reader.sha256 || reader.site || reader.starts;
}

/// The note of a request; only `note` has one.
Result<Note> note_of(const RequestReader& reader, OperatorVerb verb) {
  if (verb == kSay) {
    if (has_note_keys(reader))
      return malformed("`say` takes no step, file, sha256, site or starts; note does");
    Note said{.text = single_line_text(reader.text.value_or("")), .to_all = true};
    if (said.text.empty() || said.text.size() > kLongestAnnouncement)
      return malformed("the text of `say` has " + std::to_string(said.text.size()) +
                       " bytes; it takes 1 to " + std::to_string(kLongestAnnouncement));
    return said;
  }
  if (verb != kNote) {
    if ((reader.text && verb != kWaive) || has_note_keys(reader))
      return malformed("`" + *reader.verb +
                       "` takes no text, step, file, sha256, site or starts; note does");
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
  note.site = single_line_text(reader.site.value_or(""));
  if (note.site.size() > kLongestRigText)
    return malformed("the name of the site has " + std::to_string(note.site.size()) +
                     " bytes; at most " + std::to_string(kLongestRigText) + " are taken");
  if (reader.starts) {
    note.video_starts = parse_number(*reader.starts);
    if (!note.video_starts || note.file.empty())
      return malformed(
          "`starts` is a time in seconds, such as 12.3, of a note with a file");
  }
  if (!reader.step) return note;
  const std::string& step = *reader.step;
  const auto [end, error] =
      std::from_chars(step.data(), step.data() + step.size(), note.step);
  if (error != std::errc() || end != step.data() + step.size() || note.step < -1)
    return malformed("`step` must be a whole number from -1 on");
  return note;
}

/// The command of a request; only `rig` has one. What its quantities mean, its site knows.
Result<RigRequest> rig_of(const RequestReader& reader, OperatorVerb verb) {
  const RigTexts& rig = reader.rig;
  if (verb != kRig) {
    if (rig.action || rig.actuator || rig.amount || rig.rate || rig.force || rig.channels ||
        rig.frequency || rig.delay || rig.noise || rig.token)
      return malformed(
          "`" + *reader.verb +
          "` takes no action, actuator, amount, rate, force, channels, frequency, delay, "
          "noise or token; rig does");
    return RigRequest{};
  }
  std::string known;
  for (const RigRequest::Action action : kActions) {
    known += (known.empty() ? "" : ", ") + std::string(name(action));
    if (!rig.action || *rig.action != name(action)) continue;
    RigRequest request{.action = action};
    const bool jogs = action == RigRequest::Action::kJog;
    const bool swings = action == RigRequest::Action::kExercise;
    const bool moves = jogs || swings || action == RigRequest::Action::kHome;
    if (!jogs && !swings && (rig.actuator || rig.amount))
      return malformed("`" + *rig.action +
                       "` takes no actuator or amount; jog and exercise do");
    if (swings && rig.rate) return malformed("`exercise` takes a frequency, and no rate");
    if (!swings && (rig.frequency || rig.delay || rig.noise))
      return malformed("`" + *rig.action +
                       "` takes no frequency, delay or noise; exercise does");
    const bool tares =
        action == RigRequest::Action::kTare || action == RigRequest::Action::kUndoTare;
    if (!tares && rig.channels)
      return malformed("`" + *rig.action + "` takes no channels; tare and undo-tare do");
    if (!moves && (rig.rate || rig.force || reader.drive))
      return malformed("`" + *rig.action +
                       "` takes no rate, force or drive; jog, home and exercise do");
    for (const auto& [from, to] :
         {std::pair{&rig.actuator, &request.actuator},
          std::pair{&rig.amount, &request.amount}, std::pair{&rig.rate, &request.rate},
          std::pair{&rig.force, &request.force}, std::pair{&reader.drive, &request.drive},
          std::pair{&rig.channels, &request.channels},
          std::pair{&rig.frequency, &request.frequency},
          std::pair{&rig.delay, &request.delay}, std::pair{&rig.noise, &request.noise},
          std::pair{&rig.token, &request.token}}) {
      *to = single_line_text(from->value_or(""));
      if (to->size() > kLongestRigText)
        return malformed("a value of `rig` has " + std::to_string(to->size()) +
                         " bytes; at most " + std::to_string(kLongestRigText) +
                         " are taken");
    }
    return request;
  }
  return malformed("`rig` needs an action; one of " + known);
}

Result<OperatorRequest> request_of(const RequestReader& reader) {
  if (!reader.verb) return malformed(kForm);
  for (const OperatorVerb verb : kVerbs) {
    if (name(verb) != *reader.verb) continue;
    if (reader.reason && verb != kHold && verb != kStop && verb != kConfirm &&
        verb != kWaive)
      return malformed("`" + *reader.verb + "` takes no reason; hold and stop do");
    if (verb == kConfirm && (!reader.reason || reader.reason->empty()))
      return malformed("`confirm` needs the item of the checklist as its reason");
    if (verb == kWaive &&
        (!has_letter(reader.reason.value_or("")) || reader.text.value_or("").empty()))
      return malformed("`waive` needs the item of the checklist as its text, and a reason");
    if (reader.drive && verb != kClear && verb != kRig)
      return malformed("`" + *reader.verb + "` takes no drive; clear and rig do");
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
    Result<RigRequest> rig = rig_of(reader, verb);
    if (!rig) return rig.error();
    return OperatorRequest{verb,
                           single_line_text(std::move(reason)),
                           called,
                           single_line_text(std::move(drive)),
                           std::move(note.value()),
                           std::move(rig.value()),
                           verb == kWaive ? single_line_text(*reader.text) : ""};
  }
  return malformed(unknown_verb(*reader.verb));
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
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
    case kRig:
      return "rig";
    case kConfirm:
      return "confirm";
    case kSay:
      return "say";
    case kWaive:
      return "waive";
  }
  return "?";
}

std::string_view name(RigRequest::Action action) noexcept {
  switch (action) {
    case RigRequest::Action::kStatus:
      return "status";
    case RigRequest::Action::kZero:
      return "zero";
    case RigRequest::Action::kTare:
      return "tare";
    case RigRequest::Action::kUndoTare:
      return "undo-tare";
    case RigRequest::Action::kJog:
      return "jog";
    case RigRequest::Action::kHome:
      return "home";
    case RigRequest::Action::kExercise:
      return "exercise";
    case RigRequest::Action::kRelease:
      return "release";
    case RigRequest::Action::kSetAside:
      return "set-aside";
    case RigRequest::Action::kContinue:
      return "continue";
    case RigRequest::Action::kEnd:
      return "end";
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
  if (request.verb == kRig) {
    json["action"] = name(request.rig.action);
    for (const auto& [key, value] :
         {std::pair{"actuator", &request.rig.actuator},
          std::pair{"amount", &request.rig.amount}, std::pair{"rate", &request.rig.rate},
          std::pair{"force", &request.rig.force}, std::pair{"drive", &request.rig.drive},
          std::pair{"channels", &request.rig.channels},
          std::pair{"frequency", &request.rig.frequency},
          std::pair{"delay", &request.rig.delay}, std::pair{"noise", &request.rig.noise},
          std::pair{"token", &request.rig.token}})
      if (!value->empty()) json[key] = *value;
  }
  if (request.verb == kSay) json["text"] = request.note.text;
  if (request.verb == kWaive) json["text"] = request.item;
  if (request.verb == kNote) {
    json["text"] = request.note.text;
    if (request.note.step != Note::kNow) json["step"] = std::to_string(request.note.step);
    if (!request.note.file.empty()) {
      json["file"] = request.note.file;
      json["sha256"] = request.note.sha256;
    }
    if (!request.note.site.empty()) json["site"] = request.note.site;
    if (request.note.video_starts)
      json["starts"] = format_number(*request.note.video_starts);
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
