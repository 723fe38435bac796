// `trestle check` as a gatekeeper: what must change ends it with exit code 3.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program_test_case.h"

namespace trestle::cli::check_test {
namespace {

using Words = std::vector<std::string>;

class CliCheck : public ProgramTestCase {
 protected:
  Ended check(const Words& settings) const {
    Words words{"check", example("test.yaml")};
    for (const std::string& setting : settings) {
      words.push_back("--set");
      words.push_back(setting);
    }
    return trestle(words);
  }
  static bool says(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }
};

TEST_F(CliCheck, LetsTheShippedTestPassAndSaysWhatItTakes) {
  const Ended ended = check({});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "excitation synthetic, peak ground acceleration 1.4 m/s2"))
      << ended.out;
  EXPECT_TRUE(says(ended.out, "takes      as long as it computes")) << ended.out;
  EXPECT_TRUE(says(ended.out, "verdict    may be run")) << ended.out;
  EXPECT_FALSE(says(ended.out, "question")) << ended.out;
  EXPECT_EQ(ended.err, "");
}

// A model that computes for too long is late at every step.
TEST_F(CliCheck, MeasuresAStepOfATestThatTimePaces) {
  EXPECT_FALSE(says(check({}).out, "step       computed in"));
  const Ended ended = check({"mode=real-time", "time_step=1 ms"});
  EXPECT_TRUE(says(ended.out, "step       computed in ")) << ended.out << ended.err;
  EXPECT_FALSE(says(ended.out, "more than half of the time step")) << ended.out;
  write("wide.yaml", R"(test: wide
mode: real-time
time_step: 5 us
duration: 1 ms
excitation: {record: synthetic, synthetic: {duration: 0.1 s}}
numerical:
  frame:
    regular: {bays: {count: 10, width: 6 m}, storeys: {count: 20, height: 3.5 m}, column: s,
              beam: s, base: fixed, joint_mass: 20 t, joint_inertia: 1000 kg.m2}
    sections: {s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}}
  integrator: constant-average-acceleration
sites:
  lab:
    interface: n1.0.x
    rig: {actuators: [ideal], specimen: {kind: linear, stiffness: [[2e5]]}}
)");
  const Ended late = trestle({"check", path("wide.yaml")});
  EXPECT_TRUE(says(late.out, "more than half of the time step of 0.005 ms")) << late.out;
}

// Only an ideal actuator follows a jump to the state under gravity.
TEST_F(CliCheck, AsksWhereARigWouldJumpToTheStateUnderGravity) {
  std::string slow = kSaggingBracket;
  const std::string ideal = "[ideal]";
  slow.replace(slow.find(ideal), ideal.size(), "[{kind: first-order, frequency: 10 Hz}]");
  write("ideal.yaml", kSaggingBracket);
  write("slow.yaml", slow);
  const auto asks = [this](const std::string& file, const std::string& mode) {
    const Ended ended = trestle({"check", path(file), "--set", "mode=" + mode});
    EXPECT_TRUE(says(ended.out, "gravity    settlement")) << ended.out << ended.err;
    return says(ended.out,
                "Step 0 takes the specimen of lab to the state under gravity at once");
  };
  EXPECT_TRUE(asks("slow.yaml", "simulated"));
  EXPECT_FALSE(asks("ideal.yaml", "simulated"));
  EXPECT_FALSE(asks("slow.yaml", "pseudo-dynamic"));
}

const Words kEastIsATwin{"--set", "sites.east.address=tcp://127.0.0.1:9", "--set",
                         "sites.east.twin=true"};
const char* const kTwinNotice =
    "TWIN: site east is simulated by its twin; its laboratory is not connected";

// One laboratory may run its rig while the twin of the other stands in for it.
TEST_F(CliCheck, TellsOfATwinInsteadOfALaboratory) {
  const Ended ended = trestle(Words{"check", example("test.yaml")} + kEastIsATwin);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, std::string("reached    east: ") + kTwinNotice)) << ended.out;
  EXPECT_TRUE(says(ended.out, "reached    west: in this process")) << ended.out;
  const Ended alone = check({"sites.east.twin=true"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_TRUE(says(alone.err, "no laboratory is to be left out")) << alone.err;
}

TEST_F(CliCheck, RunsATwinAndTellsItInRecordAndReport) {
  const Words shortly = kShort;
  const Ended plain =
      trestle(Words{"run", example("test.yaml"), "--out", "plain"} + shortly);
  ASSERT_EQ(plain.code, 0) << plain.err;
  const Ended ended =
      trestle(Words{"run", example("test.yaml"), "--out", "run"} + shortly + kEastIsATwin);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.err, kTwinNotice)) << ended.err;
  EXPECT_TRUE(says(ended.out, std::string("warning    ") + kTwinNotice)) << ended.out;
  EXPECT_EQ(exported("run"), exported("plain")) << "it is another test";
  EXPECT_EQ(trestle({"report", "run", "--out", "page.html"}).code, 0);
  EXPECT_TRUE(says(read("page.html"), kTwinNotice));
}

TEST_F(CliCheck, StopsWhatIsAboveItsLimitAndSaysWhatToChange) {
  const Ended ended = check({"excitation.scale=2"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_TRUE(says(ended.err, "test.yaml:")) << ended.err;
  EXPECT_TRUE(says(ended.err, "west actuator 1 is asked for more than its limit: rate "))
      << ended.err;
  EXPECT_TRUE(says(ended.err, "(excitation.scale: at most 1.")) << ended.err;
  EXPECT_TRUE(says(ended.out, "ABOVE ITS LIMIT")) << ended.out;
  EXPECT_TRUE(says(ended.out, "NOT TO BE RUN")) << ended.out;
}

TEST_F(CliCheck, AdvisesTheScaleOfTheMotionsWhereTheExcitationHasNone) {
  const Ended ended =
      trestle({"check", TRESTLE_SOURCE_DIR "/examples/bridge_pier/test.yaml", "--set",
               "sites.laboratory.limits.actuators[0].rate=1 mm/s"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_TRUE(says(ended.err, "(each scale of excitation.motions: at most 0.00"))
      << ended.err;
  EXPECT_FALSE(says(ended.err, "excitation.scale")) << ended.err;
}

TEST_F(CliCheck, TellsAllFindingsAtOnce) {
  const Ended ended = check(
      {"excitation.scale=2", "sites.west.compensator=none", "sites.east.compensator=none"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_TRUE(says(ended.err, "west actuator 1 is asked for more")) << ended.err;
  EXPECT_TRUE(says(ended.err, "east actuator 1 is asked for more")) << ended.err;
  EXPECT_TRUE(says(ended.err, "The closed loop is computed to be unstable")) << ended.err;
  EXPECT_TRUE(says(ended.err, "expected_delay: 11.9 ms")) << ended.err;
}

TEST_F(CliCheck, StopsAnUnstableLoopUnlessTheTestAllowsIt) {
  const Words bare{"sites.west.compensator=none", "sites.east.compensator=none"};
  EXPECT_EQ(check(bare).code, 3);
  Words allowed = bare;
  allowed.emplace_back("arming.allow_unstable=true");
  const Ended ended = check(allowed);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "question   The closed loop is computed")) << ended.out;
}

// The earthquake's rate says nothing of a ramp.
TEST_F(CliCheck, ComparesTheRateOfTheRampInPseudoDynamicMode) {
  const Words slow_rigs{"sites.west.limits.actuators[0].rate=20 mm/s",
                        "sites.west.limits.actuators[1].rate=20 mrad/s"};
  Words ramps = slow_rigs;
  ramps.emplace_back("mode=pseudo-dynamic");
  const Ended ended = check(ramps);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "takes      about")) << ended.out;
  EXPECT_EQ(check(slow_rigs).code, 3);
}

TEST_F(CliCheck, StretchesTheRateWithTheTime) {
  const Words rig{"mode=continuous", "sites.west.limits.actuators[0].rate=60 mm/s",
                  "sites.west.limits.actuators[1].rate=20 mrad/s"};
  const auto rate_stops = [&](const std::string& scale) {
    Words words = rig;
    words.push_back(scale);
    return says(check(words).err, "more than its limit: rate");
  };
  EXPECT_TRUE(rate_stops("continuous.scale=1"));
  EXPECT_FALSE(rate_stops("continuous.scale=4"));
}

TEST_F(CliCheck, QuestionsWhatIsNotPlausible) {
  const Ended ended =
      check({"numerical.frame.damping.rayleigh.ratio=0.3",
             "sites.west.limits.actuators[0].displacement=60",
             "sites.west.limits.actuators[0].force=1e9 N", "excitation.scale=0.1"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "question   " + example("test.yaml"))) << ended.out;
  EXPECT_TRUE(says(ended.out, "Mode 1 is damped by 30 % of critical")) << ended.out;
  EXPECT_TRUE(says(ended.out, "times what the linear estimate asks for: displacement"))
      << ended.out;
  const Ended bare = check({"sites.west.limits={}"});
  EXPECT_TRUE(says(bare.out, "west has no limit of: displacement 1, rate 1, force 1"))
      << bare.out;
  const Ended loud = check({"excitation.scale=40"});
  EXPECT_TRUE(says(loud.out, "The peak ground acceleration of synthetic is")) << loud.out;
  const Ended slow = check({"numerical.frame.floors[0].mass=12e6 t"});
  EXPECT_TRUE(says(slow.out, "question   " + example("test.yaml"))) << slow.out;
  EXPECT_TRUE(says(slow.out, "The first period is 247.3 s, above 100 s.")) << slow.out;
}

TEST_F(CliCheck, QuestionsAHostThatThisMachineDoesNotKnow) {
  Program program({"check", example("distributed.yaml"), "--set", "security.insecure=true",
                   "--set", "sites.west.address=tcp://lab.invalid:7001"},
                  folder(),
                  // No name server needs to answer: this name is nowhere, by RFC 6761.
                  [] { setenv("RES_OPTIONS", "timeout:1 attempts:1", 1); });
  EXPECT_EQ(program.exit_code(), 0) << program.err();
  EXPECT_TRUE(says(program.out(),
                   "question   --set sites.west.address: this machine does not know the "
                   "host `lab.invalid` ("))
      << program.out();
  EXPECT_FALSE(says(program.out(), "sites.east.address: this machine")) << program.out();
}

TEST_F(CliCheck, AsksOfTheStructureAtTheStartOfARun) {
  const Ended ended =
      trestle({"run", example("test.yaml"), "--out", "run", "--set", "duration=0.1 s",
               "--set", "numerical.frame.damping.rayleigh.ratio=0.3"});
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_TRUE(says(ended.err, "Mode 1 is damped by 30 % of critical")) << ended.err;
}

TEST_F(CliCheck, AsksOfLimitsAndExcitationAtTheStartOfARun) {
  const Ended ended = trestle({"run", example("test.yaml"), "--out", "run", "--set",
                               "duration=0.01 s", "--set", "excitation.scale=60", "--set",
                               "sites.west.limits.actuators[0].force=1e9 N", "--set",
                               "sites.west.limits.interface.x=60 m"});
  EXPECT_TRUE(says(ended.err, "The peak ground acceleration of synthetic is")) << ended.err;
  EXPECT_TRUE(says(ended.err, "west actuator 1 has a limit ")) << ended.err;
  EXPECT_TRUE(says(ended.err, "The limit of floor_w.x is ")) << ended.err;
  const Ended bare = trestle({"run", example("test.yaml"), "--out", "bare", "--set",
                              "duration=0.1 s", "--set", "sites.west.limits={}"});
  EXPECT_EQ(bare.code, 0) << "a question stops nothing: " << bare.err;
  EXPECT_TRUE(says(bare.err, "west has no limit of: displacement 1")) << bare.err;
}

TEST_F(CliCheck, RefusesWhatIsNoAddressAsARunDoes) {
  for (const char* verb : {"check", "run"})
    for (const char* address : {"tcp://lab:99999", "lab-west"}) {
      const Ended ended = trestle({verb, example("distributed.yaml"), "--set",
                                   std::string("sites.west.address=") + address});
      EXPECT_EQ(ended.code, 2) << verb << " " << address << ended.out;
      EXPECT_TRUE(says(ended.err, address)) << ended.err;
    }
}

// Its specimen, a double well, is unstable at zero by nature; the test runs to its end.
TEST_F(CliCheck, BlamesNoLoopForAStructureThatIsUnstableOfItself) {
  const Ended ended = trestle({"check", std::string(TRESTLE_SOURCE_DIR) +
                                            "/examples/bond_graph/three_masses_test.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(says(ended.out, "the structure itself is unstable about zero")) << ended.out;
  EXPECT_TRUE(says(ended.out, "nothing can be said of the loop")) << ended.out;
  EXPECT_FALSE(says(ended.out, "specimens  s")) << ended.out;
}

TEST_F(CliCheck, SaysWhyALoopIsUnstableThatBearsItsDelay) {
  // A late-looking loop that is not: its actuators resonate where the delay would be borne.
  const Words resonant{"sites.west.compensator=none",
                       "sites.east.compensator=none",
                       "sites.west.rig.actuators[0].frequency=60 Hz",
                       "sites.west.rig.actuators[1].frequency=60 Hz",
                       "sites.west.rig.actuators[0].damping=0.02",
                       "sites.west.rig.actuators[1].damping=0.02"};
  const Ended ended = check(resonant);
  EXPECT_EQ(ended.code, 3) << ended.out;
  EXPECT_FALSE(says(ended.out, "would be too much)   UNSTABLE")) << ended.out;
  EXPECT_TRUE(says(ended.out, "in slow motion, and a pure delay would be borne up to"))
      << ended.out;
  EXPECT_TRUE(says(ended.out, " Hz)   UNSTABLE")) << ended.out;
}

TEST_F(CliCheck, IsAnObjectForPrograms) {
  const Ended ended =
      trestle({"check", example("test.yaml"), "--json", "--set", "excitation.scale=2"});
  EXPECT_EQ(ended.code, 3);
  const auto json = nlohmann::json::parse(ended.out);
  EXPECT_EQ(json.at("verdict"), "must change");
  EXPECT_TRUE(json.at("wall_duration_s").is_null());
  EXPECT_NEAR(json.at("ground_motion").at("peak_acceleration_m_s2").get<double>(), 7.0,
              1e-9);
  const auto& findings = json.at("findings");
  ASSERT_FALSE(findings.empty());
  EXPECT_TRUE(std::all_of(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.at("weight") == "stops" && finding.at("kind") == "above-limit" &&
           !finding.at("change").template get<std::string>().empty();
  })) << findings.dump(1);
}

TEST_F(CliCheck, TakesALaboratorysOwnFile) {
  const Ended good = trestle({"check", example("site_west.yaml")});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(says(good.out, "site west    2 actuators")) << good.out;
  EXPECT_TRUE(says(good.out, "verdict    may serve")) << good.out;
  write(
      "site.yaml",
      "site: lab\nlisten: ipc:///tmp/nobody\nlimits: {actuators: [{displacement: 1 mm}]}\n"
      "adapter: {kind: plugin, file: nowhere.so, settings: {}}\n");
  const Ended nowhere = trestle({"check", "site.yaml"});
  EXPECT_EQ(nowhere.code, 2) << nowhere.out;
  EXPECT_TRUE(says(nowhere.err, "site.yaml:4:")) << nowhere.err;
  EXPECT_TRUE(says(nowhere.err, "nowhere.so")) << nowhere.err;
}

// Two equal masses on equal springs: ω² = (3 ∓ √5)/2·k/m, shapes 1 : g and 1 : −1/g with
// the golden ratio g, so that φᵀ·M·φ = 1.
TEST_F(CliCheck, WritesTheShapesOfModes) {
  write("two.yaml", R"(test: two storeys
time_step: 1 ms
duration: 1 s
undivided: true
excitation: {record: synthetic}
numerical:
  shear_building: {storeys: {first: {mass: 20 t, stiffness: 2 MN/m}, roof: {mass: 20 t, stiffness: 2 MN/m}}}
  integrator: constant-average-acceleration
)");
  const Ended ended = trestle({"check", path("two.yaml"), "--modes", path("modes.csv")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::istringstream lines(read("modes.csv"));
  std::map<std::string, std::vector<double>> rows;
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "dof,mode_1,mode_2");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string name, field;
    std::getline(fields, name, ',');
    while (std::getline(fields, field, ',')) rows[name].push_back(std::stod(field));
  }
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  const double one = 1.0 / std::sqrt(20e3 * (1.0 + golden * golden));
  ASSERT_EQ(rows.at("first.x").size(), 2U);
  EXPECT_NEAR(rows.at("first.x")[0], one, 1e-9 * one);
  EXPECT_NEAR(rows.at("roof.x")[0], golden * one, 1e-9 * one);
  EXPECT_NEAR(rows.at("first.x")[1], golden * one, 1e-9 * one);
  EXPECT_NEAR(rows.at("roof.x")[1], -one, 1e-9 * one);
  const double slow = std::sqrt(0.5 * (3.0 - std::sqrt(5.0)) * 100.0) / (2.0 * M_PI);
  EXPECT_NEAR(rows.at("frequency_Hz")[0], slow, 1e-9 * slow);
  EXPECT_EQ(rows.at("damping_ratio").size(), 2U);
  EXPECT_EQ(trestle({"check", path("two.yaml"), "--modes", "/nowhere/modes.csv"}).code, 2);
}

TEST_F(CliCheck, SaysThatDampingFollowsTheTangent) {
  const auto said = [this](const std::string& stiffness) {
    write("storey.yaml", R"(test: storey
time_step: 5 ms
duration: 1 s
undivided: true
excitation: {record: synthetic}
numerical:
  shear_building:
    storeys: {s: {mass: 20 t, law: {kind: bilinear, stiffness: 2 MN/m, yield_force: 12 kN, hardening: 0.1}}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0.001, stiffness: )" +
                             stiffness + R"(}}
  integrator: implicit
)");
    const Ended ended = trestle({"check", path("storey.yaml")});
    EXPECT_EQ(ended.code, 0) << ended.err;
    const bool told = says(ended.out, "damping    follows the tangent of what yields");
    EXPECT_EQ(says(trestle({"check", path("storey.yaml"), "--json"}).out,
                   "\"tangent_damping\": true"),
              told);
    return told;
  };
  EXPECT_TRUE(said("tangent"));
  EXPECT_FALSE(said("initial"));
}

TEST_F(CliCheck, CountsMembersThatFollowTheirChords) {
  const auto told = [this](const std::string& geometry) {
    write("mast.yaml", R"(test: mast
time_step: 1 ms
duration: 0.1 s
undivided: true
excitation: {record: synthetic}
numerical:
  frame:
    geometry: )" + geometry +
                           R"(
    nodes: {a: [0, 0, 0], b: [0, 0, 3]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 210 GPa, A: 100 cm2, Iy: 1000 cm4, Iz: 1000 cm4, J: 1000 cm4}}
    members: [{from: a, to: b, section: s, parts: 2}]
    masses: [{node: b, mass: 1 t, rotational_inertia: 10}]
  integrator: implicit
)");
    const Ended text = trestle({"check", path("mast.yaml")});
    EXPECT_EQ(text.code, 0) << text.err;
    return std::pair{says(text.out, "geometry   corotational: 2 members and parts"),
                     says(trestle({"check", path("mast.yaml"), "--json"}).out,
                          "\"corotational_members\": 2")};
  };
  EXPECT_EQ(told("corotational"), (std::pair{true, true}));
  EXPECT_EQ(told("linear"), (std::pair{false, false}));
}

// Without both terms it is lqg, which docs/explanation/methods-compared.md says of it.
TEST_F(CliCheck, QuestionsASlidingModeThatIsNone) {
  const auto asked = [this](const std::string& tolerance) {
    const Ended ended = trestle({"check", example("../marths/msmc.yaml"), "--json", "--set",
                                 "sites.bay.controller.tolerance=" + tolerance});
    const auto json = nlohmann::json::parse(ended.out);
    const auto& findings = json.at("findings");
    return std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
      return finding.at("kind") == "sliding-mode" && finding.at("weight") == "question" &&
             says(finding.at("what"), "The reaching law of bay takes") &&
             says(finding.at("change"), "It is lqg then, to the last digit");
    });
  };
  EXPECT_FALSE(asked("1e-3"));
  EXPECT_TRUE(asked("1e-6"));
}

}  // namespace
}  // namespace trestle::cli::check_test
