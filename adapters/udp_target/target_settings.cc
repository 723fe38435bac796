#include "adapters/udp_target/target_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "adapters/plugin/internet_address.h"
#include "adapters/plugin/setting_values.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::udp_target {
namespace {

using plugin::number_at;
using plugin::refuse;
using plugin::text_at;

constexpr std::uint32_t kMostFields = 256;
constexpr std::size_t kMostBytes = 1472;  // that fit one Ethernet frame

const char* const kKeys[] = {"target",     "from",    "listen",   "rate",
                             "stale",      "connect", "watchdog", "key",
                             "byte_order", "send[",   "receive[", nullptr};

constexpr std::array<std::pair<const char*, NumberType>, 10> kTypes{{
    {"u8", NumberType::kU8},
    {"i8", NumberType::kI8},
    {"u16", NumberType::kU16},
    {"i16", NumberType::kI16},
    {"u32", NumberType::kU32},
    {"i32", NumberType::kI32},
    {"u64", NumberType::kU64},
    {"i64", NumberType::kI64},
    {"f32", NumberType::kF32},
    {"f64", NumberType::kF64},
}};

struct MeaningWord {
  const char* word;
  FieldRole meaning;
  bool sent;
  bool received;
};
constexpr std::array<MeaningWord, 15> kMeanings{{
    {"constant", FieldRole::kConstant, true, true},
    {"padding", FieldRole::kPadding, true, true},
    {"sequence", FieldRole::kSequence, true, true},
    {"checksum", FieldRole::kChecksum, true, true},
    {"command", FieldRole::kCommand, true, false},
    {"drive", FieldRole::kDrive, true, false},
    {"output", FieldRole::kOutput, true, false},
    {"echo", FieldRole::kEcho, false, true},
    {"status", FieldRole::kStatus, false, true},
    {"displacement", FieldRole::kDisplacement, false, true},
    {"force", FieldRole::kForce, false, true},
    {"velocity", FieldRole::kVelocity, false, true},
    {"acceleration", FieldRole::kAcceleration, false, true},
    {"reaction", FieldRole::kReaction, false, true},
    {"auxiliary", FieldRole::kAuxiliary, false, true},
}};

NumberType type_at(const char* settings, const std::string& path) {
  const std::string word = text_at(settings, path + ".type");
  for (const auto& [name, type] : kTypes)
    if (word == name) return type;
  refuse(path + (word.empty() ? ".field" : ".type"),
         (word.empty() ? std::string("has no type") : "is " + word) +
             "; its type must be u8, i8, u16, i16, u32, i32, u64, i64, f32 or f64");
}

FieldRole meaning_at(const char* settings, const std::string& path, bool sent) {
  const std::string word = text_at(settings, path + ".field");
  std::string known;
  for (const MeaningWord& meaning : kMeanings) {
    if (sent ? !meaning.sent : !meaning.received) continue;
    if (word == meaning.word) return meaning.meaning;
    known += std::string(known.empty() ? "" : ", ") + meaning.word;
  }
  refuse(path + ".field", "is " + word + "; must be one of " + known);
}

bool is_number(FieldRole meaning) noexcept {
  switch (meaning) {
    case FieldRole::kDrive:
    case FieldRole::kDisplacement:
    case FieldRole::kForce:
    case FieldRole::kVelocity:
    case FieldRole::kAcceleration:
    case FieldRole::kReaction:
    case FieldRole::kAuxiliary:
      return true;
    default:
      return false;
  }
}

/// How many a field is; most are one.
std::uint32_t count_at(const char* settings, const std::string& path) {
  const double count = number_at(settings, path + ".count", 1.0, TRESTLE_RATIO);
  if (!(count >= 1.0 && count <= kMostBytes) || count != std::floor(count))
    refuse(path + ".count", "must be a whole number from 1");
  return static_cast<std::uint32_t>(count);
}

/// Kinds of the unit that a field may have; its actuator is not known yet.
std::uint32_t kinds_of(FieldRole meaning) noexcept {
  switch (meaning) {
    case FieldRole::kForce:
    case FieldRole::kReaction:
      return plugin::kAction;
    case FieldRole::kVelocity:
      return TRESTLE_VELOCITY;
    case FieldRole::kAcceleration:
      return TRESTLE_ACCELERATION;
    default:
      return plugin::kMotion;
  }
}

void read_scale(const char* settings, const std::string& path, Field& field) {
  field.scale = number_at(settings, path + ".scale", 1.0, TRESTLE_RATIO);
  field.offset = number_at(settings, path + ".offset", 0.0, TRESTLE_RATIO);
  field.name = text_at(settings, path + ".name");
  field.unit_name = text_at(settings, path + ".unit");
  // That of a further channel stays as it is: nothing reckons with it.
  if (field.meaning != FieldRole::kAuxiliary) {
    const plugin::Unit known =
        plugin::unit_of(field.unit_name, path + ".unit", kinds_of(field.meaning));
    field.unit = known.factor;
    field.rotates = known.kind == TRESTLE_ANGLE;
  }
  if (field.scale == 0.0) refuse(path + ".scale", "must not be zero");
}

void add_field(const char* settings, const std::string& path, bool sent,
               FrameLayout& frame) {
  Field field;
  field.path = path;
  field.meaning = meaning_at(settings, path, sent);
  field.type = type_at(settings, path);
  const std::uint32_t count = count_at(settings, path);
  if (is_number(field.meaning))
    read_scale(settings, path, field);
  else if (field.type == NumberType::kF32 || field.type == NumberType::kF64)
    refuse(path + ".type", "must be a whole number's");
  if (field.meaning == FieldRole::kOutput) field.name = text_at(settings, path + ".name");
  if (field.meaning == FieldRole::kChecksum && field.type != NumberType::kU32)
    refuse(path + ".type", "must be u32: a checksum is a CRC-32");
  if (field.meaning == FieldRole::kConstant) {
    const std::string text = text_at(settings, path + ".value");
    char* end = nullptr;
    field.constant = std::strtoull(text.c_str(), &end, 0);
    if (text.empty() || *end != '\0')
      refuse(path + ".field", "is a constant; give it a whole number as its value");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    field.index = frame.count(field.meaning);
    field.at = frame.size;
    frame.size += size_of(field.type);
    frame.fields.push_back(field);
  }
  if (frame.size > kMostBytes)
    refuse(path + ".field", "ends beyond " + std::to_string(kMostBytes) +
                                " bytes, more than one datagram holds");
}

FrameLayout frame_at(const char* settings, const std::string& path, bool big_endian) {
  FrameLayout frame;
  frame.big_endian = big_endian;
  for (std::uint32_t i = 0; i < kMostFields; ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    if (text_at(settings, at + ".field").empty()) break;
    add_field(settings, at, path == "send", frame);
  }
  if (frame.fields.empty())
    throw std::runtime_error(path + " is missing; list the fields of the frame");
  return frame;
}

void check_frames(const TargetSettings& settings) {
  const FrameLayout& in = settings.receive;
  const auto must = [&](bool holds, const char* sentence) {
    if (!holds) throw std::runtime_error(sentence);
  };
  must(settings.actuators >= 1, "send[0].field: the frame that is sent has no drive");
  must(settings.actuators <= TRESTLE_MOST_ACTUATORS, "send[0].field: too many drives");
  must(in.count(FieldRole::kDisplacement) == settings.actuators &&
           in.count(FieldRole::kForce) == settings.actuators,
       "receive[0].field: the frame that is received needs one displacement and one force "
       "for each drive that is sent");
  for (const FieldRole rate : {FieldRole::kVelocity, FieldRole::kAcceleration})
    must(in.count(rate) == 0 || in.count(rate) == settings.actuators,
         "receive[0].field: give a velocity or acceleration for every actuator, or for "
         "none");
  must(in.find(FieldRole::kSequence) != nullptr,
       "receive[0].field: the frame that is received has no sequence; without one a frame "
       "that is late or comes twice cannot be told from a new one");
  must(in.count(FieldRole::kReaction) <= TRESTLE_MOST_REACTIONS &&
           in.count(FieldRole::kAuxiliary) <= TRESTLE_MOST_AUXILIARY,
       "receive[0].field: too many channels");
  must(in.find(FieldRole::kEcho) == nullptr ||
           settings.send.find(FieldRole::kSequence) != nullptr,
       "send[0].field: an echo comes back, but no sequence is sent");
  if (!settings.seal.on()) return;
  const Field* const counted = settings.send.find(FieldRole::kSequence);
  const Field* const echo = in.find(FieldRole::kEcho);
  must(counted != nullptr && counted->type == NumberType::kU64 && echo != nullptr &&
           echo->type == NumberType::kU64,
       "key: needs a sequence of u64 in the frame that is sent and an echo of u64 in the "
       "one "
       "that is received; without them a frame that was recorded could be played again");
}

/// Checks that drive and force of each actuator have units that fit its displacement.
void check_units(const TargetSettings& settings) {
  for (std::uint32_t i = 0; i < settings.actuators; ++i) {
    const Field& drive = *settings.send.find(FieldRole::kDrive, i);
    const Field& displacement = *settings.receive.find(FieldRole::kDisplacement, i);
    const Field& force = *settings.receive.find(FieldRole::kForce, i);
    const bool turns = displacement.rotates;
    plugin::unit_of(drive.unit_name, drive.path + ".unit",
                    turns ? TRESTLE_ANGLE : TRESTLE_LENGTH);
    plugin::unit_of(force.unit_name, force.path + ".unit",
                    turns ? TRESTLE_MOMENT : TRESTLE_FORCE);
  }
}

/// Checks that the keys below send and receive are known, each at most once.
void check_keys(const char* settings) {
  std::array<char, 256> why{};
  if (trestle_settings_known(settings, kKeys, why.data(),
                             static_cast<std::uint32_t>(why.size())) == 0)
    throw std::runtime_error(why.data());
  static constexpr std::array kInside = {".field",  ".type", ".count", ".scale",
                                         ".offset", ".unit", ".name",  ".value"};
  std::string rest = settings;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    const std::string key = rest.substr(at, rest.find(": ", at) - at);
    const std::size_t bracket = key.find(']');
    if (bracket != std::string::npos &&
        std::none_of(kInside.begin(), kInside.end(),
                     [&](const char* inside) { return key.substr(bracket + 1) == inside; }))
      refuse(key,
             "is nothing that a field has; known are field, type, count, scale, "
             "offset, unit, name and value");
    at = end + 1;
  }
}

}  // namespace

double echo_patience(const TargetSettings& settings) noexcept {
  constexpr double kUsualWatchdog = 0.05;  // [s]
  return settings.watchdog > 0.0 ? settings.watchdog : kUsualWatchdog;
}

TargetSettings target_settings(const char* settings) {
  check_keys(settings);
  TargetSettings read;
  read.target = text_at(settings, "target");
  read.listen = text_at(settings, "listen");
  if (read.target.empty()) throw std::runtime_error("target is missing; HOST:PORT");
  read.from = text_at(settings, "from");
  if (read.from.empty()) read.from = read.target;
  if (read.listen.empty()) throw std::runtime_error("listen is missing; HOST:PORT");
  plugin::host_port_of(read.target, "target");
  plugin::host_port_of(read.from, "from");
  plugin::host_port_of(read.listen, "listen", 0);
  read.rate = number_at(settings, "rate", 1000.0, TRESTLE_FREQUENCY);
  if (!(read.rate > 0.0)) refuse("rate", "must be above zero");
  read.stale = number_at(settings, "stale", 2.0 / read.rate, TRESTLE_TIME);
  if (!(read.stale > 0.0)) refuse("stale", "must be above zero");
  read.connect = number_at(settings, "connect", 1.0, TRESTLE_TIME);
  read.watchdog = number_at(settings, "watchdog", 0.0, TRESTLE_TIME);
  if (!(read.watchdog >= 0.0)) refuse("watchdog", "must not be negative");
  const std::string order = text_at(settings, "byte_order");
  if (!order.empty() && order != "little" && order != "big")
    refuse("byte_order", "is " + order + "; must be little or big");
  read.send = frame_at(settings, "send", order == "big");
  read.receive = frame_at(settings, "receive", order == "big");
  read.actuators = read.send.count(FieldRole::kDrive);
  const std::string key = text_at(settings, "key");
  if (!key.empty()) read.seal = FrameSeal(read_frame_key(key));
  if (read.send.size + read.seal.size() > kMostBytes ||
      read.receive.size + read.seal.size() > kMostBytes)
    refuse("key", "makes a frame longer than " + std::to_string(kMostBytes) + " bytes");
  check_frames(read);
  check_units(read);
  return read;
}

}  // namespace trestle::udp_target
