#include <csignal>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliLink : public ProgramTestCase {
 protected:
  /// A file with one relay at any free port.
  std::string link(const std::string& network) const {
    write("link.yaml", "link: " + network +
                           "\n"
                           "relays:\n"
                           "  west: {listen: \"127.0.0.1:0\", to: \"127.0.0.1:1\"}\n");
    return "link.yaml";
  }
};

TEST_F(CliLink, RelaysUntilItIsAskedToEnd) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program relay({"link", link("campus")}, folder());
    ASSERT_TRUE(relay.says("west: listens at 127.0.0.1:")) << relay.err();
    relay.signal(signal);
    EXPECT_EQ(relay.exit_code(), 0) << relay.err();
    EXPECT_NE(relay.err().find("0 connections; out 0 messages, 0 bytes"), std::string::npos)
        << relay.err();
  }
}

TEST_F(CliLink, EndsByItselfWhereATimeIsGiven) {
  EXPECT_EQ(trestle({"link", link("ocean"), "--for", "0.2"}).code, 0);
}

TEST_F(CliLink, TakesAChangeFromTheCommandLine) {
  const Ended ended = trestle({"link", link("campus"), "--for", "0.3", "--set",
                               "link.outages={every: 1 h, duration: 1 s, first: 0 s}"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("west: outage of 1.000 s begins"), std::string::npos)
      << ended.err;
}

TEST_F(CliLink, SaysWhatIsWrongAndWhere) {
  Ended ended = trestle({"link", link("lake")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "link.yaml:1:7: there is no profile `lake`; must be one of campus, continent, "
            "ocean, bad-day\n");
  ended = trestle({"link", link("campus"), "--set", "relays.west.listen=127.0.0.1"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("`127.0.0.1` is no HOST:PORT"), std::string::npos) << ended.err;
  ended = trestle({"link", link("campus"), "--set", "relays.west.listen=192.0.2.1:0"});
  EXPECT_EQ(ended.code, 2) << "an address that this machine does not have";
  EXPECT_NE(ended.err.find("cannot listen at 192.0.2.1:0: Cannot assign requested address"),
            std::string::npos)
      << ended.err;
}

TEST_F(CliLink, TheShippedNetworksAreSound) {
  for (const char* name : {"campus", "continent", "ocean", "bad_day"}) {
    const std::string file = example("../links/" + std::string(name) + ".yaml");
    const Ended ended =
        trestle({"link", file, "--for", "0.1", "--set", "relays.west.listen=127.0.0.1:0",
                 "--set", "relays.east.listen=127.0.0.1:0"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
}

}  // namespace
}  // namespace trestle::cli
