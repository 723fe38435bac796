#include "adapters/scpi_tcp/instrument_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "adapters/plugin/internet_address.h"
#include "adapters/plugin/setting_values.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::scpi_tcp {
namespace {

using plugin::number_at;
using plugin::refuse;

constexpr std::uint32_t kMostEntries = 256;
constexpr std::size_t kLongestText = 254;  // text_at() cuts longer ones

const char* const kKeys[] = {
    "server",      "line_end",   "connect",      "answer",   "poll",        "rate",
    "stale",       "watchdog",   "error",        "status",   "status.send", "status.answer",
    "hold",        "hold.send",  "hold.answer",  "stop",     "stop.send",   "stop.answer",
    "start",       "start.send", "start.answer", "start[",   "move",        "move.send",
    "move.answer", "move[",      "drives[",      "queries[", "channels[",   nullptr};

/// What the entries of the lists have.
struct ListKeys {
  std::string_view list;
  std::array<std::string_view, 10> inside;
};
constexpr std::array<ListKeys, 5> kListKeys{{
    {"start", {"", ".send", ".answer"}},
    {"move", {"", ".send", ".answer"}},
    {"queries", {".send", ".answer"}},
    {"drives", {".unit", ".scale", ".offset", ".range[0]", ".range[1]"}},
    {"channels",
     {".channel", ".send", ".answer", ".value", ".unit", ".scale", ".offset", ".name",
      ".range[0]", ".range[1]"}},
}};

constexpr std::array<std::pair<std::string_view, ChannelKind>, 6> kKinds{{
    {"displacement", ChannelKind::kDisplacement},
    {"force", ChannelKind::kForce},
    {"velocity", ChannelKind::kVelocity},
    {"acceleration", ChannelKind::kAcceleration},
    {"reaction", ChannelKind::kReaction},
    {"auxiliary", ChannelKind::kAuxiliary},
}};

std::string entry(const char* list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

std::string line_at(const char* settings, const std::string& path) {
  std::string text = plugin::text_at(settings, path);
  if (text.size() > kLongestText)
    refuse(path, "is longer than " + std::to_string(kLongestText) + " bytes");
  return text;
}

/// A number without a unit, in the unit that stands beside it.
double plain_number_at(const char* settings, const std::string& path, double fallback) {
  const std::string text = line_at(settings, path);
  if (text.empty()) return fallback;
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end || !std::isfinite(number))
    refuse(path, "is " + text + "; must be a number without a unit");
  return number;
}

double positive_at(const char* settings, const std::string& path, double fallback,
                   std::uint32_t kinds) {
  const double number = number_at(settings, path, fallback, kinds);
  if (!(number > 0.0)) refuse(path, "must be above zero");
  return number;
}

void check_list_key(const std::string& key) {
  const std::size_t open = key.find('[');
  const std::size_t close = key.find(']');
  if (open == std::string::npos || close == std::string::npos) return;
  const std::string_view list(key.data(), open);
  const std::string_view inside = std::string_view(key).substr(close + 1);
  for (const ListKeys& known : kListKeys) {
    if (known.list != list) continue;
    const bool plain = known.list == "start" || known.list == "move";
    if (inside.empty() ? plain
                       : std::find(known.inside.begin(), known.inside.end(), inside) !=
                             known.inside.end())
      return;
    std::string words;
    for (const std::string_view word : known.inside)
      if (!word.empty() && word != ".range[1]")
        words +=
            (words.empty() ? "" : ", ") + std::string(word.substr(1, word.find('[') - 1));
    refuse(key,
           "is nothing that an entry of " + std::string(list) + " has; known are " + words);
  }
}

void check_keys(const char* settings) {
  std::array<char, 256> why{};
  if (trestle_settings_known(settings, kKeys, why.data(),
                             static_cast<std::uint32_t>(why.size())) == 0)
    throw std::runtime_error(why.data());
  const std::string_view rest = settings;
  for (std::size_t at = 0; at < rest.size();) {
    check_list_key(std::string(rest.substr(at, rest.find(": ", at) - at)));
    at = std::min(rest.find('\n', at), rest.size()) + 1;
  }
}

std::string line_end_at(const char* settings) {
  const std::string word = line_at(settings, "line_end");
  if (word.empty() || word == "lf") return "\n";
  if (word == "crlf") return "\r\n";
  if (word == "cr") return "\r";
  refuse("line_end", "is " + word + "; must be lf, crlf or cr");
}

std::optional<LinePattern> pattern_at(const char* settings, const std::string& path) {
  const std::string text = line_at(settings, path);
  if (text.empty()) return std::nullopt;
  return LinePattern(path, text);
}

/// The answer to a command: text without a place.
std::optional<LinePattern> acknowledgement_at(const char* settings,
                                              const std::string& path) {
  std::optional<LinePattern> answer = pattern_at(settings, path);
  if (answer && (answer->takes_any_text() || !answer->places().empty()))
    refuse(path, "has a place; the answer to a command is a text without one");
  return answer;
}

/// `hold: HOLD` or `hold: {send: HOLD, answer: OK}`.
std::string sent_path(const char* settings, const std::string& path) {
  return line_at(settings, path).empty() ? path + ".send" : path;
}

Command command_at(const char* settings, const std::string& path) {
  const std::string send = sent_path(settings, path);
  const std::string text = line_at(settings, send);
  if (text.empty()) return {};
  return {text_without_places(send, text), acknowledgement_at(settings, path + ".answer")};
}

/// The paths of one command, or of a list of them.
std::vector<std::string> command_paths(const char* settings, const char* name) {
  if (!line_at(settings, sent_path(settings, name)).empty()) return {name};
  std::vector<std::string> paths;
  for (std::uint32_t i = 0; i < kMostEntries; ++i) {
    const std::string path = entry(name, i);
    if (line_at(settings, sent_path(settings, path)).empty()) break;
    paths.push_back(path);
  }
  return paths;
}

/// @param kinds  that the unit may have; 0: any text, nothing reckons with it
NumberScale scale_at(const char* settings, const std::string& path, std::uint32_t kinds) {
  NumberScale scale;
  scale.scale = plain_number_at(settings, path + ".scale", 1.0);
  if (scale.scale == 0.0) refuse(path + ".scale", "must not be zero");
  scale.offset = plain_number_at(settings, path + ".offset", 0.0);
  scale.low = plain_number_at(settings, path + ".range[0]", scale.low);
  scale.high = plain_number_at(settings, path + ".range[1]", scale.high);
  if (!(scale.low < scale.high))
    refuse(path + ".range[0]", "must be below range[1]; the range is [lowest, highest]");
  scale.unit_name = line_at(settings, path + ".unit");
  if (kinds != 0U)
    scale.unit = plugin::unit_of(scale.unit_name, path + ".unit", kinds).factor;
  return scale;
}

/// Kinds of the unit that a channel may have; its actuator is not known yet.
std::uint32_t kinds_of(ChannelKind kind) noexcept {
  switch (kind) {
    case ChannelKind::kDisplacement:
      return plugin::kMotion;
    case ChannelKind::kForce:
    case ChannelKind::kReaction:
      return plugin::kAction;
    case ChannelKind::kVelocity:
      return TRESTLE_VELOCITY;
    case ChannelKind::kAcceleration:
      return TRESTLE_ACCELERATION;
    default:
      return 0U;
  }
}

ChannelKind kind_at(const char* settings, const std::string& path) {
  const std::string word = line_at(settings, path);
  std::string known;
  for (const auto& [name, kind] : kKinds) {
    if (word == name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  refuse(path, "is " + word + "; must be one of " + known);
}

Query query_at(const char* settings, const std::string& path) {
  const std::string send = line_at(settings, path + ".send");
  if (line_at(settings, path + ".answer").empty())
    refuse(path + ".send", "asks for nothing; give the answer, as `answer: \"{value}\"`");
  Query query{path, text_without_places(path + ".send", send),
              LinePattern(path + ".answer", line_at(settings, path + ".answer"))};
  if (query.answer.places().empty() || query.answer.takes_any_text())
    refuse(path + ".answer", "has no place for a number; write {value}");
  query.channels.assign(query.answer.places().size(), Query::kSkipped);
  return query;
}

/// The channel that the place of this name fills; null: no answer has the place.
std::size_t* target_of(std::vector<Query>& queries, std::size_t shared,
                       const std::string& place) {
  for (std::size_t q = 0; q < shared; ++q)
    for (std::size_t i = 0; i < queries[q].channels.size(); ++i)
      if (queries[q].answer.places()[i] == place) return &queries[q].channels[i];
  return nullptr;
}

/// A channel has a question for itself, or a place in the answer of one of `queries`.
void bind_channel(const char* settings, const std::string& path, std::size_t shared,
                  InstrumentSettings& read) {
  const std::size_t channel = read.channels.size();
  const std::string place = line_at(settings, path + ".value");
  const bool asks = !line_at(settings, path + ".send").empty();
  if (asks == !place.empty())
    refuse(path + ".channel",
           "needs either `send` and `answer`, or `value`, the name of a place in an answer "
           "of `queries`");
  if (!asks) {
    std::size_t* const target = target_of(read.queries, shared, place);
    if (place == "skip" || target == nullptr)
      refuse(path + ".value", "is " + place + "; no answer of `queries` has that place");
    if (*target != Query::kSkipped)
      refuse(path + ".value", "is " + place + ", which another channel has, too");
    *target = channel;
    return;
  }
  Query query = query_at(settings, path);
  const std::vector<std::string>& places = query.answer.places();
  const auto at = std::find(places.begin(), places.end(), "value");
  const auto skipped = std::count(places.begin(), places.end(), "skip");
  if (at == places.end() || static_cast<std::size_t>(skipped) + 1 != places.size())
    refuse(path + ".answer",
           "must have the one place {value}, and may have {skip}; several values of a line "
           "are an entry of `queries`");
  query.channels[static_cast<std::size_t>(at - places.begin())] = channel;
  read.queries.push_back(std::move(query));
}

void read_channels(const char* settings, InstrumentSettings& read) {
  for (std::uint32_t i = 0; i < kMostEntries; ++i) {
    const std::string path = entry("queries", i);
    if (line_at(settings, path + ".send").empty()) break;
    read.queries.push_back(query_at(settings, path));
  }
  const std::size_t shared = read.queries.size();
  for (std::uint32_t i = 0; i < kMostEntries; ++i) {
    const std::string path = entry("channels", i);
    if (line_at(settings, path + ".channel").empty()) break;
    Channel channel;
    channel.kind = kind_at(settings, path + ".channel");
    channel.index = read.count(channel.kind);
    channel.scale = scale_at(settings, path, kinds_of(channel.kind));
    channel.name = line_at(settings, path + ".name");
    const std::string& unit = channel.scale.unit_name;
    channel.rotates = unit.find("rad") != std::string::npos || unit == "deg";
    bind_channel(settings, path, shared, read);
    read.channels.push_back(std::move(channel));
  }
}

/// Checks that drive and force of each actuator have units that fit its displacement.
void check_units(const InstrumentSettings& read) {
  for (std::size_t i = 0; i < read.channels.size(); ++i) {
    const Channel& channel = read.channels[i];
    const std::string path = entry("channels", i) + ".unit";
    if (channel.kind == ChannelKind::kDisplacement)
      plugin::unit_of(read.drives[channel.index].unit_name,
                      entry("drives", channel.index) + ".unit",
                      channel.rotates ? TRESTLE_ANGLE : TRESTLE_LENGTH);
    if (channel.kind == ChannelKind::kForce)
      plugin::unit_of(channel.scale.unit_name, path,
                      read.find(ChannelKind::kDisplacement, channel.index)->rotates
                          ? TRESTLE_MOMENT
                          : TRESTLE_FORCE);
  }
}

/// Checks that each place is used once, and that lines can be told apart.
void check_queries(const InstrumentSettings& read) {
  std::vector<std::string> seen;
  for (const Query& query : read.queries) {
    const std::string path = query.path + ".answer";
    for (std::size_t i = 0; i < query.channels.size(); ++i) {
      const std::string& place = query.answer.places()[i];
      if (place != "skip" && query.channels[i] == Query::kSkipped)
        refuse(path, "has the place {" + place +
                         "}, which no channel uses, or which comes twice; write {skip} for "
                         "a number that is not needed");
    }
    if (read.error && query.answer.can_be(*read.error))
      refuse(path, "is " + query.answer.text() +
                       ", which can look like error: " + read.error->text());
    for (const Command* const command : {&read.hold, &read.stop})
      if (command->answer && command->answer->can_be(query.answer))
        refuse(path, "is " + query.answer.text() + ", which the answer of the command " +
                         command->send + " can look like");
  }
}

void check_acknowledgement(const InstrumentSettings& read, const std::string& path,
                           const std::optional<LinePattern>& answer) {
  if (answer && read.error && answer->can_be(*read.error))
    refuse(path,
           "is " + answer->text() + ", which looks like error: " + read.error->text());
}

void read_commands(const char* settings, InstrumentSettings& read) {
  read.error = pattern_at(settings, "error");
  if (read.error && !read.error->places().empty())
    refuse("error", "has a place for a number; must be text, with {text} for the rest");
  read.status = command_at(settings, "status");
  if (!read.status.send.empty() && !read.status.answer)
    refuse(sent_path(settings, "status"), "needs the answer that means ready");
  read.hold = command_at(settings, "hold");
  if (read.hold.send.empty())
    throw std::runtime_error(
        "hold is missing; give the line that stops the actuators where they are");
  read.stop = command_at(settings, "stop");
  for (const std::string& path : command_paths(settings, "start"))
    read.start.push_back(command_at(settings, path));
  for (const std::string& path : command_paths(settings, "move")) {
    const std::string send = sent_path(settings, path);
    read.move.push_back({DriveLine(send, line_at(settings, send)),
                         acknowledgement_at(settings, path + ".answer")});
    check_acknowledgement(read, path + ".answer", read.move.back().answer);
  }
  if (read.move.empty())
    throw std::runtime_error(
        "move is missing; give the line that moves the actuators, as \"POS {drive:.6f}\"");
  check_acknowledgement(read, "hold.answer", read.hold.answer);
  check_acknowledgement(read, "stop.answer", read.stop.answer);
  check_acknowledgement(read, "status.answer", read.status.answer);
}

void read_drives(const char* settings, InstrumentSettings& read) {
  std::vector<int> moved(TRESTLE_MOST_ACTUATORS, 0);
  std::size_t actuators = 0;
  for (const MoveCommand& move : read.move)
    for (const std::uint32_t actuator : move.send.actuators()) {
      ++moved[actuator];
      actuators = std::max<std::size_t>(actuators, actuator + 1);
    }
  const std::string path = sent_path(settings, command_paths(settings, "move").front());
  for (std::size_t i = 0; i < actuators; ++i) {
    if (moved[i] != 1)
      refuse(path, "{drive" + std::to_string(i + 1) +
                       (moved[i] == 0 ? "} is in no line" : "} is in more than one place") +
                       "; each actuator has one");
    if (line_at(settings, entry("drives", i) + ".unit").empty())
      refuse(path, "moves " + std::to_string(actuators) +
                       " actuators; give the unit of each under `drives`, as "
                       "`drives: [{unit: mm}]`");
    read.drives.push_back(scale_at(settings, entry("drives", i), plugin::kMotion));
  }
  if (!line_at(settings, entry("drives", actuators) + ".unit").empty())
    refuse(entry("drives", actuators) + ".unit", "is of an actuator that no line moves");
}

void check_channels(const InstrumentSettings& read) {
  const std::string path = entry("channels", 0) + ".channel";
  const auto must = [](bool holds, const std::string& sentence) {
    if (!holds) throw std::runtime_error(sentence);
  };
  must(!read.channels.empty(), "channels is missing; list what the instrument measures");
  const std::size_t actuators = read.drives.size();
  must(read.count(ChannelKind::kDisplacement) == actuators &&
           read.count(ChannelKind::kForce) == actuators,
       path + ": there must be one displacement and one force for each of the " +
           std::to_string(actuators) + " actuators that are moved");
  for (const ChannelKind rate : {ChannelKind::kVelocity, ChannelKind::kAcceleration})
    must(read.count(rate) == 0 || read.count(rate) == actuators,
         path + ": give a velocity or acceleration for every actuator, or for none");
  must(read.count(ChannelKind::kReaction) <= TRESTLE_MOST_REACTIONS &&
           read.count(ChannelKind::kAuxiliary) <= TRESTLE_MOST_AUXILIARY,
       path + ": there are too many channels");
}

void read_times(const char* settings, InstrumentSettings& read) {
  read.connect = positive_at(settings, "connect", 5.0, TRESTLE_TIME);
  read.answer = positive_at(settings, "answer", 1.0, TRESTLE_TIME);
  read.poll = positive_at(settings, "poll", 20.0, TRESTLE_FREQUENCY);
  read.rate = positive_at(settings, "rate", 100.0, TRESTLE_FREQUENCY);
  read.stale = positive_at(settings, "stale", 3.0 / read.poll, TRESTLE_TIME);
  read.watchdog = number_at(settings, "watchdog", 0.0, TRESTLE_TIME);
  if (!(read.watchdog >= 0.0)) refuse("watchdog", "must not be negative");
  if (read.watchdog > 0.0 && read.watchdog * read.poll < 2.0)
    refuse("watchdog", "is shorter than two rounds of queries; poll more often");
}

}  // namespace

std::uint32_t InstrumentSettings::count(ChannelKind kind) const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(channels.begin(), channels.end(),
                    [kind](const Channel& channel) { return channel.kind == kind; }));
}

const Channel* InstrumentSettings::find(ChannelKind kind,
                                        std::uint32_t index) const noexcept {
  for (const Channel& channel : channels)
    if (channel.kind == kind && channel.index == index) return &channel;
  return nullptr;
}

InstrumentSettings instrument_settings(const char* settings) {
  check_keys(settings);
  InstrumentSettings read;
  read.server = line_at(settings, "server");
  if (read.server.empty()) throw std::runtime_error("server is missing; HOST:PORT");
  plugin::host_port_of(read.server, "server");
  read.line_end = line_end_at(settings);
  read_times(settings, read);
  read_commands(settings, read);
  read_drives(settings, read);
  read_channels(settings, read);
  check_channels(read);
  check_units(read);
  check_queries(read);
  return read;
}

}  // namespace trestle::scpi_tcp
