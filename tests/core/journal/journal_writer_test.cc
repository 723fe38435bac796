#include "core/journal/journal_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/journal/journal_reader.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::journal::journal_writer_test {
namespace {

using namespace std::chrono_literals;
using testing::sentence_of;
using testing::TemporaryFolder;

Channels channels(int count) {
  Channels made;
  for (int i = 0; i < count; ++i) made.push_back({"c" + std::to_string(i), "m"});
  return made;
}

class JournalWriterTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("journal.db");
  std::vector<double> values_{1.0, 2.0, 3.0};

  RecordRow row(std::int64_t index) {
    values_[0] = static_cast<double>(index);
    return {index, values_};
  }

  std::vector<std::int64_t> indices(const std::string& stream) const {
    const JournalReader reader(path_);
    std::vector<std::int64_t> found;
    RowCursor rows = reader.rows(stream);
    while (const auto next = rows.next()) {
      EXPECT_EQ(next->values[0], static_cast<double>(next->index));
      found.push_back(next->index);
    }
    return found;
  }
};

std::vector<std::int64_t> up_to(std::int64_t end) {
  std::vector<std::int64_t> all;
  for (std::int64_t index = 0; index < end; ++index) all.push_back(index);
  return all;
}

/// Rows of health are wide, and there are a few in a second.
TEST_F(JournalWriterTest, TakesLittleOfTheDiskForRowsThatAreRare) {
  JournalWriter writer({.path = path_, .ring_rows = 16384});
  const auto taken = [this] {
    return std::filesystem::file_size(folder_.file("journal.ring"));
  };
  const auto before = taken();
  writer.add_stream("result", channels(3));
  const auto usual = taken() - before;
  RowSink& health = writer.add_stream(stream_name::kHealth, channels(3));
  EXPECT_LT(taken() - before - usual, usual / 8);
  writer.start();
  for (std::int64_t index = 0; index < 1000; ++index) EXPECT_TRUE(health.push(row(index)));
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(indices(stream_name::kHealth), up_to(1000));
}

TEST_F(JournalWriterTest, WritesEverythingPushedBeforeItIsClosed) {
  JournalWriter writer({.path = path_});
  RowSink& intent = writer.add_stream("intent", channels(3));
  RowSink& result = writer.add_stream("result", channels(3));
  writer.set_meta("test", "two-site frame");
  writer.start();
  for (std::int64_t step = 0; step < 1000; ++step) {
    EXPECT_TRUE(intent.push(row(step)));
    EXPECT_TRUE(result.push(row(step)));
  }
  EXPECT_TRUE(writer.event(TimePoint(1s), "west", "state", "HOLDING"));
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(writer.error_message(), std::nullopt);
  EXPECT_EQ(indices("intent"), up_to(1000));
  EXPECT_EQ(indices("result"), up_to(1000));
  const JournalReader reader(path_);
  EXPECT_EQ(reader.meta("test"), "two-site frame");
  EXPECT_EQ(reader.meta("lost_rows"), std::nullopt);
  EXPECT_EQ(reader.events(),
            (std::vector<JournalEvent>{{TimePoint(1s), "west", "state", "HOLDING"}}));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
}

TEST_F(JournalWriterTest, MakesRoomForARunnerThatMayWait) {
  JournalWriter writer({.path = path_, .ring_rows = 8, .transaction_s = 3600.0});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  for (std::int64_t step = 0; step < 500; ++step) {
    ASSERT_TRUE(writer.wait_for_space(10s));
    ASSERT_TRUE(sink.push(row(step)));
  }
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(indices("result"), up_to(500));
}

TEST_F(JournalWriterTest, GivesUpMakingRoomAtTheDeadline) {
  JournalWriter writer({.path = path_, .ring_rows = 2, .transaction_s = 3600.0});
  RowSink& sink = writer.add_stream("result", channels(3));
  sink.push(row(0));
  sink.push(row(1));
  EXPECT_FALSE(writer.wait_for_space(1ms));  // no writer was started
  EXPECT_FALSE(writer.failed());
}

TEST_F(JournalWriterTest, HasCommittedWhatWasFlushed) {
  JournalWriter writer({.path = path_, .transaction_s = 3600.0});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  sink.push(row(0));
  EXPECT_TRUE(writer.flush());
  EXPECT_EQ(indices("result"), up_to(1));
}

TEST_F(JournalWriterTest, LosesNothingCommittedToAKill) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto* const writer = new JournalWriter({.path = path_});
    RowSink& sink = writer->add_stream("result", channels(3));
    writer->start();
    for (std::int64_t step = 0; step < 100; ++step) sink.push(row(step));
    const bool flushed = writer->flush();
    for (std::int64_t step = 100; step < 110; ++step) sink.push(row(step));
    ::_exit(flushed ? 9 : 1);  // no destructor runs
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 9);
  ASSERT_TRUE(std::filesystem::exists(path_ + "-wal"));
  const std::vector<std::int64_t> found = indices("result");
  EXPECT_GE(found.size(), 100u);
  EXPECT_EQ(found, up_to(static_cast<std::int64_t>(found.size())));

  JournalWriter again({.path = path_});  // and the next one continues there
  RowSink& sink = again.add_stream("result", channels(3));
  sink.push(row(200));
  EXPECT_TRUE(again.close());
  EXPECT_EQ(indices("result").back(), 200);
}

TEST_F(JournalWriterTest, SaysThatTheDiskIsFullAndKeepsWhatWasCommitted) {
  JournalWriter writer({.path = path_, .ring_rows = 64, .max_pages = 20});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  std::int64_t pushed = 0;
  bool kept = true;
  while (kept && pushed < 100000 && writer.wait_for_space(10s))
    kept = sink.push(row(pushed++));
  EXPECT_TRUE(writer.failed());
  EXPECT_FALSE(sink.push(row(pushed)));
  EXPECT_FALSE(writer.wait_for_space(10s));
  EXPECT_FALSE(writer.flush());
  EXPECT_FALSE(writer.close());
  EXPECT_EQ(writer.error_message(),
            "journal " + path_ + ": the disk is full; free space on it");
  const std::vector<std::int64_t> found = indices("result");
  EXPECT_GT(found.size(), 100u);  // 20 pages of 16 KiB hold more
  EXPECT_EQ(found, up_to(static_cast<std::int64_t>(found.size())));
}

TEST_F(JournalWriterTest, KeepsWhatFoundAFullDiskForTheNextLife) {
  std::int64_t kept = 0;
  {
    JournalWriter writer({.path = path_, .ring_rows = 64, .max_pages = 20});
    RowSink& sink = writer.add_stream("result", channels(3));
    writer.start();
    while (kept < 100000 && writer.wait_for_space(10s) && sink.push(row(kept))) ++kept;
    EXPECT_FALSE(writer.close());
  }
  ASSERT_LT(indices("result").size(), static_cast<std::size_t>(kept));
  EXPECT_TRUE(JournalWriter({.path = path_}).close());  // by now there is room
  const std::vector<std::int64_t> found = indices("result");
  EXPECT_GE(found.size(), static_cast<std::size_t>(kept));
  EXPECT_EQ(found, up_to(static_cast<std::int64_t>(found.size())));
}

// Rows went on into a file that had no name, and were lost without a word.
TEST_F(JournalWriterTest, FailsWhereItsFileIsDeletedAndWritesItAgainAtItsEnd) {
  JournalWriter writer({.path = path_, .transaction_s = 0.01});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  sink.push(row(0));
  ASSERT_TRUE(writer.flush());
  for (const std::string& part : {path_, path_ + "-wal", path_ + "-shm"})
    std::filesystem::remove(part);
  EXPECT_TRUE(sink.push(row(1)));
  EXPECT_FALSE(writer.flush());
  EXPECT_TRUE(writer.failed());
  EXPECT_EQ(writer.error_message().value_or("").find(
                "the record " + path_ + " was deleted while it was written; process " +
                std::to_string(::getpid())),
            0U)
      << writer.error_message().value_or("");
  EXPECT_FALSE(writer.close(1)) << "it says what had happened";
  EXPECT_EQ(indices("result"), up_to(2)) << "it is there again, and whole";
  EXPECT_TRUE(JournalReader(path_).meta(meta_key::kEnded));
}

TEST_F(JournalWriterTest, WritesADeletedFileAgainThoughItsFolderIsGoneOrItsLogWasLeft) {
  for (const bool folder : {true, false}) {
    path_ = folder_.file("run/journal.db");
    std::filesystem::create_directories(folder_.file("run"));
    JournalWriter writer({.path = path_, .transaction_s = 0.01});
    RowSink& sink = writer.add_stream("result", channels(3));
    writer.start();
    sink.push(row(0));
    ASSERT_TRUE(writer.flush());
    if (folder)
      std::filesystem::remove_all(folder_.file("run"));
    else
      std::filesystem::remove(path_);
    sink.push(row(1));
    writer.close();  // it may have looked at the links before, or not
    EXPECT_EQ(indices("result"), up_to(2)) << folder;
    EXPECT_FALSE(std::filesystem::exists(path_ + ".again"));
    EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
    std::filesystem::remove_all(folder_.file("run"));
  }
}

TEST_F(JournalWriterTest, WritesNoDeletedFileOverAnotherThatHasTakenItsPlace) {
  JournalWriter writer({.path = path_, .transaction_s = 0.01});
  writer.add_stream("result", channels(3)).push(row(0));
  std::filesystem::remove(path_);
  std::ofstream(path_) << "mine";
  std::ofstream(path_ + ".again") << "older";
  EXPECT_FALSE(writer.close());
  EXPECT_EQ(std::filesystem::file_size(path_), 4U);
  EXPECT_EQ(std::filesystem::file_size(path_ + ".again"), 5U) << "of an earlier loss";
  path_ += ".again2";
  EXPECT_NE(writer.error_message().value_or("").find("what was recorded is in " + path_),
            std::string::npos)
      << writer.error_message().value_or("");
  EXPECT_EQ(indices("result"), up_to(1)) << "nothing is lost";
}

TEST_F(JournalWriterTest, WritesADeletedFileElsewhereWhereItsFolderCannotBeWritten) {
  path_ = folder_.file("run/journal.db");
  std::filesystem::create_directories(folder_.file("run"));
  JournalWriter writer({.path = path_, .transaction_s = 0.01});
  writer.add_stream("result", channels(3)).push(row(0));
  std::filesystem::remove_all(folder_.file("run"));
  std::ofstream(folder_.file("run")) << "no folder";
  EXPECT_FALSE(writer.close());
  const std::string why = writer.error_message().value_or("");
  const std::string words = "what was recorded is in ";
  ASSERT_NE(why.find(words), std::string::npos) << why;
  path_ = why.substr(why.find(words) + words.size());
  path_.resize(path_.find(": put that file"));
  EXPECT_EQ(indices("result"), up_to(1)) << "nothing is lost";
  std::filesystem::remove(path_);
}

// It looks without being asked: a site that only holds writes no row.
TEST_F(JournalWriterTest, FindsByItselfThatItsFileIsDeleted) {
  JournalWriter writer({.path = path_, .transaction_s = 0.01});
  writer.add_stream("result", channels(3));
  writer.start();
  EXPECT_FALSE(writer.failed());
  std::filesystem::remove(path_);
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!writer.failed() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  EXPECT_TRUE(writer.failed());
}

TEST_F(JournalWriterTest, WritesAFileAgainThatWasDeletedJustBeforeItsEnd) {
  JournalWriter writer({.path = path_});
  writer.add_stream("result", channels(3)).push(row(0));
  std::filesystem::remove(path_);
  EXPECT_TRUE(writer.close(1)) << writer.error_message().value_or("");
  EXPECT_EQ(indices("result"), up_to(1));
}

TEST_F(JournalWriterTest, GoesOnWhereItsFolderIsRenamed) {
  const std::string moved = folder_.file("moved");
  std::filesystem::create_directory(folder_.file("run"));
  JournalWriter writer({.path = folder_.file("run/journal.db"), .transaction_s = 0.01});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  sink.push(row(0));
  ASSERT_TRUE(writer.flush());
  std::filesystem::rename(folder_.file("run"), moved);
  sink.push(row(1));
  EXPECT_TRUE(writer.flush());
  EXPECT_FALSE(writer.failed()) << writer.error_message().value_or("");
  writer.close();
  path_ = moved + "/journal.db";
  EXPECT_EQ(indices("result"), up_to(2));
}

TEST_F(JournalWriterTest, CountsALostRowAsAFailure) {
  JournalWriter writer({.path = path_, .ring_rows = 2});
  RowSink& sink = writer.add_stream("tick", channels(3));
  for (std::int64_t tick = 0; tick < 5; ++tick) sink.push(row(tick));
  EXPECT_TRUE(writer.failed());
  EXPECT_NE(writer.error_message().value_or("").find("3 rows of `tick` were lost"),
            std::string::npos);
  EXPECT_FALSE(writer.close());
  EXPECT_EQ(indices("tick"), up_to(2));
  EXPECT_EQ(JournalReader(path_).meta("lost_rows"), "3");
}

TEST_F(JournalWriterTest, CountsALostEventAsAFailure) {
  JournalWriter writer({.path = path_});
  while (writer.event({}, "west", "state", "ARMED")) continue;
  EXPECT_TRUE(writer.failed());
  EXPECT_NE(writer.error_message().value_or("").find("1 events were lost"),
            std::string::npos);
}

TEST_F(JournalWriterTest, CountsInTheJournalTheEventsThatAreNotThere) {
  {
    JournalWriter writer({.path = path_});
    writer.add_stream("result", channels(3));
    while (writer.queues().events().room() > 0)
      EXPECT_TRUE(writer.event({}, "west", "state", "ARMED"));
    EXPECT_FALSE(writer.failed());
    for (int more = 0; more < 3; ++more)
      EXPECT_FALSE(writer.event({}, "west", "state", "RUNNING"));
    writer.close(1);
  }
  EXPECT_EQ(JournalReader(path_).meta(meta_key::kLostEvents), "3");
}

TEST_F(JournalWriterTest, RefusesRowsOfAnEarlierRun) {
  {
    JournalWriter writer({.path = path_});
    writer.add_stream("result", channels(3)).push(row(5));
  }
  JournalWriter writer({.path = path_});
  RowSink& sink = writer.add_stream("result", channels(3));
  sink.push(row(5));
  EXPECT_FALSE(writer.flush());
  EXPECT_NE(writer.error_message().value_or("").find("row 5 after it is refused"),
            std::string::npos);
}

TEST_F(JournalWriterTest, RefusesATransactionWithoutLength) {
  EXPECT_NE(
      sentence_of([&] { JournalWriter writer({.path = path_, .transaction_s = 0.0}); }),
      "");
}

TEST_F(JournalWriterTest, TakesMetaWhileItRuns) {
  JournalWriter writer({.path = path_, .transaction_s = 0.001});
  RowSink& sink = writer.add_stream("result", channels(3));
  writer.start();
  for (std::int64_t step = 0; step < 200; ++step) {
    sink.push(row(step));
    if (step % 20 == 0) writer.set_meta("steps_done", std::to_string(step));
  }
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(JournalReader(path_).meta("steps_done"), "180");
}

TEST_F(JournalWriterTest, TakesRowsOfANodeOnItsOwnThread) {
  JournalWriter writer({.path = path_, .ring_rows = 32, .transaction_s = 0.001});
  RowSink& sink = writer.add_stream("tick", channels(3));
  writer.start();
  std::thread node([&] {
    std::vector<double> values{0.0, 0.0, 0.0};
    for (std::int64_t tick = 0; tick < 2000; ++tick) {
      values[0] = static_cast<double>(tick);
      if (!writer.wait_for_space(10s) || !sink.push({tick, values})) return;
      if (tick % 500 == 0) writer.event(TimePoint(Duration(tick)), "west", "state", "x");
    }
  });
  for (int look = 0; look < 20; ++look) {  // a third thread reads meanwhile
    const std::vector<std::int64_t> found = indices("tick");
    EXPECT_EQ(found, up_to(static_cast<std::int64_t>(found.size())));
  }
  node.join();
  EXPECT_TRUE(writer.close());
  EXPECT_EQ(indices("tick"), up_to(2000));
  EXPECT_EQ(JournalReader(path_).events().size(), 4u);
}

}  // namespace
}  // namespace trestle::journal::journal_writer_test
