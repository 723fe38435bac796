#include <cmath>
#include <csignal>
#include <memory>

#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

const Words kPatient{"excitation.synthetic.duration=3600 s", "deadlines.heartbeat=50 ms",
                     "deadlines.watchdog=3 s", "deadlines.hold=60 s"};
const Words kSimulated{"mode=simulated", "clock=wall"};
const Words kPseudoDynamic{"mode=pseudo-dynamic", "pseudo_dynamic.settle=2 ms",
                           "pseudo_dynamic.average=2 ms", "pseudo_dynamic.rate=100 mm/s",
                           "pseudo_dynamic.rotation_rate=100 mrad/s"};

/// Two sites of which west could break, and people who say when it moves.
class OperatorFlow : public OperatorLab, public testing::WithParamInterface<Words> {
 protected:
  Words test(const Words& settings = {}) const {
    return running(kPatient + GetParam() + settings);
  }
  /// Long enough to be held in it, short enough to be waited for.
  Words brief(const char* simulated) const {
    const bool quick = GetParam() == kSimulated;
    return GetParam() + Words{std::string("duration=") + (quick ? simulated : "0.6 s"),
                              "deadlines.heartbeat=50 ms", "deadlines.hold=60 s"};
  }
  /// The record of the undisturbed test.
  std::string undisturbed(const Words& settings) const {
    const Ended ended =
        trestle(Words{"run", example("test.yaml"), "--out", "here"} + set(settings));
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    return exported("here");
  }
  void hold_and_go_on(const std::string& where) const {
    until_asked("run", "RUNNING", 0);
    tell({"hold", where});
    until("run", "HOLDING");
    tell({"resume", "run"});
  }
};

const auto mode_name = [](const auto& mode) {
  return mode.param == kSimulated ? "Simulated" : "PseudoDynamic";
};
INSTANTIATE_TEST_SUITE_P(Modes, OperatorFlow, testing::Values(kSimulated, kPseudoDynamic),
                         mode_name);
// Real equipment is never driven as fast as it goes.
class OperatorOfEquipment : public OperatorFlow {};
INSTANTIATE_TEST_SUITE_P(Modes, OperatorOfEquipment, testing::Values(kPseudoDynamic),
                         mode_name);

TEST_F(OperatorLab, RefusesToGoAsFastAsItCanWithRealEquipment) {
  Program west(real("west"), folder());
  Program east(serving("east"), folder());
  const Ended refused = trestle(running({"mode=simulated", "clock=wall"}));
  EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
  EXPECT_TRUE(holds(refused.out,
                    "site west cannot run in mode simulated, which goes as "
                    "fast as it can: it is real equipment"))
      << refused.out;
}

TEST_P(OperatorOfEquipment, BeginsWithRealEquipmentWhenAPersonArmsIt) {
  Program west(real("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(test(), folder());
  EXPECT_TRUE(integrator.says("trestle arm run")) << integrator.err();
  EXPECT_EQ(why("run").find("waits for the operator: the word to arm (trestle arm)"), 0U)
      << why("run");
  EXPECT_EQ(until("west-records", "CONFIGURED").at("step"), nullptr);
  EXPECT_TRUE(holds(refusal({"arm", "west-records"}), "trestle arm RUN-FOLDER"));
  EXPECT_TRUE(holds(refusal({"resume", "run"}), "nothing to resume"));
  tell({"arm", "run"});
  until("run", "RUNNING", 3);
  until("west-records", "RUNNING", 3);
  EXPECT_TRUE(holds(refusal({"arm", "run"}), "nobody has to arm it now"));
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
}

TEST_P(OperatorOfEquipment, IsArmedWhenItsChecklistIsConfirmedByPersons) {
  Program west(real("west", {"limits.actuators[1].force=45 kN.m"}), folder());
  Program east(serving("east"), folder());
  Program integrator(test({"checklist=[nobody in the cage, limits read]", "arming.words=2",
                           "excitation.synthetic.duration=60 s"}),
                     folder());
  until_why("run", "the word to arm (trestle arm), of two persons");
  EXPECT_TRUE(holds(
      why("run"), "the checklist: 0 of 2 confirmed; open: nobody in the cage; limits read"))
      << why("run");
  EXPECT_TRUE(holds(refusal({"arm", "run", "--as", "ada"}),
                    "the checklist is open: nobody in the cage; limits read"));
  const Ended listed = trestle({"arm", "run", "--checklist", "--tick", "2", "--as", "ada"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_TRUE(holds(listed.out, "site west, real equipment, its clock known within "))
      << listed.out;
  EXPECT_TRUE(holds(listed.out, "site west, actuator 1: at most ")) << listed.out;
  EXPECT_TRUE(holds(listed.out, "site west, actuator 1 is asked for up to 12.473 mm, "))
      << listed.out;
  EXPECT_TRUE(holds(listed.out,
                    "50.06 kN.m (linear estimate): ABOVE ITS LIMIT of force\nsite east"))
      << listed.out;
  EXPECT_TRUE(holds(listed.out, "GB free in run\n")) << listed.out;
  EXPECT_TRUE(holds(listed.out, "not ticked 1 nobody in the cage\n")) << listed.out;
  EXPECT_TRUE(holds(listed.out, "ticked     2 limits read: ")) << listed.out;
  EXPECT_EQ(trestle({"arm", "run", "--tick", "3", "--as", "ada"}).code, 2);
  tell({"arm", "run", "--tick", "1", "--as", "ada"});
  until_why("run", "of a second person; ");
  EXPECT_TRUE(holds(refusal({"arm", "run", "--as", "ada"}), "has armed already"));
  tell({"arm", "run", "--as", "bob"});
  until("run", "RUNNING", 1);
  EXPECT_EQ(trestle({"arm", "run", "--checklist"}).code, 3);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_TRUE(holds(audit.out, "confirmed")) << audit.out;
  EXPECT_TRUE(holds(audit.out, "nobody in the cage")) << audit.out;
}

TEST_P(OperatorOfEquipment, IsArmedWhenAPersonWaivesAnItemAndSaysWhy) {
  Program west(real("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(test({"checklist=[nobody in the cage, {ask: oil warm}, limits read]"}),
                     folder());
  until_why("run", "the word to arm (trestle arm)");
  const Ended unsaid = trestle({"arm", "run", "--waive", "2", "--as", "ada"});
  EXPECT_EQ(unsaid.code, 2);
  EXPECT_TRUE(holds(unsaid.err, "--waive needs a --reason")) << unsaid.err;
  const Ended unknown =
      trestle({"arm", "run", "--waive", "oil", "--reason", "summer", "--as", "ada"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(holds(unknown.err, "--waive oil: the checklist has no such item"))
      << unknown.err;
  const Ended listed = trestle({"arm", "run", "--checklist", "--waive", "oil warm",
                                "--reason", "it is summer", "--as", "bob"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_TRUE(holds(listed.out, "waived     2 oil warm: bob")) << listed.out;
  EXPECT_TRUE(holds(listed.out, ": it is summer\n")) << listed.out;
  EXPECT_TRUE(holds(listed.out,
                    "what the test asks of the sites is not estimated here, because it "
                    "takes too long: trestle check run/effective.yaml tells it\n"))
      << listed.out;
  EXPECT_TRUE(holds(refusal({"arm", "run", "--as", "ada"}),
                    "the checklist is open: nobody in the cage; limits read"));
  tell({"arm", "run", "--tick", "1", "--waive", "3", "--reason", "same as this morning",
        "--as", "ada"});
  until("run", "RUNNING", 1);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_TRUE(holds(audit.out, "waived")) << audit.out;
  EXPECT_TRUE(holds(audit.out, "same as this morning")) << audit.out;
}

TEST_P(OperatorOfEquipment, IsArmedWhenItsReadingsAreInsideTheirBounds) {
  Program west(real("west", {"checklist=[grips closed]", "start_checks.zero_force=2 MN"}),
               folder());
  Program east(serving("east"), folder());
  Program integrator(
      test({"checklist=[{read: west.1.force, within: 1 MN}, {read: west.1.displacement, "
            "within: 1e-30 m}]"}),
      folder());
  until_why("run", "1 of 3 confirmed");  // as soon as the site reports what it reads
  const Ended listed = trestle({"arm", "run", "--checklist", "--tick", "3", "--as", "ada"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_TRUE(holds(listed.out, "site west, 1.force reads ")) << listed.out;
  EXPECT_TRUE(holds(listed.out, ", at most 2000 kN: ok\n")) << listed.out;
  EXPECT_TRUE(holds(listed.out, "ticked     3 west: grips closed: ada")) << listed.out;
  EXPECT_TRUE(holds(refusal({"arm", "run", "--as", "ada"}),
                    "the checklist is open: west.1.displacement within 1e-30 m (reads "));
  tell({"arm", "run", "--waive", "2", "--reason", "its noise", "--as", "ada"});
  until("run", "RUNNING", 1);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_TRUE(holds(audit.out, "west.1.force within 1 MN (reads ")) << audit.out;
  const std::string effective = read("run/effective.yaml");
  EXPECT_TRUE(holds(effective, "west.1.force")) << effective;
}

TEST_F(OperatorLab, RefusesAReadingOfNoTransducer) {
  const Ended checked = trestle(
      running({"checklist=[{read: wast.1.force, within: 1 kN}]", "mode=pseudo-dynamic"}));
  EXPECT_EQ(checked.code, 2) << checked.out;
  EXPECT_TRUE(holds(checked.out + checked.err, "names no site of this test"))
      << checked.out << checked.err;
}

// In the process that held it, and in one that resumes what a dead one left.
TEST_P(OperatorOfEquipment, IsResumedWhenItsChecklistIsConfirmedAgainByPersons) {
  Program west(real("west"), folder());
  Program east(serving("east"), folder());
  auto integrator = std::make_unique<Program>(
      test({"checklist=[nobody in the cage, limits read]", "arming.words=2",
            "excitation.synthetic.duration=60 s"}),
      folder());
  until_why("run", "the word to arm (trestle arm), of two persons");
  tell({"arm", "run", "--tick", "1", "--tick", "2", "--as", "ada"});
  tell({"arm", "run", "--as", "bob"});
  until("run", "RUNNING", 1);
  tell({"hold", "run"});
  until("run", "HOLDING");
  EXPECT_TRUE(holds(refusal({"resume", "run", "--as", "ada"}),
                    "not resumed: the checklist is open: nobody in the cage; limits read"));
  const Ended listed =
      trestle({"resume", "run", "--checklist", "--tick", "2", "--as", "ada"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_TRUE(holds(listed.out, "not ticked 1 nobody in the cage\n")) << listed.out;
  tell({"resume", "run", "--tick", "1", "--as", "ada"});
  until_why("run", "of a second person; ");
  tell({"resume", "run", "--as", "bob"});
  const auto step = until("run", "RUNNING").at("step").get<std::int64_t>();
  integrator->signal(SIGKILL);
  EXPECT_EQ(integrator->exit_code(), 128 + SIGKILL);
  until("west-records", "HOLDING");
  until("east-records", "HOLDING");
  integrator = std::make_unique<Program>(Words{"resume", "run", "--as", "ada"}, folder());
  until_why("run", "(trestle resume), of two persons");
  EXPECT_TRUE(integrator->says("trestle resume")) << integrator->err();
  tell({"resume", "run", "--tick", "1", "--tick", "2", "--as", "bob"});
  until_why("run", "of a second person; ");
  tell({"resume", "run", "--as", "ada"});
  until("run", "RUNNING", step + 1);
  tell({"stop", "run"});
  EXPECT_EQ(integrator->exit_code(), 3) << integrator->out();
}

// A script that knows of no checklist arms as it did.
TEST_P(OperatorOfEquipment, IsArmedByAScriptAlthoughTheDefaultListIsOpen) {
  Program west(real("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(test(), folder());
  until_why("run", "the word to arm (trestle arm), since");
  const Ended armed = trestle({"arm", "run"});
  EXPECT_EQ(armed.code, 0) << armed.err;
  EXPECT_TRUE(holds(armed.out, "not ticked 2 nobody in the cage\n")) << armed.out;
  until("run", "RUNNING", 1);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
}

// It stands still when the word to arm comes, and is dead before its start checks.
TEST_P(OperatorOfEquipment, SaysWhyItIsToBeArmedAgain) {
  auto west = std::make_unique<Program>(real("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(test(), folder());
  until_why("run", "the word to arm (trestle arm), since");
  west->signal(SIGSTOP);
  tell({"arm", "run"});
  until_why("run", "waits for site west");
  west->signal(SIGKILL);
  EXPECT_EQ(west->exit_code(), 128 + SIGKILL);
  west = std::make_unique<Program>(real("west"), folder());
  const std::string again = "again: site west was restarted, or heard nothing";
  until_why("run", again);
  EXPECT_TRUE(integrator.says(again)) << integrator.err();
  tell({"arm", "run"});
  until("run", "RUNNING", 1);
  EXPECT_FALSE(holds(why("run"), again)) << why("run");
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
}

TEST_P(OperatorOfEquipment, RefusesRealEquipmentThatNothingStops) {
  Program west(serving("west", {"as_real_equipment=true"}), folder());
  Program east(serving("east"), folder());
  const Ended refused = trestle(test());
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(holds(refused.out, "site west is real equipment that nothing stops"))
      << refused.out;
  EXPECT_TRUE(holds(refused.out, "arming.without_hardware_watchdog")) << refused.out;
}

TEST_P(OperatorOfEquipment, TakesRealEquipmentThatNothingStopsWhereTheTestSaysSo) {
  Program west(serving("west", {"as_real_equipment=true"}), folder());
  Program east(serving("east"), folder());
  Program integrator(test({"arming.without_hardware_watchdog=true"}), folder());
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until("run", "RUNNING", 1);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  EXPECT_TRUE(holds(audit.out, "arming.without_hardware_watchdog")) << audit.out;
}

TEST_P(OperatorFlow, HoldsAndGoesOnForAPersonAtTheSite) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(test(), folder());
  until("run", "RUNNING", 3);
  tell({"hold", "west-records", "--reason", "a crack"});
  until("run", "HOLDING");
  until("east-records", "HOLDING");
  EXPECT_TRUE(holds(why("run"), "a crack")) << why("run");
  EXPECT_TRUE(holds(why("run"), "trestle resume")) << why("run");
  EXPECT_TRUE(holds(refusal({"resume", "west-records"}), "trestle resume RUN-FOLDER"));
  const auto step = until("run", "HOLDING").at("step").get<std::int64_t>();
  tell({"resume", "run"});
  until("run", "RUNNING", step + 3);
  tell({"stop", "east-records", "--reason", "enough"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  EXPECT_TRUE(holds(integrator.out(), "enough")) << integrator.out();
  const Ended audit = trestle({"audit", "run"});
  EXPECT_EQ(audit.code, 0) << audit.out;
  for (const char* what : {"held", "resumed", "stopped"})
    EXPECT_TRUE(holds(audit.out, what)) << audit.out;
}

TEST_P(OperatorFlow, RecordsTheSameWithAndWithoutAHold) {
  const Words settings = brief("10 s");
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  Program integrator(running(settings), folder());
  hold_and_go_on("run");
  hold_and_go_on("west-records");
  EXPECT_EQ(integrator.exit_code(), 0) << integrator.out();
  EXPECT_EQ(exported("run"), undisturbed(settings));
}

TEST_P(OperatorFlow, RecordsTheSameWithAndWithoutAHoldInOneProcess) {
  const Words settings = brief("60 s");
  Program integrator(Words{"run", example("test.yaml"), "--out", "run"} + set(settings),
                     folder());
  hold_and_go_on("run");
  EXPECT_EQ(integrator.exit_code(), 0) << integrator.out();
  EXPECT_EQ(exported("run"), undisturbed(settings));
}

TEST_P(OperatorOfEquipment, GoesOnAfterAFaultThatWasClearedAndNotBefore) {
  Program west(real("west", {"safe_action={kind: ramp-home, rate: [5 mm/s, 5 mrad/s], "
                             "acceleration: [50 mm/s2, 50 mrad/s2]}"}),
               folder());
  Program east(serving("east"), folder());
  Program integrator(test(), folder());
  until_why("run", "trestle arm");
  tell({"arm", "run"});
  until("run", "RUNNING", 20);
  integrator.signal(SIGSTOP);
  until("west-records", "FAULT");
  integrator.signal(SIGCONT);
  const auto step = until("run", "HOLDING").at("step").get<std::int64_t>();
  until("east-records", "HOLDING");
  until_why("run", "when a person at site west has cleared the fault there");
  EXPECT_TRUE(holds(why("west-records"), "trestle clear")) << why("west-records");
  const std::string refused = refusal({"resume", "run"});
  EXPECT_TRUE(holds(refused, "trestle clear west")) << refused;
  until_why("run", "site west refuses: it cannot go on: it is FAULT");
  until("run", "HOLDING", step);
  tell({"clear", "west-records"});
  until("west-records", "HOLDING");
  until_why("run", "the word to go on (trestle resume), or to stop");  // nothing to clear
  tell({"resume", "run"});
  until("run", "RUNNING", step + 5);
  tell({"stop", "run"});
  EXPECT_EQ(integrator.exit_code(), 3) << integrator.out();
  const std::vector<double> commands = ticks("west.1.command_m");
  ASSERT_GT(commands.size(), 10U);
  for (std::size_t i = 1; i < commands.size(); ++i)
    ASSERT_LE(std::abs(commands[i] - commands[i - 1]), 0.4 / 1024) << i;
}

}  // namespace
}  // namespace trestle::cli
