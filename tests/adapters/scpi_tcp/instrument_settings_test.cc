#include "adapters/scpi_tcp/instrument_settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace trestle::scpi_tcp {
namespace {

const std::string kSettings =
    "server: 127.0.0.1:5025\nline_end: crlf\npoll: 50 Hz\nerror: ERR {text}\n"
    "status.send: STAT?\nstatus.answer: READY\nhold: HOLD\nstop.send: STOP\n"
    "stop.answer: OK\nstart[0].send: REM ON\nstart[1]: CLR\n"
    "move.send: POS {drive1:.3f},{drive2:.3f}\nmove.answer: OK\n"
    "drives[0].unit: mm\ndrives[0].range[0]: -60\ndrives[0].range[1]: 60\n"
    "drives[1].unit: mrad\ndrives[1].scale: -0.5\ndrives[1].offset: 2\n"
    "queries[0].send: READ?\nqueries[0].answer: {d1},{f1},{skip},{oil}\n"
    "channels[0].channel: displacement\nchannels[0].value: d1\nchannels[0].unit: mm\n"
    "channels[1].channel: displacement\nchannels[1].send: MEAS:DISP? 2\n"
    "channels[1].answer: DISP {value} mrad\nchannels[1].unit: mrad\n"
    "channels[2].channel: force\nchannels[2].value: f1\nchannels[2].unit: kN\n"
    "channels[3].channel: force\nchannels[3].send: MEAS:FORC? 2\n"
    "channels[3].answer: {value}\nchannels[3].unit: N.m\n"
    "channels[4].channel: auxiliary\nchannels[4].value: oil\nchannels[4].unit: C\n"
    "channels[4].name: oil\n";

/// The settings with one line in the place of another; a new line if `line` is empty.
std::string with(const std::string& line, const std::string& other) {
  std::string settings = kSettings;
  if (line.empty()) return settings + other + "\n";
  const std::size_t at = settings.find(line + "\n");
  EXPECT_NE(at, std::string::npos) << line;
  return settings.replace(at, line.size() + 1, other.empty() ? "" : other + "\n");
}

TEST(InstrumentSettings, AreRead) {
  const InstrumentSettings read = instrument_settings(kSettings.c_str());
  EXPECT_EQ(read.line_end, "\r\n");
  EXPECT_EQ(read.stale, 3.0 / 50.0);
  EXPECT_EQ(read.start.size(), 2U);
  EXPECT_EQ(read.start[1].send, "CLR");
  EXPECT_EQ(read.hold.send, "HOLD");
  EXPECT_FALSE(read.hold.answer);
  EXPECT_EQ(read.stop.answer->text(), "OK");
  ASSERT_EQ(read.drives.size(), 2U);
  EXPECT_NEAR(read.drives[1].number_of(1e-3), 2.0, 1e-12);
  EXPECT_TRUE(read.drives[0].contains(60.0));
  EXPECT_FALSE(read.drives[0].contains(60.1));
  EXPECT_FALSE(read.drives[0].contains(std::nan("")));
  ASSERT_EQ(read.queries.size(), 3U);
  EXPECT_EQ(read.queries[0].channels, (std::vector<std::size_t>{0, 2, Query::kSkipped, 4}));
  EXPECT_EQ(read.queries[1].send, "MEAS:DISP? 2");
  EXPECT_EQ(read.queries[1].channels, std::vector<std::size_t>{1});
  EXPECT_EQ(read.channels[1].index, 1U);
  EXPECT_TRUE(read.channels[1].rotates);
  EXPECT_EQ(read.channels[4].scale.unit_name, "C");
}

TEST(InstrumentSettings, AreRefusedWithTheirPath) {
  struct Case {
    const char* line;
    const char* other;
    const char* says;
  };
  for (const Case& wrong : {
           Case{"", "gain: 3", "gain: is no setting"},
           {"", "channels[0].gain: 3", "channels[0].gain: is nothing that an entry of"},
           {"server: 127.0.0.1:5025", "", "server is missing"},
           {"line_end: crlf", "line_end: lfcr",
            "line_end: is lfcr; must be lf, crlf or cr"},
           // getaddrinfo() cuts a port to 16 bits: the lines would go to another device.
           {"server: 127.0.0.1:5025", "server: lab:99999",
            "server: is lab:99999; must be HOST:PORT, the port from 1 to 65535"},
           {"server: 127.0.0.1:5025", "server: lab:65536", "the port from 1 to 65535"},
           {"server: 127.0.0.1:5025", "server: lab:0", "the port from 1 to 65535"},
           {"server: 127.0.0.1:5025", "server: lab:-1", "the port from 1 to 65535"},
           {"server: 127.0.0.1:5025", "server: lab", "the port from 1 to 65535"},
           {"poll: 50 Hz", "poll: 50 ms", "poll: is 50 ms; must be a frequency"},
           {"", "rate: 1 us", "rate: is 1 us; must be a frequency"},
           {"", "connect: 5 kN", "connect: is 5 kN; must be a time"},
           {"", "answer: 5 m", "answer: is 5 m; must be a time"},
           {"", "stale: 5 Hz", "stale: is 5 Hz; must be a time"},
           {"", "watchdog: 100 um", "watchdog: is 100 um; must be a time"},
           {"drives[0].unit: mm", "drives[0].unit: kN", "drives[0].unit: is kN; must be"},
           {"drives[0].unit: mm", "drives[0].unit: mrad",
            "drives[0].unit: is mrad; must be"},
           {"channels[0].unit: mm", "channels[0].unit: N",
            "channels[0].unit: is N; must be"},
           {"channels[2].unit: kN", "channels[2].unit: mm",
            "channels[2].unit: is mm; must"},
           {"channels[2].unit: kN", "channels[2].unit: kN.m", "channels[2].unit: is kN.m"},
           {"channels[3].unit: N.m", "channels[3].unit: kN",
            "channels[3].unit: is kN; must"},
           {"poll: 50 Hz", "poll: 0", "poll: must be above zero"},
           {"poll: 50 Hz", "watchdog: 1 ms", "watchdog: is shorter than two rounds"},
           {"hold: HOLD", "", "hold is missing"},
           {"hold: HOLD", "hold: HOLD {drive}", "hold: has the place {drive}"},
           {"status.answer: READY", "", "status.send: needs the answer that means ready"},
           {"stop.answer: OK", "stop.answer: {value}", "stop.answer: has a place"},
           {"stop.answer: OK", "stop.answer: ERR 0", "stop.answer: is ERR 0, which looks"},
           {"stop.answer: OK", "stop.answer: 0",
            "which the answer of the command STOP can"},
           {"error: ERR {text}", "error: {value}", "error: has a place for a number"},
           {"error: ERR {text}", "error: -{text}",
            "queries[0].answer: is {d1},{f1},{skip},{oil}, which can"},
           {"drives[1].unit: mrad", "", "move.send: moves 2 actuators; give the unit"},
           {"drives[1].unit: mrad", "drives[1].unit: miles", "drives[1].unit: is miles"},
           {"drives[1].scale: -0.5", "drives[1].scale: 0", "drives[1].scale: must not be"},
           {"drives[0].range[0]: -60", "drives[0].range[0]: -60 mm",
            "drives[0].range[0]: is -60 mm; must be a number without a unit"},
           {"drives[0].range[0]: -60", "drives[0].range[0]: 70", "must be below range[1]"},
           {"move.send: POS {drive1:.3f},{drive2:.3f}", "move.send: POS {drive2:.3f}",
            "move.send: {drive1} is in no line"},
           {"move.send: POS {drive1:.3f},{drive2:.3f}",
            "move.send: {drive1},{drive2},{drive2}", "{drive2} is in more than one place"},
           {"queries[0].answer: {d1},{f1},{skip},{oil}",
            "queries[0].answer: {d1},{f1},{oil},{x}",
            "queries[0].answer: has the place {x}, which no channel uses"},
           {"queries[0].answer: {d1},{f1},{skip},{oil}", "queries[0].answer: {d1}{f1}",
            "queries[0].answer: has nothing between {d1} and {f1}"},
           {"queries[0].answer: {d1},{f1},{skip},{oil}", "queries[0].answer: d1",
            "queries[0].answer: has no place for a number"},
           {"channels[2].value: f1", "channels[2].value: f2", "no answer of `queries` has"},
           {"channels[2].value: f1", "channels[2].value: d1", "which another channel has"},
           {"channels[2].value: f1", "", "channels[2].channel: needs either `send`"},
           {"channels[3].answer: {value}", "channels[3].answer: {f}",
            "channels[3].answer: must have the one place {value}"},
           {"channels[3].channel: force", "channels[3].channel: reaction",
            "channels[0].channel: there must be one displacement and one force"},
           {"channels[3].channel: force", "channels[3].channel: heat",
            "channels[3].channel: is heat; must be one of displacement, force"},
       }) {
    try {
      instrument_settings(with(wrong.line, wrong.other).c_str());
      ADD_FAILURE() << wrong.other << " " << wrong.says;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(wrong.says), std::string::npos)
          << error.what() << "\n"
          << wrong.says;
    }
  }
}

}  // namespace
}  // namespace trestle::scpi_tcp
