// `trestle pushover`: what it prints and writes, and what it refuses.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliPushover : public ProgramTestCase {
 protected:
  /// Two storeys of 2 MN/m, the lower one in a laboratory; masses of 20 t and 10 t.
  void SetUp() override {
    write("test.yaml", R"(test: push
time_step: 1/256 s
duration: 1 s
excitation: {record: synthetic}
numerical:
  shear_building: {storeys: {first: {mass: 20 t}, roof: {mass: 10 t, law: {kind: bilinear, stiffness: 2 MN/m, yield_force: 10 kN, hardening: 0.5}}}}
  integrator: operator-splitting
sites:
  lab:
    interface: [first.x]
    rig: {actuators: [ideal], specimen: {kind: linear, stiffness: [[2e6]]}}
)");
  }
};

// Loads 2 : 1 on first and roof; the roof's spring carries a third of the base shear V, and
// yields at 10 kN: V = 30 kN, 15 mm at the first floor, 20 mm at the roof. Beyond, half of
// the stiffness is left there: 25 mm more for 30 kN more.
TEST_F(CliPushover, PrintsDrawsAndTabulatesACurve) {
  const Ended ended =
      trestle({"pushover", "test.yaml", "--node", "roof.x", "--to", "45 mm", "--steps", "9",
               "--csv", "c.csv", "--svg", "c.svg", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto curve = nlohmann::json::parse(ended.out);
  ASSERT_EQ(curve.at("base_shear_N").size(), 10U);
  EXPECT_NEAR(curve.at("base_shear_N").at(4).get<double>(), 30e3, 1e-3);
  EXPECT_NEAR(curve.at("base_shear_N").at(9).get<double>(), 60e3, 1e-3);
  const auto specimen = curve.at("specimens").at(0);
  EXPECT_EQ(specimen.at("dof"), "first.x");
  EXPECT_NEAR(specimen.at("displacement_m").at(9).get<double>(), 0.03, 1e-9);
  EXPECT_NEAR(specimen.at("force_N").at(9).get<double>(), 60e3, 1e-3);
  EXPECT_EQ(specimen.at("by"), "law");
  EXPECT_TRUE(curve.at("ended").is_null());
  EXPECT_TRUE(read("c.csv").starts_with(
      "roof.x.disp_m,factor,base.shear_N,lab.first.x.disp_m,lab.first.x.force_N"))
      << read("c.csv");
  EXPECT_NE(read("c.svg").find("base shear [kN]"), std::string::npos);
  const Ended printed =
      trestle({"pushover", "test.yaml", "--node", "roof.x", "--to", "45 mm"});
  EXPECT_NE(printed.out.find("lab first.x: up to 30 mm, 60 kN (law of its rig)"),
            std::string::npos)
      << printed.out;
}

TEST_F(CliPushover, RefusesWhatCannotBeMeant) {
  const auto refused = [this](const std::vector<std::string>& more) {
    std::vector<std::string> words{"pushover", "test.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = trestle(words);
    EXPECT_EQ(ended.code, 2);
    return ended.err;
  };
  EXPECT_NE(refused({"--node", "rof.x", "--to", "1 mm"})
                .find("the model has no free translation `rof.x`; did you mean `roof.x`?"),
            std::string::npos);
  EXPECT_NE(refused({"--node", "roof.x", "--to", "0 mm"}).find("--to: 0 mm is no way"),
            std::string::npos);
  EXPECT_NE(refused({"--node", "roof.x", "--to", "1 mm", "--pattern", "loads"})
                .find("the test has no loads beside gravity"),
            std::string::npos);
  EXPECT_NE(refused({"--node", "roof.x", "--to", "1 mm", "--steps", "0"})
                .find("--steps: 0 is not within 1 to"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::cli
