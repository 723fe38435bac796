#include "adapters/modbus_tcp/plc_settings.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace trestle::modbus_tcp {
namespace {

const std::string kActuator =
    "actuators[0].command.address: 20\nactuators[0].command.type: f32\n"
    "actuators[0].command.unit: mm\nactuators[0].command.range[0]: -60 mm\n"
    "actuators[0].command.range[1]: 60 mm\n"
    "actuators[0].displacement.address: 2\nactuators[0].displacement.kind: input\n"
    "actuators[0].displacement.type: i16\nactuators[0].displacement.scale: 0.01\n"
    "actuators[0].displacement.unit: mm\n"
    "actuators[0].force.address: 3\nactuators[0].force.kind: input\n"
    "actuators[0].force.type: i32\nactuators[0].force.word_order: little\n"
    "actuators[0].force.unit: N\n";
const std::string kLeast = "server: plc\n" + kActuator;

std::string settings_error(const std::string& settings) {
  try {
    plc_settings(settings.c_str());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}
/// Whether an additional line is refused with a sentence about this setting.
void expect_refused(const std::string& lines, const std::string& path) {
  EXPECT_EQ(settings_error(kLeast + lines).substr(0, path.size() + 2), path + ": ")
      << settings_error(kLeast + lines);
}
/// The same settings without one line.
std::string without(const std::string& line) {
  std::string settings = kLeast;
  settings.erase(settings.find(line),
                 settings.find('\n', settings.find(line)) + 1 - settings.find(line));
  return settings;
}

/// A channel of this unit with this range.
std::string with_channel(const std::string& unit, const std::string& least,
                         const std::string& most) {
  return kLeast + "auxiliary[0].name: oil\nauxiliary[0].address: 9\n" +
         "auxiliary[0].type: i16\nauxiliary[0].unit: " + unit +
         "\nauxiliary[0].range[0]: " + least + "\nauxiliary[0].range[1]: " + most + "\n";
}

// The numbers of a channel stay in its unit, so its range may name that unit.
TEST(PlcSettings, TakesTheRangeOfAChannelInTheChannelsUnit) {
  for (const char* const unit : {"V", "m", "%", "bar", "mV", "mm", "C"})
    for (const std::string& range : {std::string("350"), std::string("350 ") + unit}) {
      const std::string settings = with_channel(unit, "-5", range);
      ASSERT_EQ(settings_error(settings), "") << range;
      const Register channel = plc_settings(settings.c_str()).auxiliary[0];
      EXPECT_EQ(channel.least, -5.0) << range;
      EXPECT_EQ(channel.most, 350.0) << range;
      EXPECT_EQ(channel.unit, 1.0) << range;
    }
  EXPECT_DOUBLE_EQ(plc_settings(with_channel("V", "0", "500 mV").c_str()).auxiliary[0].most,
                   0.5);
}

TEST(PlcSettings, RefusesTheRangeOfAChannelInAnotherUnit) {
  for (const auto& [unit, most] : {std::pair{"V", "10 m"},
                                   {"bar", "10 V"},
                                   {"bar", "10 %"},
                                   {"V", "10 %"},
                                   {"mm", "1 m"},
                                   {"%", "1 V"},
                                   {"bar", "350 barg"},
                                   {"bar", "bar"},
                                   {"bar", "nan"},
                                   {"bar", "inf"}})
    EXPECT_EQ(settings_error(with_channel(unit, "0", most)),
              std::string("auxiliary[0].range[1]: is ") + most +
                  "; must be a number of the channel's unit, as 350 or 350 " + unit);
}

// Read in SI it would be ±60 m: a guard that guards nothing.
TEST(PlcSettings, RefusesARangeOfAnActuatorWithoutItsUnit) {
  const auto with_range = [](const std::string& least, const std::string& most) {
    std::string settings = kLeast;
    settings.replace(settings.find(": 60 mm") + 2, 5, most);
    return settings.replace(settings.find("-60 mm"), 6, least);
  };
  EXPECT_EQ(settings_error(with_range("-60", "60")),
            "actuators[0].command.range[0]: is -60; give its unit, as -60 mm");
  EXPECT_EQ(settings_error(with_range("-60 mm", "60")),
            "actuators[0].command.range[1]: is 60; give its unit, as 60 mm");
  // Zero is the same in every unit.
  EXPECT_EQ(settings_error(with_range("0", "60 mm")), "");
  EXPECT_DOUBLE_EQ(plc_settings(with_range("-6 cm", "0.5 m").c_str()).commands[0].most,
                   0.5);
  // The force's unit is that of SI.
  const std::string force =
      kLeast + "actuators[0].force.range[0]: -3\nactuators[0].force.range[1]: 3\n";
  ASSERT_EQ(settings_error(force), "");
  EXPECT_EQ(plc_settings(force.c_str()).forces[0].most, 3.0);
}

TEST(PlcSettings, ReadsTheTableOfRegisters) {
  const PlcSettings read = plc_settings(
      (kLeast + "unit: 7\npoll: 50 Hz\nconnect: 3 s\nresponse: 200 ms\nstale: 80 ms\n"
                "watchdog: 1 s\nheartbeat.address: 10\ncontrol.address: 11\n"
                "control.hold: 4\ncontrol.follow: 5\ncontrol.stop: 6\n"
                "status.address: 5\nstatus.kind: input\nstatus.type: u16\n"
                "auxiliary[0].name: oil\nauxiliary[0].address: 0x64\n"
                "auxiliary[0].type: i16\nauxiliary[0].unit: C\n")
          .c_str());
  EXPECT_EQ(read.server, "plc:502");
  EXPECT_EQ(read.unit, 7);
  EXPECT_EQ(read.poll, 50.0);
  EXPECT_EQ(read.rate, 100.0);
  EXPECT_EQ(read.heartbeat, 10);
  EXPECT_EQ(read.control->stop, 6);
  EXPECT_EQ(read.auxiliary[0].address, 100);
  EXPECT_DOUBLE_EQ(read.commands[0].most, 0.06);
  // Displacement, force and status are one request; the channel is another.
  const RegisterTable readings = read.readings();
  ASSERT_EQ(readings.blocks().size(), 2U);
  EXPECT_EQ(readings.blocks()[1].words, 4U);
  EXPECT_EQ(readings.blocks()[1].address, 2);
}

TEST(PlcSettings, SaysWhatIsMissing) {
  EXPECT_EQ(settings_error(kActuator).substr(0, 8), "server: ");
  EXPECT_EQ(settings_error("server: plc\n").substr(0, 11), "actuators: ");
  for (const std::string key : {"command.address", "command.type", "command.unit",
                                "displacement.address", "force.address", "force.unit"}) {
    const std::string path = "actuators[0]." + key;
    const std::string error = settings_error(without(path));
    EXPECT_EQ(error.substr(0, path.size() + 2), path + ": ") << error;
  }
  std::string endless = without("actuators[0].command.range[0]");
  EXPECT_NE(settings_error(endless).find("range"), std::string::npos);
  expect_refused("watchdog: 1 s\n", "heartbeat.address");
  expect_refused("heartbeat.address: 1\n", "watchdog");
  expect_refused("control.hold: 1\n", "control.address");
  expect_refused("status.type: u16\n", "status.address");
  EXPECT_EQ(settings_error(kLeast), "");
}

TEST(PlcSettings, SaysWhatCannotBe) {
  expect_refused("speed: 3\n", "speed");
  expect_refused("actuators[0].command.colour: 3\n", "actuators[0].command.colour");
  expect_refused("unit: 248\n", "unit");
  expect_refused("poll: 2 kHz\n", "poll");
  expect_refused("response: 0\n", "response");
  expect_refused("watchdog: 0.1 s\nheartbeat.address: 1\n", "watchdog");
  expect_refused("control.address: 1\ncontrol.hold: 1\n", "control.follow");
  expect_refused("status.address: 5\nstatus.type: f32\n", "status.type");
  expect_refused("word_order: middle\n", "actuators[0].command.word_order");
  expect_refused("actuators[0].command.kind: input\n", "actuators[0].command.kind");
  expect_refused("actuators[0].force.range[0]: 3 N\n", "actuators[0].force.range[0]");
  expect_refused("auxiliary[0].address: 65536\nauxiliary[0].type: u16\n",
                 "auxiliary[0].address");
  EXPECT_NE(settings_error(kLeast + "watchdog: 1 s\nheartbeat.address: 21\n")
                .find("the command of actuator 1 and the heartbeat overlap at holding "
                      "register 21"),
            std::string::npos);
}

// getaddrinfo() cuts a port to 16 bits: the commands would go to another device.
TEST(PlcSettings, RefusesAPortThatIsNone) {
  for (const std::string server :
       {"plc:99999", "plc:65536", "plc:0", "plc:-1", "plc:http", "plc:", ":502"})
    EXPECT_EQ(
        settings_error("server: " + server + "\n" + kActuator),
        "server: is " + server + "; must be HOST or HOST:PORT, the port from 1 to 65535");
  EXPECT_EQ(settings_error("server: plc:65535\n" + kActuator), "");
}

TEST(PlcSettings, RefusesAUnitOfAnotherKind) {
  for (const char* const line :
       {"poll: 50 ms", "rate: 1 us", "connect: 3 m", "response: 200 kN", "stale: 80 Hz",
        "watchdog: 1 m", "unit: 7 mm", "control.address: 11 mm",
        "actuators[0].displacement.offset: 2 mm", "actuators[0].force.scale: 2 kN",
        "actuators[0].force.range[0]: -3 mm"}) {
    const std::string path = std::string(line).substr(0, std::string(line).find(':'));
    expect_refused(std::string(line) + "\n", path);
    EXPECT_NE(settings_error(kLeast + line + "\n").find("must be"), std::string::npos)
        << settings_error(kLeast + line + "\n");
  }
  const auto with = [](const std::string& line, const std::string& other) {
    return settings_error(without(line) + other + "\n");
  };
  for (const char* const unit : {"kN", "ms"})
    EXPECT_EQ(
        with("actuators[0].command.unit", std::string("actuators[0].command.unit: ") + unit)
            .substr(0, 28),
        "actuators[0].command.unit: i")
        << unit;
  EXPECT_EQ(with("actuators[0].displacement.unit", "actuators[0].displacement.unit: N")
                .substr(0, 32),
            "actuators[0].displacement.unit: ");
  for (const char* const unit : {"mm", "kN.m"})
    EXPECT_EQ(
        with("actuators[0].force.unit", std::string("actuators[0].force.unit: ") + unit)
            .substr(0, 25),
        "actuators[0].force.unit: ")
        << unit;
  EXPECT_EQ(with("actuators[0].command.range[0]", "actuators[0].command.range[0]: -60 mrad")
                .substr(0, 31),
            "actuators[0].command.range[0]: ");
}

}  // namespace
}  // namespace trestle::modbus_tcp
