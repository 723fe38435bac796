#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

/// The shipped distributed test over tcp on this machine, by key.
class CliSecurity : public ProgramTestCase {
 protected:
  /// Makes the pair of a node. @returns its public key
  std::string keygen(const std::string& name) const {
    const Ended ended = trestle({"keygen", name});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find(name + ": {public_key: '"), std::string::npos) << ended.out;
    const std::string text = read(name + ".pub");
    const std::size_t line = text.find('\n') + 1;
    return text.substr(line, 40);
  }
  /// Writes SITE.yaml of the shipped site with the text `more`.
  void write_site(const std::string& name, const std::string& more) const {
    std::string text = shipped("site_" + name + ".yaml");
    const std::size_t at = text.find("listen: ");
    text.replace(at, text.find('\n', at) - at, "listen: tcp://127.0.0.1:0\n" + more);
    write("site_" + name + ".yaml", text);
  }
  static std::string peers(const std::map<std::string, std::string>& keys,
                           const std::string& own) {
    std::string text = "security:\n  key: " + own + ".key\n";
    if (!keys.empty()) text += "  peers:\n";
    for (const auto& [name, key] : keys)
      text += "    " + name + ": {public_key: '" + key + "'" +
              (name == "visitor" ? ", role: observer" : "") + "}\n";
    return text;
  }
  static std::string address_of(Program& site) {
    EXPECT_TRUE(site.says("listens at ")) << site.err();
    EXPECT_TRUE(site.says("records go to"));
    const std::size_t at = site.err().find("listens at ") + 11;
    return site.err().substr(at, site.err().find('\n', at) - at);
  }
  void write_test(const std::string& name, const std::string& own,
                  const std::map<std::string, std::string>& addresses,
                  const std::map<std::string, std::string>& keys) const {
    std::string text =
        "include: " + example("test.yaml") + "\n" + peers({}, own) + "sites:\n";
    for (const auto& [site, address] : addresses)
      text += "  " + site + ": {address: '" + address + "', public_key: '" + keys.at(site) +
              "'}\n";
    write(name, text);
  }
  /// Two sites that listen to lab, and to visitor as an observer; a stranger has a key too.
  void write_sites() {
    const std::string lab = keygen("lab");
    const std::string visitor = keygen("visitor");
    keygen("stranger");
    for (const char* site : {"west", "east"}) keys_[site] = keygen(site);
    for (const auto& [name, key] : keys_)
      write_site(name, peers({{"lab", lab}, {"visitor", visitor}}, name));
  }
  /// The test as each of them would run it.
  void write_tests(const std::map<std::string, std::string>& addresses) const {
    for (const char* who : {"lab", "stranger", "visitor"})
      write_test(std::string(who) + ".yaml", who, addresses, keys_);
  }

  std::map<std::string, std::string> keys_;  ///< public ones of the sites
};

TEST_F(CliSecurity, RunsATestByKeyWithTheSameBits) {
  write_sites();
  Program west({"site", "site_west.yaml", "--out", "west-records"}, folder());
  Program east({"site", "site_east.yaml", "--out", "east-records"}, folder());
  const std::map<std::string, std::string> addresses{{"west", address_of(west)},
                                                     {"east", address_of(east)}};
  write_tests(addresses);

  const Ended checked = trestle({"check", "lab.yaml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("west: by key (CURVE), at " + addresses.at("west")),
            std::string::npos)
      << checked.out;

  const Words hasty{"--set", "deadlines.connect=1 s"};
  const Ended stranger =
      trestle(Words{"run", "stranger.yaml", "--out", "s"} + kShort + hasty);
  EXPECT_EQ(stranger.code, 4) << stranger.out;
  EXPECT_NE(stranger.err.find("its key is not listed there"), std::string::npos)
      << stranger.err;
  EXPECT_TRUE(west.says("is not listed in security.peers")) << west.err();
  const Ended looker = trestle(Words{"run", "visitor.yaml", "--out", "v"} + kShort + hasty);
  EXPECT_EQ(looker.code, 4) << looker.out;

  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "here"} + kShort).code, 0);
  const Ended ended = trestle(Words{"run", "lab.yaml", "--out", "far"} + kShort);
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  EXPECT_EQ(exported("here"), exported("far"));
  const Ended collected = trestle({"collect", "far"});
  ASSERT_EQ(collected.code, 0) << collected.err;
  EXPECT_EQ(exported("here", true), exported("far", true));

  EXPECT_TRUE(west.says("lab (conductor) connected")) << west.err();
  const std::string secret = read("west.key").substr(read("west.key").find('\n') + 1, 40);
  for (Program* site : {&west, &east}) {
    site->signal(SIGTERM);
    EXPECT_EQ(site->exit_code(), 0) << site->err();
    EXPECT_EQ(site->err().find(secret), std::string::npos);
  }
  EXPECT_EQ(read("far/effective.yaml").find(secret), std::string::npos);
  EXPECT_NE(read("west-records/site.log").find("is not listed in security.peers"),
            std::string::npos);
}

/// Asks until `step` steps are done. @returns the number; −1: the test does not run
std::int64_t until_step(const std::function<Ended()>& status, std::int64_t step) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    const Ended ended = status();
    if (ended.code != 0) continue;
    const auto told = nlohmann::json::parse(ended.out);
    if (told.at("state") == "RUNNING" && told.at("step").is_number() &&
        told.at("step") >= step)
      return told.at("step");
  }
  return -1;
}

TEST_F(CliSecurity, RefusesWhoMayNotSpeakAndTheTestRunsOn) {
  write_sites();
  Program west({"site", "site_west.yaml", "--out", "west-records"}, folder());
  Program east({"site", "site_east.yaml", "--out", "east-records"}, folder());
  const std::map<std::string, std::string> addresses{{"west", address_of(west)},
                                                     {"east", address_of(east)}};
  write_tests(addresses);
  Program run(
      {"run", "lab.yaml", "--out", "far", "--set", "excitation.synthetic.duration=3600 s"},
      folder());
  const auto status = [this] {
    return trestle({"status", "far", "--json"});
  };
  const std::int64_t before = until_step(status, 3);
  ASSERT_GE(before, 3) << run.heard() << west.heard();

  const Words hasty{"--set", "deadlines.connect=1 s"};
  // By a key that is not listed, as an observer, by the conductor's own key a second time,
  // and without any.
  for (const char* who : {"stranger", "visitor", "lab"}) {
    const Ended other = trestle(
        Words{"run", std::string(who) + ".yaml", "--out", std::string("of-") + who} +
        kShort + hasty);
    EXPECT_EQ(other.code, 4) << who << ": " << other.out << other.err;
  }
  const Ended plain = trestle(Words{"run", example("distributed.yaml"), "--out", "plain",
                                    "--set", "sites.west.address=" + addresses.at("west"),
                                    "--set", "sites.east.address=" + addresses.at("east")} +
                              kShort + hasty);
  EXPECT_EQ(plain.code, 4) << plain.out << plain.err;
  const std::string log = west.heard();
  EXPECT_NE(log.find("is not listed in security.peers"), std::string::npos) << log;
  // It may leave before this end has read that it has no key.
  EXPECT_NE(log.find(" without a key"), std::string::npos) << log;

  EXPECT_GE(until_step(status, before + 3), before + 3) << run.heard();
  EXPECT_EQ(trestle({"stop", "far"}).code, 0);
  EXPECT_EQ(run.exit_code(), 3) << run.heard();
  EXPECT_NE(run.out().find("stopped by"), std::string::npos) << run.out();
}

TEST_F(CliSecurity, KeepsInTheAuditThatAnEndIsInsecure) {
  Words sites;
  std::vector<std::unique_ptr<Program>> servers;
  for (const std::string name : {"west", "east"}) {
    servers.push_back(std::make_unique<Program>(
        Words{"site", example("site_" + name + ".yaml"), "--set",
              "listen=tcp://127.0.0.1:0", "--set", "security.insecure=true", "--out",
              name + "-records"},
        folder()));
    sites =
        sites + Words{"--set", "sites." + name + ".address=" + address_of(*servers.back())};
  }
  const Ended ended = trestle(Words{"run", example("distributed.yaml"), "--out", "far",
                                    "--set", "security.insecure=true"} +
                              sites + kShort);
  ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  for (const char* folder : {"far", "west-records", "east-records"}) {
    const Ended audit = trestle({"audit", folder});
    EXPECT_EQ(audit.code, 0) << audit.out;
    EXPECT_NE(audit.out.find("override"), std::string::npos) << audit.out;
    EXPECT_NE(audit.out.find("security.insecure: "), std::string::npos) << audit.out;
  }
}

TEST_F(CliSecurity, MakesKeysOnceAndSaysSo) {
  keygen("lab");
  const std::string before = read("lab.key");
  const Ended again = trestle({"keygen", "lab"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("lab.key: exists; a key is never overwritten"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(read("lab.key"), before);
  const Ended elsewhere = trestle({"keygen", "lab", "--out", "keys"});
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
  EXPECT_TRUE(exists("keys/lab.pub"));
  const std::string secret = before.substr(before.find('\n') + 1, 40);
  EXPECT_EQ((again.out + again.err + elsewhere.out).find(secret), std::string::npos);
}

TEST_F(CliSecurity, RefusesAPlainSiteBeyondThisMachineByItsPlace) {
  const Ended plain = trestle(
      {"site", example("site_west.yaml"), "--set", "listen=tcp://*:0", "--out", "records"});
  EXPECT_EQ(plain.code, 2);
  EXPECT_NE(plain.err.find("--set listen: tcp://*:0 is reached from beyond this machine"),
            std::string::npos)
      << plain.err;
  const Ended checked = trestle({"check", example("distributed.yaml"), "--set",
                                 "sites.west.address=tcp://lab.example:7001"});
  EXPECT_EQ(checked.code, 3);  // beside all else that was found
  EXPECT_NE(checked.out.find("reached    west: not at all"), std::string::npos)
      << checked.out;
  EXPECT_NE(checked.err.find("tcp://lab.example:7001 is reached from beyond this machine"),
            std::string::npos)
      << checked.err;
  Program open({"site", example("site_west.yaml"), "--set", "listen=tcp://*:0", "--set",
                "security.insecure=true", "--out", "records"},
               folder());
  EXPECT_TRUE(open.says("is insecure (security.insecure)")) << open.err();
  open.signal(SIGTERM);
  EXPECT_EQ(open.exit_code(), 0) << open.err();
}

TEST_F(CliSecurity, RefusesAKeyThatOthersMayRead) {
  const std::string lab = keygen("lab");
  keygen("west");
  write_site("west", peers({{"lab", lab}}, "west"));
  chmod(path("west.key").c_str(), 0644);
  const Ended ended = trestle({"site", "site_west.yaml"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("has mode 0644, so others may reach this secret key; chmod 600"),
            std::string::npos)
      << ended.err;
  EXPECT_NE(ended.err.find("site_west.yaml:"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace trestle::cli
