#include "core/journal/journal_follower.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "core/journal/journal_writer.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::journal::journal_follower_test {
namespace {

using testing::TemporaryFolder;

constexpr const char* kSession = "0123456789abcdef0123456789abcdef";
const Channels kChannels{{"west.1.target_m", "m"}, {"west.1.measured_m", "m"}};

struct Row {
  std::int64_t index;
  double first;
  double second;
  bool operator==(const Row&) const = default;
};

class JournalFollowerTest : public ::testing::Test {
 protected:
  void begin(std::size_t ring_rows) {
    writer_.emplace(
        JournalSettings{.path = path(), .ring_rows = ring_rows, .session = kSession});
    writer_->set_meta(meta_key::kSession, kSession);
    sink_ = &writer_->add_stream("tick", kChannels);
    writer_->start();
  }
  void resume(std::int64_t last) {
    writer_.emplace(JournalSettings{.path = path(), .ring_rows = 64, .session = kSession});
    sink_ = &writer_->reopen_stream("tick", kChannels, last);
    writer_->start();
  }
  void push(std::int64_t from, std::int64_t until) {
    for (std::int64_t index = from; index < until; ++index) {
      const std::vector<double> row{static_cast<double>(index),
                                    -static_cast<double>(index)};
      if (index % 16 == 0) writer_->wait_for_space(std::chrono::seconds(10));
      EXPECT_TRUE(sink_->push({index, row}));
    }
  }
  std::vector<Row> follow() {
    std::vector<Row> rows;
    const JournalFollower::Taken taken =
        follower_.follow("tick", [&rows](const RecordRow& row) {
          rows.push_back({row.index, row.values[0], row.values[1]});
        });
    EXPECT_EQ(taken.rows, rows.size());
    skipped_ += taken.skipped;
    return rows;
  }
  static std::vector<Row> expected(std::int64_t from, std::int64_t until) {
    std::vector<Row> rows;
    for (std::int64_t index = from; index < until; ++index)
      rows.push_back({index, static_cast<double>(index), -static_cast<double>(index)});
    return rows;
  }
  std::string path() const { return folder_.file("west.db"); }

  TemporaryFolder folder_;
  std::optional<JournalWriter> writer_;
  RowSink* sink_ = nullptr;
  JournalFollower follower_{path()};
  std::uint64_t skipped_ = 0;
};

TEST_F(JournalFollowerTest, WaitsForAJournalThatIsNotThereYet) {
  EXPECT_FALSE(follower_.refresh());
  begin(64);
  EXPECT_TRUE(follower_.refresh());
  EXPECT_EQ(follower_.meta(meta_key::kSession), kSession);
  EXPECT_EQ(follower_.channels("tick"), kChannels);
  EXPECT_TRUE(follower_.has_ring());
  EXPECT_EQ(follower_.newest_index("tick"), std::nullopt);
}

TEST_F(JournalFollowerTest, GivesRowsBeforeTheyAreCommitted) {
  begin(64);
  follower_.refresh();
  push(0, 10);
  EXPECT_EQ(follower_.newest_index("tick"), 9);
  EXPECT_EQ(follow(), expected(0, 10));
  EXPECT_EQ(follow(), expected(0, 0));
  push(10, 12);
  EXPECT_EQ(follow(), expected(10, 12));
}

TEST_F(JournalFollowerTest, JoinsCommittedRowsAndThoseOfTheRing) {
  begin(64);
  push(0, 1000);
  ASSERT_TRUE(writer_->flush());
  push(1000, 1010);
  follower_.refresh();
  EXPECT_EQ(follow(), expected(0, 1010));
}

TEST_F(JournalFollowerTest, TakesTheDatabaseWhereTheRingWasFaster) {
  begin(64);
  follower_.refresh();
  push(0, 5);
  EXPECT_EQ(follow(), expected(0, 5));
  push(5, 5000);
  ASSERT_TRUE(writer_->flush());
  push(5000, 5007);
  EXPECT_EQ(follow(), expected(5, 5007));
  EXPECT_EQ(skipped_, 0U);
}

TEST_F(JournalFollowerTest, BeginsWhereItIsTold) {
  begin(64);
  push(0, 1000);
  ASSERT_TRUE(writer_->flush());
  push(1000, 1010);
  follower_.refresh();
  follower_.start("tick", 990);
  EXPECT_EQ(follow(), expected(990, 1010));
  follower_.start("tick", 1005);
  EXPECT_EQ(follow(), expected(1005, 1010));
}

TEST_F(JournalFollowerTest, ReadsToTheEndOfAFinishedJournalAndLeavesOneFile) {
  begin(64);
  follower_.refresh();
  push(0, 20);
  EXPECT_EQ(follow(), expected(0, 20));
  push(20, 30);
  ASSERT_TRUE(writer_->close(1));
  follower_.refresh();
  EXPECT_FALSE(follower_.has_ring());
  EXPECT_EQ(follow(), expected(20, 30));
  EXPECT_TRUE(follower_.meta(meta_key::kEnded));
  follower_.refresh();
  EXPECT_EQ(follow(), expected(0, 0));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder_.path()))
    ++files;
  EXPECT_EQ(files, 1U);
}

TEST_F(JournalFollowerTest, GoesOnWithTheNextLifeOfTheNode) {
  begin(64);
  follower_.refresh();
  push(0, 20);
  EXPECT_EQ(follow(), expected(0, 20));
  writer_.reset();
  resume(19);
  push(20, 40);
  follower_.refresh();
  EXPECT_EQ(follow(), expected(20, 40));
  EXPECT_EQ(skipped_, 0U);
}

TEST_F(JournalFollowerTest, GivesEachEventOnce) {
  begin(64);
  writer_->event(TimePoint(Duration(5)), "west", "state", "RUNNING");
  ASSERT_TRUE(writer_->flush());
  follower_.refresh();
  const std::vector<JournalEvent> events = follower_.take_events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].text, "RUNNING");
  follower_.refresh();
  EXPECT_TRUE(follower_.take_events().empty());
}

TEST_F(JournalFollowerTest, SaysWhyAFileIsNoJournal) {
  {
    std::ofstream(path()) << "not a database, but long enough to be one"
                          << std::string(4096, ' ');
  }
  EXPECT_NE(testing::sentence_of([this] { follower_.refresh(); }).find("west.db"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::journal::journal_follower_test
