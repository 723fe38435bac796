#include "composition/hybrid_test/relay_factory.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/base/setting_error.h"
#include "proto/config/network.pb.h"

namespace trestle::network_emulator {
namespace {

using namespace std::chrono_literals;

std::string complaint(const config::LinkFile& file) {
  try {
    (void)composition::make_relays(file);
  } catch (const SettingError& error) {
    std::string all;
    for (const SettingIssue& problem : error.problems())
      all += problem.path + ": " + problem.what + "\n";
    return all;
  }
  return "";
}

config::LinkFile two_relays() {
  config::LinkFile file;
  file.set_seed(7);
  file.mutable_link()->set_profile("continent");
  for (const char* name : {"west", "east"}) {
    config::Relay* relay = file.add_relays();
    relay->set_name(name);
    relay->set_listen("127.0.0.1:0");
    relay->set_to("127.0.0.1:7001");
  }
  return file;
}

TEST(RelayCatalog, GivesARelayTheFilesLinkWhereItHasNone) {
  config::LinkFile file = two_relays();
  file.mutable_relays(1)->mutable_link()->set_delay(0.005);
  const std::vector<RelaySettings> relays = composition::make_relays(file);
  ASSERT_EQ(relays.size(), 2U);
  EXPECT_EQ(relays[0].name, "west");
  EXPECT_EQ(relays[0].link.delay, 20ms);
  EXPECT_EQ(relays[0].link.seed, 7U);
  EXPECT_EQ(relays[1].link.delay, 5ms);
  EXPECT_NE(relays[0].link.stream, relays[1].link.stream);
}

TEST(RelayCatalog, ReadsHostAndPort) {
  const HostPort named = composition::make_host_port("lab.example:7001", "");
  EXPECT_EQ(named.host, "lab.example");
  EXPECT_EQ(named.port, 7001);
  EXPECT_EQ(composition::make_host_port("[::1]:7001", "").host, "::1");
  EXPECT_EQ(text(composition::make_host_port("[::1]:7001", "")), "[::1]:7001");
  EXPECT_EQ(composition::make_host_port("*:7001", "").host, "0.0.0.0");
}

TEST(RelayCatalog, SaysOfEveryAddressThatIsNone) {
  for (const char* wrong : {"7001", ":7001", "host", "host:", "host:70000", "host:-1",
                            "tcp://host:7001", "::1:7001", ""})
    EXPECT_THROW(composition::make_host_port(wrong, "x"), SettingError) << wrong;
  config::LinkFile file = two_relays();
  file.mutable_relays(0)->set_listen("tcp://host:7001");
  file.mutable_relays(1)->set_to("host:0");
  EXPECT_EQ(
      complaint(file),
      "relays[0].listen: `tcp://host:7001` is no HOST:PORT; write 127.0.0.1:7101, with "
      "a port of 0 to 65535 and without tcp://\n"
      "relays[1].to: is port 0; say the port where the other end listens\n");
}

}  // namespace
}  // namespace trestle::network_emulator
