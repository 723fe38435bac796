#include <array>
#include <cmath>
#include <numbers>

#include "tests/cli/bond_graph_test_case.h"

namespace trestle::cli {
namespace {

/// examples/bond_graph as a user runs it.
using CliBondGraph = BondGraphTestCase;

/// The oracle's table; tests/numerical/bond_graph/runtime has all of it.
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
  EXPECT_EQ(checked.code, 3) << checked.err;
  EXPECT_NE(checked.out.find("stability  UNSTABLE (the actuators are"), std::string::npos)
      << checked.out;
  const Ended ended = trestle({"run", drawn("unstable.yaml"), "--out", "run"});
  EXPECT_EQ(ended.code, 3) << ended.out;
  const Json found = summary("run");
  EXPECT_EQ(found.at("result"), "stopped");
  EXPECT_EQ(found.at("criteria").at("stable"), false);
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

/// All of the table so in bond_graph_sites_test.cc.
TEST_F(CliBondGraph, TwoSitesGiveTheSameBitsInThreeProcesses) {
  const Words four{"--set", "duration=4 s", "--set", "criteria.synchronisation.from=2 s"};
  run(drawn("two_sites.yaml"), "here", four + meeting("here-meeting"));
  run_apart(drawn("two_sites.yaml"), "apart", four, {});
  expect_rms("here", 0.0003, 0.0002);
  EXPECT_EQ(exported("here"), exported("apart"));
  EXPECT_EQ(summary("here").at("criteria"), summary("apart").at("criteria"));
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

/// The two files at the end of docs/explanation/bond-graphs.md, as a reader copies them.
TEST_F(CliBondGraph, TutorialEndsWithAGraphThatRuns) {
  const std::string page = read(example("../../docs/explanation/bond-graphs.md"));
  for (const char* name : {"mine.yaml", "mine_test.yaml"}) {
    const std::size_t begin = page.find(std::string("# ") + name + "\n");
    ASSERT_NE(begin, std::string::npos) << name;
    write(name, page.substr(begin, page.find("```", begin) - begin));
  }
  EXPECT_EQ(trestle({"bondgraph", "check", "mine.yaml"}).code, 0);
  EXPECT_EQ(trestle({"check", "mine_test.yaml"}).code, 0);
  run("mine_test.yaml", "mine");
  const Json port = summary("mine").at("criteria").at("synchronisation").at(0);
  EXPECT_LT(port.at("rms_relative").get<double>(), 1e-3);
}

/// Table I from steps of 1 mm with the specimen attached, its force measured.
TEST_F(CliBondGraph, TransferSystemsAreIdentifiedAsTableOneHasThem) {
  write("site.yaml",
        "site: laboratory\nlisten: ipc://nowhere\nrig:\n  transfer_systems:\n"
        "    - {mass: 2.2 kg, stiffness: 13618 N/m, damping: 150.8 N.s/m}\n"
        "    - {mass: 2.2 kg, stiffness: 25902 N/m, damping: 200.8 N.s/m}\n"
        "  specimen: {kind: bond-graph, file: " +
            drawn("two_ports.yaml") +
            "}\n"
            "  noise: [{displacement: 5 um, force: 0.05 N}, "
            "{displacement: 5 um, force: 0.05 N}]\n");
  const Ended ended =
      trestle({"bondgraph", "identify", "site.yaml", "--mass", "2.2", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json found = Json::parse(ended.out);
  const std::array<std::array<double, 2>, 2> table{{{13618.0, 150.8}, {25902.0, 200.8}}};
  for (std::size_t i = 0; i < 2; ++i) {
    // Four standard deviations: one of 16 000 such numbers is beyond them.
    EXPECT_NEAR(found.at(i).at("stiffness_N_m").get<double>(), table[i][0],
                4.0 * found.at(i).at("stiffness_deviation_N_m").get<double>());
    EXPECT_NEAR(found.at(i).at("damping_N_s_m").get<double>(), table[i][1],
                4.0 * found.at(i).at("damping_deviation_N_s_m").get<double>());
    EXPECT_LT(found.at(i).at("stiffness_deviation_N_m").get<double>(), 5e-3 * table[i][0]);
  }
  // What it writes goes into a graph as it is.
  std::string graph = read(drawn("two_ports.yaml"));
  const std::size_t begin = graph.find("transfer:\n");
  graph.replace(begin, graph.find("outputs:") - begin,
                "transfer: {include: transfer.yaml}\n\n");
  write("graph.yaml", graph);
  const Ended checked = trestle({"bondgraph", "check", "graph.yaml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

/// By frequency samples, with a spring of 4750 N/m attached: x settles at k/(k + 4750) of
/// the drive, and overshoots by exp(−πζ/√(1 − ζ²)) of that, as mass, damping and both
/// springs have it.
TEST_F(CliBondGraph, StepResponsesAreIdentifiedWithoutAForm) {
  write("site.yaml",
        "site: laboratory\nlisten: ipc://nowhere\nrig:\n  transfer_systems:\n"
        "    - {mass: 2.2 kg, stiffness: 13618 N/m, damping: 150.8 N.s/m}\n"
        "    - {mass: 2.2 kg, stiffness: 25902 N/m, damping: 200.8 N.s/m}\n"
        "  specimen: {kind: linear, stiffness: [[4750, 0], [0, 4750]]}\n"
        "  noise: [{displacement: 5 um, force: 0.05 N}, "
        "{displacement: 5 um, force: 0.05 N}]\n");
  const Ended ended = trestle({"bondgraph", "identify", "site.yaml", "--mass", "2.2",
                               "--json", "--step", "step.csv"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json found = Json::parse(ended.out);
  const std::array<std::array<double, 2>, 2> table{{{13618.0, 150.8}, {25902.0, 200.8}}};
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& step = found.at(i).at("step_response");
    const double spring = table[i][0] + 4750.0;
    const double ratio = 0.5 * table[i][1] / std::sqrt(2.2 * spring);
    EXPECT_NEAR(step.at("gain").get<double>(), table[i][0] / spring, 0.005);
    EXPECT_NEAR(step.at("overshoot").get<double>(),
                std::exp(-std::numbers::pi * ratio / std::sqrt(1.0 - ratio * ratio)), 0.06);
    EXPECT_NEAR(step.at("innovation_m").get<double>(), 5e-6, 2e-6);
    EXPECT_GT(step.at("response").size(), 4U);
    EXPECT_NEAR(step.at("response").at(1).at("frequency_hz").get<double>(), 1.0 / 0.3,
                1e-9);
  }
  EXPECT_EQ(read("step.csv")
                .find("time_s,actuator1_step,actuator1_deviation,"
                      "actuator2_step,actuator2_deviation\n0.001,"),
            0U);
  const Ended wrong = trestle({"bondgraph", "identify", "site.yaml", "--mass", "2.2",
                               "--step", "step.csv", "--noise-order", "30"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err,
            "bondgraph identify: --noise-order: noise_order is 30; must be from 0 to 20\n");
}

}  // namespace
}  // namespace trestle::cli
