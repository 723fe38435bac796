#include "adapters/openfresco_client/lab_settings.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace trestle::openfresco {
namespace {

std::string complaint(const char* settings) {
  try {
    laboratory_settings(settings);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(LabSettings, ReadsWhatStandsInTheFile) {
  const LabSettings read = laboratory_settings(
      "server: lab:8090\ntransport: udp\nprotocol: lab\nactuators: 2\nrotates[1]: true\n"
      "length: 25.4 mm\nforce: 4.5 kN\nversion: 2.7\ngreeting: true\nstale: 20 ms\n");
  EXPECT_EQ(read.server, "lab:8090");
  EXPECT_TRUE(read.datagrams && read.greeting);
  EXPECT_EQ(read.kind, Server::kLab);
  EXPECT_EQ(read.rotates, (std::vector<bool>{false, true}));
  EXPECT_DOUBLE_EQ(read.length, 0.0254);
  EXPECT_DOUBLE_EQ(read.force, 4500.0);
  EXPECT_DOUBLE_EQ(read.stale, 0.02);
  EXPECT_EQ(read.sizes().measured, (Responses{2, 2, 2, 2, 1}));
}

TEST(LabSettings, AsksAnElementServerForForcesOnly) {
  const LabSettings read =
      laboratory_settings("server: lab:8090\nprotocol: element\nactuators: 3\n");
  EXPECT_EQ(read.sizes().control, (Responses{3, 3, 3, 0, 1}));
  EXPECT_EQ(read.sizes().measured, (Responses{0, 0, 0, 3, 0}));
}

TEST(LabSettings, SaysWhatCannotBe) {
  EXPECT_EQ(complaint("").substr(0, 7), "server:");
  EXPECT_EQ(complaint("server: a:1\nspeed: 3\n").substr(0, 6), "speed:");
  EXPECT_EQ(complaint("server: a:1\nprotocol: x\n").substr(0, 9), "protocol:");
  EXPECT_EQ(complaint("server: a:1\ntransport: ssl\n").substr(0, 10), "transport:");
  EXPECT_EQ(complaint("server: a:1\nactuators: 2.5\n").substr(0, 10), "actuators:");
  EXPECT_EQ(complaint("server: a:1\nstale: 0\n").substr(0, 6), "stale:");
  EXPECT_NE(complaint("server: a:1\ndata_size: 4\n").find("1 actuators need 5"),
            std::string::npos);
}

// getaddrinfo() cuts a port to 16 bits: the trials would go to another laboratory.
TEST(LabSettings, RefusesAPortThatIsNone) {
  for (const std::string server :
       {"a:99999", "a:65536", "a:0", "a:-1", "a:http", "a:", "a", ":5"})
    EXPECT_EQ(complaint(("server: " + server + "\n").c_str()),
              "server: is " + server + "; must be HOST:PORT, the port from 1 to 65535");
  EXPECT_EQ(complaint("server: a:65535\n"), "");
}

TEST(LabSettings, RefusesAUnitOfAnotherKind) {
  for (const std::string line :
       {"length: 25.4 kN", "force: 4.4 mm", "rate: 10 ms", "stale: 20 m", "refresh: 1 Hz",
        "connect: 5 kN", "patience: 60 m", "same_place: 1 ms", "version: 2.8 m",
        "actuators: 1 m", "data_size: 256 N"}) {
    const std::string path = line.substr(0, line.find(':') + 2);
    const std::string why = complaint(("server: a:1\n" + line + "\n").c_str());
    EXPECT_EQ(why.substr(0, path.size()), path) << line;
    EXPECT_NE(why.find("must be"), std::string::npos) << line << ": " << why;
  }
  EXPECT_EQ(complaint("server: a:1\nsame_place: 1 mrad\nrate: 1 kHz\n"), "");
}

}  // namespace
}  // namespace trestle::openfresco
