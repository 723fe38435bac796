#include "core/journal/journal_recorder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/journal/journal_file.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_schema.h"
#include "core/journal/sqlite_database.h"
#include "tests/core/journal/hanging_disk.h"
#include "tests/core/journal/record_bench.h"

namespace trestle::journal::journal_recorder_test {
namespace {

using testing::from_to;
using testing::kSession;
using testing::kStreams;
using testing::sentence_of;
using Bench = testing::RecordBench;

const SessionId kLater{9, 9};

class JournalRecorderTest : public ::testing::Test {
 protected:
  /// A record of the rows [0, end) that was left unfinished.
  void leave(std::int64_t end) {
    auto recorder = bench_.recorder();
    const auto sinks = recorder->open(kSession, {{"time_step_s", "0.01"}}, kStreams);
    for (std::int64_t index = 0; index < end; ++index)
      ASSERT_TRUE(Bench::push(*sinks[0], index));
  }

  Bench bench_;
};

TEST_F(JournalRecorderTest, IsFinishedOnlyByClosing) {
  EXPECT_EQ(bench_.recorder()->find_interrupted(), std::nullopt);
  leave(3);
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kSession);
  const auto recorder = bench_.recorder();
  recorder->open(kSession, {}, kStreams);
  recorder->close();
  EXPECT_EQ(bench_.recorder()->find_interrupted(), std::nullopt);
}

/// A node opens its record while its peers wait for a word of it, and a busy disk may need
/// a tenth of a second for each.
TEST_F(JournalRecorderTest, AsksTheDiskForFewSyncsWhereARecordIsOpened) {
  testing::HangingDisk disk;
  const auto recorder = bench_.recorder();
  recorder->open(kSession, {{"time_step_s", "0.01"}}, kStreams);
  // The log has its own, the facts and the streams another.
  EXPECT_LE(disk.syncs(), 2);
}

/// A test that has ended has no step that could fail for it.
TEST_F(JournalRecorderTest, SaysAtItsEndThatEventsAreLost) {
  testing::HangingDisk disk;
  std::vector<std::string> said;
  JournalRecorder::Settings settings = bench_.settings();
  settings.closes_in_background = true;
  settings.say = [&said](const std::string& line) {
    said.push_back(line);
  };
  JournalRecorder recorder(settings);
  recorder.open(kSession, {{"time_step_s", "0.01"}}, kStreams);
  disk.hang();
  recorder.request_sync();
  while (recorder.room_for_events() > 0) recorder.event(1, "missed", "step 1");
  for (int more = 0; more < 2; ++more) recorder.event(2, "state", "CONFIGURED");
  recorder.close();
  disk.return_again();
  while (!recorder.closing().empty()) std::this_thread::yield();
  EXPECT_EQ(said, std::vector<std::string>{
                      "the record " + bench_.database() +
                      " ends without 2 of its events: its disk was slower than the test; "
                      "use a faster disk"});
  EXPECT_EQ(JournalReader(bench_.database()).meta("lost_events"), "2");
}

/// A node that waited in close() would hear no message meanwhile.
TEST_F(JournalRecorderTest, ClosesBehindADiskThatHangsAndHasAllRowsWhenItReturns) {
  testing::HangingDisk disk;
  JournalRecorder::Settings settings = bench_.settings();
  settings.closes_in_background = true;
  settings.longest_close = std::chrono::hours(1);
  JournalRecorder recorder(settings);
  const auto sinks = recorder.open(kSession, {{"time_step_s", "0.01"}}, kStreams);
  disk.hang();
  for (std::int64_t index = 0; index < 100; ++index)
    ASSERT_TRUE(Bench::push(*sinks[0], index));
  recorder.request_sync();
  recorder.close();
  EXPECT_EQ(recorder.closing(), bench_.database());
  EXPECT_NE(sentence_of([&] {
              recorder.open(kLater, {}, kStreams);
            }).find("has not yet taken the end of the last record"),
            std::string::npos)
      << "its writer still owns the ring file";
  disk.return_again();
  while (!recorder.closing().empty()) std::this_thread::yield();
  EXPECT_FALSE(recorder.failed());
  EXPECT_EQ(recorder.find_interrupted(), std::nullopt) << "it is finished";
  EXPECT_EQ(Bench::intents(*recorder.open_session(kSession), 0, 100), from_to(0, 100));
}

/// In lock-step, which waits for room after each step: the test must come to its end.
TEST_F(JournalRecorderTest, FailsWhereADiskHangsInTheMiddleOfATestAndLosesNothing) {
  testing::HangingDisk disk;
  std::int64_t pushed = 0;
  {
    JournalRecorder::Settings settings = bench_.settings();
    settings.longest_stall = std::chrono::milliseconds(50);
    JournalRecorder recorder(settings);
    const auto sinks = recorder.open(kSession, {{"time_step_s", "0.01"}}, kStreams);
    disk.hang();
    recorder.request_sync();
    while (!recorder.failed()) {
      if (Bench::push(*sinks[0], pushed)) ++pushed;
      recorder.wait_for_space(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(recorder.error_message().find("journal " + bench_.database() +
                                            ": there was no room for rows for "),
              0U)
        << recorder.error_message();
    EXPECT_FALSE(Bench::push(*sinks[0], pushed)) << "the node learns of it";
    disk.return_again();
  }
  EXPECT_EQ(Bench::intents(*bench_.recorder()->open_session(kSession), 0, pushed),
            from_to(0, pushed));
}

/// Every wait has an end and names whom it waits for.
TEST_F(JournalRecorderTest, LeavesADiskThatDoesNotReturnAndLosesNothing) {
  static testing::HangingDisk disk;  // outlives the thread that it keeps
  std::vector<std::string> said;
  int answered = 0;
  {
    JournalRecorder::Settings settings = bench_.settings();
    settings.longest_close = std::chrono::milliseconds(50);
    settings.say = [&](const std::string& line) {
      said.push_back(line);
    };
    settings.while_waiting = [&](const std::string& file, Duration waited, Duration left) {
      ++answered;
      EXPECT_EQ(file, bench_.database());
      EXPECT_EQ(waited + left, settings.longest_close);
    };
    JournalRecorder recorder(settings);
    const auto sinks = recorder.open(kSession, {{"time_step_s", "0.01"}}, kStreams);
    disk.hang();
    for (std::int64_t index = 0; index < 100; ++index)
      ASSERT_TRUE(Bench::push(*sinks[0], index));
    recorder.request_sync();
    recorder.close();
    EXPECT_EQ(recorder.closing(), bench_.database());
  }
  EXPECT_GT(answered, 0) << "others are answered in such a wait";
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], "still waits for the disk of " + bench_.database() +
                         " to take the end of the record");
  // The thread continues when the disk returns, although the recorder is gone.
  disk.return_again();
  while (std::filesystem::exists(bench_.ring())) std::this_thread::yield();
  EXPECT_EQ(Bench::intents(*bench_.recorder()->open_session(kSession), 0, 100),
            from_to(0, 100));
}

TEST_F(JournalRecorderTest, KnowsTheSessionThatWasBegunLast) {
  leave(1);
  auto recorder = bench_.recorder();
  recorder->open(kLater, {}, kStreams);
  recorder.reset();
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kLater);
  recorder = bench_.recorder();
  recorder->open(kLater, {}, kStreams);
  recorder->close();
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kSession)
      << "it may still be gone on with";
  EXPECT_TRUE(bench_.recorder()->is_unfinished(kSession));
  EXPECT_FALSE(bench_.recorder()->is_unfinished(kLater));
  EXPECT_FALSE(bench_.recorder()->is_unfinished(SessionId{1}));
}

// The calendar may be set back between two of them, and says nothing then.
TEST_F(JournalRecorderTest, OrdersUnfinishedSessionsByTheirNumber) {
  leave(1);
  { bench_.recorder()->open(kLater, {}, kStreams); }
  JournalFile(bench_.database(kLater)).set_meta("begun_utc_ns", "1");
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kLater);
  const auto recorder = bench_.recorder();
  recorder->open(SessionId{5}, {}, kStreams);
  EXPECT_EQ(JournalReader(bench_.database()).meta("number"), "1");
  EXPECT_EQ(JournalReader(bench_.database(kLater)).meta("number"), "2");
  EXPECT_EQ(JournalReader(bench_.database(SessionId{5})).meta("number"), "3");
}

// An intended step that is executed again is not lost, although no program replays it.
TEST_F(JournalRecorderTest, KeepsRowsThatAreMadeAnewBesideTheRecord) {
  {
    const auto recorder = bench_.recorder();
    const auto sinks = recorder->open(kSession, {}, kStreams);
    for (std::int64_t index = 0; index < 30; ++index) {
      Bench::push(*sinks[0], index);
      if (index % 10 == 9) recorder->open_session(kSession);  // a block ends
    }
  }
  const auto cut = [&](std::int64_t last) {
    bench_.recorder()->resume(kSession, kStreams, std::vector<std::int64_t>{last, 0});
  };
  cut(100);
  SqliteDatabase look(bench_.database(), SqliteDatabase::Access::kRead);
  EXPECT_EQ(look.number("SELECT count(*) FROM sqlite_schema WHERE name = 'superseded'"), 0);
  cut(14);
  EXPECT_EQ(look.number("SELECT sum(count) FROM superseded"), 15);
  EXPECT_EQ(look.number("SELECT min(first) FROM superseded"), 15);
  EXPECT_EQ(look.number("SELECT max(last) FROM superseded"), 29);
  EXPECT_EQ(look.number("SELECT sum(length(rows)) FROM superseded"), 15 * 16);
}

TEST_F(JournalRecorderTest, KnowsANamedRecord) {
  JournalRecorder::Settings settings = bench_.settings();
  settings.name = "journal";
  leave(1);  // another one in the same folder
  EXPECT_EQ(JournalRecorder(settings).find_interrupted(), std::nullopt);
  { JournalRecorder(settings).open(kLater, {}, kStreams); }
  EXPECT_EQ(JournalRecorder(settings).find_interrupted(), kLater);
  EXPECT_EQ(JournalRecorder(settings).open_session(kSession), nullptr);
  EXPECT_NE(JournalRecorder(settings).open_session(kLater), nullptr);
}

TEST_F(JournalRecorderTest, RecallsWhatWasPushedWhileItIsOpen) {
  const auto recorder = bench_.recorder();
  EXPECT_EQ(recorder->open_session(kSession), nullptr);
  const auto sinks = recorder->open(kSession, {{"test", "frame"}}, kStreams);
  auto record = recorder->open_session(kSession);
  EXPECT_EQ(record->last("intent"), RecordedSession::kNone);
  EXPECT_EQ(record->last("ledger"), RecordedSession::kNone);
  EXPECT_EQ(record->channels(kStreams[0].first), kStreams[0].second) << "without a row";
  EXPECT_TRUE(record->channels("ledger").empty());
  EXPECT_EQ(record->state(), std::nullopt);
  EXPECT_EQ(record->fact("test"), "frame");
  EXPECT_EQ(record->fact("nothing"), "");
  for (const std::int64_t index : {-1, 0, 1, 4}) Bench::push(*sinks[0], index);
  record = recorder->open_session(kSession);
  EXPECT_EQ(record->last("intent"), 4);
  EXPECT_EQ(Bench::intents(*record, -3, 9), (std::vector<std::int64_t>{-1, 0, 1, 4}));
  std::vector<double> values;
  EXPECT_FALSE(record->row("result", 0, values));
  EXPECT_FALSE(record->row("ledger", 0, values));
  for (const std::int64_t index : {4, -1, 1, 0}) {
    ASSERT_TRUE(record->row("intent", index, values)) << "in any order";
    EXPECT_EQ(values, std::vector<double>{0.5 * static_cast<double>(index)});
  }
  Bench::push(*sinks[0], 5);
  recorder->open_session(kSession);
  EXPECT_TRUE(record->row("intent", 5, values)) << "an older view sees what came later";
}

TEST_F(JournalRecorderTest, GoesOnAfterACutInTheMiddleOfABlock) {
  leave(100);  // one block
  auto recorder = bench_.recorder();
  auto sinks = recorder->resume(kSession, kStreams,
                                std::vector<std::int64_t>{41, RecordedSession::kNone});
  EXPECT_EQ(recorder->open_session(kSession)->last("intent"), 41);
  Bench::push(*sinks[0], 41);
  recorder->open_session(kSession);
  EXPECT_NE(recorder->error_message().find("row 41 after it is refused"),
            std::string::npos);
  recorder.reset();

  recorder = bench_.recorder();
  sinks = recorder->resume(kSession, kStreams, std::vector<std::int64_t>{41, 0});
  for (std::int64_t index = 42; index < 50; ++index) Bench::push(*sinks[0], index);
  recorder->event(42, "state", "resumed");
  recorder->close();
  EXPECT_EQ(bench_.recorder()->find_interrupted(), std::nullopt);
  const auto record = bench_.recorder()->open_session(kSession);
  EXPECT_EQ(Bench::intents(*record, 0, 200), from_to(0, 50));
  const JournalReader reader(bench_.database());
  EXPECT_EQ(reader.row_count("intent"), 50);
  ASSERT_EQ(reader.events().size(), 1u);
  EXPECT_EQ(reader.events()[0].time, TimePoint(std::chrono::milliseconds(420)))
      << "the time step is remembered";
}

TEST_F(JournalRecorderTest, TakesAnActIntoARecordThatWasCutOffAndLeavesItSo) {
  leave(20);
  auto recorder = bench_.recorder();
  ASSERT_EQ(recorder->find_interrupted(), kSession);
  recorder->resume(kSession, {}, {});
  recorder->audit({"ada@lab", "operator channel", "cleared", "a force"});
  EXPECT_EQ(recorder->open_session(kSession)->last("intent"), 19);
  EXPECT_EQ(JournalReader(bench_.database()).audit().size(), 1U);
  recorder->resume(kSession, kStreams,
                   std::vector<std::int64_t>{19, RecordedSession::kNone});
  recorder.reset();
  EXPECT_EQ(bench_.recorder()->find_interrupted(), kSession);
  EXPECT_EQ(Bench::intents(*bench_.recorder()->open_session(kSession), 0, 200),
            from_to(0, 20));
}

TEST_F(JournalRecorderTest, CutsWholeBlocksToo) {
  {
    const auto recorder = bench_.recorder();
    const auto sinks = recorder->open(kSession, {}, kStreams);
    for (std::int64_t index = 0; index < 30; ++index) {
      Bench::push(*sinks[0], index);
      if (index % 10 == 9) recorder->open_session(kSession);  // a block ends
    }
  }
  const auto cut = [&](std::int64_t last) {
    const auto recorder = bench_.recorder();
    recorder->resume(kSession, kStreams, std::vector<std::int64_t>{last, 0});
    const auto record = recorder->open_session(kSession);
    return std::pair(record->last("intent"), Bench::intents(*record, -5, 40));
  };
  EXPECT_EQ(cut(100), std::pair(std::int64_t{29}, from_to(0, 30)));
  EXPECT_EQ(cut(19), std::pair(std::int64_t{19}, from_to(0, 20)));
  EXPECT_EQ(cut(4), std::pair(std::int64_t{4}, from_to(0, 5)));
  EXPECT_EQ(cut(-1), std::pair(RecordedSession::kNone, from_to(0, 0)));
}

TEST_F(JournalRecorderTest, SaysWhatItCannotGoOnWith) {
  const std::vector<std::int64_t> last{0, 0};
  const auto refused = [&](const RecordStreams& streams) {
    return sentence_of([&] { bench_.recorder()->resume(kSession, streams, last); });
  };
  EXPECT_NE(refused(kStreams).find("there is no journal"), std::string::npos);
  leave(2);
  EXPECT_NE(refused({kStreams[0], {"tick", {}}}).find("has no stream `tick`"),
            std::string::npos);
  EXPECT_NE(refused({kStreams[0], {"result", {}}}).find("`result` with other channels"),
            std::string::npos);
  EXPECT_NE(refused({kStreams[0]}).find("2 last rows were stated"), std::string::npos);
  EXPECT_EQ(Bench::intents(*bench_.recorder()->open_session(kSession), 0, 9).size(), 1u)
      << "the stream before the wrong one was cut";
}

TEST_F(JournalRecorderTest, KeepsTheNewestStateAcrossLives) {
  {
    const auto recorder = bench_.recorder();
    const auto sinks = recorder->open(kSession, {}, kStreams);
    recorder->save_state(0, std::vector<double>{1.0});
    const std::vector<double> large(5000, 2.5);  // much larger than the first
    recorder->save_state(1, large);
    EXPECT_EQ(recorder->open_session(kSession)->state()->values, large);
    recorder->save_state(2, std::vector<double>{3.0, -0.0});
    recorder->save_state(3, std::vector<double>{4.0});
  }
  const auto state = bench_.recorder()->open_session(kSession)->state();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->step, 3);
  EXPECT_EQ(state->values, std::vector<double>{4.0});
}

// A reader of the database finds at any time every row that was pushed before the state.
// Rows are wide, so that writing them takes longer than some steps.
TEST_F(JournalRecorderTest, NeverCommitsAStateWithoutTheRowsBeforeIt) {
  constexpr std::size_t kWide = 1000;
  const auto recorder = bench_.recorder();
  const auto sinks =
      recorder->open(kSession, {}, {{"tick", Channels(kWide, {"a_m", "m"})}});
  std::atomic<bool> done{false};
  std::thread node([&] {
    const std::vector<double> row(kWide, 0.5);
    for (std::int64_t step = 0; step < 4000; ++step) {
      while (!recorder->wait_for_space(std::chrono::seconds(10))) continue;
      sinks[0]->push({step, row});
      recorder->save_state(step, std::span<const double>(row).first(1));
      if (step % 16 == 0) recorder->request_sync();
      std::this_thread::yield();
    }
    done = true;
  });
  SqliteDatabase look(bench_.database(), SqliteDatabase::Access::kRead);
  std::int64_t looks = 0;
  std::int64_t early = 0;
  while (!done) {
    SqliteStatement both = look.prepare(
        "SELECT (SELECT coalesce(max(step), -1) FROM state), "
        "(SELECT coalesce(max(last), -1) FROM block)");
    if (both.step()) early += both.integer(0) > both.integer(1) ? 1 : 0;
    ++looks;
  }
  node.join();
  EXPECT_EQ(early, 0) << "of " << looks;
  EXPECT_FALSE(recorder->failed()) << recorder->error_message();
}

TEST_F(JournalRecorderTest, SecuresUnderLoadAndServesManyAtOnce) {
  const auto recorder = bench_.recorder();
  const auto sinks = recorder->open(kSession, {}, kStreams);
  EXPECT_TRUE(recorder->is_durable(0));
  std::uint64_t newest = 0;
  for (std::int64_t step = 0; step < 200; ++step) {
    Bench::push(*sinks[0], step);
    const std::uint64_t ticket = recorder->request_sync();
    EXPECT_GT(ticket, newest);
    newest = ticket;
    if (step % 20 != 0) continue;
    while (!recorder->is_durable(ticket) && !recorder->failed()) std::this_thread::yield();
    SqliteDatabase look(bench_.database(), SqliteDatabase::Access::kRead);
    ASSERT_GE(look.number("SELECT max(last) FROM block"), step);
  }
  while (!recorder->is_durable(newest) && !recorder->failed()) std::this_thread::yield();
  EXPECT_FALSE(recorder->failed());
  SqliteDatabase look(bench_.database(), SqliteDatabase::Access::kRead);
  EXPECT_LT(look.number("SELECT count(*) FROM block"), 200);
}

// There is nothing to write then; the commit is for the disk alone.
TEST_F(JournalRecorderTest, SecuresWhatWasCommittedBefore) {
  const auto recorder = bench_.recorder();
  const auto sinks = recorder->open(kSession, {}, kStreams);
  const auto request_sync = [&] {
    const std::uint64_t ticket = recorder->request_sync();
    while (!recorder->is_durable(ticket) && !recorder->failed()) std::this_thread::yield();
    return std::filesystem::file_size(bench_.database() + "-wal");
  };
  request_sync();
  Bench::push(*sinks[0], 0);
  recorder->open_session(kSession);  // commits, as cheaply as can be
  const std::uintmax_t committed = std::filesystem::file_size(bench_.database() + "-wal");
  const std::uintmax_t secured = request_sync();
  EXPECT_GT(secured, committed);
  EXPECT_EQ(request_sync(), secured) << "once";
}

TEST_F(JournalRecorderTest, IsSecuredByItselfWhereAnAgeIsStated) {
  JournalSettings settings;
  settings.path = bench_.file("aged.db");
  settings.transaction_s = 3600.0;
  settings.max_unsynced_age_s = 0.01;
  JournalWriter writer(settings);
  RowSink& sink = writer.add_stream("intent", kStreams[0].second);
  writer.start();
  Bench::push(sink, 0);
  SqliteDatabase look(settings.path, SqliteDatabase::Access::kRead);
  while (look.number("SELECT count(*) FROM block") == 0) std::this_thread::yield();
  EXPECT_EQ(look.number("SELECT max(last) FROM block"), 0);
  EXPECT_NE(sentence_of([&] {
              settings.max_unsynced_age_s = -1.0;
              JournalWriter{settings};
            }).find("must not be below 0 s"),
            std::string::npos);
}

TEST_F(JournalRecorderTest, OnlyReadsAJournalOfSchemaOne) {
  leave(2);
  {
    SqliteDatabase old(bench_.database(), SqliteDatabase::Access::kWrite);
    old.execute("DROP TABLE state; DROP TABLE audit; PRAGMA user_version = 1");
  }
  EXPECT_EQ(bench_.recorder()->find_interrupted(), std::nullopt);
  const auto record = bench_.recorder()->open_session(kSession);
  EXPECT_EQ(Bench::intents(*record, 0, 9), from_to(0, 2));
  EXPECT_EQ(record->state(), std::nullopt);
  EXPECT_TRUE(JournalReader(bench_.database()).audit().empty());
  const std::string expected = "journal " + bench_.database() +
                               " has schema 1, this program writes schema 2 and only reads "
                               "older ones; give the test "
                               "a separate folder";
  EXPECT_EQ(sentence_of([&] { bench_.recorder()->open(kSession, {}, kStreams); }),
            expected);
  EXPECT_EQ(
      sentence_of([&] {
        bench_.recorder()->resume(kSession, kStreams, std::vector<std::int64_t>{0, 0});
      }),
      expected);
}

TEST_F(JournalRecorderTest, LeavesNoRingFileBehindWhereAllWasWritten) {
  leave(2);
  EXPECT_FALSE(std::filesystem::exists(bench_.ring()));
  const auto recorder = bench_.recorder();
  recorder->open(kSession, {}, kStreams);
  EXPECT_TRUE(std::filesystem::exists(bench_.ring()));
  recorder->close();
  EXPECT_FALSE(std::filesystem::exists(bench_.ring()));
}

TEST_F(JournalRecorderTest, SaysThatSomebodyElseIsWriting) {
  const auto recorder = bench_.recorder();
  recorder->open(kSession, {}, kStreams);
  for (const std::string& sentence :
       {sentence_of([&] { bench_.recorder()->open(kSession, {}, kStreams); }),
        sentence_of([&] { bench_.recorder()->find_interrupted(); })})
    EXPECT_NE(sentence.find("is being written by another program"), std::string::npos)
        << sentence;
}

TEST_F(JournalRecorderTest, SaysThatTheRingFileCannotBeMade) {
  std::filesystem::create_directory(bench_.ring());
  const std::string sentence =
      sentence_of([&] { bench_.recorder()->open(kSession, {}, kStreams); });
  EXPECT_NE(sentence.find(bench_.ring()), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("cannot be"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace trestle::journal::journal_recorder_test
