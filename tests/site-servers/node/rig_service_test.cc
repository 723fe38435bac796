// What a person's command at a rig meets in a fault, and beside a test.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_recorder.h"
#include "core/session/audit_actions.h"
#include "core/session/session_contract.h"
#include "site-servers/node/site_recorder.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/site-servers/node/rig_service_bench.h"

namespace trestle::site_node::rig_service_test {
namespace {

TEST(RigService, LatchesAFaultThatAPersonClears) {
  Bench bench;
  EXPECT_EQ(bench.jog("55mm", "10mm/s"), "");
  bench.hold_down(11.0);
  EXPECT_EQ(bench.node.state(), kFault);
  // 5 kN of 100 kN/m.
  EXPECT_NEAR(bench.rig.drive[0], 0.05, 2e-4);
  EXPECT_NE(bench.node.reason().find("force"), std::string::npos) << bench.node.reason();
  EXPECT_NE(bench.node.reason().find("during the jog of actuator 1"), std::string::npos);
  EXPECT_NE(bench.node.reason().find("site.yaml:9"), std::string::npos);
  const int before = bench.rig.writes;
  EXPECT_NE(bench.jog("-1mm", "1mm/s").find("FAULT"), std::string::npos);
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_EQ(bench.node.clear(kAda), "");
  EXPECT_NE(bench.node.state(), kFault);
  bench.rig.stiffness = 1e3;  // the load was taken off
  EXPECT_EQ(bench.jog("-1mm", "1mm/s"), "");
  bench.hold_down(4.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
}

TEST(RigService, HoldsARigWhoseProtectionActs) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.hold_down(2.0);
  bench.rig.status = AdapterStatus::kTripped;
  const int before = bench.rig.writes;
  bench.run_for(0.5);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_EQ(bench.node.state(), kFault);
  EXPECT_NE(bench.node.reason().find("the emergency stop is open"), std::string::npos);
}

TEST(RigService, SaysThatASafeActionIsNotEndedByAHold) {
  Bench bench({.ramps_home = true});
  EXPECT_EQ(bench.jog("55mm", "70mm/s"), "");
  for (int n = 0; n < 20 && bench.node.state() != kFault; ++n) bench.hold_down(0.5);
  ASSERT_EQ(bench.report().state, "acts safely") << bench.report().outcome;
  for (const std::string& why :
       {bench.node.command_rig("bob@lab", {.action = Action::kEnd}),
        bench.node.hold("bob@lab", "a noise"), bench.node.stop("bob@lab", "a noise")})
    EXPECT_NE(why.find("the equipment's emergency stop ends it"), std::string::npos) << why;
  bench.run_for(120.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
}

// The site's server ends in the middle: no thread drives the rig any more, and the last
// order was a drive.
TEST(RigService, HoldsARigWhoseSafeActionItEnds) {
  std::string last;
  {
    Bench bench({.ramps_home = true});
    bench.rig.last_word = &last;
    EXPECT_EQ(bench.jog("55mm", "70mm/s"), "");
    for (int n = 0; n < 20 && bench.node.state() != kFault; ++n) bench.hold_down(0.5);
    ASSERT_EQ(bench.report().state, "acts safely") << bench.report().outcome;
    bench.run_for(0.2);
    ASSERT_EQ(bench.report().state, "acts safely");
    ASSERT_EQ(last, "drive");
  }
  EXPECT_EQ(last, "hold");
}

TEST(RigService, BeginsNothingInAFaultThatNobodyHasCleared) {
  Bench bench({.fault = "force 9 kN at actuator 1 is above its limit 5 kN"});
  EXPECT_NE(bench.jog("1mm", "1mm/s").find("FAULT (force 9 kN"), std::string::npos);
  for (const Action action : {Action::kZero, Action::kTare, Action::kUndoTare})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("FAULT"),
              std::string::npos);
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.prepared, 0);
  EXPECT_EQ(bench.rig.writes, 0);
}

// ---------------------------------------------------------------- beside tests

TEST(RigService, TakesNoTestWhileACommandIsUnderWayAndTakesItAfterwards) {
  Bench bench;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  EXPECT_EQ(bench.jog("2mm", "1mm/s"), "");
  bench.run_for(0.4);
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("jog of actuator 1"),
            std::string::npos);
  // So is one that wants to resume.
  bench.configure.resume = true;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Rejection>(0), 2);
  bench.configure.resume = false;
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(6.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 1);
}

std::unique_ptr<journal::JournalRecorder> recorder_in(
    const testing::TemporaryFolder& folder) {
  journal::JournalRecorder::Settings settings;
  settings.folder = folder.path();
  settings.name = settings.node = "west";
  return std::make_unique<journal::JournalRecorder>(settings);
}

/// The record of a test that ends with its site's process, after step 0.
/// @param drive  that both actuators were given last; empty: none is on record
/// @param stopped_by  a person, before that; empty: nobody
/// @param done  step 0; else it was only begun
void cut_off_a_test(const testing::TemporaryFolder& folder,
                    const std::optional<DriveInForce>& drive = std::nullopt,
                    const std::string& stopped_by = {}, bool done = true) {
  const auto journal = recorder_in(folder);
  SiteRecorder record(journal->recording());
  Configure configure;
  configure.session = kSession;
  configure.test = "frame";
  configure.mode = name(ExecutionMode::kPseudoDynamic);
  configure.time_step = 0.01;
  configure.ticks_per_step = 5;
  configure.layout = {{.name = "floor.x"}};
  const std::vector<ActuatorDescription> actuators{{"1", DofKind::kTranslation},
                                                   {"2", DofKind::kRotation}};
  SiteSchema schema("west", configure.layout, actuators, {});
  schema.add_drives(actuators);
  record.open(configure, schema, "as agreed", "1.0");
  const ActuatorVector both = ActuatorVector::Zero(2);
  StepResponse response;
  response.session = kSession;
  response.measured = response.force = InterfaceVector::Zero(1);
  response.actuators = {both, both, both, both, both, both};
  response.step = kInitialStep;
  record.closing_row(response, 0);
  StepCommand command;
  command.step = response.step = 0;
  command.target.displacement = InterfaceVector::Zero(1);
  record.intent(command);
  if (done) record.result(response, 5);
  if (drive) record.keep_told(*drive, 5);
  if (!stopped_by.empty())
    record.audit(session::audit_stopped(stopped_by, "bus: integrator", "for today"));
}

TEST(RigService, MovesNothingBesideATestThatWasCutOffBeforeAPersonSetsItAside) {
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder);
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  const std::string refusal = bench.jog("1mm", "1mm/s");
  EXPECT_NE(refusal.find("was cut off at step 0 "), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("trestle rig set-aside"), std::string::npos) << refusal;
  EXPECT_EQ(bench.rig.writes, 0);
  // Nor does another test begin.
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  Configure other = bench.configure;
  other.session.fill(0x77);
  bench.gets(other);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  const std::string kept = bench.transport.last<Rejection>().reason;
  EXPECT_NE(kept.find("was cut off here at step 0, and the rig is kept for it"),
            std::string::npos)
      << kept;
  EXPECT_NE(kept.find("trestle rig set-aside west"), std::string::npos) << kept;

  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}), "");
  EXPECT_FALSE(bench.node.command_under_way());
  EXPECT_TRUE(bench.report().done);
  EXPECT_NE(bench.report().outcome.find("cannot be resumed any longer"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0) << "it moves nothing";
  ASSERT_EQ(bench.kept.acts.size(), 1U);
  EXPECT_EQ(bench.kept.acts[0].who, kAda);
  EXPECT_NE(bench.kept.acts[0].text.find("to be set aside"), std::string::npos);

  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.hold_down(3.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  // The integrator comes back after all.
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.configure.resume = true;
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_EQ(bench.transport.last<Hello>().last_session, bench.configure.session);
  EXPECT_FALSE(bench.transport.last<Hello>().can_resume) << "the test is over here";
  bench.gets(other);
  // The folder of this bench has room for one record only.
  EXPECT_NE(
      bench.transport.last<Rejection>().reason.find("give the test a separate folder"),
      std::string::npos)
      << bench.transport.last<Rejection>().reason;
}

// The rig may stand in the middle of its first step.
TEST(RigService, KeepsTheRigForATestThatWasCutOffInItsFirstStep) {
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder, std::nullopt, {}, /*done=*/false);
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.configure.session.fill(0x77);
  bench.gets(bench.configure);
  EXPECT_EQ(bench.transport.sent<Configured>(0), 0);
  EXPECT_NE(bench.transport.last<Rejection>().reason.find("was cut off here at step 0"),
            std::string::npos)
      << bench.transport.last<Rejection>().reason;
}

// The site was killed in the stop, and does not know whether the integrator has ended.
TEST(RigService, NamesBothWaysOutOfATestThatWasStoppedAndCutOff) {
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder, std::nullopt, "bob@lab");
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  const std::vector<PendingWait> waits = bench.node.status().waits;
  ASSERT_FALSE(waits.empty());
  for (const std::string& said :
       {bench.jog("1mm", "1mm/s"), bench.node.stop(kAda, "at last"), waits.back().what}) {
    EXPECT_NE(said.find("which ends it"), std::string::npos) << said;
    EXPECT_NE(said.find("stopped by bob@lab"), std::string::npos) << said;
    EXPECT_NE(said.find("trestle rig set-aside west, then trestle rig home west"),
              std::string::npos)
        << said;
    EXPECT_EQ(said.find("and end it there"), std::string::npos) << said;
  }
}

TEST(RigService, BeginsFromTheDriveOfATestThatWasSetAside) {
  ActuatorVector drive = ActuatorVector::Zero(2);
  drive[0] = 0.002;
  const double gain = 0.9;  // the servo's offset: 0.2 mm, beyond a transducer's noise
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder, DriveInForce{drive, drive, drive, gain * drive});
  const auto journal = recorder_in(folder);
  Bench bench({}, journal.get());
  bench.rig.reports = false;
  bench.rig.gain = gain;
  bench.rig.drive = drive;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}), "");
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "") << "no --drive: it is on record";
  bench.hold_down(3.0);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.003, 1e-12) << "1 mm from the drive";
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));

  // The same record, of a rig that was since moved by other means, released, or released by
  // a process before.
  enum class Since { kMoved, kReleased, kReleasedBefore };
  for (const Since what : {Since::kMoved, Since::kReleased, Since::kReleasedBefore}) {
    const testing::TemporaryFolder other;
    cut_off_a_test(other, DriveInForce{drive, drive, drive, gain * drive});
    const auto record = recorder_in(other);
    Special before;
    if (what == Since::kReleasedBefore)
      before.kept.acts = {{kAda, "operator channel", "rig",
                           "2026-11-27T09:12:03.000Z release of the pressure: commanded"}};
    Bench since(before, record.get());
    since.rig.reports = false;
    since.rig.gain = gain;
    since.rig.drive = what == Since::kMoved ? -drive : drive;
    if (what == Since::kReleased) {
      EXPECT_EQ(since.node.command_rig(kAda, {.action = Action::kRelease}), "");
      since.run_for(0.1);
      EXPECT_EQ(since.rig.released, 1) << since.outcome();
    }
    EXPECT_EQ(since.node.command_rig(kAda, {.action = Action::kSetAside}), "");
    EXPECT_EQ(since.jog("1mm", "1mm/s"), "");
    since.run_for(0.1);
    EXPECT_NE(since.outcome().find("does not stand where this site left it"),
              std::string::npos)
        << static_cast<int>(what);
    EXPECT_EQ(since.rig.writes, 0);
  }
}

TEST(RigService, SetsNothingAsideWhereNoTestWasCutOffOrNobodyWouldKnow) {
  Bench bench;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kSetAside}),
            "no test was cut off here; there is nothing to set aside");
  const testing::TemporaryFolder folder;
  cut_off_a_test(folder);
  const auto journal = recorder_in(folder);
  Bench broken({}, journal.get());
  broken.kept.broken = "the diary cannot be written";
  EXPECT_NE(broken.node.command_rig(kAda, {.action = Action::kSetAside})
                .find("is not set aside: the diary cannot be written"),
            std::string::npos);
  EXPECT_NE(broken.jog("1mm", "1mm/s").find("was cut off at step 0 "), std::string::npos);
}

TEST(RigService, CommandsNothingInASession) {
  Bench bench;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  ASSERT_EQ(bench.node.state(), kConfigured);
  const int prepared = bench.rig.prepared;
  for (const Action action : {Action::kStatus, Action::kZero, Action::kTare,
                              Action::kUndoTare, Action::kExercise, Action::kRelease})
    EXPECT_NE(
        bench.node.command_rig(kAda, {.action = action}).find("between two tests only"),
        std::string::npos);
  EXPECT_NE(bench.jog("1mm", "1mm/s").find("between two tests only"), std::string::npos);
  EXPECT_EQ(bench.rig.prepared, prepared);
  EXPECT_EQ(bench.rig.released, 0);
}

TEST(RigService, GivesItsActsToTheRecordOfTheNextTestAndItsDriveToTheFirstStep) {
  Bench bench;
  bench.rig.reports = false;
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "measured"), "");
  bench.hold_down(6.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  const auto& audits = bench.recorder.audits;
  EXPECT_EQ(std::count_if(audits.begin(), audits.end(),
                          [](const AuditEntry& entry) { return entry.what == "rig"; }),
            2);
  EXPECT_TRUE(bench.kept.acts.empty());
  EXPECT_EQ(bench.kept.handed_over.size(), 2U);
  bench.rig.gain = 1.0 - 1e-5;  // it would jump if it began at the measurement
  bench.gets(Arm{kSession,
                 session::contract_hash(bench.transport.last<Configured>().contract),
                 "ada@lab"});
  bench.gets(Start{kSession, bench.clock.now()});
  bench.run_for(0.5);
  StepCommand command;
  command.session = kSession;
  command.step = 0;
  command.target = InterfaceMotion::zero(2);
  command.target.displacement << 0.002, 0.0;
  const int before = bench.rig.writes;
  bench.transport.arrives(0, command);
  bench.run_for(0.2);
  EXPECT_GT(bench.rig.writes, before);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));
}

TEST(RigService, HoldsWhenAPersonHoldsTheSiteOrItsServerEnds) {
  for (const bool leaves : {false, true}) {
    Bench bench;
    EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
    bench.hold_down(2.0);
    const int before = bench.rig.writes;
    const int holds = bench.rig.holds;
    if (leaves)
      bench.node.leave("bob@lab", "signal", "SIGTERM");
    else
      EXPECT_EQ(bench.node.hold("bob@lab", "a noise"), "");
    EXPECT_GT(bench.rig.holds, holds);
    bench.run_for(0.5);
    EXPECT_EQ(bench.rig.writes, before);
    EXPECT_FALSE(bench.report().done);
    EXPECT_EQ(bench.report().state, "over");
  }
}

TEST(RigService, ReleasesThePressureAsTheDriverOffersItAndForgetsTheDrive) {
  Bench bench;
  bench.rig.reports = false;
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "measured"), "");
  bench.hold_down(6.0);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kRelease}), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.rig.released, 1);
  EXPECT_TRUE(bench.report().done);
  // A person may be at the rig: it is taken up by a person's command alone.
  const int prepared = bench.rig.prepared;
  for (const Action action : {Action::kStatus, Action::kTare, Action::kUndoTare})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("was released"),
              std::string::npos);
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.prepared, prepared);
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("nobody knows which drive"), std::string::npos);
  EXPECT_EQ(bench.node.command_rig("", {.action = Action::kStatus}), "");
  bench.run_for(1.5);
  bench.rig.offers_release = false;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kRelease}), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("offers no release"), std::string::npos);
}

}  // namespace
}  // namespace trestle::site_node::rig_service_test
