// Which persons let held real equipment continue, in a process that resumes a record.
#include "numerical/node/hold_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/numerical/node/run_bench.h"

namespace trestle::integrator_node::hold_phase_test {
namespace {

constexpr const char* kCage = "nobody in the cage";

IntegratorSettings settings_of(const ArmingStatus& arming, const std::string& by) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resume = true;
  settings.arming = arming;
  settings.by = by;
  return settings;
}

/// All sites hold since before this process began, by the command of a person.
struct Bench : testing::RunBench {
  Bench(const ArmingStatus& arming, const std::string& by, bool real = true,
        const std::vector<RequiredItem>& of_site = {})
      : RunBench(settings_of(arming, by)) {
    phase = Phase::kHeld;
    peers[1].agreement.checklist = of_site;
    peers[1].agreement.description.real_equipment = real;
    holding.enter({Trigger::kReplayed});
  }

  RunHold hold{run};
  SiteAdmission admission{run, hold};
  HoldPhase holding{run, hold, admission};
};

TEST(HoldPhase, CountsThePersonWhoResumesARecordAsTheFirstOfTwo) {
  Bench bench({.checklist = {{kCage}}, .required = false, .words = 2, .armed_by = {}},
              "ada@lab");
  EXPECT_TRUE(bench.hold.needs_operator());
  ASSERT_NE(bench.holding.needed(), nullptr);
  EXPECT_EQ(bench.holding.needed()->armed_by, std::vector<std::string>{"ada@lab"});
  EXPECT_NE(bench.holding.resume("ada@lab"), "");
  EXPECT_TRUE(bench.hold.needs_operator());
  EXPECT_EQ(bench.holding.resume("bob@lab"), "");
  EXPECT_FALSE(bench.hold.needs_operator());
  EXPECT_EQ(bench.holding.needed(), nullptr);
  EXPECT_EQ(bench.hold.resumed_by(), "ada@lab and bob@lab");
  // A site is away still; a third person changes nothing.
  EXPECT_EQ(bench.holding.resume("eve@lab"), "");
  EXPECT_EQ(bench.hold.resumed_by(), "ada@lab and bob@lab");
}

// In a container without --as: the same person could be the second one by name.
TEST(HoldPhase, CountsNobodyOfTwoWhomNobodyKnows) {
  const ArmingStatus two{
      .checklist = {{kCage}}, .required = false, .words = 2, .armed_by = {}};
  Bench bench(two, "unknown (root@lab)");
  ASSERT_NE(bench.holding.needed(), nullptr);
  EXPECT_TRUE(bench.holding.needed()->armed_by.empty());
  EXPECT_NE(bench.holding.resume("unknown (root@lab)").find("--as NAME"),
            std::string::npos);
  EXPECT_EQ(bench.holding.resume("ada (root@lab)"), "");
  EXPECT_TRUE(bench.hold.needs_operator());
  EXPECT_EQ(bench.holding.resume("bob (root@lab)"), "");
  EXPECT_FALSE(bench.hold.needs_operator());
  // One command without a name is enough where the test asks for nobody.
  Bench one({.checklist = {{kCage}}, .required = false, .words = 1, .armed_by = {}}, "");
  EXPECT_EQ(one.holding.resume("unknown (root@lab)"), "");
  EXPECT_FALSE(one.hold.needs_operator());
}

TEST(HoldPhase, AsksForWhatASitesOwnFileRequires) {
  const ArmingStatus none{.checklist = {}, .required = false, .words = 1, .armed_by = {}};
  Bench bench(none, "ada@lab", true,
              {{"grips closed", "", 0.0}, {"1.force within 1 N", "1.force", 1.0}});
  ASSERT_NE(bench.holding.needed(), nullptr);
  const std::string item = bench.peers[1].name() + ": grips closed";
  EXPECT_EQ(bench.holding.needed()->checklist.size(), 1U) << "a held rig bears load";
  EXPECT_NE(bench.holding.resume("ada@lab").find("the checklist is open: " + item),
            std::string::npos);
  EXPECT_EQ(bench.holding.waive("ada@lab", item, "seen an hour ago", "now"), "");
  EXPECT_EQ(bench.holding.resume("ada@lab"), "");
  EXPECT_FALSE(bench.hold.needs_operator());
  Bench simulated(none, "ada@lab", false, {{"grips closed", "", 0.0}});
  EXPECT_EQ(simulated.holding.needed(), nullptr);
}

TEST(HoldPhase, CountsNoPersonWhileAnItemIsOpen) {
  Bench bench({.checklist = {{kCage}}, .required = true, .words = 1, .armed_by = {}},
              "ada@lab");
  EXPECT_TRUE(bench.hold.needs_operator());
  ASSERT_NE(bench.holding.needed(), nullptr);
  EXPECT_TRUE(bench.holding.needed()->armed_by.empty());
  EXPECT_EQ(bench.holding.confirm("ada@lab", kCage, "now"), "");
  EXPECT_TRUE(bench.hold.needs_operator()) << "an item is no command";
  EXPECT_EQ(bench.holding.resume("ada@lab"), "");
  EXPECT_EQ(bench.hold.resumed_by(), "ada@lab");
}

TEST(HoldPhase, NeedsOneCommandWhereTheTestStatesNothingOrNothingCanBreak) {
  Bench silent({.checklist = {{kCage}}, .required = false, .words = 1, .armed_by = {}},
               "ada@lab");
  EXPECT_EQ(silent.holding.needed(), nullptr);
  EXPECT_FALSE(silent.hold.needs_operator());
  Bench simulated({.checklist = {{kCage}}, .required = true, .words = 2, .armed_by = {}},
                  "ada@lab", /*real=*/false);
  EXPECT_EQ(simulated.holding.needed(), nullptr);
  EXPECT_FALSE(simulated.hold.needs_operator());
  Bench unattended({.checklist = {{kCage}}, .required = false, .words = 1, .armed_by = {}},
                   "");
  EXPECT_TRUE(unattended.hold.needs_operator());
  EXPECT_EQ(unattended.holding.resume("ada@lab"), "");
  EXPECT_FALSE(unattended.hold.needs_operator());
}

/// Real equipment of west has tripped, and the rest of the sites holds with it.
void hold_in_fault(testing::IntegratorBench& bench) {
  bench.run_real_equipment();
  bench.transport.arrives(0, Halt{testing::kSession,
                                  "west",
                                  {FaultKind::kInterlock, 0, 0.0, 0.0},
                                  0,
                                  "interlock cage is open",
                                  {}});
  bench.tick();
}

void say_state(testing::IntegratorBench& bench, const char* west) {
  for (const int site : {0, 1}) {
    Heartbeat beat{testing::kSession};
    beat.health.state = site == 0 ? west : "HOLDING";
    beat.health.rig = "holds";
    bench.transport.arrives(site, beat);
  }
  bench.tick();
  bench.tick();
}

/// A person at west holds the test.
Halt hold_of_west(std::int64_t number) {
  Halt halt{testing::kSession, "west", {}, 0, "held by bob@lab: a noise", "bob@lab"};
  halt.hold = number;
  return halt;
}

template <typename Message>
Message last_to(const testing::IntegratorBench& bench, int site) {
  Message found;
  for (const auto& [to, said] : bench.transport.sessions)
    if (const auto* const message = std::get_if<Message>(&said); message && to == site)
      found = *message;
  return found;
}

// A word that was given before the site's hold must not undo it: each says which it knows.
TEST(HoldPhase, SaysInEachWordWhichHoldOfTheSiteItKnows) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  bench.run_real_equipment();
  bench.transport.arrives(0, hold_of_west(7));
  bench.tick();
  say_state(bench, "HOLDING");
  ASSERT_TRUE(bench.node.waits_for_operator());
  EXPECT_EQ(last_to<Halt>(bench, 0).hold, 7) << "it is on record";
  EXPECT_EQ(last_to<Halt>(bench, 1).hold, 0) << "a hold of another site";
  const auto holds = [&bench] {
    return std::count_if(bench.recorder.audits.begin(), bench.recorder.audits.end(),
                         [](const AuditEntry& entry) { return entry.what == "held"; });
  };
  const auto held = holds();
  const int answered = bench.transport.sent<Halt>(0);
  bench.transport.arrives(0, hold_of_west(7));  // the answer was lost
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Halt>(0), answered + 1);
  EXPECT_EQ(holds(), held) << "it is one hold";
  say_state(bench, "HOLDING");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  for (int n = 0; n < 3; ++n) bench.tick();
  ASSERT_GE(bench.transport.sent<Resume>(0), 1);
  EXPECT_EQ(last_to<Resume>(bench, 0).hold, 7);
  EXPECT_EQ(last_to<Resume>(bench, 1).hold, 0);
  // Told once more against a Resume of before: the one that is out answers it.
  const int halts = bench.transport.sent<Halt>(0);
  bench.transport.arrives(0, hold_of_west(7));
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Halt>(0), halts);
  EXPECT_FALSE(bench.node.waits_for_operator());
  bench.transport.arrives(0, hold_of_west(8));
  bench.tick();
  say_state(bench, "HOLDING");
  EXPECT_TRUE(bench.node.waits_for_operator()) << "a hold that was said after that word";
}

// The sentence of the refusal would outlive the fault that it is about.
TEST(HoldPhase, ForgetsTheRefusalOfASiteInFaultWhenThatSiteLeavesFault) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  hold_in_fault(bench);
  say_state(bench, "FAULT");
  ASSERT_TRUE(bench.node.waits_for_operator());
  const std::string why = bench.node.status().reason;
  EXPECT_NE(why.find("interlock cage is open"), std::string::npos) << why;
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  for (int n = 0; n < 3; ++n) bench.tick();
  ASSERT_GE(bench.transport.sent<Resume>(0), 1);
  bench.transport.arrives(
      0, Rejection{"it cannot go on: it is FAULT: interlock cage is open", {}});
  bench.tick();
  say_state(bench, "FAULT");
  EXPECT_NE(bench.node.status().reason.find("site west refuses"), std::string::npos)
      << bench.node.status().reason;
  say_state(bench, "FAULT");
  EXPECT_NE(bench.node.status().reason.find("site west refuses"), std::string::npos)
      << "it is in FAULT still";
  say_state(bench, "HOLDING");  // a person has cleared it there
  EXPECT_EQ(bench.node.status().reason, why);
  EXPECT_TRUE(bench.node.waits_for_operator()) << "a person resumes it, again";
}

// A script resumes at once, and the site's word that its fault is cleared may be on its
// way.
TEST(HoldPhase, AnswersAResumeWithTheWordOfASiteInFault) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  hold_in_fault(bench);
  say_state(bench, "FAULT");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  EXPECT_TRUE(bench.node.command_under_way());
  EXPECT_FALSE(bench.node.take_outcome());
  for (int n = 0; n < 3; ++n) bench.tick();
  EXPECT_FALSE(bench.node.take_outcome()) << "west has not answered";
  bench.transport.arrives(
      0, Rejection{"it cannot go on: it is FAULT: interlock cage is open", {}});
  bench.tick();
  const std::optional<std::string> refusal = bench.node.take_outcome();
  ASSERT_TRUE(refusal);
  EXPECT_NE(refusal->find("site west refuses: it cannot go on"), std::string::npos)
      << *refusal;
  EXPECT_NE(refusal->find("trestle clear west"), std::string::npos) << *refusal;
  EXPECT_FALSE(bench.node.command_under_way());
  say_state(bench, "FAULT");  // the clear is not heard yet, and the site takes it up
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  EXPECT_EQ(bench.node.resume("bob@lab"), "");
  EXPECT_FALSE(bench.node.command_under_way()) << "it waits for the first one";
  for (int n = 0; n < 3; ++n) bench.tick();
  for (const int site : {0, 1})
    bench.transport.arrives(site, Resumed{testing::kSession, kInitialStep});
  bench.tick();
  EXPECT_EQ(bench.node.take_outcome(), "");
}

TEST(HoldPhase, WaitsASecondForTheWordOfASiteInFault) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  hold_in_fault(bench);
  say_state(bench, "FAULT");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  bench.tick(std::chrono::milliseconds(900));
  EXPECT_FALSE(bench.node.take_outcome());
  bench.tick(std::chrono::milliseconds(200));
  EXPECT_EQ(bench.node.take_outcome(), "");
}

TEST(HoldPhase, AnswersAResumeAtOnceWhereNoSiteIsInFault) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  hold_in_fault(bench);
  say_state(bench, "HOLDING");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  EXPECT_FALSE(bench.node.command_under_way());
}

// The same target comes with each resume.
TEST(HoldPhase, OffersNoResumeOfATestWhoseTargetASiteRefused) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  bench.run_real_equipment();
  bench.transport.arrives(
      0,
      Rejection{"the target would take actuator 1 to 61 mm, above its limit 60 mm at step "
                "0. A resume sends the same target again, so the test cannot go on: stop "
                "it",
                {FaultKind::kDisplacementLimit, 0, 0.061, 0.06}});
  bench.tick();
  say_state(bench, "HOLDING");
  ASSERT_TRUE(bench.node.waits_for_operator());
  const std::string word = bench.node.status().waits.back().what;
  EXPECT_NE(word.find("trestle stop"), std::string::npos) << word;
  EXPECT_EQ(word.find("trestle resume"), std::string::npos) << word;
}

// Another refusal is true until the test continues.
TEST(HoldPhase, KeepsTheRefusalOfASiteThatWasNotInFault) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  testing::IntegratorBench bench(settings);
  hold_in_fault(bench);
  say_state(bench, "HOLDING");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  for (int n = 0; n < 3; ++n) bench.tick();
  ASSERT_GE(bench.transport.sent<Resume>(0), 1);
  bench.transport.arrives(0, Rejection{"a command to its rig is under way (jog)", {}});
  bench.tick();
  say_state(bench, "HOLDING");
  say_state(bench, "HOLDING");
  EXPECT_NE(bench.node.status().reason.find("site west refuses"), std::string::npos)
      << bench.node.status().reason;
}

}  // namespace
}  // namespace trestle::integrator_node::hold_phase_test
