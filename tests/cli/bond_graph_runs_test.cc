#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

/// examples/bond_graph as a user runs it.
class CliBondGraph : public ProgramTestCase {
 protected:
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
    const std::string file = "moved_" + test;
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

 private:
  static void replace_line(std::string& text, const std::string& head,
                           const std::string& line) {
    const std::size_t begin = text.find("\n" + head) + 1;
    ASSERT_NE(begin, 0U) << head;
    text.replace(begin, text.find('\n', begin) - begin, line);
  }
};

const Words kPlain{"--set", "numerical.bond_graph.force_hold=zero-order", "--set",
                   "numerical.bond_graph.lead=0"};

/// The oracle's table; tests/numerical/bond-graph/stepping has all of it.
TEST_F(CliBondGraph, SynchronisesAsAnIndependentPrototypeDoes) {
  run(drawn("test.yaml"), "best");
  expect_rms("best", 0.0003, 0.0002);
  run(drawn("test.yaml"), "plain", kPlain);
  expect_rms("plain", 0.0272, 0.0216);
  run(at_three_and_five("test.yaml"), "three-five", kPlain);
  expect_rms("three-five", 0.0100, 0.0149);
  run(swept("test.yaml"), "sweep", kPlain);
  expect_rms("sweep", 0.0117, 0.0114);
}

TEST_F(CliBondGraph, WithoutJunctionLagsAsThePrototypeDoes) {
  run(drawn("without_junction.yaml"), "run");
  const Json port = summary("run").at("criteria").at("synchronisation").at(0);
  expect_rms("run", 0.3577, 0.2437);
  EXPECT_NEAR(port.at("harmonics").at(0).at("phase_rad").get<double>(),
              -18.38 * 3.14159265 / 180.0, 1e-3);
  EXPECT_NEAR(port.at("axes").get<double>(), 0.1567, 5e-4);
}

TEST_F(CliBondGraph, MismatchedTransferSystemsAreImprovedAtLeastThreefold) {
  run(drawn("mismatched.yaml"), "with", kPlain);
  expect_rms("with", 0.1113, 0.0688);
  run(drawn("mismatched.yaml"), "without",
      Words{"--set", "numerical.bond_graph.virtual_junction=false", "--set",
            "numerical.bond_graph.feedback=model"} +
          kPlain);
  expect_rms("without", 0.4191, 0.2810);
  EXPECT_GT(rms("without")[0], 3.0 * rms("with")[0]);
  EXPECT_GT(rms("without")[1], 3.0 * rms("with")[1]);
}

TEST_F(CliBondGraph, CheckFindsTheUncompensatedLoopUnstableAndItsLimitStopsIt) {
  const Ended checked = trestle({"check", drawn("unstable.yaml")});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("stability  UNSTABLE (the actuators are"), std::string::npos)
      << checked.out;
  const Ended ended = trestle({"run", drawn("unstable.yaml"), "--out", "run"});
  EXPECT_EQ(ended.code, 3) << ended.out;
  const Json found = summary("run");
  EXPECT_EQ(found.at("result"), "stopped");
  EXPECT_NE(found.at("reason").get<std::string>().find("25 mm"), std::string::npos)
      << found.at("reason");
  // The drive meets the limit a little before the motion does at 1.105 s.
  EXPECT_NEAR(found.at("steps_done").get<double>() * 1e-3, 1.09, 0.02);
}

TEST_F(CliBondGraph, CheckSaysWhatTheJunctionWins) {
  const Ended ended = trestle({"check", drawn("test.yaml")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("stability  without compensation UNSTABLE (the actuators are"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("with virtual junction, as it starts: stable, margin"),
            std::string::npos)
      << ended.out;
}

/// Each site in a process of its own, over ipc sockets, and both in one process.
TEST_F(CliBondGraph, TwoSitesGiveTheSameBitsInThreeProcesses) {
  const std::array<std::array<std::string, 2>, 3> tests{
      {{drawn("two_sites.yaml"), "five"},
       {at_three_and_five("two_sites.yaml"), "three-five"},
       {swept("two_sites.yaml"), "sweep"}}};
  const std::array<std::array<double, 2>, 3> oracle{
      {{0.0272, 0.0216}, {0.0100, 0.0149}, {0.0117, 0.0114}}};
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto& [test, name] = tests[i];
    run(test, name, meeting("here-" + name) + kPlain);
    expect_rms(name, oracle[i][0], oracle[i][1]);
    std::vector<std::string> sockets;
    Words more = meeting("far-" + name) + kPlain;
    std::vector<std::unique_ptr<Program>> sites;
    for (const char* site : {"left", "right"}) {
      const std::string socket = "ipc://" + path(name + "-" + site + ".ipc");
      sites.push_back(std::make_unique<Program>(
          Words{"site", drawn("site_" + std::string(site) + ".yaml"), "--once", "--set",
                "listen=" + socket, "--set", "rig.shared.meeting=" + path("far-" + name),
                "--out", name + "-" + site},
          folder()));
      ASSERT_TRUE(sites.back()->says("listens at"));
      more = more + Words{"--set", "sites." + std::string(site) + ".address=" + socket};
    }
    run(test, "far-run-" + name, more);
    for (const auto& site : sites) EXPECT_EQ(site->exit_code(), 0) << site->err();
    EXPECT_EQ(exported(name), exported("far-run-" + name)) << name;
    EXPECT_EQ(summary(name).at("criteria"), summary("far-run-" + name).at("criteria"));
  }
}

TEST_F(CliBondGraph, PlotsWhatTheSummarySays) {
  run(drawn("test.yaml"), "run",
      Words{"--set", "duration=4 s", "--set", "criteria.synchronisation.from=2 s"} +
          kPlain);
  const Ended ended =
      trestle({"bondgraph", "plot", "run", "--from", "2", "--frequency", "5", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json ports = Json::parse(ended.out);
  EXPECT_EQ(ports.at(0).at("dof"), "left.x");
  // The summary pairs what is wanted when a step begins, the record when it is over.
  EXPECT_NEAR(ports.at(0).at("rms_relative").get<double>(), rms("run")[0], 1e-4);
  const std::string svg = read("run/synchronisation.svg");
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("right.x"), std::string::npos);
}

/// Over 50 s of a double well; no value is kept here but that it stays synchronised.
TEST_F(CliBondGraph, RunsAGraphThatIsNotLinear) {
  run(drawn("three_masses_test.yaml"), "run");
  const Json port = summary("run").at("criteria").at("synchronisation").at(0);
  EXPECT_LT(port.at("rms_relative").get<double>(), 1e-3);
}

}  // namespace
}  // namespace trestle
