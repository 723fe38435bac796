// What a run that was cut off leaves behind, and what becomes of it.
#include <poll.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/journal/journal_reader.h"
#include "core/journal/sqlite_database.h"
#include "tests/cli/operator_lab.h"

namespace trestle::cli {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kDuration = "duration=60 s";
#else
constexpr const char* kDuration = "duration=400 s";
#endif

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class CliResume : public OperatorLab {
 protected:
  /// All sites in the run's process; long enough to be met in the middle.
  Words here(const std::string& out, const Words& settings = {"duration=40 s"}) const {
    Words words{"run", example("test.yaml")};
    if (!out.empty()) words = words + Words{"--out", out};
    return words + set(settings);
  }

  /// Begins it, and kills it after some steps.
  void cut_off(const std::string& out, const Words& words, std::int64_t step = 200) const {
    Program run(words, folder());
    until_asked(out, "RUNNING", step);
    run.signal(SIGKILL);
    ASSERT_EQ(run.exit_code(), 128 + SIGKILL);
  }

  /// Every file below a folder, with its size; sockets have none. Whoever reads a journal
  /// with SQLite leaves an index, and an empty log: they hold nothing.
  std::map<std::string, std::uintmax_t> files(const std::string& name) const {
    std::map<std::string, std::uintmax_t> found;
    for (const auto& entry : fs::recursive_directory_iterator(path(name))) {
      const std::string file = entry.path().string();
      if (!entry.is_regular_file() || file.ends_with("-shm")) continue;
      if (file.ends_with("-wal") && entry.file_size() == 0) continue;
      found[file] = entry.file_size();
    }
    return found;
  }

  /// The run cannot be told from one that moved rigs: nothing is begun, and nothing
  /// changed.
  void expect_left_alone(const std::string& run, const std::string& why) const {
    const auto before = files(run);
    const Ended ended = trestle({"resume", run});
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_TRUE(holds(ended.err, why)) << ended.err;
    EXPECT_TRUE(holds(ended.err, "nothing is begun or changed here")) << ended.err;
    EXPECT_EQ(files(run), before);
  }
};

TEST_F(CliResume, MakesTheSummaryOfACompleteRunAgain) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  Json summary = Json::parse(read("run/summary.json"));
  for (Json& site :
       summary.at("sites"))  // only the sites know what their compensators made
    for (Json& tracking : site.at("tracking")) tracking.erase("compensator");
  const std::string csv = exported("run");
  fs::remove(path("run/summary.json"));
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("COMPLETE   513 of 513 steps"), 0U) << ended.out;
  Json again = Json::parse(read("run/summary.json"));
  for (const char* key :
       {"test", "mode", "result", "session", "steps_done", "criteria", "peaks"})
    EXPECT_EQ(again.at(key), summary.at(key)) << key;
  for (std::size_t site = 0; site < 2; ++site)
    for (const char* key : {"name", "steps", "tracking"})
      EXPECT_EQ(again.at("sites").at(site).at(key), summary.at("sites").at(site).at(key))
          << key;
  EXPECT_EQ(exported("run"), csv);
  EXPECT_FALSE(exists("run/set-aside-1"));
  EXPECT_EQ(trestle({"resume", "run"}).code, 2) << "it came to its end";
}

TEST_F(CliResume, SaysAgainWhyARunWasStopped) {
  const Words stopped = Words{"run", example("test.yaml"), "--out", "run"} + kShort +
                        set({"sites.west.limits.actuators[0].displacement=0.02 mm"});
  ASSERT_EQ(trestle(stopped).code, 3);
  const Json summary = Json::parse(read("run/summary.json"));
  write("run/summary.json", "");  // as a loss of power leaves it
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 3) << ended.err;
  const Json again = Json::parse(read("run/summary.json"));
  for (const char* key : {"result", "steps_done", "peaks"})
    EXPECT_EQ(again.at(key), summary.at(key)) << key;
  // The limit is in another file now: effective.yaml.
  const auto sentence = [](const Json& json) {
    const std::string reason = json.at("reason");
    return reason.substr(0, reason.find(" (limit of"));
  };
  EXPECT_EQ(sentence(again), sentence(summary));
}

// An older program took keys that have no effect, and the contract holds some of them.
TEST_F(CliResume, ContinuesATestWithKeysThatANewTestMayNotHave) {
  cut_off("run", here("run"));
  const std::string test = read("run/effective.yaml");
  write("run/effective.yaml", "listen: tcp://127.0.0.1:7000\n" + test);
  const Ended begun = trestle({"run", path("run/effective.yaml"), "--out", "new"});
  EXPECT_EQ(begun.code, 2) << begun.out;
  EXPECT_TRUE(holds(begun.err, "listen is where sites")) << begun.err;
  const Ended resumed = trestle({"resume", "run"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(holds(resumed.out, "COMPLETE")) << resumed.out;
  // No step had begun: it begins again.
  fs::create_directory(path("early"));
  write("early/effective.yaml", "listen: tcp://127.0.0.1:7000\n" + test);
  EXPECT_EQ(trestle({"resume", "early"}).code, 0);
}

TEST_F(CliResume, ContinuesOnARoadThatANewTestMayNotHave) {
  fs::copy_file(example("../own_bridge/test.yaml"), path("test.yaml"));
  std::string road = "x [m], r [mm]\n";
  for (int x = -60; x <= 160; ++x)
    road += std::to_string(x) + "," + std::to_string(x % 3) + "\n";
  write("roughness.csv", road);
  ASSERT_EQ(trestle({"run", path("test.yaml"), "--out", "run"}).code, 0);
  const std::size_t lost = road.find("50,2\n");
  road.replace(lost, road.find('\n', lost) + 1 - lost, "");
  write("roughness.csv", road + "161,0,third\n");
  EXPECT_EQ(trestle({"run", path("test.yaml"), "--out", "new"}).code, 2);
  fs::create_directory(path("early"));
  write("early/effective.yaml", read("run/effective.yaml"));
  const Ended resumed = trestle({"resume", "early"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(holds(resumed.err, "nothing shows that a step was done")) << resumed.err;
  EXPECT_FALSE(holds(resumed.err, "no step had begun")) << "nobody knows: " << resumed.err;
}

TEST_F(CliResume, LeavesARecordAloneThatNobodyCanRead) {
  cut_off("run", here("run"));
  fs::remove(path("run/operator.sock"));
  fs::copy(path("run"), path("empty"));
  fs::resize_file(path("empty/journal.db"), 0);
  expect_left_alone("empty", "is empty (0 bytes)");
  fs::copy(path("run"), path("gone"));
  fs::remove(path("gone/journal.db"));
  expect_left_alone("gone", "is gone, but");
  // A process that ended leaves a summary, and no log: nothing else tells that it moved.
  for (const char* part : {"journal.db-wal", "journal.db-shm", "journal.ring"})
    fs::remove(path(std::string("gone/") + part));
  for (const char* site : {"west", "east"})
    for (const char* part : {".db", ".db-wal", ".db-shm", ".ring"})
      fs::remove(path("gone/" + std::string(site) + part));
  write("gone/summary.json", "{\"result\": \"held\", \"steps_done\": 107}");
  expect_left_alone("gone", "says that some were done");
  fs::copy(path("run"), path("damaged"));
  fs::remove(path("damaged/journal.db-wal"));  // all of it may still be in there
  write("damaged/journal.db", std::string(40000, 'x'));
  expect_left_alone("damaged", "damaged/journal.db");
  write("damaged/journal.ring", std::string(9000, 'x'));  // none that it could recover
  expect_left_alone("damaged", "damaged/journal.db");
  // A ring file of which nobody knows what reached the disk.
  fs::copy(path("run"), path("unsure"));
  write("unsure/journal.ring", std::string(9000, 'x'));
  for (const char* sql :
       {"DELETE FROM block", "UPDATE meta SET value = 'before' WHERE key = 'boot'"})
    journal::SqliteDatabase(path("unsure/journal.db"),
                            journal::SqliteDatabase::Access::kWrite)
        .execute(sql);
  expect_left_alone("unsure", "a loss of power may have taken it");
  EXPECT_TRUE(exists("unsure/journal.ring"));
  ASSERT_EQ(trestle({"resume", "run"}).code, 0);
}

TEST_F(CliResume, LeavesARecordOfAnotherSchemaAlone) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  fs::remove(path("run/summary.json"));
  for (const int schema : {1, 9}) {
    {
      journal::SqliteDatabase journal(path("run/journal.db"),
                                      journal::SqliteDatabase::Access::kWrite);
      journal.execute("PRAGMA user_version = " + std::to_string(schema));
    }
    expect_left_alone("run", "has schema " + std::to_string(schema));
  }
}

/// Without its initial measurement, as a loss of power would have left it, or not.
TEST_F(CliResume, BeginsAnewOnlyWhereNothingCanHaveMoved) {
  cut_off("run", here("run"));
  ASSERT_EQ(trestle({"resume", "run", "--json"}).code, 0);
  for (const char* sql :
       {"DELETE FROM block", "DELETE FROM meta WHERE key = 'ended_utc_ns'"})
    journal::SqliteDatabase(path("run/journal.db"), journal::SqliteDatabase::Access::kWrite)
        .execute(sql);
  fs::remove(path("run/summary.json"));
  fs::copy(path("run"), path("lost"));
  journal::SqliteDatabase(path("lost/journal.db"), journal::SqliteDatabase::Access::kWrite)
      .execute("UPDATE meta SET value = 'before' WHERE key = 'boot'");
  expect_left_alone("lost", "a loss of power may have taken it");
  expect_left_alone("run", "holds no step, but");  // the sites know better
  for (const char* site : {"west.db", "east.db"})
    fs::remove(path(std::string("run/") + site));
  const Ended ended = trestle({"resume", "run", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(holds(ended.err,
                    "no step had begun; the test begins again; what was "
                    "recorded of it is in run/set-aside-1"))
      << ended.err;
  EXPECT_TRUE(exists("run/set-aside-1/journal.db"));
}

// The process died before the end: the audit of a record without a step has the word.
TEST_F(CliResume, BeginsNoTestThatAPersonHasStoppedBeforeItsFirstStep) {
  {
    Program run(here("run", {kDuration}), folder());
    until("run", "RUNNING", 20);
    tell({"stop", "run", "--reason", "a leak"});
    EXPECT_EQ(run.exit_code(), 3);
  }
  for (const char* sql :
       {"DELETE FROM block", "DELETE FROM meta WHERE key = 'ended_utc_ns'"})
    journal::SqliteDatabase(path("run/journal.db"), journal::SqliteDatabase::Access::kWrite)
        .execute(sql);
  for (const char* file : {"summary.json", "west.db", "east.db"})
    fs::remove(path(std::string("run/") + file));
  expect_left_alone("run", "this test did not begin, and was stopped by");
  EXPECT_TRUE(holds(trestle({"resume", "run"}).err, "a leak"));
}

// No record was opened: the summary alone says that a person has ended it.
TEST_F(CliResume, BeginsNoTestThatAPersonStoppedBeforeItsSitesWereThere) {
  {
    Program waiting(running(), folder());
    until("run", "CONNECTING");
    tell({"stop", "run", "--reason", "the oil is cold"});
    EXPECT_EQ(waiting.exit_code(), 3);
  }
  expect_left_alone("run", "this test did not begin, and was stopped; see");
  // What no person has ended is begun again.
  fs::remove(path("run/summary.json"));
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 4) << ended.out << ended.err;
  EXPECT_TRUE(holds(ended.err, "the test begins again")) << ended.err;
}

TEST_F(CliResume, GoesOnWithARunThatItFindsAndMakesNoSecondFolder) {
  ASSERT_EQ(trestle(here("whole")).code, 0);
  cut_off("run", here("run"));
  Ended ended = trestle(here("run"));
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_TRUE(holds(ended.err,
                    "run: holds a run of this very test that was cut off; to resume it: "
                    "trestle resume run"))
      << ended.err;
  ended = trestle(here("run", {"duration=39 s"}));
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(holds(ended.err, "already holds the record of a run")) << ended.err;
  ended = trestle(here("run") + Words{"--resume"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(exported("run"), exported("whole"));
}

TEST_F(CliResume, GoesOnWithARunWhoseProgramDidNotWriteKeysThatCameLater) {
  ASSERT_EQ(trestle(here("whole")).code, 0);
  cut_off("run", here("run"));
  const std::string kLater = "inertia: commanded";
  std::ifstream written(path("run/effective.yaml"));
  std::string kept, line;
  int left_out = 0;
  while (std::getline(written, line))
    if (line.find(kLater) == std::string::npos)
      kept += line + "\n";
    else
      ++left_out;
  ASSERT_EQ(left_out, 2);  // one for each site
  std::ofstream(path("run/effective.yaml")) << kept;
  const Ended ended = trestle(here("run") + Words{"--resume"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(exported("run"), exported("whole"));
}

TEST_F(CliResume, FindsACutOffRunWhereRunsAreByDefault) {
  const Words kLong{kDuration};  // long enough for its progress to be shown
  {
    Program run(here("", kLong), folder());
    ASSERT_TRUE(run.says("RUNNING")) << run.err();
    const std::string only =
        "runs/" + fs::directory_iterator(path("runs"))->path().filename().string();
    until(only, "RUNNING", 200);
    run.signal(SIGKILL);
    run.exit_code();
  }
  const auto count = [&] {
    return std::distance(fs::directory_iterator(path("runs")), fs::directory_iterator());
  };
  EXPECT_EQ(trestle(here("", kLong)).code, 2);
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(trestle(here("", kLong) + Words{"--resume"}).code, 0);
  EXPECT_EQ(count(), 1);
}

/// The path of the rig that begins again is at rest, for the rig as for the inertia that
/// the site takes out of its force.
TEST_F(CliResume, GivesTheSpecimensMassNoBlowWhereItsRigBeginsAgain) {
  write("sdof.yaml", kHeavySpecimen);
  {
    Program run({"run", "sdof.yaml", "--out", "run", "--set", "mode=real-time", "--set",
                 "clock=virtual", "--set", std::string("excitation.synthetic.") + kDuration,
                 "--set", "excitation.scale=0.5"},
                folder());
    until("run", "RUNNING", 4000);
    run.signal(SIGKILL);
    ASSERT_EQ(run.exit_code(), 128 + SIGKILL);
  }
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_FALSE(holds(ended.out + ended.err, "FAULT")) << ended.out << ended.err;
}

// The integrator died while it stopped the test, and a site went home. A resume that is
// offered again and again would send people in a circle.
TEST_F(CliResume, EndsTheRecordOfATestThatASiteHasEnded) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  cut_off("run", running({"duration=20 s", "deadlines.watchdog=1 s",
                          "deadlines.heartbeat=0.1 s"}));
  until("west-records", "HOLDING");
  tell({"stop", "west-records"});
  until("west-records", "CONFIGURED");
  const std::string csv = exported("run");
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_TRUE(holds(ended.out, "the test was stopped at site west, at step "))
      << ended.out << ended.err;
  EXPECT_TRUE(holds(ended.out, "trestle export run --csv")) << ended.out;
  EXPECT_FALSE(holds(ended.out, "trestle resume")) << ended.out;
  const Json summary = Json::parse(read("run/summary.json"));
  EXPECT_EQ(summary.at("result"), "stopped");
  EXPECT_EQ(summary.at("resumable"), false);
  EXPECT_GT(summary.at("steps_done").get<std::int64_t>(), 0);
  // With the rows that the killed process had not written yet.
  EXPECT_GE(exported("run").size(), csv.size()) << "nothing of it is gone";
  const Ended why = trestle({"why", "run"});
  EXPECT_TRUE(holds(why.err, "the run has ended")) << why.err;
  EXPECT_FALSE(holds(why.err, "trestle resume")) << why.err;
  const Ended again = trestle({"resume", "run"});
  EXPECT_EQ(again.code, 2) << again.out;
  EXPECT_TRUE(holds(again.err, "this run came to its end")) << again.err;
}

// Neither the integrator nor another process of the site has heard the person.
TEST_F(CliResume, EndsTheTestThatAPersonStoppedAtASiteThatDied) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  cut_off("run", running({"duration=20 s", "deadlines.watchdog=8 s",
                          "deadlines.heartbeat=0.1 s"}));
  tell({"stop", "west-records"});
  west.signal(SIGKILL);
  west.exit_code();
  Program again(serving("west"), folder());
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_TRUE(holds(ended.out, "west: stopped by ")) << ended.out << ended.err;
  // It still waits for the integrator that died.
  EXPECT_TRUE(holds(ended.out, "trestle stop SITE")) << ended.out << ended.err;
  EXPECT_FALSE(holds(ended.out, "trestle resume")) << ended.out;
  const Json summary = Json::parse(read("run/summary.json"));
  EXPECT_EQ(summary.at("result"), "stopped");
  EXPECT_EQ(summary.at("resumable"), false);
  EXPECT_GT(summary.at("steps_done").get<std::int64_t>(), 0);
  until("west-records", "CONFIGURED");
  tell({"stop", "east-records"});
  until("east-records", "CONFIGURED");
  EXPECT_EQ(trestle({"resume", "run"}).code, 2);
}

// The advice must be one that can succeed: this resume never does, unless the record is
// there again.
TEST_F(CliResume, AsksForTheRecordThatASiteHasLost) {
  auto west = std::make_unique<Program>(serving("west"), folder());
  Program east(serving("east"), folder());
  cut_off("run", running({"duration=20 s", "deadlines.watchdog=1 s",
                          "deadlines.heartbeat=0.1 s"}));
  until("west-records", "HOLDING");
  west->signal(SIGKILL);
  west->exit_code();
  std::string record;
  for (const auto& entry : fs::directory_iterator(path("west-records")))
    if (entry.path().extension() == ".db") record = entry.path().string();
  ASSERT_FALSE(record.empty());
  fs::rename(record, path("kept.db"));
  west = std::make_unique<Program>(serving("west"), folder());
  const Ended refused = trestle({"resume", "run"});
  EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
  const std::string name = fs::path(record).filename().string();
  EXPECT_TRUE(holds(refused.out, name + " is not there (left of it: ")) << refused.out;
  EXPECT_TRUE(holds(refused.out, "can be brought back")) << refused.out;
  EXPECT_FALSE(holds(refused.out, "the sites keep their session")) << refused.out;
  EXPECT_TRUE(exists("run/journal.db") && exists("run/effective.yaml"));
  EXPECT_TRUE(west->says("  it has no record of this session")) << west->out();
  fs::rename(path("kept.db"), record);
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
}

// In real time a row waits for late answers: the killed process had written none of the
// last ones, and nobody can after the record is closed.
TEST_F(CliResume, EndsTheRecordWithEveryStepThatWasAnswered) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "an integrator in real time is too slow under this sanitizer to answer";
#endif
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  // On a busy host most answers are late, and the frame is unstable: a weak motion of the
  // ground leaves it time before it reaches a limit.
  Program run(
      running({"mode=real-time", "duration=20 s", "excitation.scale=1e-4",
               "deadlines.watchdog=3 s", "deadlines.heartbeat=0.1 s", "clock_bound=0.1 s",
               "real_time.most_in_a_row=100000", "real_time.most_in_window=100000"}),
      folder());
  until_asked("run", "RUNNING", 60);
  const auto last = [&](const std::string& stream) {
    return journal::JournalReader(path("run/journal.db")).newest_index(stream).value_or(-1);
  };
  // Until the database has an answer whose row still waits.
  const auto none_waits = [&] {
    const std::int64_t newest = last("answer");
    return last("result") >= newest;
  };
  for (int i = 0; i < 1000 && none_waits(); ++i) ::poll(nullptr, 0, 5);
  run.signal(SIGKILL);
  ASSERT_EQ(run.exit_code(), 128 + SIGKILL);
  until("west-records", "HOLDING");
  tell({"stop", "west-records"});
  until("west-records", "CONFIGURED");
  const std::int64_t intended = last("intent");
  const std::int64_t answered = last("answer");  // more of them is in the ring file
  ASSERT_LT(last("result"), answered) << "nothing is late: this test shows nothing";
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 3) << ended.out << ended.err;
  EXPECT_EQ(last("result"), last("answer")) << ended.out;
  EXPECT_GE(last("intent"), intended) << "nothing of it is gone";
  EXPECT_GE(last("answer"), answered) << "nothing of it is gone";
  const Json summary = Json::parse(read("run/summary.json"));
  EXPECT_EQ(summary.at("steps_done"), last("answer") + 1);
  // What the site measured in the last steps, the site alone has.
  EXPECT_LT(summary.at("criteria").at("until_step"), last("answer"));
}

TEST_F(CliResume, EndsNoSessionAtTheSitesWhereItIsRefused) {
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  const Words settings{"duration=20 s", "deadlines.watchdog=1 s",
                       "deadlines.heartbeat=0.1 s"};
  cut_off("run", running(settings));
  const std::string right = read("run/effective.yaml");
  std::string wrong = right;
  const std::size_t at = wrong.find("mass: 12000");
  ASSERT_NE(at, std::string::npos) << wrong;
  write("run/effective.yaml", wrong.replace(at, 11, "mass: 13000"));
  Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 2) << ended.out << ended.err;
  EXPECT_TRUE(holds(ended.out, "model: the integrator has")) << ended.out;
  EXPECT_TRUE(holds(ended.out, "the sites keep their session")) << ended.out;
  EXPECT_FALSE(holds(ended.out, "us a step")) << "it made none: " << ended.out;
  EXPECT_FALSE(holds(ended.out, "no step was done")) << ended.out;
  EXPECT_FALSE(exists("run/summary.json"));
  // Nor where a site is not there in time.
  east.signal(SIGKILL);
  east.exit_code();
  write("run/effective.yaml", right);
  ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 4) << ended.out << ended.err;
  EXPECT_FALSE(holds(ended.out, "no step was done")) << ended.out;
  // Nor where a person does not wait for it.
  {
    Program waiting({"resume", "run"}, folder());
    until("run", "CONNECTING");
    waiting.signal(SIGINT);
    EXPECT_EQ(waiting.exit_code(), 3);
    EXPECT_TRUE(holds(waiting.out(), "the sites keep their session")) << waiting.out();
    EXPECT_FALSE(holds(waiting.out(), "no step had begun")) << waiting.out();
    EXPECT_FALSE(exists("run/summary.json"));
  }
  Program again(serving("east"), folder());
  ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  ASSERT_EQ(
      trestle(Words{"run", example("test.yaml"), "--out", "whole"} + set({"duration=20 s"}))
          .code,
      0);
  EXPECT_EQ(exported("run"), exported("whole"));
}

// A rig on its way to the state under gravity gets there, and the record has the way.
TEST_F(CliResume, GoesOnToTheStateUnderGravity) {
  write("test.yaml", kSaggingBracket);
  ASSERT_EQ(
      trestle({"run", path("test.yaml"), "--out", "whole", "--set", "clock=virtual"}).code,
      0);
  {
    Program run({"run", path("test.yaml"), "--out", "run"}, folder());
    until_why("run", "arrival in the state under gravity");
    run.signal(SIGKILL);
    ASSERT_EQ(run.exit_code(), 128 + SIGKILL);
  }
  const auto approach = [this](const std::string& run) {
    journal::SqliteDatabase journal(path(run + "/journal.db"),
                                    journal::SqliteDatabase::Access::kRead);
    std::vector<std::string> words;
    journal::SqliteStatement events =
        journal.prepare("SELECT text FROM event WHERE kind = 'approach' ORDER BY id");
    while (events.step()) words.push_back(events.text(0));
    return words;
  };
  const std::string way = " to the state under gravity; site lab goes to tip.y -46.28 mm";
  const std::string begun = "begun: step 0 takes specimens from their zero" + way;
  const std::string finished =
      "finished: the opening read under gravity; site lab at tip.y -46.28 mm with -9.256 "
      "kN";
  EXPECT_EQ(approach("whole"), (std::vector<std::string>{begun, finished}));
  EXPECT_EQ(approach("run"), std::vector<std::string>{begun});
  const Ended resumed = trestle({"resume", "run"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(approach("run"),
            (std::vector<std::string>{begun, "continues: step 0 takes specimens" + way,
                                      finished}));
  EXPECT_EQ(exported("run"), exported("whole"));
}

// A test that came later, finished or not, hides none that was cut off.
TEST_F(CliResume, GoesOnWithAnOlderSessionOfASite) {
  const Words settings{"duration=20 s", "deadlines.watchdog=1 s",
                       "deadlines.heartbeat=0.1 s"};
  {
    Program west(serving("west"), folder());
    Program east(serving("east"), folder());
    cut_off("run", running(settings));
    for (Program* site : {&west, &east}) {
      site->signal(SIGKILL);
      site->exit_code();
    }
  }
  Program west(serving("west"), folder());
  Program east(serving("east"), folder());
  Words later = running({"duration=0.5 s"});
  later[3] = "later";
  ASSERT_EQ(trestle(later).code, 0);
  later = running(settings);
  later[3] = "third";
  cut_off("third", later);
  for (Program* site : {&west, &east}) {
    site->signal(SIGKILL);
    site->exit_code();
  }
  Program west_again(serving("west"), folder());
  Program east_again(serving("east"), folder());
  const Ended ended = trestle({"resume", "run"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_EQ(trestle({"resume", "third"}).code, 0);
  EXPECT_EQ(exported("run"), exported("third"));
}

}  // namespace
}  // namespace trestle::cli
