// A person at a site between two tests, with the real program.
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class CliRig : public ProgramTestCase {
 protected:
  Words serving() const {
    return {"site",  example("site_west.yaml"),
            "--set", "listen=ipc://" + path("west.ipc"),
            "--out", "west-records"};
  }
  Ended rig(const std::string& verb, const Words& more = {}) const {
    return trestle(Words{"rig", verb, "west-records"} + more);
  }
  static const Words kAda;
  static const Words kJog;
};

const Words CliRig::kAda{"--as", "ada"};
const Words CliRig::kJog{"--actuator", "1", "--by", "2mm", "--rate", "40mm/s"};

TEST_F(CliRig, ReadsItsTransducersAndShowsTheDriftSinceTheZeroReadings) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended before = rig("status");
  EXPECT_EQ(before.code, 0) << before.err;
  EXPECT_TRUE(says(before.out, "no zero readings are kept")) << before.out;
  EXPECT_TRUE(says(before.out, "1.displacement")) << before.out;
  EXPECT_FALSE(says(before.out, "since zero")) << before.out;
  const Ended zero = rig("zero", kAda);
  EXPECT_EQ(zero.code, 0) << zero.err;
  const Ended after = rig("status", {"--json"});
  EXPECT_EQ(after.code, 0) << after.err;
  const nlohmann::json answer = nlohmann::json::parse(after.out);
  EXPECT_TRUE(answer["ok"].get<bool>());
  const nlohmann::json& command = answer["rig_command"];
  EXPECT_TRUE(command["done"].get<bool>());
  EXPECT_TRUE(says(command["zero"].get<std::string>(), " by ada")) << after.out;
  ASSERT_EQ(command["readings"].size(), 4U);
  // The noise of the file: 2 um. Of 128 readings the deviation is within a third of it, and
  // the means differ by less than 2 um.
  EXPECT_NEAR(command["readings"][0]["deviation"].get<double>(), 2e-6, 0.7e-6);
  EXPECT_LT(std::abs(command["readings"][0]["drift"].get<double>()), 2e-6);
}

TEST_F(CliRig, KeepsATareOverARestartUntilAPersonUndoesIt) {
  const auto tared = [this] {
    const Ended status = rig("status", {"--json"});
    EXPECT_EQ(status.code, 0) << status.err;
    return nlohmann::json::parse(status.out)["rig_command"]["readings"][2];
  };
  {
    Program west(serving(), folder());
    ASSERT_TRUE(west.says("listens at"));
    EXPECT_EQ(tared()["tared"], "");
    const Ended wrong = rig("tare", kAda + Words{"--channel", "1.displacement"});
    EXPECT_EQ(wrong.code, 3);
    EXPECT_TRUE(says(wrong.err, "in the coordinate of the drive")) << wrong.err;
    const Ended tare = rig("tare", kAda);
    EXPECT_EQ(tare.code, 0) << tare.err;
    EXPECT_TRUE(says(tare.out, "subtracted from now on: 1.force")) << tare.out;
    west.signal(SIGKILL);
    west.exit_code();
  }
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  const nlohmann::json now = tared();
  EXPECT_EQ(now["channel"], "1.force");
  EXPECT_TRUE(says(now["tared"].get<std::string>(), " by ada")) << now;
  EXPECT_NE(now["tare"].get<double>(), 0.0);
  const Ended undo = rig("tare", kAda + Words{"--undo"});
  EXPECT_EQ(undo.code, 0) << undo.err;
  EXPECT_TRUE(says(undo.out, "are the equipment's again")) << undo.out;
  EXPECT_EQ(tared()["tared"], "");
  EXPECT_EQ(rig("tare", kAda + Words{"--undo"}).code, 3);
}

TEST_F(CliRig, MovesWhileTheCommandRunsAndSaysWhereItHolds) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended jog = rig("jog", kJog + kAda);
  EXPECT_EQ(jog.code, 0) << jog.err;
  EXPECT_TRUE(says(jog.out, "moved as commanded; the rig holds at the drive")) << jog.out;
  const Ended json = rig("jog", kJog + kAda + Words{"--json"});
  EXPECT_EQ(json.code, 0) << json.err;
  const nlohmann::json command = nlohmann::json::parse(json.out)["rig_command"];
  EXPECT_EQ(command["action"], "jog");
  EXPECT_EQ(command["state"], "over");
  // From where the rig was measured: the noise of the file is 2 um.
  EXPECT_NEAR(command["actuators"][0]["drive"].get<double>(), 2e-3, 1e-5);
}

TEST_F(CliRig, ExercisesEachActuatorAndPrintsHowItFollows) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  // A simulated rig learns from a session which actuator turns.
  const Words sine{"--amplitude", "0.5mm", "--frequency", "4Hz", "--force", "50kN"};
  const Ended json = rig("exercise", sine + kAda + Words{"--json"});
  EXPECT_EQ(json.code, 0) << json.err << json.out;
  const nlohmann::json rows = nlohmann::json::parse(json.out)["rig_command"]["exercise"];
  ASSERT_EQ(rows.size(), 2U);
  for (const nlohmann::json& row : rows) {
    // At 4 Hz a second-order actuator of 18 Hz with damping 0.7 has a gain of 1.000 and a
    // delay of 12.6 ms; a drive held for a control tick of 1/128 s adds half of that.
    EXPECT_NEAR(row["gain"].get<double>(), 1.0, 0.01);
    EXPECT_NEAR(row["delay_s"].get<double>(), 0.0126 + 0.5 / 128, 0.006);
    EXPECT_GT(row["stiffness"].get<double>(), 0.0);
    EXPECT_EQ(row["finding"], "");
  }
  const Ended slow =
      rig("exercise", Words{"--amplitude", "0.5mm", "--frequency", "4Hz", "--force", "50kN",
                            "--actuator", "1", "--delay", "5ms"} +
                          kAda);
  EXPECT_EQ(slow.code, 3) << slow.err << slow.out;
  EXPECT_TRUE(says(slow.out, "NOT as stated: its delay is")) << slow.out;
}

TEST_F(CliRig, EndsInAHoldWhereAnotherPersonSaysSo) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  Program jog(Words{"rig", "jog", "west-records", "--actuator", "1", "--by", "20mm",
                    "--rate", "1mm/s", "--as", "ada"},
              folder());
  Ended end;
  for (int n = 0; n < 200 && end.code != 0; ++n) end = rig("end", {"--as", "bob"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(jog.exit_code(), 3);
  EXPECT_TRUE(says(jog.heard(), "stopped by bob")) << jog.heard();
}

TEST_F(CliRig, EndsInAHoldWhereItIsAskedToEnd) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  const Words jog{"rig",  "jog",    "west-records", "--actuator", "1",   "--by",
                  "20mm", "--rate", "1mm/s",        "--as",       "ada", "--json"};
  const Words exercise{"rig",         "exercise", "west-records", "--actuator", "1",
                       "--amplitude", "0.5mm",    "--frequency",  "0.1Hz",      "--force",
                       "50kN",        "--as",     "ada",          "--json"};
  for (const Words& command : {jog, exercise})
    for (const int signal : {SIGTERM, SIGHUP}) {
      Program person(command, folder());
      bool moves = false;
      for (int n = 0; n < 200 && !moves; ++n)
        moves =
            says(trestle({"status", "west-records", "--json"}).out, R"("state":"moves")");
      ASSERT_TRUE(moves) << person.heard();
      person.signal(signal);
      EXPECT_EQ(person.exit_code(), 3);
      EXPECT_TRUE(says(person.heard(), "stopped by ada")) << person.heard();
    }
}

TEST_F(CliRig, RefusesWithTheReason) {
  Program west(serving(), folder());
  ASSERT_TRUE(west.says("listens at"));
  const auto refused = [&](const Words& words, int code) {
    const Ended ended = rig("jog", words + kAda);
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    return ended.err;
  };
  EXPECT_TRUE(says(refused({"--actuator", "1", "--by", "2mm", "--rate", "300mm/s"}, 3),
                   "is above 200 mm/s, half of its limit"));
  EXPECT_TRUE(says(refused({"--actuator", "1", "--by", "61mm", "--rate", "40mm/s"}, 3),
                   "beyond its limit 60 mm"));
  EXPECT_TRUE(says(refused({"--by", "2mm", "--rate", "40mm/s"}, 3), "give one of"));
  EXPECT_TRUE(says(refused({"--actuator", "1", "--by", "2", "--rate", "40mm/s"}, 3),
                   "is no way with its unit"));
  EXPECT_TRUE(says(refused({"--actuator", "1", "--rate", "40mm/s"}, 2), "--by"));
  EXPECT_TRUE(
      says(refused(kJog + Words{"--while-held"}, 2), "--while-held needs a terminal"));
  // Without a terminal nobody can be asked whether the rig may drop what it carries.
  const Ended unasked = rig("release", kAda);
  EXPECT_EQ(unasked.code, 2);
  EXPECT_TRUE(says(unasked.err, "give --yes if the release is meant")) << unasked.err;
  EXPECT_FALSE(says(trestle({"status", "west-records", "--json"}).out, "release"));
  const Ended release = rig("release", kAda + Words{"--yes"});
  EXPECT_EQ(release.code, 3);
  EXPECT_TRUE(says(release.err, "offers no release")) << release.err;
  // So is whether a test shall never be resumed.
  const Ended kept = rig("set-aside", kAda);
  EXPECT_EQ(kept.code, 2);
  EXPECT_TRUE(says(kept.err, "cannot be resumed any longer; nobody can be asked here"))
      << kept.err;
  const Ended aside = rig("set-aside", kAda + Words{"--yes"});
  EXPECT_EQ(aside.code, 3);
  EXPECT_TRUE(says(aside.err, "no test was cut off here")) << aside.err;
}

TEST_F(CliRig, NeedsASiteThatIsServed) {
  const Ended nowhere = trestle({"rig", "status", "nowhere"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_TRUE(says(nowhere.err, "there is no folder nowhere")) << nowhere.err;
  EXPECT_EQ(trestle({"rig"}).code, 2);
  {
    Program west(serving(), folder());
    ASSERT_TRUE(west.says("listens at"));
    west.signal(SIGKILL);
    west.exit_code();
  }
  const Ended dead = rig("status");
  EXPECT_EQ(dead.code, 4);
  EXPECT_TRUE(says(dead.err, "no process serves it")) << dead.err;
  std::filesystem::create_directory(path("run"));
  write("run/effective.yaml", "");
  const Ended run = trestle({"rig", "status", "run"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(says(run.err, "is a run's folder")) << run.err;
}

}  // namespace
}  // namespace trestle::cli
