#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using CliBondgraph = ProgramTestCase;

std::string model(const std::string& name) {
  return std::string(TRESTLE_SOURCE_DIR) + "/examples/bond_graph/" + name;
}

TEST_F(CliBondgraph, ChecksTheExampleAndFindsItsPlainLoopUnstable) {
  const Ended ended = trestle({"bondgraph", "check", model("two_ports.yaml")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("with the virtual junction: -0.7988 1/s"), std::string::npos);
  EXPECT_NE(ended.out.find("stiff servo: +11.21 1/s at 9.865 Hz, UNSTABLE"),
            std::string::npos);
  EXPECT_NE(ended.out.find("[W_VJ_MARGINAL]"), std::string::npos);
}

TEST_F(CliBondgraph, DerivesMatricesAsJson) {
  const Ended ended = trestle({"bondgraph", "derive", "--json", model("two_ports.yaml")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  EXPECT_NEAR(json["augmented"]["C"][0][4].get<double>(), 13618.0, 1e-9);
  EXPECT_NEAR(json["augmented"]["C"][0][1].get<double>(), 65.818182, 5e-7);
  EXPECT_EQ(json["ports"][0]["sign"], 1.0);
  EXPECT_TRUE(json["whole"]["linear"].get<bool>());
}

TEST_F(CliBondgraph, DerivesMatricesForPeople) {
  const Ended ended = trestle({"bondgraph", "derive", model("three_masses.yaml")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("== numerical part with virtual junction"), std::string::npos);
  EXPECT_NE(ended.out.find("a law in it is not linear"), std::string::npos);
}

/// One mass on a spring and a damper, ω² = k/m and ζ = c/(2·√(k·m)): half a per cent more
/// frequency for a per cent more stiffness, half a per cent less for a per cent more mass,
/// and the damping ratio by −ζ/2, −ζ/2 and ζ.
TEST_F(CliBondgraph, SaysHowMuchEachNumberMatters) {
  write("model.yaml",
        "bond_graph: one mass\n"
        "components: {F: Se, v: \"1\", m: {type: I, m: 2}, k: {type: C, k: 800},\n"
        "             c: {type: R, c: 4}}\n"
        "bonds: [[F, v], [v, m], [v, k], [v, c]]\noutputs: [[f, m]]\n");
  const Ended ended = trestle({"bondgraph", "sensitivity", "model.yaml", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  ASSERT_EQ(json["parameters"].size(), 3U);
  const double ratio = 4.0 / (2.0 * std::sqrt(800.0 * 2.0));
  const double expected[3][2] = {{-0.5, -0.5 * ratio}, {0.5, -0.5 * ratio}, {0.0, ratio}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& pole = json["parameters"][i]["poles"].at(0);
    EXPECT_NEAR(pole["frequency"].get<double>(), expected[i][0], 1e-9) << i;
    EXPECT_NEAR(pole["damping"].get<double>(), expected[i][1], 1e-9) << i;
  }
  EXPECT_EQ(json["parameters"][0]["C"][0][0], -0.25);  // p/m
  const Ended text = trestle({"bondgraph", "sensitivity", "model.yaml"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("one mass: 1 oscillating modes"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("+0.5000 -2.5000"), std::string::npos) << text.out;  // k
  // Ports and templates; a law that is not linear has its place.
  EXPECT_EQ(trestle({"bondgraph", "sensitivity", model("two_ports.yaml")}).code, 0);
  const Ended bent = trestle({"bondgraph", "sensitivity", model("three_masses.yaml")});
  EXPECT_EQ(bent.code, 2);
  EXPECT_NE(bent.err.find("has a law that is not linear"), std::string::npos) << bent.err;
}

TEST_F(CliBondgraph, SaysWhereAModelIsWrong) {
  write("model.yaml",
        "bond_graph: test\ncomponents: {r: Sf, j: 1, m: {type: I, m: 1}}\n"
        "bonds: [[r, j], [j, m]]\n");
  const Ended ended = trestle({"bondgraph", "check", path("model.yaml")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("model.yaml:2:"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("[E_INPUT_DERIVATIVE]"), std::string::npos) << ended.err;
  EXPECT_EQ(trestle({"bondgraph", "check", path("none.yaml")}).code, 2);
}

TEST_F(CliBondgraph, DrawsOrSaysWhatIsMissing) {
  const Ended text = trestle({"bondgraph", "draw", "--dot", model("two_ports.yaml")});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.out.find("digraph"), 0u);
  const Ended ended = trestle(
      {"bondgraph", "draw", model("two_ports.yaml"), "--out", path("it's a picture.svg")});
  if (ended.code == 0)
    EXPECT_NE(read("it's a picture.svg").find("<svg"), std::string::npos);
  else
    EXPECT_NE(ended.err.find("drawing needs Graphviz's program `dot`"), std::string::npos);
}

TEST_F(CliBondgraph, SaysThatDotIsMissing) {
  const std::string before = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  ::setenv("PATH", path("nothing").c_str(), 1);
  const Ended ended = trestle({"bondgraph", "draw", model("two_ports.yaml")});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("apt-get install graphviz"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace trestle::cli
