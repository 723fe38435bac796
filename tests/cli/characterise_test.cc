#include <csignal>

#include "tests/cli/program.h"
#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliCharacterise : public ProgramTestCase {
 protected:
  /// Measures a simulated rig as if it could break: it waits for a person.
  static std::vector<std::string> of_real_equipment(const std::string& folder) {
    return {"characterise", example("site_west.yaml"), "--set",    "as_real_equipment=true",
            "--set",        "hardware_watchdog=true",  "--folder", folder};
  }
};

const std::vector<std::string> kQuick{"--set",
                                      "characterise={duration: 10 s, lowest: 0.3 Hz}"};

TEST_F(CliCharacterise, WritesATransferSystemThatATestIncludes) {
  const Ended measured =
      trestle(std::vector<std::string>{"characterise", example("site_west.yaml")} + kQuick);
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_NE(measured.out.find("expected_delay (ats) or delay: [11.89 ms, 11.89 ms]"),
            std::string::npos)
      << measured.out;
  EXPECT_EQ(read("transfer_system.yaml").find("# The transfer system of site west"), 0U);
  write("twin.yaml",
        "include: " + example("test.yaml") +
            "\nsites:\n  west: {rig: {include: transfer_system.yaml},\n"
            "         compensator: {include: transfer_system_compensator.yaml}}\n");
  const Ended ended =
      trestle(std::vector<std::string>{"run", path("twin.yaml"), "--out", "run"} + kShort);
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string effective = read("run/effective.yaml");
  EXPECT_NE(effective.find("kind: identified"), std::string::npos);
}

TEST_F(CliCharacterise, DesignsAControllerThatATestIncludes) {
  const Ended measured =
      trestle(std::vector<std::string>{"characterise", example("site_west.yaml"),
                                       "--design", "hinf"} +
              kQuick);
  EXPECT_EQ(measured.code, 0) << measured.err;
  EXPECT_NE(measured.out.find("controller, H-infinity\n  bandwidth "), std::string::npos)
      << measured.out;
  EXPECT_NE(measured.out.find("transfer_system.yaml and transfer_system_controller.yaml"),
            std::string::npos)
      << measured.out;
  write("twin.yaml", "include: " + example("test.yaml") +
                         "\nsites:\n  west:\n    rig: {include: transfer_system.yaml}\n"
                         "    controller: {include: transfer_system_controller.yaml}\n");
  // Its first steps: the loop with this frame bears no controller at one site alone.
  const Ended ended = trestle({"run", path("twin.yaml"), "--out", "run", "--set",
                               "duration=0.1 s", "--set", "arming.allow_unstable=true"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(read("run/effective.yaml").find("kind: state-space"), std::string::npos);
}

TEST_F(CliCharacterise, WritesTheRestWhereNoControllerMeetsTheWeights) {
  const Ended ended = trestle(
      std::vector<std::string>{"characterise", example("site_west.yaml"), "--design",
                               "hinf"} +
      kQuick + std::vector<std::string>{"--set", "characterise.hinf.drive_gain=0.001"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err.find("characterise.hinf: no bandwidth meets the weights"), 0U)
      << ended.err;
  EXPECT_TRUE(exists("transfer_system.yaml"));
  EXPECT_FALSE(exists("transfer_system_controller.yaml"));
}

/// A file that a test includes is never that of the rig before, without a word.
TEST_F(CliCharacterise, SetsAsideWhatAnEarlierMeasurementWroteAndThisOneDoesNot) {
  write("rig_controller.yaml", "earlier");
  const std::vector<std::string> measure =
      std::vector<std::string>{"characterise", example("site_west.yaml"), "--out",
                               "rig.yaml"} +
      kQuick;
  const Ended without = trestle(measure);
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_NE(
      without.err.find("rig_controller.yaml is of an earlier measurement and was left "
                       "as it is; --design hinf designs it again\n"),
      std::string::npos)
      << without.err;
  EXPECT_EQ(read("rig_controller.yaml"), "earlier");
  const Ended failed =
      trestle(measure + std::vector<std::string>{"--design", "hinf", "--set",
                                                 "characterise.hinf.drive_gain=0.001"});
  EXPECT_EQ(failed.code, 2);
  EXPECT_EQ(
      failed.err.find("rig_controller.yaml is of an earlier measurement; it was moved "
                      "to ./set-aside-1\n"),
      0U)
      << failed.err;
  EXPECT_FALSE(exists("rig_controller.yaml"));
  EXPECT_EQ(read("set-aside-1/rig_controller.yaml"), "earlier");
  EXPECT_TRUE(exists("rig_compensator.yaml"));  // which every measurement renews
}

/// An actuator that leads by 16 ms needs no compensator.
TEST_F(CliCharacterise, SetsAsideTheCompensatorOfARigThatNeedsNone) {
  write("rig_compensator.yaml", "earlier");
  const Ended ended =
      trestle(std::vector<std::string>{
                  "characterise", example("site_west.yaml"), "--out", "rig.yaml", "--set",
                  "rig.actuators[0]={kind: transfer-function, numerator: [0.02, 1], "
                  "denominator: [4e-6, 0.004, 1]}"} +
              kQuick);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err,
            "rig_compensator.yaml is of an earlier measurement; it was moved to "
            "./set-aside-1\n");
  EXPECT_EQ(read("set-aside-1/rig_compensator.yaml"), "earlier");
  EXPECT_FALSE(exists("rig_compensator.yaml"));
}

TEST_F(CliCharacterise, AnActuatorThatMovesTheWrongWayEndsItSafely) {
  const Ended ended = trestle(
      {"characterise", example("site_west.yaml"), "--set",
       "rig.actuators[0]={kind: second-order, frequency: 18 Hz, damping: 0.7, gain: -1}"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("actuator 1 moves the wrong way"), std::string::npos)
      << ended.err;
  EXPECT_FALSE(exists("transfer_system.yaml"));
}

TEST_F(CliCharacterise, ATripIsToldWithActuatorNumberAndLimit) {
  const Ended ended = trestle({"characterise", example("site_west.yaml"), "--set",
                               "limits.actuators[0].force=4 kN"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("at actuator 1 is above its limit 4 kN"), std::string::npos)
      << ended.err;
}

TEST_F(CliCharacterise, APlanBeyondTheLimitsIsRefusedWithItsPlace) {
  const Ended ended =
      trestle({"characterise", example("site_west.yaml"), "--set",
               "limits.actuators[0].rate=50 mm/s", "--set", "characterise.amplitude=1 mm"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("--set limits.actuators[0].rate: the chirp to 20 Hz would move "
                           "actuator 1 at 113."),
            std::string::npos)
      << ended.err;
  EXPECT_NE(ended.err.find("its limit is 50 mm/s"), std::string::npos) << ended.err;
}

TEST_F(CliCharacterise, RefusesAFolderOrARigThatIsInUse) {
  Program first(of_real_equipment("run"), folder());
  ASSERT_TRUE(first.says("trestle arm run")) << first.heard();
  const Ended served = trestle(of_real_equipment("run"));
  EXPECT_EQ(served.code, 2);
  EXPECT_EQ(served.err,
            "run: a program serves this folder already; choose another with --folder\n");
  const Ended driven = trestle(of_real_equipment("other"));
  EXPECT_EQ(driven.code, 2);
  EXPECT_NE(driven.err.find("is driven already: by process"), std::string::npos)
      << driven.err;
  first.signal(SIGTERM);
  EXPECT_EQ(first.exit_code(), 3);
  const Ended recorded = trestle(of_real_equipment("run"));
  EXPECT_EQ(recorded.code, 2);
  EXPECT_EQ(recorded.err,
            "run: already holds a record (west.db), which is never written over; choose "
            "another with --folder\n");
}

TEST_F(CliCharacterise, NamesTheSignalThatEndsItAndWhoSentIt) {
  for (const auto& [number, name] : {std::pair(SIGTERM, "SIGTERM"), {SIGHUP, "SIGHUP"}}) {
    Program measurement(of_real_equipment(name), folder());
    ASSERT_TRUE(measurement.says("trestle arm ")) << measurement.heard();
    measurement.signal(number);
    EXPECT_EQ(measurement.exit_code(), 3);
    const std::string& said = measurement.heard();
    const std::size_t by = said.find(std::string(name) + " by ");
    ASSERT_NE(by, std::string::npos) << said;
    EXPECT_NE(said.find("; not armed\n", by), std::string::npos) << said;
    const std::string audit = trestle({"audit", name}).out;
    EXPECT_NE(audit.find(std::string(name) + " by "), std::string::npos) << audit;
  }
}

/// Its open() would take the equipment away from the process that drives it. Here open()
/// would fail: the address to listen at is not of this host.
TEST_F(CliCharacterise, LooksAtTheFolderBeforeItOpensTheRig) {
  const std::vector<std::string> measure{
      "characterise", example("../udp_target/site.yaml"),
      "--set",        "adapter.settings.listen=192.0.2.1:5001",
      "--folder",     "run"};
  const Ended opened = trestle(measure);
  EXPECT_EQ(opened.code, 2);
  EXPECT_NE(opened.err.find("192.0.2.1"), std::string::npos) << opened.err;
  std::filesystem::create_directory(path("run"));
  write("run/lab.db", "an earlier record");
  const Ended looked = trestle(measure);
  EXPECT_EQ(looked.code, 2);
  EXPECT_EQ(looked.err,
            "run: already holds a record (lab.db), which is never written over; choose "
            "another with --folder\n");
}

}  // namespace
}  // namespace trestle::cli
