#include "adapters/modbus_tcp/plc_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <sstream>
#include <utility>

#include "adapters/plugin/internet_address.h"
#include "adapters/plugin/setting_values.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::modbus_tcp {
namespace {

using plugin::number_at;
using plugin::refuse;
using plugin::text_at;

// Limits of the protocol for one request.
constexpr std::size_t kMostRead = 125;
constexpr std::size_t kMostWritten = 123;

constexpr std::array<std::pair<const char*, RegisterType>, 6> kTypes{{
    {"i16", RegisterType::kI16},
    {"u16", RegisterType::kU16},
    {"i32", RegisterType::kI32},
    {"u32", RegisterType::kU32},
    {"f32", RegisterType::kF32},
    {"f64", RegisterType::kF64},
}};
constexpr std::array<std::pair<const char*, WordOrder>, 4> kOrders{{
    {"big", WordOrder::kBig},
    {"little", WordOrder::kLittle},
    {"big_swapped", WordOrder::kBigSwapped},
    {"little_swapped", WordOrder::kLittleSwapped},
}};

/// The value of one of several words.
template <typename Words>
auto word_at(const char* settings, const std::string& path, const char* fallback,
             const Words& words) {
  std::string text = text_at(settings, path);
  if (text.empty()) text = fallback;
  std::string known;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    known += std::string(known.empty() ? "" : ", ") + word;
  }
  refuse(path, (text.empty() ? "is missing" : "is " + text) + "; must be one of " + known);
}

std::uint16_t whole_at(const char* settings, const std::string& path, double fallback,
                       double most = 65535.0) {
  const double number = number_at(settings, path, fallback, TRESTLE_RATIO);
  if (!(number >= 0.0 && number <= most) || number != std::floor(number))
    refuse(path,
           "must be a whole number from 0 to " + std::to_string(static_cast<int>(most)));
  return static_cast<std::uint16_t>(number);
}

std::uint16_t address_at(const char* settings, const std::string& path) {
  if (text_at(settings, path + ".address").empty())
    refuse(path + ".address", "is missing; give the register's address, from 0");
  return whole_at(settings, path + ".address", 0.0);
}

double time_at(const char* settings, const std::string& path, double fallback) {
  const double time = number_at(settings, path, fallback, TRESTLE_TIME);
  if (!(time > 0.0 && time <= 3600.0)) refuse(path, "must be above zero, at most 1 h");
  return time;
}

/// A number, and what stands behind it: "-50 mm" is -50 and mm.
struct Limit {
  double number = std::nan("");  ///< not finite: none is given
  std::string unit;
};

Limit limit_of(const std::string& text) {
  Limit limit;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return limit;
  limit.number = number;
  limit.unit = std::string(end + std::strspn(end, " "));
  return limit;
}

/// A limit of what an actuator does, in SI. Zero alone needs no unit: a laboratory writes
/// -50 beside `unit: mm` and means millimetres, and metres would guard nothing.
double actuator_limit_at(const char* settings, const std::string& path, double fallback,
                         const Register& one, std::uint32_t kind) {
  const std::string text = text_at(settings, path);
  const Limit limit = limit_of(text);
  if (one.unit != 1.0 && std::isfinite(limit.number) && limit.number != 0.0 &&
      limit.unit.empty())
    refuse(path, "is " + text + "; give its unit, as " + text + " " + one.unit_name);
  return number_at(settings, path, fallback, kind);
}

/// A limit of a channel, in the channel's unit, which it may name.
double channel_limit_at(const char* settings, const std::string& path, double fallback,
                        const std::string& unit) {
  const std::string text = text_at(settings, path);
  if (text.empty()) return fallback;
  const Limit limit = limit_of(text);
  if (std::isfinite(limit.number)) {
    if (limit.unit.empty() || limit.unit == unit) return limit.number;
    // A multiple of an SI unit, which is how all settings are read: 500 mV beside V.
    std::uint32_t kind = 0U;
    std::uint32_t given = 0U;
    const bool si = trestle_unit_of(unit.c_str(), &kind) == 1.0;
    const double factor = trestle_unit_of(limit.unit.c_str(), &given);
    if (si && given == (kind == 0U ? TRESTLE_RATIO : kind)) return limit.number * factor;
  }
  refuse(path, "is " + text + "; must be a number of the channel's unit, as 350" +
                   (unit.empty() ? "" : " or 350 " + unit));
}

/// Scale and range of a register that is measured or commanded.
/// @param limit_at  reads a limit: its path, and what is valid if it is not given
template <typename LimitAt>
void read_scale(const char* settings, const std::string& path, const LimitAt& limit_at,
                Register& one) {
  one.scale = number_at(settings, path + ".scale", 1.0, TRESTLE_RATIO);
  if (one.scale == 0.0) refuse(path + ".scale", "must not be zero");
  one.offset = number_at(settings, path + ".offset", 0.0, TRESTLE_RATIO);
  const std::string low = path + ".range[0]";
  const std::string high = path + ".range[1]";
  one.least = limit_at(low, one.least);
  one.most = limit_at(high, one.most);
  if (text_at(settings, low).empty() != text_at(settings, high).empty() ||
      one.least >= one.most)
    refuse(low, "must be the smaller one of two values: range: [-60 mm, 60 mm]");
}

/// What every register has. @param name  in sentences
Register register_at(const char* settings, const std::string& path, std::string name) {
  constexpr std::array<std::pair<const char*, bool>, 2> kKinds{
      {{"holding", false}, {"input", true}}};
  Register one;
  one.name = std::move(name);
  one.address = address_at(settings, path);
  one.is_input = word_at(settings, path + ".kind", "holding", kKinds);
  one.type = word_at(settings, path + ".type", "", kTypes);
  const std::string order = text_at(settings, "word_order");
  one.order = word_at(settings, path + ".word_order", order.empty() ? "big" : order.c_str(),
                      kOrders);
  if (one.address + one.words() > 65536)
    refuse(path + ".address", "is beyond the last register, 65535");
  return one;
}

/// A register of an actuator: its unit is known and the numbers are in SI.
/// @param kinds  that the unit may have
Register quantity_at(const char* settings, const std::string& path, std::string name,
                     std::uint32_t kinds) {
  Register one = register_at(settings, path, std::move(name));
  one.unit_name = text_at(settings, path + ".unit");
  if (one.unit_name.empty())
    refuse(path + ".unit", "is missing; for example mm, kN, rad or kN.m");
  const plugin::Unit unit = plugin::unit_of(one.unit_name, path + ".unit", kinds);
  one.unit = unit.factor;
  one.rotates = unit.kind == TRESTLE_ANGLE;
  read_scale(
      settings, path,
      [&](const std::string& limit, double fallback) {
        return actuator_limit_at(settings, limit, fallback, one, unit.kind);
      },
      one);
  return one;
}

/// In its unit as it is: no program calculates with it.
Register auxiliary_at(const char* settings, const std::string& path) {
  const std::string channel = text_at(settings, path + ".name");
  Register one = register_at(settings, path, "channel " + channel);
  one.channel = channel;
  one.unit_name = text_at(settings, path + ".unit");
  read_scale(
      settings, path,
      [&](const std::string& limit, double fallback) {
        return channel_limit_at(settings, limit, fallback, one.unit_name);
      },
      one);
  return one;
}

void read_actuator(const char* settings, const std::string& at, PlcSettings& read) {
  const std::string of = " of actuator " + std::to_string(read.commands.size() + 1);
  Register command =
      quantity_at(settings, at + ".command", "command" + of, plugin::kMotion);
  Register displacement =
      quantity_at(settings, at + ".displacement", "displacement" + of, plugin::kMotion);
  if (command.is_input)
    refuse(at + ".command.kind", "is input; only holding registers can be written");
  if (std::isinf(command.most))
    refuse(at + ".command.range",
           "is missing; give the smallest and the largest command: [-60 mm, 60 mm]");
  if (command.rotates != displacement.rotates)
    refuse(at + ".command.unit", "is one of " +
                                     std::string(command.rotates ? "angle" : "length") +
                                     ", but the displacement's unit is not");
  const std::uint32_t action = displacement.rotates ? TRESTLE_MOMENT : TRESTLE_FORCE;
  displacement.channel = text_at(settings, at + ".name");
  read.commands.push_back(std::move(command));
  read.displacements.push_back(std::move(displacement));
  read.forces.push_back(quantity_at(settings, at + ".force", "force" + of, action));
}

void read_status(const char* settings, PlcSettings& read) {
  for (const char* const key : {"status.kind", "status.type", "status.word_order"})
    if (!text_at(settings, key).empty()) address_at(settings, "status");
  if (text_at(settings, "status.address").empty()) return;
  read.status = register_at(settings, "status", "status");
  if (read.status->type == RegisterType::kF32 || read.status->type == RegisterType::kF64)
    refuse("status.type", "must be a whole number's: i16, u16, i32 or u32");
}

void read_control(const char* settings, PlcSettings& read) {
  if (text_at(settings, "control.address").empty()) {
    for (const char* const word : {"control.hold", "control.follow", "control.stop"})
      if (!text_at(settings, word).empty())
        refuse("control.address", "is missing; give the register's address, from 0");
    return;
  }
  ControlRegister control;
  control.address = address_at(settings, "control");
  control.hold = whole_at(settings, "control.hold", control.hold);
  control.follow = whole_at(settings, "control.follow", control.follow);
  control.stop = whole_at(settings, "control.stop", control.hold);
  if (control.hold == control.follow || control.stop == control.follow)
    refuse("control.follow", "must differ from the words for hold and stop");
  read.control = control;
}

void read_watchdog(const char* settings, PlcSettings& read) {
  read.watchdog = number_at(settings, "watchdog", 0.0, TRESTLE_TIME);
  if (!text_at(settings, "heartbeat.address").empty())
    read.heartbeat = address_at(settings, "heartbeat");
  if (read.heartbeat.has_value() != (read.watchdog > 0.0))
    refuse(read.heartbeat ? "watchdog" : "heartbeat.address",
           "is missing; a watchdog of the PLC needs the register that it watches, and the "
           "time after which it holds");
  if (read.heartbeat && read.watchdog < 4.0 / read.poll)
    refuse("watchdog", "must be at least four periods of `poll`");
}

/// Checks that no key is unknown.
void check_keys(const char* settings) {
  static const std::regex known(
      "server|unit|poll|rate|connect|response|stale|watchdog|word_order|"
      "heartbeat\\.address|control\\.(address|hold|follow|stop)|"
      "status\\.(address|kind|type|word_order)|actuators\\[\\d+\\]\\.name|"
      "(actuators\\[\\d+\\]\\.(command|displacement|force)|auxiliary\\[\\d+\\])"
      "\\.(address|kind|type|word_order|scale|offset|unit|range\\[[01]\\])|"
      "auxiliary\\[\\d+\\]\\.name");
  std::istringstream lines(settings);
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(": "));
    if (!std::regex_match(key, known)) refuse(key, "is no setting that this plug-in knows");
  }
}

/// Number of the entries of a list.
std::size_t entries(const std::string& settings, const std::string& list) {
  std::size_t count = 0;
  while (("\n" + settings).find("\n" + list + "[" + std::to_string(count) + "]") !=
         std::string::npos)
    ++count;
  return count;
}

void read_times(const char* settings, PlcSettings& read) {
  read.poll = number_at(settings, "poll", read.poll, TRESTLE_FREQUENCY);
  if (!(read.poll > 0.0 && read.poll <= 1000.0))
    refuse("poll", "must be above zero, at most 1 kHz");
  read.rate = number_at(settings, "rate", read.rate, TRESTLE_FREQUENCY);
  if (!(read.rate > 0.0)) refuse("rate", "must be above zero");
  read.connect = time_at(settings, "connect", read.connect);
  read.response = time_at(settings, "response", read.response);
  read.stale = time_at(settings, "stale", 3.0 / read.poll);
}

/// Nothing that is written may overlap.
void check_written(const PlcSettings& read) {
  std::vector<Register> written = read.commands;
  const auto add = [&written](const char* name, std::uint16_t address) {
    Register one;
    one.name = name;
    one.address = address;
    written.push_back(one);
  };
  if (read.heartbeat) add("heartbeat", *read.heartbeat);
  if (read.control) add("control register", read.control->address);
  RegisterTable(std::move(written), kMostWritten);
}

}  // namespace

RegisterTable PlcSettings::readings() const {
  std::vector<Register> all = displacements;
  all.insert(all.end(), forces.begin(), forces.end());
  all.insert(all.end(), auxiliary.begin(), auxiliary.end());
  if (status) all.push_back(*status);
  return {std::move(all), kMostRead};
}

RegisterTable PlcSettings::command_table() const {
  return {commands, kMostWritten};
}

PlcSettings plc_settings(const char* settings) {
  check_keys(settings);
  PlcSettings read;
  read.server = text_at(settings, "server");
  if (read.server.empty()) refuse("server", "is missing; HOST or HOST:PORT of the PLC");
  if (read.server.find(':') == std::string::npos) read.server += ":502";
  plugin::host_port_of(read.server, "server", 1, "HOST or HOST:PORT");
  read.unit = static_cast<std::uint8_t>(whole_at(settings, "unit", 1.0, 255.0));
  if (read.unit > 247 && read.unit != 255)
    refuse("unit", "must be a whole number from 0 to 247, or 255");
  read_times(settings, read);
  const std::size_t actuators = entries(settings, "actuators");
  if (actuators < 1 || actuators > TRESTLE_MOST_ACTUATORS)
    refuse("actuators", "must list 1 to " + std::to_string(TRESTLE_MOST_ACTUATORS) +
                            " actuators, each with command, displacement and force");
  for (std::size_t i = 0; i < actuators; ++i)
    read_actuator(settings, "actuators[" + std::to_string(i) + "]", read);
  const std::size_t channels = entries(settings, "auxiliary");
  if (channels > TRESTLE_MOST_AUXILIARY) refuse("auxiliary", "has too many channels");
  for (std::size_t i = 0; i < channels; ++i)
    read.auxiliary.push_back(
        auxiliary_at(settings, "auxiliary[" + std::to_string(i) + "]"));
  read_status(settings, read);
  read_control(settings, read);
  read_watchdog(settings, read);
  check_written(read);
  read.readings();
  return read;
}

}  // namespace trestle::modbus_tcp
