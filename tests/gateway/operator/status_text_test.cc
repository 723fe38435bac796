#include "gateway/operator/status_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "gateway/operator/arming_text.h"
#include "tests/gateway/operator/fake_operated.h"

namespace trestle::operators {
namespace {

NodeStatus running() {
  return FakeOperated().now;
}

// Agreed limits, the clock and the delay that is borne, as a person reads them aloud.
TEST(ArmingText, SaysWhatHoldsAtEachSite) {
  const double none = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ArmingStatus arming{
      .sites = {{.name = "west",
                 .real_equipment = true,
                 .clock_bound = 12e-6,
                 .actuators = {{"1", "m", 0.06, 0.3, 120e3, 6.5e-3},
                               {"2", "rad", 0.1, none, 50e3}},
                 .readings = {{"1.force", "N", -12.3, 4.2, 200.0},
                              {"2.force", "N.m", 60.0, 4.2, 50.0},
                              {"oil", "bar", 207.0, nan},
                              {"estop_0_1", "0/1", 1.0, nan},
                              {.channel = "gate_0_1",
                               .unit = "0/1",
                               .mean = 1.0,
                               .deviation = nan,
                               .stops_closed = true},
                              {"pressure_0_1", "0/1", 0.0, nan},
                              {"cage_0_1", "0/1", nan, nan}}},
                {.name = "north", .real_equipment = true},
                {.name = "east"},
                {.name = "south",
                 .twin = true,
                 .expired = {"The calibration of south oil expired."}}}};
  EXPECT_EQ(arming_lines(arming),
            (std::vector<std::string>{
                "site west, real equipment, its clock known within 12 us",
                "site west, actuator 1: at most 60 mm, 300 mm/s, 120 kN; the loop bears "
                "6.5 ms of delay",
                "site west, actuator 2: at most 100 mrad, no limit of rate, 50 kN.m",
                "site west, 1.force reads -0.0123 kN sd 0.0042 kN, at most 0.2 kN: ok",
                "site west, 2.force reads 0.06 kN.m sd 0.0042 kN.m, at most 0.05 kN.m: NOT "
                "OK",
                "site west, oil reads 207 bar", "site west, estop_0_1 reads closed",
                "site west, gate_0_1 reads closed: NOT OPEN",
                "site west, pressure_0_1 reads open: NOT CLOSED",
                "site west, cage_0_1 reads not a number: NOT CLOSED",
                "site north, real equipment, its clock not compared",
                "site north has reported no readings yet",
                "site east, simulated, its clock not compared",
                "site south, a TWIN, SIMULATED, its clock not compared",
                "CALIBRATION EXPIRED: The calibration of south oil expired."}));
}

TEST(StandingWords, SayWhoIsWaitedForSinceWhenUntilWhenAndWhatThen) {
  NodeStatus standing = running();
  standing.waits = {{"site east (tcp://lab-east:7001)", "answer to step 412", 3.21, 26.79,
                     "the test is stopped"}};
  EXPECT_EQ(why(standing),
            std::vector<std::string>{
                "waits for site east (tcp://lab-east:7001): answer to step 412, since "
                "3.2 s; in 26.8 s the test is stopped"});
}

TEST(StandingWords, SayThatAWaitHasNoLimit) {
  const double forever = std::numeric_limits<double>::infinity();
  NodeStatus standing = running();
  standing.waits = {{"the operator", "word to arm", 60.0, forever, ""},
                    {"the integrator", "", 2.0, forever, "the rig is held"}};
  EXPECT_EQ(
      why(standing),
      (std::vector<std::string>{
          "waits for the operator: word to arm, since 60.0 s, without a limit of time",
          "waits for the integrator, since 2.0 s, without a limit of time; the rig is "
          "held"}));
}

TEST(StandingWords, SayThatItWorksWhereNobodyIsWaitedFor) {
  EXPECT_EQ(why(running()),
            std::vector<std::string>{
                "waits for nobody: it works (RUNNING, 413 of 1000 steps done)"});
}

TEST(StandingWords, NameTheCommandThatHelps) {
  NodeStatus standing = running();
  standing.node = "integrator";
  EXPECT_EQ(next_command(standing, "/run"), "");
  standing.state = "CONNECTING";
  standing.arming.emplace();
  EXPECT_EQ(next_command(standing, "/my run"), "trestle arm '/my run'");
  // A held test with real equipment asks for its checklist again; its rigs bear load.
  standing.state = "HOLDING";
  EXPECT_EQ(next_command(standing, "/run"), "trestle resume /run");
  standing.reason =
      "site lab refuses: the target is too large at step 7031. A resume sends "
      "the same target again, so the test cannot go on: stop it";
  EXPECT_EQ(next_command(standing, "/run"), "trestle stop /run")
      << "a resume meets the same target";
  standing.state = "FAULT";
  EXPECT_EQ(next_command(standing, "/run"), "trestle clear /run");
  standing.node = "west";
  EXPECT_EQ(next_command(standing, "/run"), "trestle clear /run");
  standing.state = "HOLDING";
  EXPECT_EQ(next_command(standing, "/run"), "")
      << "a site is resumed where the test is conducted";
}

TEST(StandingWords, NameTheClearOfASiteInFaultBeforeTheResume) {
  NodeStatus standing = running();
  standing.node = "integrator";
  standing.state = "HOLDING";
  standing.peers = {{.name = "west", .where = {}, .state = "HOLDING"},
                    {.name = "lab", .where = {}, .state = "FAULT"}};
  EXPECT_EQ(next_command(standing, "/run"), "trestle status lab, at that site")
      << "what it needs first is known there";
  standing.peers[1].state = "HOLDING";
  EXPECT_EQ(next_command(standing, "/run"), "trestle resume /run");
}

TEST(StandingWords, NameTheEndOfAProcessThatCannotGoOn) {
  NodeStatus standing = running();
  standing.node = "integrator";
  standing.state = "HOLDING";
  standing.peers = {{.name = "lab", .where = {}, .state = "FAULT"}};
  standing.waits = {
      {"the operator",
       "this process to be ended: kill -TERM 4711, which leaves the rigs held", 1.0,
       std::numeric_limits<double>::infinity(), "the rigs hold"}};
  EXPECT_EQ(next_command(standing, "/run"), "kill -TERM 4711");
  standing.node = "lab";
  standing.state = "FAULT";
  EXPECT_EQ(next_command(standing, "/run"), "kill -TERM 4711") << "a clear is refused";
  standing.waits[0].what =
      "this process to be ended: kill -TERM 4711, twice: then only the equipment itself "
      "holds the rig of this process";
  EXPECT_EQ(next_command(standing, "/run"), "kill -TERM 4711, twice");
}

TEST(StandingWords, NameNoCommandThatIsRefusedAsLongAsSomethingElseComesFirst) {
  NodeStatus standing = running();
  const auto person_is_asked = [&standing](const char* whom, const char* what) {
    standing.waits = {{whom, what, 1.0, std::numeric_limits<double>::infinity(), ""}};
    return next_command(standing, "/run");
  };
  standing.node = "integrator";
  standing.state = "HOLDING";
  EXPECT_EQ(person_is_asked("the operator", "the word to stop (trestle stop)"), "");
  EXPECT_EQ(person_is_asked("the operator", "the word to go on (trestle resume)"),
            "trestle resume /run");
  EXPECT_EQ(person_is_asked("the operator",
                            "the word to go on (trestle resume) when a person at site lab "
                            "has cleared the fault there (trestle clear), or to stop"),
            "trestle status lab, at that site");
  EXPECT_EQ(person_is_asked("site lab", "return"), "trestle resume /run");
  standing.waits[0].then =
      "the rigs move when it is there, as ada@lab said; to withdraw "
      "that: trestle hold RUN";
  EXPECT_EQ(next_command(standing, "/run"), "") << "it was given already";
  standing.node = "lab";
  standing.state = "FAULT";
  EXPECT_EQ(person_is_asked("a person at the site",
                            "its record to be seen to, as the fault says; then: end the "
                            "program, then clear the fault (trestle clear lab)"),
            "");
  EXPECT_EQ(person_is_asked("a person at the site",
                            "the rig's driver to come back; one that has ended does not: "
                            "then the fault to be cleared (trestle clear)"),
            "");
  EXPECT_EQ(
      person_is_asked("a person at the site", "the fault to be cleared (trestle clear)"),
      "trestle clear /run");
}

TEST(StandingWords, SayWhichItemsOfTheChecklistAreOpen) {
  NodeStatus standing = running();
  standing.waits = {
      {"the operator", "word to arm", 60.0, std::numeric_limits<double>::infinity(), ""}};
  standing.arming = ArmingStatus{
      .checklist = {{"nobody in the cage"},
                    {"emergency stop pressed", "ada@lab", "2026-11-27T09:12:03.120Z"},
                    {"limits read aloud"}}};
  const std::vector<std::string> lines = why(standing);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1],
            "the checklist: 1 of 3 confirmed; open: nobody in the cage; limits read aloud");
  for (ChecklistItem& item : standing.arming->checklist) item.by = "ada@lab";
  EXPECT_EQ(why(standing).at(1), "the checklist: 3 of 3 confirmed");
  standing.arming->checklist[1].waived = "the button is sealed";
  EXPECT_EQ(why(standing).at(1),
            "the checklist: 2 of 3 confirmed; waived: emergency stop pressed (ada@lab: the "
            "button is sealed)");
}

TEST(StandingWords, ShowWhatTheTransducersReadWhileNothingMoves) {
  NodeStatus standing = running();
  standing.peers = {{"west", "tcp://lab-west:7001", "CONFIGURED", -1, 0.1}};
  standing.peers[0].readings = {
      {"1.force", "N", -12.5, 4.25},
      {"estop", "0/1", 0.0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(format_status(standing).find("reads"), std::string::npos) << "it runs";
  standing.state = "CONNECTING";
  EXPECT_NE(format_status(standing).find(
                "west       reads 1.force -0.0125 kN sd 0.00425 kN, estop open\n"),
            std::string::npos)
      << format_status(standing);
}

TEST(StandingWords, SayFirstWhyANodeHolds) {
  NodeStatus standing = running();
  standing.state = "HOLDING";
  standing.reason = "west: rate 401 mm/s is above its limit 400 mm/s";
  standing.waits = {{"the operator", "word to resume", 2.0, 58.0, "the test is stopped"}};
  const std::vector<std::string> lines = why(standing);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "HOLDING: west: rate 401 mm/s is above its limit 400 mm/s");
  EXPECT_EQ(lines[1],
            "waits for the operator: word to resume, since 2.0 s; in 58.0 s the test is "
            "stopped");
}

TEST(StandingWords, TellARigThatWasAskedToHoldFromOneThatDoes) {
  NodeStatus standing = running();
  standing.state = "HOLDING";
  standing.reason = "held by ada@lab";
  standing.rig = "asked to hold";
  EXPECT_EQ(why(standing).at(0), "HOLDING (asked to hold, not confirmed): held by ada@lab");
  EXPECT_EQ(format_brief_status(standing),
            "HOLDING (asked to hold, not confirmed), 413 of 1000 steps done");
  standing.rig = "holds";
  EXPECT_EQ(why(standing).at(0), "HOLDING (the rig holds): held by ada@lab");
  standing.peers.at(0).rig = "asked to hold";
  EXPECT_NE(format_status(standing).find("RUNNING (asked to hold, not confirmed)"),
            std::string::npos);
}

TEST(StandingWords, ShowAScreen) {
  EXPECT_EQ(
      format_status(running()),
      "RUNNING    integrator, two-site frame, session 4f2e\n"
      "           413 of 1000 steps   41 %   4.130 s of 10.000 s   done last: step 412\n"
      "west       RUNNING    step 412      heard 0.2 s ago    tcp://lab-west:7001\n"
      "east       OFFLINE    no step       never heard        tcp://lab-east:7001\n"
      "           waits for nobody: it works (RUNNING, 413 of 1000 steps done)\n");
}

TEST(StandingWords, ShowThePeopleOfTheTest) {
  NodeStatus now = running();
  EXPECT_EQ(format_status(now).find("person"), std::string::npos);
  now.participants = {{"Ada", "Trondheim", "+47 73 59 40 00", "operator of site east"},
                      {.name = "Bob"}};
  EXPECT_NE(format_status(now).find(
                "person     Ada, operator of site east, Trondheim, +47 73 59 40 00\n"
                "person     Bob\n"),
            std::string::npos)
      << format_status(now);
}

TEST(StandingWords, ShowInCapitalsWhichLaboratoryTakesNoPart) {
  NodeStatus now = running();
  EXPECT_EQ(format_status(now).find("TWIN"), std::string::npos);
  now.twins = {"east"};
  EXPECT_NE(format_status(now).find("\nTWIN: site east is simulated by its twin; its "
                                    "laboratory is not connected\n"),
            std::string::npos)
      << format_status(now);
}

TEST(StandingWords, ShowANodeWithoutATest) {
  NodeStatus standing;
  standing.node = "west";
  standing.state = "CONNECTED";
  EXPECT_EQ(format_status(standing),
            "CONNECTED  west, no test\n"
            "           waits for nobody: it works (CONNECTED)\n");
}

TEST(StandingWords, LetNoPeerWriteToTheTerminal) {
  NodeStatus standing = running();
  standing.reason = "\x1b[2Jgone\nCOMPLETE";
  EXPECT_EQ(format_status(standing).find('\x1b'), std::string::npos);
  EXPECT_EQ(format_status(standing).find("\nCOMPLETE"), std::string::npos);
}

}  // namespace
}  // namespace trestle::operators
