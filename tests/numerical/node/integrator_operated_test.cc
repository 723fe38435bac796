// What people say to a test, at either end, and what becomes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::integrator_operated_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::IntegratorBench;
using testing::kSession;

Halt halt(FaultKind kind, const std::string& by) {
  return {kSession, "west", {kind, -1, 0.0, 0.0}, 0, "a crack", by};
}

/// West says what it is: equipment that could break.
void connect_real(IntegratorBench& bench) {
  for (const int site : {0, 1}) bench.hello(site);
  auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
  hello.site.real_equipment = hello.site.hardware_watchdog = true;
  bench.tick();
  for (const int site : {0, 1}) bench.configured(site);
  bench.tick();
}

TEST(IntegratorOperated, HoldsSimulatedRigsForAPersonAtASite) {
  IntegratorBench bench;
  bench.run();
  bench.transport.arrives(0, halt(FaultKind::kNone, "ada@lab"));
  bench.transport.arrives(1, Heartbeat{kSession});
  bench.tick();
  bench.transport.arrives(1, Heartbeat{kSession});
  bench.tick();
  EXPECT_TRUE(bench.node.waits_for_operator());
  EXPECT_EQ(bench.node.status().reason, "west: a crack");
  bench.tick(minutes(30));
  EXPECT_TRUE(bench.node.waits_for_operator()) << "a person takes his time";
  EXPECT_EQ(bench.node.resume("bob@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.last<Resume>().by, "bob@lab");
}

TEST(IntegratorOperated, SaysThatItHoldsAlready) {
  IntegratorBench bench;
  bench.run();
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  Heartbeat beat{kSession};
  beat.health.state = "HOLDING";
  beat.health.rig = "asked to hold";
  const auto say = [&bench, &beat] {
    for (const int site : {0, 1}) bench.transport.arrives(site, beat);
    bench.tick();
  };
  say();
  EXPECT_EQ(
      bench.node.hold("bob@lab", "a noise"),
      "the test is HOLDING already: the rigs were asked to hold, and nothing confirms "
      "it yet");
  beat.health.rig = "holds";
  say();
  EXPECT_EQ(bench.node.hold("bob@lab", "a noise"),
            "the test is HOLDING already: the rigs hold");
}

TEST(IntegratorOperated, SaysOnceThatARestartedSiteHasNoRecordAndRefusesTheResume) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.resumable = true;
  IntegratorBench bench(settings);
  bench.run_real_equipment();
  for (int n = 0; n < 5; ++n) {
    bench.hello(0);
    bench.tick();
  }
  Heartbeat beat{kSession};
  beat.health.state = "HOLDING";
  beat.health.rig = "holds";
  bench.transport.arrives(1, beat);
  bench.tick();
  EXPECT_NE(bench.node.status().reason.find("has no record of this session"),
            std::string::npos)
      << bench.node.status().reason;
  const auto told = std::count_if(
      bench.recorder.events.begin(), bench.recorder.events.end(),
      [](const std::string& event) {
        return event.find("has no record of this session") != std::string::npos;
      });
  EXPECT_EQ(told, 1);
  EXPECT_EQ(bench.node.status().peers.at(0).state, "AWAY");
  EXPECT_NE(bench.node.resume("ada@lab").find("bring the record of site west back"),
            std::string::npos);
}

TEST(IntegratorOperated, TakesNotesAndNothingElseChanges) {
  IntegratorBench bench;
  EXPECT_NE(bench.node.note("ada@lab", {.text = "early"}).find("no record is open"),
            std::string::npos);
  bench.run();
  const std::string state = bench.node.status().state;
  const std::int64_t step = bench.node.status().step;
  EXPECT_EQ(bench.node.note("ada@lab", {.text = "crack at the weld"}), "");
  EXPECT_EQ(bench.node.note("ada@lab", {.step = -1, .text = "zero seen"}), "");
  EXPECT_NE(
      bench.node.note("ada@lab", {.step = step + 1, .text = "x"}).find("not done yet"),
      std::string::npos);
  EXPECT_NE(bench.node.note("ada@lab", {.text = std::string(401, 'x')}).find("at most 400"),
            std::string::npos);
  EXPECT_EQ(bench.node.status().state, state);
  std::vector<std::string> noted;
  for (const AuditEntry& entry : bench.recorder.audits)
    if (entry.what == "noted") noted.push_back(entry.who + ": " + entry.text);
  ASSERT_EQ(noted.size(), 2U);
  EXPECT_EQ(noted[0].find("ada@lab: step " + std::to_string(step) + ", "), 0U) << noted[0];
  EXPECT_TRUE(noted[0].ends_with(" s: crack at the weld")) << noted[0];
}

TEST(IntegratorOperated, SendsAPersonsMessageToAllSitesAtOnceAndAgainInLaterHeartbeats) {
  IntegratorBench bench;
  bench.run();
  const int west = bench.transport.sent<Heartbeat>(0);
  const int east = bench.transport.sent<Heartbeat>(1);
  const std::int64_t step = bench.node.steps_done();
  EXPECT_EQ(bench.node.note("ada@lab", {.text = "back in ten minutes", .to_all = true}),
            "");
  EXPECT_EQ(bench.transport.sent<Heartbeat>(0), west + 1);
  EXPECT_EQ(bench.transport.sent<Heartbeat>(1), east + 1);
  const Announcement said = bench.transport.last<Heartbeat>().said;
  EXPECT_EQ(said.by, "ada@lab");
  EXPECT_EQ(said.text, "back in ten minutes");
  EXPECT_NE(said.number, 0);
  EXPECT_EQ(bench.node.status().said, said);
  EXPECT_EQ(bench.recorder.events.back(), "said: ada@lab: back in ten minutes");
  EXPECT_EQ(bench.node.steps_done(), step);
  bench.answer(0, step);  // who still owes an answer gets its target again
  bench.tick(seconds(1));
  EXPECT_GT(bench.transport.sent<Heartbeat>(0), west + 1);
  EXPECT_EQ(bench.transport.last<Heartbeat>().said, said);
  EXPECT_EQ(bench.node.note("ada@lab", {.text = "back in ten minutes", .to_all = true}),
            "");
  EXPECT_NE(bench.transport.last<Heartbeat>().said.number, said.number);
}

TEST(IntegratorOperated, PassesAPersonsMessageAtOneSiteOnToAllOnce) {
  IntegratorBench bench;
  bench.run();
  Heartbeat beat{kSession};
  beat.said = {7, "bob@west", "the pump is warm"};
  bench.transport.arrives(0, beat);
  bench.tick();
  EXPECT_EQ(bench.node.status().said.text, "the pump is warm");
  EXPECT_EQ(bench.transport.last<Heartbeat>().said.by, "bob@west");
  const std::int64_t number = bench.node.status().said.number;
  for (int n = 0; n < 3; ++n) {  // it is in each heartbeat of the site
    bench.transport.arrives(0, beat);
    bench.tick(seconds(1));
  }
  EXPECT_EQ(bench.node.status().said.number, number);
  EXPECT_EQ(std::count(bench.recorder.events.begin(), bench.recorder.events.end(),
                       "said: bob@west: the pump is warm"),
            1);
}

TEST(IntegratorOperated, PassesNotThousandsOfMessagesOfOneSiteOn) {
  IntegratorBench bench;
  bench.run();
  const auto said = [&bench] {
    return std::count_if(
        bench.recorder.events.begin(), bench.recorder.events.end(),
        [](const std::string& event) { return event.starts_with("said: "); });
  };
  const int east = bench.transport.sent<Heartbeat>(1);
  Heartbeat beat{kSession};
  for (int n = 1; n <= 1000; ++n) {
    beat.said = {n, "eve@west", "message " + std::to_string(n)};
    bench.transport.arrives(0, beat);
    if (n % 10 == 0) bench.tick();
  }
  EXPECT_EQ(said(), 16);
  EXPECT_LE(bench.transport.sent<Heartbeat>(1) - east, 17);
  // The rest is counted, and another site is heard.
  beat.said = {1, "bob@east", "who is eve?"};
  bench.transport.arrives(1, beat);
  bench.tick();
  EXPECT_EQ(bench.node.status().said.text, "who is eve?");
  EXPECT_EQ(said(), 17);
  EXPECT_EQ(bench.node.hold("ada@lab", "who is that?"), "");
  for (int n = 0; n < 11; ++n) {
    for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
    bench.tick(n == 0 ? Duration(std::chrono::milliseconds(1)) : seconds(1));
  }
  EXPECT_EQ(said(), 18);
  EXPECT_TRUE(std::ranges::any_of(bench.recorder.events, [](const std::string& event) {
    return event.starts_with("said: west: 984 more within ");
  }));
}

TEST(IntegratorOperated, RepeatsALostHaltInItsTimeHoweverOftenPeopleSpeak) {
  IntegratorBench bench;
  bench.run();
  EXPECT_EQ(bench.node.hold("ada@lab", "a crack"), "");
  const int halts = bench.transport.sent<Halt>(0);
  const Duration heartbeat = testing::integrator_settings().heartbeat;
  for (int n = 0; n < 6; ++n) {
    bench.node.note("ada@lab", {.text = "hold on", .to_all = true});
    bench.tick(heartbeat / 4);
  }
  EXPECT_GT(bench.transport.sent<Halt>(0), halts);
}

TEST(IntegratorOperated, EndsATestForAPersonAtASite) {
  IntegratorBench bench;
  bench.run();
  bench.transport.arrives(0, halt(FaultKind::kStopped, "ada@lab"));
  bench.tick();
  bench.finish();
  EXPECT_EQ(bench.transport.last<Stop>().by, "ada@lab");
  expect_end(bench, evaluation::RunResult::kStopped, "west: a crack");
}

/// Real equipment at west has met a limit, and the test waits for a person.
void fault_at_west(IntegratorBench& bench) {
  connect_real(bench);
  EXPECT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
  bench.tick();
  for (const int site : {0, 1}) bench.answer(site, kInitialStep);
  bench.tick();
  bench.transport.arrives(0, halt(FaultKind::kForceLimit, ""));
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  ASSERT_TRUE(bench.node.waits_for_operator());
}

TEST(IntegratorOperated, EndsATestWithRealEquipmentForAPersonAtASite) {
  IntegratorBench bench;
  fault_at_west(bench);
  EXPECT_NE(bench.node.status().waits.back().what.find("a person at site west"),
            std::string::npos)
      << bench.node.status().waits.back().what;
  bench.transport.arrives(1, halt(FaultKind::kStopped, "ada@lab"));
  bench.tick();
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped, "west: a crack; east: a crack");
}

Heartbeat beat(const std::string& state, const std::string& rig) {
  Heartbeat beat{kSession};
  beat.health.state = state;
  beat.health.rig = rig;
  return beat;
}

TEST(IntegratorOperated, ShowsHowItsSitesAreAsTheySaidLastAndWhen) {
  IntegratorBench bench;
  fault_at_west(bench);
  const auto west = [&bench] {
    return bench.node.status().peers.at(0);
  };
  EXPECT_EQ(west().state, "FAULT") << "not RUNNING, as it was, nor HOLDING, as it was told";
  EXPECT_EQ(west().rig, "asked to hold");
  bench.transport.arrives(0, beat("FAULT", "holds"));
  bench.tick();
  EXPECT_EQ(west().rig, "holds");
  bench.tick(seconds(7));
  EXPECT_NEAR(west().heard, 7.0, 0.01);
  bench.transport.arrives(0, beat("HOLDING", "asked to hold"));  // it was cleared there
  bench.tick();
  EXPECT_EQ(west().state, "HOLDING");
  EXPECT_NEAR(west().heard, 0.0, 0.01);
}

TEST(IntegratorOperated, TakesNoWordForAHoldThatWasSaidBeforeTheRigDoes) {
  IntegratorBench bench;
  fault_at_west(bench);
  bench.tick(minutes(1));
  bench.transport.arrives(0, beat("FAULT", "holds"));
  bench.transport.arrives(1, beat("HOLDING", "asked to hold"));
  bench.tick();
  EXPECT_EQ(bench.node.status().rig, "asked to hold");
  EXPECT_EQ(bench.node.status().waits.back().then, "the rigs were asked to hold");
  bench.transport.arrives(1, beat("HOLDING", "holds"));
  bench.tick();
  EXPECT_EQ(bench.node.status().rig, "holds");
  EXPECT_EQ(bench.node.status().waits.back().then, "the rigs hold");
}

TEST(IntegratorOperated, NamesTheFaultThatCameBeforeTheStop) {
  IntegratorBench bench;
  fault_at_west(bench);
  EXPECT_EQ(bench.node.stop("ada@lab", "for today"), "");
  bench.finish();
  expect_end(bench, evaluation::RunResult::kStopped,
             "west: a crack; stopped by ada@lab: for today");
}

TEST(IntegratorOperated, WaitsForStartChecksAsLongAsTheSiteSpeaks) {
  for (const bool speaks : {true, false}) {
    IntegratorBench bench;
    connect_real(bench);
    bench.tick(minutes(20));  // the operator takes long
    EXPECT_EQ(bench.node.arm("ada@lab"), "");
    bench.tick();
    bench.transport.arrives(1, Armed{kSession});
    for (int second = 0; second < 60; ++second) {
      if (speaks) bench.transport.arrives(0, Heartbeat{kSession});
      bench.tick(seconds(1));
    }
    EXPECT_EQ(bench.node.report().result, speaks ? evaluation::RunResult::kNotFinished
                                                 : evaluation::RunResult::kSiteLost);
  }
}

TEST(IntegratorOperated, SaysSinceWhenItWaitsHoweverOftenItAsksAgain) {
  IntegratorBench bench;
  bench.run();
  const std::size_t asked = bench.transport.commands.size();
  for (int second = 0; second < 2; ++second) bench.tick(seconds(1));
  EXPECT_GT(bench.transport.commands.size(), asked) << "it asks again";
  const NodeStatus standing = bench.node.status();
  ASSERT_EQ(standing.waits.size(), 2U);
  EXPECT_EQ(standing.waits[0].what, "answer to step 0");
  EXPECT_NEAR(standing.waits[0].since, 2.0, 1e-6);
  EXPECT_EQ(bench.node.hold("ada@lab", ""), "");
  EXPECT_EQ(bench.node.status().waits.at(0).what, "word that it holds");
  EXPECT_EQ(bench.node.status().waits.at(0).since, 0.0);
}

TEST(IntegratorOperated, BeginsAnewWithASiteThatWasRestartedBeforeTheFirstStep) {
  for (const bool started : {false, true}) {
    IntegratorBench bench;
    bench.connect();
    if (started)
      for (const int site : {0, 1}) bench.transport.arrives(site, Armed{kSession});
    bench.tick();
    bench.hello(0);
    bench.tick();
    bench.configured(0);
    bench.tick();
    if (!started) bench.transport.arrives(1, Armed{kSession});
    bench.transport.arrives(0, Armed{kSession});
    bench.tick();
    for (const int site : {0, 1}) bench.answer(site, kInitialStep);
    bench.tick();
    EXPECT_EQ(bench.node.status().state, "RUNNING") << bench.node.report().reason;
    EXPECT_EQ(bench.transport.sent<Start>(0), started ? 2 : 1);
    EXPECT_EQ(bench.transport.sent<Start>(1), 1);
  }
}

TEST(IntegratorOperated, AsksForTheWordToArmAgainWhereRealEquipmentBeginsAnew) {
  IntegratorBench bench;
  connect_real(bench);
  EXPECT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
  bench.transport.arrives(1, Armed{kSession});
  bench.hello(0);
  auto& hello = std::get<Hello>(bench.transport.waiting.back().session);
  hello.site.real_equipment = hello.site.hardware_watchdog = true;
  bench.tick();
  bench.configured(0);
  for (int minute = 0; minute < 20; ++minute) bench.tick(minutes(1));
  EXPECT_EQ(bench.transport.sent<Arm>(0), 1) << "its start checks may move it";
  EXPECT_EQ(bench.node.report().result, evaluation::RunResult::kNotFinished)
      << bench.node.report().reason;
  EXPECT_EQ(bench.node.status().waits.back().what,
            "the word to arm (trestle arm), again: site west was restarted, or heard "
            "nothing for as long as its watchdog allows");
  EXPECT_NE(
      std::ranges::find_if(bench.recorder.events,
                           [](const std::string& event) {
                             return event.starts_with("warning: site west begins again") &&
                                    event.ends_with("it waits to be armed again");
                           }),
      bench.recorder.events.end());
  EXPECT_EQ(bench.node.arm("bob@lab"), "");
  EXPECT_EQ(bench.transport.last<Arm>().by, "bob@lab");
  bench.tick();
  bench.transport.arrives(0, Armed{kSession});
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Start>(0), 1);
}

TEST(IntegratorOperated, ArmsOnceTheChecklistIsConfirmedAndTwoPersonsArmed) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.arming = {
      .checklist = {{"nobody in the cage"}}, .required = true, .words = 2, .armed_by = {}};
  IntegratorBench bench(settings);
  EXPECT_NE(bench.node.confirm("ada@lab", "nobody in the cage", "now"), "")
      << "nobody is asked yet";
  connect_real(bench);
  ASSERT_TRUE(bench.node.status().arming.has_value());
  EXPECT_NE(bench.node.arm("ada@lab").find("the checklist is open"), std::string::npos);
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 0);
  EXPECT_EQ(bench.node.confirm("ada@lab", "nobody in the cage", "now"), "");
  EXPECT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 0);
  EXPECT_EQ(bench.node.status().waits.back().what,
            "the word to arm (trestle arm), of a second person; ada@lab armed");
  EXPECT_NE(bench.node.arm("ada@lab"), "");
  EXPECT_EQ(bench.node.arm("bob@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
  EXPECT_EQ(bench.transport.last<Arm>().by, "ada@lab and bob@lab");
  EXPECT_FALSE(bench.node.status().arming.has_value());
  std::vector<std::string> said;
  for (const AuditEntry& entry : bench.recorder.audits)
    if (entry.what == "confirmed" || entry.what == "armed")
      said.push_back(entry.what + " by " + entry.who);
  EXPECT_EQ(said, (std::vector<std::string>{"confirmed by ada@lab", "armed by ada@lab",
                                            "armed by bob@lab", "armed by ada@lab",
                                            "armed by bob@lab"}))
      << "two sites";
}

TEST(IntegratorOperated, ArmsNoRigWhoseReadingsAreOutsideTheirBounds) {
  IntegratorBench bench;
  for (const int site : {0, 1}) bench.hello(site);
  auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
  hello.site.real_equipment = hello.site.hardware_watchdog = true;
  bench.tick();
  for (const int site : {0, 1}) bench.configured(site);
  auto& agreed = std::get<Configured>(bench.transport.waiting.front().session);
  agreed.checklist = {{"1.displacement within 1 mm", "1.displacement", 1e-3}};
  agreed.rest_bound = {std::numeric_limits<double>::infinity(), 200.0};
  bench.tick();
  const auto reads = [&bench](double displacement, double force) {
    Heartbeat beat{kSession};
    beat.health.state = "CONFIGURED";
    beat.health.mean = {displacement, force};
    beat.health.deviation = {1e-6, 4.0};
    bench.transport.arrives(0, beat);
    bench.tick();
  };
  reads(0.0, 350.0);
  EXPECT_NE(bench.node.arm("ada@lab").find(
                "not armed: site west: 1.force reads 350 N, its start-up check takes at "
                "most 200 N"),
            std::string::npos);
  ASSERT_TRUE(bench.node.status().arming);
  EXPECT_EQ(bench.node.status().arming->sites.at(0).readings.at(1),
            (ArmingReading{"1.force", "N", 350.0, 4.0, 200.0}));
  reads(2e-3, 150.0);
  EXPECT_NE(
      bench.node.arm("ada@lab").find("west.1.displacement within 1 mm (reads 0.002 m)"),
      std::string::npos);
  EXPECT_EQ(bench.transport.sent<Arm>(0), 0);
  reads(5e-4, 150.0);
  EXPECT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
}

TEST(IntegratorOperated, ArmsWithoutTheReadingsOfASiteWhoseTwinStandsForIt) {
  for (const bool twin : {true, false}) {
    IntegratorSettings settings = testing::integrator_settings();
    settings.sites[1].twin = twin;
    settings.arming.required = true;
    settings.arming.checklist = {
        {.text = "east.1.force within 0.2 kN",
         .reading = {.site = "east", .channel = "1.force", .within = 200.0}}};
    IntegratorBench bench(settings);
    connect_real(bench);
    bench.transport.arrives(1, Heartbeat{kSession});
    bench.tick();
    ASSERT_TRUE(bench.node.status().arming);
    EXPECT_EQ(bench.node.status().arming->checklist[0].waived,
              twin ? "NOT APPLICABLE: TWIN: site east is simulated by its twin; its "
                     "laboratory is not connected"
                   : "NOT APPLICABLE: site east is SIMULATED; a simulated rig is not read "
                     "before the arming");
    EXPECT_EQ(bench.node.arm("ada@lab"), "");
    bench.tick();
    EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
  }
}

TEST(IntegratorOperated, AsksForTheReadingsOfARealRigThatComesInPlaceOfASimulatedOne) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.arming.required = true;
  settings.arming.checklist = {
      {.text = "east.1.force within 0.2 kN",
       .reading = {.site = "east", .channel = "1.force", .within = 200.0}}};
  IntegratorBench bench(settings);
  connect_real(bench);
  ASSERT_STREQ(bench.node.status().arming->checklist[0].state(), "waived");
  // Its laboratory starts the site again, with the equipment.
  bench.hello(1);
  auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
  hello.site.real_equipment = hello.site.hardware_watchdog = true;
  bench.tick();
  EXPECT_NE(bench.node.arm("ada@lab").find("east.1.force within 0.2 kN (no reading yet)"),
            std::string::npos);
  bench.configured(1);
  bench.tick();
  EXPECT_NE(bench.node.arm("ada@lab").find("east.1.force within 0.2 kN (no reading yet)"),
            std::string::npos);
  EXPECT_EQ(bench.transport.sent<Arm>(0) + bench.transport.sent<Arm>(1), 0);
}

TEST(IntegratorOperated, ArmsARigThatBeginsAnewBesideOneThatIsArmedAndReportsNoReadings) {
  IntegratorBench bench;
  const auto connect = [&bench](int site) {
    bench.hello(site);
    auto& hello = std::get<Hello>(bench.transport.waiting.front().session);
    hello.site.real_equipment = hello.site.hardware_watchdog = true;
    bench.tick();
    bench.configured(site);
    std::get<Configured>(bench.transport.waiting.front().session).checklist = {
        {"1.force within 0.2 kN", "1.force", 200.0}};
    bench.tick();
  };
  const auto reads = [&bench](int site, const std::vector<double>& mean) {
    Heartbeat beat{kSession};
    beat.health.state = "CONFIGURED";
    beat.health.mean = mean;
    beat.health.deviation = std::vector<double>(mean.size(), 1.0);
    bench.transport.arrives(site, beat);
    bench.tick();
  };
  for (const int site : {0, 1}) connect(site);
  for (const int site : {0, 1}) reads(site, {0.0, 50.0});
  ASSERT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  bench.transport.arrives(0, Armed{kSession});
  bench.tick();
  reads(0, {});
  // East is restarted before it is armed.
  connect(1);
  reads(0, {});
  EXPECT_NE(bench.node.arm("ada@lab").find("east.1.force within 0.2 kN (no reading yet)"),
            std::string::npos);
  reads(1, {0.0, 60.0});
  reads(1, {});
  EXPECT_NE(bench.node.arm("ada@lab").find("east.1.force within 0.2 kN (no reading yet)"),
            std::string::npos);
  reads(1, {0.0, 60.0});
  EXPECT_EQ(bench.node.arm("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Arm>(0), 1);
  EXPECT_EQ(bench.transport.sent<Arm>(1), 2);
}

/// Real equipment at west is held after a fault there, in a test that was armed as these
/// settings state.
struct HeldBench : IntegratorBench {
  explicit HeldBench(const ArmingStatus& arming)
      : IntegratorBench([&arming] {
          IntegratorSettings settings = testing::integrator_settings();
          settings.arming = arming;
          return settings;
        }()) {
    connect_real(*this);
    for (const ChecklistItem& item : arming.checklist)
      node.confirm("ada@lab", item.text, "morning");
    node.arm("ada@lab");
    node.arm("bob@lab");
    tick();
    for (const int site : {0, 1}) transport.arrives(site, Armed{kSession});
    tick();
    for (const int site : {0, 1}) answer(site, kInitialStep);
    tick();
    hold_again();
  }
  void hold_again() {
    transport.arrives(0, halt(FaultKind::kForceLimit, ""));
    tick();
    for (const int site : {0, 1}) transport.arrives(site, Heartbeat{kSession});
    tick();
  }
};

TEST(IntegratorOperated, ResumesRealEquipmentOnceItsChecklistAndTwoPersonsSaySo) {
  HeldBench bench({.checklist = {{"nobody in the cage"}},
                   .required = true,
                   .words = 2,
                   .armed_by = {}});
  ASSERT_TRUE(bench.node.waits_for_operator());
  ASSERT_TRUE(bench.node.status().arming.has_value());
  EXPECT_EQ(bench.node.status().arming->checklist[0].by, "") << "that was this morning";
  EXPECT_NE(bench.node.resume("ada@lab").find("not resumed: the checklist is open: nobody"),
            std::string::npos);
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Resume>(0), 0);
  EXPECT_EQ(bench.node.confirm("bob@lab", "nobody in the cage", "now"), "");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Resume>(0), 0) << "one of two";
  const auto resumed = [&bench] {
    std::vector<std::string> persons;
    for (const AuditEntry& entry : bench.recorder.audits)
      if (entry.what == "resumed") persons.push_back(entry.who);
    return persons;
  };
  EXPECT_TRUE(resumed().empty()) << "nothing is";
  EXPECT_NE(bench.node.status().waits.back().what.find(
                "(trestle resume), of a second person; ada@lab resumed"),
            std::string::npos)
      << bench.node.status().waits.back().what;
  EXPECT_NE(bench.node.resume("ada@lab").find("ada@lab has resumed already"),
            std::string::npos);
  // Another reason to hold voids what was said.
  bench.hold_again();
  EXPECT_EQ(bench.node.status().arming->armed_by.size(), 0U);
  EXPECT_NE(bench.node.resume("bob@lab").find("the checklist is open"), std::string::npos);
  EXPECT_EQ(bench.node.confirm("bob@lab", "nobody in the cage", "now"), "");
  EXPECT_EQ(bench.node.resume("bob@lab"), "");
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  EXPECT_FALSE(bench.node.status().arming.has_value());
  bench.tick();
  ASSERT_EQ(bench.transport.sent<Resume>(0), 1);
  EXPECT_EQ(bench.transport.last<Resume>().by, "bob@lab and ada@lab");
  EXPECT_EQ(resumed(), (std::vector<std::string>{"bob@lab", "ada@lab"}));
  EXPECT_TRUE(std::ranges::any_of(bench.recorder.audits, [](const AuditEntry& entry) {
    return entry.what == "confirmed" && entry.who == "bob@lab" &&
           entry.text == "nobody in the cage (now)";
  }));
}

TEST(IntegratorOperated, AsksForNoClearOnceTheFaultIsCleared) {
  HeldBench bench({.checklist = {}, .required = false, .words = 1, .armed_by = {}});
  const auto asked = [&bench] {
    return bench.node.status().waits.back().what;
  };
  EXPECT_NE(asked().find("when a person at site west has cleared the fault there"),
            std::string::npos)
      << asked();
  Heartbeat beat{kSession};
  beat.health.state = "HOLDING";
  beat.health.rig = "holds";
  bench.transport.arrives(0, beat);
  bench.tick();
  EXPECT_EQ(asked().find("clear"), std::string::npos) << asked();
  EXPECT_NE(asked().find("the word to go on (trestle resume)"), std::string::npos)
      << asked();
  beat.health.state = "FAULT";
  bench.transport.arrives(0, beat);
  bench.tick();
  EXPECT_NE(asked().find("has cleared the fault there"), std::string::npos)
      << "another one, or the same again: " << asked();
}

TEST(IntegratorOperated, ResumesAtOnceWhereTheTestStatesNoChecklistAndOnePerson) {
  HeldBench bench({.checklist = {{"zero readings seen"}},
                   .required = false,
                   .words = 1,
                   .armed_by = {}});
  ASSERT_TRUE(bench.node.waits_for_operator());
  EXPECT_FALSE(bench.node.status().arming.has_value());
  EXPECT_EQ(bench.node.resume("ada@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.sent<Resume>(0), 1);
}

TEST(IntegratorOperated, ResumesSimulatedRigsAtOnceWhateverTheChecklist) {
  IntegratorSettings settings = testing::integrator_settings();
  settings.arming = {
      .checklist = {{"nobody in the cage"}}, .required = true, .words = 2, .armed_by = {}};
  IntegratorBench bench(settings);
  bench.run();
  bench.transport.arrives(0, halt(FaultKind::kNone, "ada@lab"));
  bench.tick();
  for (const int site : {0, 1}) bench.transport.arrives(site, Heartbeat{kSession});
  bench.tick();
  ASSERT_TRUE(bench.node.waits_for_operator());
  EXPECT_EQ(bench.node.resume("bob@lab"), "");
  bench.tick();
  EXPECT_EQ(bench.transport.last<Resume>().by, "bob@lab");
}

}  // namespace
}  // namespace trestle::integrator_node::integrator_operated_test
