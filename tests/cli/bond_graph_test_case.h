#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {

/// examples/bond_graph as a user runs it.
class BondGraphTestCase : public ProgramTestCase {
 protected:
  using Words = std::vector<std::string>;
  using Json = nlohmann::json;

  /// As published: the measured force held, no lead.
  const Words kPlain{"--set", "numerical.bond_graph.force_hold=zero-order", "--set",
                     "numerical.bond_graph.lead=0"};
  const Words kOpenLoop{"--set", "numerical.bond_graph.feedback=model"};
  const Words kWithoutJunction{"--set", "numerical.bond_graph.virtual_junction=false"};

  static std::string drawn(const std::string& name) {
    return example("../bond_graph/" + name);
  }
  Json summary(const std::string& run) const {
    return Json::parse(read(run + "/summary.json"));
  }
  /// rms(x − z)/rms(z) of both ports.
  std::array<double, 2> rms(const std::string& run) const {
    const Json ports = summary(run).at("criteria").at("synchronisation");
    return {ports.at(0).at("rms_relative").get<double>(),
            ports.at(1).at("rms_relative").get<double>()};
  }

  /// A shipped test with other wall motions, as a file in the test's folder.
  std::string moved(const std::string& test, const std::string& r1, const std::string& r2,
                    const std::string& duration, const std::string& from) const {
    std::string text = read(drawn(test));
    replace_line(text, "    r1:", "    r1: " + r1);
    replace_line(text, "    r2:", "    r2: " + r2);
    replace_line(text, "duration:", "duration: " + duration);
    replace_line(text, "  synchronisation:", "  synchronisation: {from: " + from + "}");
    const std::string file = "until_" + duration.substr(0, 2) + "_" + test;
    write(file, text);
    write("two_ports.yaml", read(drawn("two_ports.yaml")));
    return path(file);
  }
  std::string at_three_and_five(const std::string& test) const {
    return moved(test, "{sine: {displacement: 5 mm, frequency: 3 Hz}, ramp: 2 s}",
                 "{sine: {displacement: 5 mm, frequency: 5 Hz}, ramp: 2 s}", "20 s",
                 "18 s");
  }
  std::string swept(const std::string& test) const {
    const std::string rest = ", duration: 60 s}, ramp: 2 s}";
    return moved(test, "{sweep: {displacement: 5 mm, from: 1 Hz, to: 5 Hz" + rest,
                 "{sweep: {displacement: 5 mm, from: 3 Hz, to: 4 Hz" + rest, "60 s", "2 s");
  }
  /// The sites of a process of their own do not meet those of another test.
  Words meeting(const std::string& place) const {
    const std::string folder = path(place);
    return {"--set", "sites.left.rig.shared.meeting=" + folder, "--set",
            "sites.right.rig.shared.meeting=" + folder};
  }
  void expect_rms(const std::string& run, double left, double right) const {
    constexpr double kPart = 0.05, kHalfDigit = 0.5e-4;
    const std::array<double, 2> found = rms(run);
    EXPECT_NEAR(found[0], left, kPart * left + kHalfDigit) << run;
    EXPECT_NEAR(found[1], right, kPart * right + kHalfDigit) << run;
  }
  void run(const std::string& test, const std::string& out, const Words& more = {}) const {
    const Ended ended = trestle(Words{"run", test, "--out", out} + more);
    ASSERT_EQ(ended.code, 0) << ended.err << ended.out;
  }

  /// Runs each site in a separate process, over ipc sockets.
  void run_apart(const std::string& test, const std::string& out, Words settings,
                 const Words& at_sites) const {
    std::vector<std::unique_ptr<Program>> sites;
    for (const std::string site : {"left", "right"}) {
      const std::string socket = "ipc://" + path(out + "-" + site + ".ipc");
      sites.push_back(std::make_unique<Program>(
          Words{"site", drawn("site_" + site + ".yaml"), "--once", "--set",
                "listen=" + socket, "--set", "rig.shared.meeting=" + path(out + "-meeting"),
                "--out", out + "-" + site} +
              at_sites,
          folder()));
      ASSERT_TRUE(sites.back()->says("listens at"));
      settings = settings + Words{"--set", "sites." + site + ".address=" + socket};
    }
    run(test, out, settings + meeting(out + "-meeting"));
    for (const auto& site : sites) EXPECT_EQ(site->exit_code(), 0) << site->err();
  }

 private:
  static void replace_line(std::string& text, const std::string& head,
                           const std::string& line) {
    const std::size_t begin = text.find("\n" + head) + 1;
    ASSERT_NE(begin, 0U) << head;
    text.replace(begin, text.find('\n', begin) - begin, line);
  }
};

}  // namespace trestle::cli
