#include "observe/web/record_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/types/participant.h"
#include "tests/observe/web/watched_folder.h"

namespace trestle::web::record_json_test {
namespace {

using nlohmann::json;
using testing::WatchedFolder;

constexpr const char* kContract =
    "contract: trestle 1\n"
    "site.real_equipment: yes\n"
    "site.hardware_watchdog: no\n"
    "actuators: 1\n"
    "actuators[0].name: 1\n"
    "actuators[0].kind: translation\n"
    "site_states.specimen.id: C-07\n"
    "site_states.calibration.1.force.due: 2027-10-30\n"
    "site_states.calibration.oil.due: 2026-10-30\n"
    "limits.actuators[0].displacement_m: 0.06\n"
    "limits.actuators[0].force_N: 250000\n";

NodeAnswer answer_of_a_node(NodeStatus status) {
  return {std::move(status), "waits for the operator", "trestle arm runs/frame"};
}

NodeStatus not_armed() {
  NodeStatus status;
  status.node = "integrator";
  status.state = "CONNECTING";
  PeerStatus west{"west", "tcp://lab-west:7001", "CONFIGURED", -1, 0.1};
  const double none = std::numeric_limits<double>::quiet_NaN();
  west.readings = {{"1.force", "N", -12.5, 4.0},
                   {"estop", "0/1", 0.0, none},
                   {"door", "0/1", 1.0, none},
                   {"oil", "bar", 207.0, none},
                   {"gate", "0/1", 1.0, none}};
  west.readings.back().stops_closed = true;
  status.peers = {west};
  status.arming =
      ArmingStatus{.checklist = {{"nobody in the cage", "ada@lab", "2026-11-27T09:12:03Z"},
                                 {"limits read aloud"}},
                   .required = true,
                   .words = 2,
                   .armed_by = {"ada@lab"}};
  return status;
}

TEST(StandingJson, TellsWhatIsMissingBeforeItIsArmed) {
  // The record begins when the test is armed.
  const trestle::testing::TemporaryFolder empty;
  WatchedRecord record(empty.path());
  record.look(1.0, answer_of_a_node(not_armed()));
  const json told = json::parse(standing_json(record, 0, 0));
  EXPECT_EQ(told["state"], "CONNECTING");
  EXPECT_EQ(told["help"], "trestle arm runs/frame");
  EXPECT_EQ(told["arming"]["words"], 2);
  EXPECT_EQ(told["arming"]["armed_by"], json::array({"ada@lab"}));
  EXPECT_EQ(told["arming"]["required"], true);
  EXPECT_EQ(told["arming"]["checklist"][0]["by"], "ada@lab");
  EXPECT_EQ(told["arming"]["checklist"][1]["item"], "limits read aloud");
  EXPECT_EQ(told["arming"]["checklist"][1]["by"], "");
  EXPECT_FALSE(told.contains("armed"));
  const json run = json::parse(run_json(record, 1));
  EXPECT_FALSE(run.contains("streams")) << "there are no rows to ask for";
}

TEST(RunJson, NamesThePeopleOfTheTestBeforeAndAfterItIsArmed) {
  const trestle::testing::TemporaryFolder empty;
  WatchedRecord waiting(empty.path());
  NodeStatus status = not_armed();
  status.participants = {{"Ada", "Trondheim", "+47 73", "operator of site east"},
                         {"Bob", "", "", ""}};
  waiting.look(1.0, answer_of_a_node(status));
  const json people = json::parse(
      R"([{"name": "Ada", "role": "operator of site east", "place": "Trondheim",
           "telephone": "+47 73"},
          {"name": "Bob", "role": "", "place": "", "telephone": ""}])");
  EXPECT_EQ(json::parse(run_json(waiting, 1))["participants"], people);

  const WatchedFolder folder(10);
  const WatchedRecords nobody = folder.watched();
  EXPECT_FALSE(json::parse(run_json(*nobody.front(), 1)).contains("participants"));
  journal::JournalFile(folder.journal())
      .set_meta(meta_key::kParticipants, participants_fact(status.participants));
  const WatchedRecords records = folder.watched();
  EXPECT_EQ(json::parse(run_json(*records.front(), 1))["participants"], people);
}

TEST(StandingJson, TellsContactsAndFurtherChannelsOfEachSite) {
  const trestle::testing::TemporaryFolder empty;
  WatchedRecord record(empty.path());
  record.look(1.0, answer_of_a_node(not_armed()));
  const json site = json::parse(standing_json(record, 0, 0))["sites"][0];
  EXPECT_EQ(
      site["readings"],
      json::parse(
          R"([{"channel": "1.force", "unit": "N", "mean": -12.5, "deviation": 4.0}])"));
  ASSERT_EQ(site["interlocks"].size(), 4U);
  EXPECT_EQ(site["interlocks"][0],
            json::parse(R"({"name": "estop", "text": "open", "ok": false})"));
  EXPECT_EQ(site["interlocks"][1],
            json::parse(R"({"name": "door", "text": "closed", "ok": true})"));
  EXPECT_EQ(
      site["interlocks"][2],
      json::parse(
          R"({"name": "oil", "text": null, "ok": null, "value": 207.0, "unit": "bar"})"));
  EXPECT_EQ(site["interlocks"][3],
            json::parse(R"({"name": "gate", "text": "closed", "ok": false})"));
}

TEST(StandingJson, TellsWhoArmedAndHowManyFaultsThereWere) {
  const WatchedFolder folder(10);
  {
    journal::JournalFile journal(folder.journal());
    journal.add_audit(
        {1, 50'000'000, {"ada@lab", "operator channel", "confirmed", "limits read"}, ""});
    journal.add_audit(
        {2, 70'000'000, {"bob@lab", "operator channel", "armed", "contract 5e"}, ""});
    journal.add_event({TimePoint{}, "integrator", "state", "RUNNING"});
    journal.add_event({TimePoint{}, "west", "fault", "rate"});
    journal.add_event({TimePoint{}, "west", "fault", "force"});
  }
  const WatchedRecords records = folder.watched();
  const json told = json::parse(standing_json(*records.front(), 0, 0));
  EXPECT_EQ(told["faults"], 2);
  EXPECT_EQ(
      told["armed"],
      json::parse(
          R"({"by": ["bob@lab"], "utc_ms": 70, "confirmed": 1, "open": "", "waived": ""})"));
}

TEST(StandingJson, TellsWhoActedAndFromWhere) {
  const WatchedFolder folder(10);
  {
    journal::JournalFile journal(folder.journal());
    journal.add_audit({1, 50'000'000, {"ada@lab", "terminal", "armed", "contract 5e"}, ""});
    journal.add_audit({2, 70'000'000, {"bob@west", "bus: west", "held", "a leak"}, ""});
    journal.add_audit({3, 80'000'000, {"integrator", "bus", "stopped", "done"}, ""});
    journal.add_event({TimePoint{}, "integrator", "state", "HOLDING: a leak"});
  }
  const WatchedRecords records = folder.watched();
  const json told = json::parse(standing_json(*records.front(), 0, 0));
  EXPECT_EQ(told["acts"], json::parse(R"([
      {"what": "armed", "who": "ada@lab", "from": "terminal", "text": "", "utc_ms": 50},
      {"what": "held", "who": "bob@west", "from": "bus: west", "text": "a leak",
       "utc_ms": 70}])"));
}

/// A transaction may end between an event and the act that it is of.
TEST(StandingJson, TellsAnActThatIsWrittenBehindItsEvent) {
  const WatchedFolder folder(10);
  const auto audit = [&](std::int64_t number, const char* what) {
    journal::JournalFile(folder.journal())
        .add_audit({number, 50'000'000, {"ada@lab", "terminal", what, "grips"}, ""});
  };
  audit(1, "armed");
  {
    journal::JournalFile journal(folder.journal());
    journal.add_event({TimePoint{}, "integrator", "state", "HOLDING: grips"});
  }
  const WatchedRecords records = folder.watched();
  audit(2, "held");
  records.front()->look(3.0, {});
  const json told = json::parse(standing_json(*records.front(), 0, 0));
  ASSERT_EQ(told["acts"].size(), 2U);
  EXPECT_EQ(told["acts"][1]["what"], "held");
}

TEST(StandingJson, CallsAContactWithoutANumberNotClosed) {
  const trestle::testing::TemporaryFolder empty;
  WatchedRecord record(empty.path());
  NodeStatus status = not_armed();
  status.peers[0].readings[2].mean = std::numeric_limits<double>::quiet_NaN();
  record.look(1.0, answer_of_a_node(std::move(status)));
  const json site = json::parse(standing_json(record, 0, 0))["sites"][0];
  EXPECT_EQ(site["interlocks"][1],
            json::parse(R"({"name": "door", "text": "not known", "ok": false})"));
}

// It failed before its first step, and the record does not know how many were planned.
TEST(WatchedRecord, DoesNotCallATestWithoutAStepComplete) {
  const testing::WatchedFolder folder(0);
  WatchedRecord record(folder.path());
  record.look(0.0, {});
  EXPECT_EQ(record.state(), "STOPPED");
  const testing::WatchedFolder whole(5);
  WatchedRecord complete(whole.path());
  complete.look(0.0, {});
  EXPECT_EQ(complete.state(), "COMPLETE");
}

TEST(EventsJson, TellWhoWroteANote) {
  const WatchedFolder folder(10);
  {
    journal::JournalFile journal(folder.journal());
    journal.add_audit(
        {1, 10, {"bob@west", "operator channel", "noted", "step 4, 0.4 s: a crack"}, ""});
    journal.add_event({TimePoint{}, "integrator", "state", "RUNNING"});
    journal.add_event({TimePoint{}, "integrator", "note", "a crack"});
  }
  const WatchedRecords records = folder.watched();
  const json events = json::parse(events_json(*records.front(), 0))["events"];
  ASSERT_EQ(events.size(), 2U);
  EXPECT_FALSE(events[0].contains("who"));
  EXPECT_EQ(events[1]["who"], "bob@west");
}

TEST(EventsJson, TellWhoWroteEachNoteOfTheSameText) {
  const WatchedFolder folder(10);
  {
    journal::JournalFile journal(folder.journal());
    journal.add_audit(
        {1, 10, {"ada@lab", "operator channel", "noted", "step 2, 0.2 s: a crack"}, ""});
    journal.add_audit(
        {2, 20, {"bob@west", "operator channel", "noted", "step 4, 0.4 s: a crack"}, ""});
    journal.add_event({TimePoint{}, "integrator", "note", "a crack"});
    journal.add_event({TimePoint{}, "integrator", "note", "a crack"});
  }
  const WatchedRecords records = folder.watched();
  const json events = json::parse(events_json(*records.front(), 0))["events"];
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0]["who"], "ada@lab");
  EXPECT_EQ(events[1]["who"], "bob@west");
}

TEST(EventsJson, LoseNoneWhileTheAuditCannotBeRead) {
  const WatchedFolder folder(10);
  {
    journal::JournalFile journal(folder.journal());
    journal.add_event({TimePoint{}, "west", "fault", "rate"});
  }
  const auto rename = [&](const std::string& from, const std::string& to) {
    journal::SqliteDatabase(folder.journal(), journal::SqliteDatabase::Access::kWrite)
        .execute("ALTER TABLE " + from + " RENAME TO " + to);
  };
  rename("audit", "gone");
  const WatchedRecords records = folder.watched();
  rename("gone", "audit");
  records.front()->look(3.0, {});
  EXPECT_EQ(json::parse(events_json(*records.front(), 0))["events"].size(), 1U);
  EXPECT_EQ(records.front()->faults(), 1U);
}

TEST(RunJson, TellsHowARigIsWatchedAndWhichCalibrationsAreMissing) {
  const WatchedFolder folder(10, kContract);
  const WatchedRecords records = folder.watched();
  const json site = json::parse(run_json(*records.front(), 1))["sites"][0];
  EXPECT_EQ(site["real_equipment"], true);
  EXPECT_EQ(site["watchdog"], "none");
  EXPECT_EQ(site["specimen"], "C-07");
  EXPECT_EQ(site["calibrated_until"], "2026-10-30");
  EXPECT_EQ(site["expired_calibrations"], json::array({"oil"}));
  EXPECT_EQ(site["uncalibrated"], json::array({"1.displacement"}));
}

TEST(RunJson, TellsWhereEachLimitIsWritten) {
  const WatchedFolder folder(10, kContract);
  journal::JournalFile(folder.journal())
      .set_meta(meta_key::kLimitOriginsOf + std::string("west"),
                "actuators[0].force: site_west.yaml:12\n");
  const WatchedRecords records = folder.watched();
  const json limits =
      json::parse(run_json(*records.front(), 1))["sites"][0]["actuators"][0]["limits"];
  EXPECT_EQ(limits["force"],
            json::parse(R"({"limit": 250000.0, "from": "site_west.yaml:12"})"));
  EXPECT_EQ(limits["displacement"], json::parse(R"({"limit": 0.06})"))
      << "nobody has said where it is written";
}

}  // namespace
}  // namespace trestle::web::record_json_test
