#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

/// One edit of the shipped example, and what must be said of it.
struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* line;  ///< starts with `:line:col: `
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

const Mistake kMistakes[] = {
    {"UnknownKey", "loading_frame: identity  ", "loading_fram: identity  ",
     ":37:5: unknown key `loading_fram`; did you mean `loading_frame`?"},
    {"DuplicateKey", "seed: 7 ", "seed: 7\nseed: 8 ",
     ":13:1: duplicate key `seed`; it is given on line 12 already"},
    {"NegativeMass", "mass: 12 t", "mass: -12 t",
     ":29:43: mass is -12 t; must not be negative"},
    {"Mechanism", "supports: [{nodes: [floor_w, floor_e], fixed: [y]}]", "supports: []",
     "mechanism"},
    {"MasslessDof", "mass: 10 t, rotational_inertia: 500 kg.m2", "mass: 10 t",
     ":32:15: explicit-newmark needs mass on every DOF; rz of roof_w"},
    {"MissingRecord", "record: synthetic ", "record: missing.csv ",
     "missing.csv: there is no such file"},
    {"RecordWithNan", "record: synthetic ", "record: nan.csv ",
     "nan.csv:3: `nan` is not finite"},
    {"NoTimeStep", "time_step: 1/1024 s", "time_step: 0 s",
     ":11:12: time_step is 0 s; must be positive"},
    {"UnstableTimeStep", "time_step: 1/1024 s", "time_step: 1/50 s",
     ":11:12: time_step is 20 ms; explicit-newmark is stable up to 5.76 ms"},
    {"UnknownInterfaceDof", "interface: [floor_w.x", "interface: [floor_q.x",
     ":36:17: the model has no DOF `floor_q.x`; did you mean `floor_w.x`?"},
    {"RateOfRotationsInAnotherUnit", "seed: 7 ",
     "pseudo_dynamic: {rotation_rate: 60 mm/s}\nseed: 7 ",
     ":12:33: what pseudo_dynamic.rotation_rate limits is a rotation; give its value in"},
    {"RateLimitOfARotationInAnotherUnit", "rz: 20 mrad}",
     "rz: {displacement: 20 mrad, rate: 5 mm/s}}",
     ":39:63: rz is a rotation; give its value in"},
    {"SafeActionInAnotherUnit", "    loading_frame: identity  ",
     "    safe_action: {kind: ramp-home, rate: [5 mm/s, 5 mm/s], acceleration: [1 m/s2, "
     "1 rad/s2]}\n    loading_frame: identity  ",
     ":37:51: actuator 2 (floor_w.rz) is a rotation; give its value in"},
    {"ControlTickThatIsNone", "    loading_frame: identity  ",
     "    control_tick: 1e-300 s\n    loading_frame: identity  ",
     ":37:19: control_tick goes 9.765625e+296 times into the time step; must be a whole"},
    {"ColumnThatIsNone", "height: 3 m", "height: 1e-300 m",
     ":49:70: the column is shorter than any specimen; must be at least 1 um"},
    {"DofClaimedTwice", "interface: [floor_e.x", "interface: [floor_w.x",
     ":56:17: sites west and east both claim floor_w.x"},
    {"LimitInWrongUnit", "{displacement: 20 mrad", "{displacement: 20 mm",
     ":42:26: actuator 2 (floor_w.rz) is a rotation"},
    {"LimitOfAnotherDof", "{x: 60 mm, rz: 20 mrad}", "{x: 60 mm, y: 20 mm}",
     ":39:32: `y` is no interface DOF of this site"},
    {"LimitsForTooFewActuators",
     "        - {displacement: 20 mrad, rate: 130 mrad/s, force: 400 kN.m}\n", "",
     ":40:7: 1 entries for 2 actuators"},
    {"DurationOfAnAge", "seed: 7 ", "duration: 1e9 s\nseed: 7 ",
     ":12:11: the duration is 1e+09 s, 1.02e+12 steps of 0.0009766 s; a run has at most "
     "100000000 steps"},
    {"DurationOfNoStep", "seed: 7 ", "duration: 1e-300 s\nseed: 7 ",
     ":12:11: the duration is 1e-300 s, less than one step of 0.0009766 s"},
    {"TimeStepThatIsNone", "time_step: 1/1024 s", "time_step: 1e-300 s",
     ":11:12: time_step is 1e-300 s; must be at least 1 us"},
    {"ModulusOfNoMaterial", "E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}, beam",
     "E: 1e300, A: 78.1 cm2, I: 5696 cm4}, beam",
     ":22:28: E is `1e300`, larger than any structure has; must be at most 1e+15 in SI"},
    {"ModulusOfNothing", "E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}, beam",
     "E: 1e-300, A: 78.1 cm2, I: 5696 cm4}, beam",
     ":22:28: E is `1e-300`, smaller than any structure has; must be at least 1e-06 in SI"},
    {"ScaleOfNoEarthquake", "  scale: 0.4", "  scale: 1e308",
     ":16:10: the synthetic record reaches "},
    {"PeakOfNoEarthquake", "record: synthetic ",
     "synthetic: {peak: 1e20}\n  record: synthetic ",
     ":15:21: the synthetic record reaches 4e+19 m/s2, scale included; must be at most "},
    {"SiteCalledAsTheJournal", "  east:\n", "  journal:\n",
     ":54:3: a site cannot be called `journal`"},
    {"SiteCalledAsTheIntegrator", "  east:\n", "  integrator:\n",
     ":54:3: a site cannot be called `integrator`"},
    {"SiteCalledAsAFolder", "  east:\n", "  ..:\n",
     ":54:3: `..` cannot be the name of a site"},
    {"SlashInASitesName", "  east:\n", "  a/b:\n",
     ":54:3: `a/b` cannot be the name of a site"},
    {"TabThatIndents", "  frame:\n", "\tframe:\n",
     ":19:1: a tab indents this line; YAML allows spaces only"},
    {"RecordThatIsAFolder", "record: synthetic ", "record: . ",
     "it is a folder; name a file"},
    {"RecordThatIsAPipe", "record: synthetic ", "record: pipe ",
     "pipe: it is a device or a pipe; name a file"},
    {"RecordWithAGap", "record: synthetic ", "record: gap.csv ",
     "gap.csv:5: a gap: 4.98 s after the line before"},
    {"RecordOfThreeColumns", "record: synthetic ", "record: three.csv ",
     "three.csv:2: 3 columns; a record has two"},
    {"RecordWithDecimalCommas", "record: synthetic ", "record: comma.csv ",
     "comma.csv:3: a decimal comma; write numbers with a decimal point"},
    {"RecordWhoseFirstSampleIsMistyped", "record: synthetic ", "record: typo.csv ",
     "typo.csv:1: `O.00` is not a number"},
    {"NodeOfOneCoordinate", "roof_e: [6 m, 6 m]", "roof_e: [6 m]",
     ":20:74: roof_e has 1 entries; must be at least 2: a mapping, or a list"},
    {"NodeWithoutCoordinates", "roof_e: [6 m, 6 m]", "roof_e: []",
     ":20:74: roof_e has 0 entries; must be at least 2"},
    {"NodeThatIsEmpty", "roof_e: [6 m, 6 m]",
     "roof_e: ", "roof_e is empty; must be a mapping, or a list"},
    {"AddressThatIsEmpty", "    like: west ", "    address: ''\n    like: west ",
     ":55:14: address is empty; must be a text. For none, remove the key"},
    {"ListenWithoutSitesThatCallIn", "seed: 7 ", "listen: tcp://*:7000\nseed: 7 ",
     ":12:9: listen is where sites with `remote: true` call in, and no site has it"},
    {"WordsForSimulatedRigs", "seed: 7 ", "arming: {words: 2}\nseed: 7 ",
     ":12:17: words is of real equipment, which alone is armed"},
    {"ConsistentMatrixOfNoMass", "  frame:\n", "  frame:\n    mass_matrix: consistent\n",
     ":20:18: mass_matrix spreads the mass_per_length of sections, and none has one"},
    {"FrequencyThatNoStepHolds", "seed: 7 ",
     "criteria: {synchronisation: {frequencies: [5 kHz]}}\nseed: 7 ",
     ":12:44: frequencies[0] is above half the rate of the time steps, 512 Hz"},
    {"SpringOfAnotherKind", "    floors:                #",
     "    springs: [{node: roof_w, dof: rz, law: {kind: linear, stiffness: 10 MN/m}}]\n"
     "    floors:                #",
     ":28:70: the spring's DOF of node roof_w is a rotation; give its value in"},
    {"SpringOfASpecimenOfAnotherKind",
     "{kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m,\n"
     "         hysteresis: {kind: bilinear, yield_moment: 30 kN.m, hardening: 0.03}}",
     "{kind: springs, laws: [{kind: linear, stiffness: 1 MN/m},\n"
     "         {kind: linear, stiffness: 10 MN/m}]}",
     ":50:36: the specimen's spring at floor_w.rz is a rotation; give its value in"},
    {"AddressOfIpv6", "    like: west ", "    address: tcp://[::1]:7000\n    like: west ",
     ":55:14: `tcp://[::1]:7000` is an address of IPv6"},
    {"AddressWithoutScheme", "    like: west ",
     "    address: localhost:7000\n    like: west ",
     ":55:14: `localhost:7000` has no scheme; write tcp://localhost:7000"},
    {"AddressWithHalfAScheme", "    like: west ",
     "    address: tcp:/127.0.0.1:7000\n    like: west ",
     ":55:14: `tcp:/127.0.0.1:7000` has no scheme; write tcp://127.0.0.1:7000\n"},
    {"AddressWithAHostThatIsNone", "    like: west ",
     "    address: tcp://lab west:7000\n    like: west ",
     ":55:14: `tcp://lab west:7000` has the host `lab west`; must be a name"},
    {"AddressWithoutPort", "    like: west ",
     "    address: tcp://127.0.0.1\n    like: west ",
     ":55:14: `tcp://127.0.0.1` has no port"},
    {"AddressWithAPortThatIsNone", "    like: west ",
     "    address: tcp://127.0.0.1:99999\n    like: west ",
     ":55:14: `tcp://127.0.0.1:99999` has the port `99999`"},
    {"CompensatorOfAnotherRig", "expected_delay: 12 ms",
     "expected_delay: [1 ms, 2 ms, 3 ms]", "expected_delay has 3 values for 2 actuators"},
};

class CliMistake : public ProgramTestCase, public testing::WithParamInterface<Mistake> {};

TEST_P(CliMistake, IsToldWithItsPlaceAndNothingIsStarted) {
  write("nan.csv", "time,acceleration\n0,0\n0.01,nan\n0.02,1\n");
  write("gap.csv", "time,acceleration\n0,0\n0.01,1\n0.02,1\n5,1\n5.01,0\n");
  write("typo.csv", "O.00,0\n0.01,1\n0.02,1\n");
  write("three.csv", "time,x,y\n0,0,1\n0.01,1,3\n");
  write("comma.csv", "time;acceleration\n0;0\n0,01;1,5\n");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string file = edited(GetParam().from, GetParam().to);
  const Ended ended = trestle({"run", file, "--out", "run"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err.rfind("test.yaml:", 0), 0u) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().line), std::string::npos) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_FALSE(exists("run"));
  EXPECT_FALSE(exists("runs"));
}

INSTANTIATE_TEST_SUITE_P(Of, CliMistake, testing::ValuesIn(kMistakes),
                         [](const testing::TestParamInfo<Mistake>& each) {
                           return std::string(each.param.name);
                         });

class CliUsage : public ProgramTestCase {
 protected:
  /// The only line on stderr of something that is refused with exit code 2.
  std::string refused(const std::vector<std::string>& arguments) const {
    const Ended ended = trestle(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_EQ(ended.out, "");
    return ended.err;
  }
  const std::string test_ = example("test.yaml");
};

TEST_F(CliUsage, TellsAllMistakesAtOnceAndCountsThem) {
  std::string file = edited("mass: 12 t", "mass: -12 t");
  std::string text = read(file);
  text.replace(text.find("seed: 7 "), 8, "sead: 7 ");
  write(file, text);
  const std::string told = refused({"run", file, "--out", "run"});
  EXPECT_NE(told.find("test.yaml:12:1: unknown key `sead`"), std::string::npos) << told;
  EXPECT_NE(told.find("test.yaml:29:43: mass is -12 t"), std::string::npos) << told;
  EXPECT_NE(told.find("2 errors; nothing was started.\n"), std::string::npos) << told;
}

TEST_F(CliUsage, NamesAnUnknownPathOfAnOverride) {
  const std::string told =
      refused({"run", test_, "--out", "run", "--set", "sites.west.compensatr.kind=none"});
  EXPECT_EQ(told.rfind("--set sites.west.compensatr", 0), 0u) << told;
  EXPECT_NE(told.find("did you mean `compensator`?"), std::string::npos) << told;
  EXPECT_FALSE(exists("run"));
}

TEST_F(CliUsage, NamesAFolderThatCannotBeMade) {
  write("file", "");
  EXPECT_EQ(
      refused({"run", test_, "--out", "file/run"}).rfind("file/run: cannot be made", 0),
      0u);
}

TEST_F(CliUsage, NeverWritesOverARecord) {
  const std::vector<std::string> run{"run", test_, "--out", "run"};
  ASSERT_EQ(trestle(run + kShort).code, 0);
  const std::string before = read("run/summary.json");
  EXPECT_NE(refused(run + kShort).find("run: already holds the record of a run"),
            std::string::npos);
  EXPECT_EQ(read("run/summary.json"), before);
}

TEST_F(CliUsage, NumbersTheRunsOfASecond) {
  // Begun in one second at least once in three.
  const std::vector<std::string> run{"run", test_};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(trestle(run + kShort).code, 0);
}

TEST_F(CliUsage, WritesItsResultOverNoRecord) {
  ASSERT_EQ(trestle(std::vector<std::string>{"run", test_, "--out", "run"} + kShort).code,
            0);
  const std::string before = read("run/journal.db");
  refused({"export", "run", "--csv", "run/journal.db"});
  refused({"export", "run", "--csv", "run/effective.yaml"});
  EXPECT_EQ(read("run/journal.db"), before);
}

TEST_F(CliUsage, RefusesAnAddressOfASiteThatIsNone) {
  const std::string site = example("site_west.yaml");
  for (const char* address : {"tcp://127.0.0.1:99999", "127.0.0.1:7000", "tcp://127.0.0.1",
                              "tcp://[::1]:7000", "udp://127.0.0.1:7000"})
    EXPECT_NE(refused({"check", site, "--set", std::string("listen=") + address})
                  .find("--set listen: `"),
              std::string::npos)
        << address;
  const std::string longest = "ipc:///" + std::string(120, 'x');
  EXPECT_NE(refused({"check", site, "--set", "listen=" + longest}).find("at most 107"),
            std::string::npos);
}

TEST_F(CliUsage, RefusesTheNameOfASiteThatIsNoneInItsOwnFile) {
  const std::string site = example("site_west.yaml");
  for (const char* name : {"journal", "integrator", "..", "a/b"})
    EXPECT_EQ(refused({"check", site, "--set", std::string("site=") + name})
                  .rfind("--set site: ", 0),
              0u)
        << name;
}

TEST_F(CliUsage, ChecksASiteThatIncludesAnother) {
  write("mine.yaml", "include: " + example("site_west.yaml") + "\nsite: west\n");
  write("yours.yaml", "include: [mine.yaml]\n");
  write("theirs.yaml", "include: yours.yaml\n");
  for (const char* file : {"mine.yaml", "yours.yaml", "theirs.yaml"}) {
    const Ended ended = trestle({"check", path(file)});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("may serve"), std::string::npos) << ended.out;
  }
  write("round.yaml", "include: round.yaml\n");
  EXPECT_NE(refused({"check", path("round.yaml")}).find("circle"), std::string::npos);
}

TEST_F(CliUsage, RefusesAFileWithoutEnd) {
  EXPECT_NE(refused({"check", "/dev/zero"}).find("larger than 64 MB"), std::string::npos);
}

TEST_F(CliUsage, WaitsForNoPipeThatNobodyWrites) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refused({"check", "pipe"}).rfind("pipe: is a pipe into which no process", 0),
            0u);
}

TEST_F(CliUsage, NamesWhatItDoesNotKnow) {
  EXPECT_NE(refused({"runn", test_}).find("there is no verb `runn`"), std::string::npos);
  EXPECT_NE(refused({"run", test_, "--frob"}).find("--frob"), std::string::npos);
  EXPECT_NE(refused({"run", "none.yaml"})
                .find("none.yaml: cannot be read; there is no such file"),
            std::string::npos);
  EXPECT_NE(refused({"check", "."}).find("it is a folder"), std::string::npos);
  EXPECT_NE(refused({"export", "none", "--csv", "-"}).find("there is no folder none"),
            std::string::npos);
  EXPECT_NE(refused({"run"}).find("test is required"), std::string::npos);
}

TEST_F(CliUsage, SaysWhoReadsAFileOfAnotherKind) {
  const std::string site = example("site_west.yaml");
  EXPECT_NE(refused({"run", site})
                .find("site_west.yaml:3:1: is the file of a site (it has the key `site`), "
                      "which `trestle site` reads; here the file of a test is needed"),
            std::string::npos);
  EXPECT_NE(refused({"site", test_}).find("which `trestle run` reads"), std::string::npos);
  EXPECT_NE(refused({"campaign", test_}).find("which `trestle run` reads"),
            std::string::npos);
}

TEST_F(CliUsage, ChecksEveryFileOfTheRehearsal) {
  for (const char* file : {"test.yaml", "distributed.yaml", "site_west.yaml",
                           "site_east.yaml", "link.yaml", "rig.yaml"}) {
    std::vector<std::string> arguments{
        "check", std::string(TRESTLE_SOURCE_DIR) + "/deploy/rehearsal/" + file};
    // Its keys are made when the containers start.
    if (std::string(file) == "distributed.yaml")
      arguments = arguments + std::vector<std::string>{"--set", "security.insecure=true"};
    const Ended ended = trestle(arguments);
    EXPECT_EQ(ended.code, 0) << file << ": " << ended.err;
  }
  EXPECT_NE(trestle({"check", example("study.yaml")}).out.find("ok "), std::string::npos);
  const std::string told = refused({"check", example("site_west.yaml"), "--set",
                                    "rig.specimen.E=-1", "--set", "listen=tcp://a"});
  EXPECT_NE(told.find("E is -1; must be positive"), std::string::npos) << told;
}

TEST_F(CliUsage, QuestionsWhatMayBeMeant) {
  std::string file = edited("displacement: 60 mm", "displacement: 60");
  std::string text = read(file);
  text.replace(text.find("[0, 3 m]"), 8, "[0, 3000]");
  write(file, text);
  const Ended ended = trestle({"check", file});
  EXPECT_NE(ended.out.find("test.yaml:41:26: displacement is 60 without a unit, which is "
                           "60 m. Was 60 mm meant? Write the unit"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("node floor_w is at 3000 m. Were millimetres meant?"),
            std::string::npos);
  EXPECT_EQ(trestle({"check", test_}).out.find("question"), std::string::npos);
}

TEST_F(CliUsage, QuestionsNodesInMillimetresAtTheStartOfARun) {
  const std::string file = edited("[0, 3 m]", "[0, 3000]");
  const Ended ran = trestle({"run", file, "--set", "duration=0.01 s", "--out", "run"});
  EXPECT_NE(ran.err.find("question: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("node floor_w is at 3000 m. Were millimetres meant? Write the "
                         "unit\n"),
            std::string::npos)
      << ran.err;
}

TEST_F(CliUsage, QuestionsARegularOrSpatialFrameInMillimetres) {
  const auto asked = [this](const std::string& section, const std::string& frame) {
    write("frame.yaml", R"(test: frame
time_step: 1 ms
duration: 0.1 s
undivided: true
excitation: {record: synthetic}
numerical:
  frame:
    sections: {s: {E: 210 GPa, A: 100 cm2, )" +
                            section + "}}\n" + frame + "  integrator: implicit\n");
    const Ended ended = trestle({"check", "frame.yaml"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  const auto regular = [&](const std::string& bays, const std::string& storeys) {
    return asked("I: 1000 cm4",
                 "    regular: {bays: " + bays + ", storeys: " + storeys +
                     ", column: s, beam: s, joint_mass: 1 t, joint_inertia: 10 kg.m2}\n");
  };
  const std::string millimetres = "Were millimetres meant? Write the unit\n";
  const std::string metres = regular("{count: 2, width: 6 m}", "{sizes: [4, 3]}");
  EXPECT_EQ(metres.find("millimetres"), std::string::npos) << metres;
  const std::string bay = regular("{count: 2, width: 6000}", "{sizes: [4, 3]}");
  EXPECT_NE(bay.find("frame.yaml:9:39: a bay is 6000 m. " + millimetres), std::string::npos)
      << bay;
  EXPECT_EQ(bay.find("a storey"), std::string::npos) << bay;
  const std::string storey = regular("{count: 2, width: 6 m}", "{sizes: [4000, 3000]}");
  EXPECT_NE(storey.find(": a storey is 4000 m. " + millimetres), std::string::npos)
      << storey;
  const std::string mast = asked("Iy: 1000 cm4, Iz: 1000 cm4, J: 1000 cm4",
                                 R"(    nodes: {a: [0, 0, 0], b: [0, 0, 3000]}
    supports: [{nodes: a, fixed: all}]
    members: [{from: a, to: b, section: s}]
    masses: [{node: b, mass: 1 t, rotational_inertia: 10}]
)");
  EXPECT_NE(mast.find("node b is at 3000 m. " + millimetres), std::string::npos) << mast;
}

/// The limits of both sites are one place of the file.
TEST_F(CliUsage, QuestionsALengthWithoutUnitOnce) {
  const std::string file = edited("displacement: 60 mm", "displacement: 60");
  const Ended checked = trestle({"check", file});
  const Ended ran = trestle({"run", file, "--set", "duration=0.1 s", "--out", "run"});
  for (const std::string& said : {checked.out, ran.err}) {
    const std::size_t first = said.find("test.yaml:41:26");
    EXPECT_NE(first, std::string::npos) << said;
    EXPECT_EQ(first, said.rfind("test.yaml:41:26")) << said;
  }
}

TEST_F(CliUsage, DoesNotSucceedWhereItsOutputIsLost) {
  Program check({"check", test_}, folder(),
                [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  EXPECT_EQ(check.exit_code(), 2);
  EXPECT_NE(check.err().find("standard output cannot be written"), std::string::npos)
      << check.err();
}

TEST_F(CliUsage, KeepsTheOutcomeOfATestWhoseLinesAreLost) {
  Program run({"run", test_, "--set", "duration=0.01", "--out", "run"}, folder(),
              [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  EXPECT_EQ(run.exit_code(), 0) << "the test is complete, and its record is whole";
  EXPECT_NE(run.err().find("standard output cannot be written"), std::string::npos)
      << run.err();
  EXPECT_TRUE(exists("run/summary.json"));
}

TEST_F(CliUsage, TakesEveryPrefixAndARecordInG) {
  write("g.csv", "time [s],acceleration [g]\n0,0\n0.01,0.1\n0.02,0\n");
  std::string file = edited("record: synthetic ", "record: g.csv ");
  std::string text = read(file);
  text.replace(text.find("E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}, beam"), 10,
               "E: 210 GN/m2");
  write(file, text);
  EXPECT_EQ(trestle({"run", file, "--out", "run"}).code, 0);
}

TEST_F(CliUsage, ReplacesNoDeviceByAnExport) {
  ASSERT_EQ(trestle({"run", test_, "--set", "duration=0.01", "--out", "run"}).code, 0);
  std::filesystem::create_directory(path("target"));
  ASSERT_EQ(::mkfifo(path("target/pipe").c_str(), 0600), 0);
  for (const char* form : {"--hdf5", "--mat"})
    EXPECT_NE(refused({"export", "run", form, "target/pipe"}).find("no plain file"),
              std::string::npos);
  EXPECT_TRUE(std::filesystem::is_fifo(path("target/pipe")));
  EXPECT_NE(refused({"bondgraph", "plot", "run"}).find("records no port"),
            std::string::npos);
}

TEST_F(CliUsage, ReadsNoPipeAndNoDeviceAsAFileOfNumbers) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto told = [this](const std::vector<std::string>& arguments) {
    const Ended ended = trestle(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    return ended.err;
  };
  const std::string matrices = example("../imported_matrices/test.yaml");
  const std::string track = example("../own_bridge/test.yaml");
  const std::string study = example("../identification/three_span/girder.yaml");
  for (const std::string& file : {path("pipe"), std::string("/dev/zero")})
    for (const std::string& refusal :
         {told({"check", matrices, "--set", "numerical.matrices.mass=" + file}),
          told({"check", track, "--set", "numerical.bridge.track.file=" + file}),
          told({"identify", study, "--set", "road.file=" + file}),
          told({"identify", study, "--set", "passes[0].record=" + file})})
      EXPECT_NE(refusal.find("it is a device or a pipe; name a file"), std::string::npos)
          << refusal;
}

TEST_F(CliUsage, ReplacesNoLinkToAFolderAndWaitsForNoReader) {
  ASSERT_EQ(trestle({"run", test_, "--set", "duration=0.01", "--out", "run"}).code, 0);
  write("g.csv", "0,0\n0.01,0.1\n0.02,0\n");
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_directory_symlink(path("folder"), path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto told = [this](const std::vector<std::string>& arguments) {
    const Ended ended = trestle(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    return ended.err;
  };
  for (const std::string& refusal :
       {told({"compare", "run", "--out", path("link")}),
        told({"compare", "run", "--report", path("link")}),
        told({"spectrum", path("g.csv"), "--svg", path("link")}),
        told({"pushover", test_, "--node", "roof_w.x", "--to", "1 mm", "--svg",
              path("link")})})
    EXPECT_NE(refusal.find("it is a folder; name a file"), std::string::npos) << refusal;
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  for (const std::string& refusal :
       {told({"export", "run", "--csv", path("pipe")}),
        told({"report", "run", "--out", path("pipe")}),
        told({"spectrum", path("g.csv"), "--csv", path("pipe")})})
    EXPECT_NE(refusal.find("it is a pipe that no process reads"), std::string::npos)
        << refusal;
}

TEST_F(CliUsage, DocumentsItsExitCodes) {
  const Ended help = trestle({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* code :
       {"0 complete", "1 internal", "2 configuration", "3 stopped", "4 a peer"})
    EXPECT_NE(help.out.find(code), std::string::npos) << code;
  const Ended version = trestle({"version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("trestle ", 0), 0u);
}

TEST_F(CliUsage, ChecksATestAndItsDistributedTwinAlike) {
  for (const char* file : {"test.yaml", "distributed.yaml"}) {
    const Ended ended = trestle({"check", example(file)});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("stable up to 5.7"), std::string::npos) << ended.out;
  }
}

}  // namespace
}  // namespace trestle::cli
