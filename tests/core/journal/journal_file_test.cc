#include "core/journal/journal_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "core/journal/journal_reader.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::journal::journal_test {
namespace {

using namespace std::chrono_literals;
using testing::sentence_of;
using testing::TemporaryFolder;
using ::testing::Test;

const Channels kTwo{{"west.floor_w.x.target_m", "m"}, {"west.floor_w.x.force_N", "N"}};

RecordRow row(std::int64_t index, const std::vector<double>& values) {
  return {index, values};
}

std::vector<std::int64_t> indices(const JournalReader& reader, const std::string& stream) {
  std::vector<std::int64_t> found;
  RowCursor rows = reader.rows(stream);
  while (const auto next = rows.next()) found.push_back(next->index);
  return found;
}

class JournalTest : public Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("journal.db");
};

TEST_F(JournalTest, GivesEveryBitBack) {
  const std::vector<double> odd{-0.0, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<double> small{5e-324, 1.0 / 3.0};
  {
    JournalFile journal(path_);
    const int stream = journal.add_stream("result", kTwo);
    journal.append(stream, row(-1, odd));
    journal.append(stream, row(0, small));
    journal.finish();
  }
  const JournalReader reader(path_);
  EXPECT_EQ(reader.channels("result"), kTwo);
  EXPECT_EQ(reader.row_count("result"), 2);
  RowCursor rows = reader.rows("result");
  for (const auto& [index, values] : {std::pair(-1, odd), std::pair(0, small)}) {
    const auto next = rows.next();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->index, index);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(next->values[i]),
                std::bit_cast<std::uint64_t>(values[i]));
  }
  EXPECT_FALSE(rows.next());
}

TEST_F(JournalTest, KeepsMetaAndEventsInOrder) {
  const JournalEvent armed{TimePoint(1ns), "west", "state", "ARMED"};
  const JournalEvent held{TimePoint(2s), "east", "fault", "rate 401 mm/s, limit 400 mm/s"};
  {
    JournalFile journal(path_);
    journal.set_meta("mode", "real-time");
    journal.set_meta("mode", "simulated");
    journal.add_event(armed);
    journal.add_event(held);
  }
  const JournalReader reader(path_);
  EXPECT_EQ(reader.meta("mode"), "simulated");
  EXPECT_EQ(reader.meta("test"), std::nullopt);
  EXPECT_EQ(reader.events(), (std::vector<JournalEvent>{armed, held}));
}

TEST_F(JournalTest, RefusesARowThatIsThereAlready) {
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  journal.append(stream, row(4, {0, 0}));
  EXPECT_EQ(sentence_of([&] {
              journal.append(stream, row(4, {0, 0}));
            }),
            "journal " + path_ +
                ": stream `result` holds row 4 already; row 4 after it is refused");
  EXPECT_NE(sentence_of([&] { journal.append(stream, row(3, {0, 0})); }), "");
  journal.append(stream, row(9, {0, 0}));  // a gap is no overlap
}

TEST_F(JournalTest, ContinuesWhereAnEarlierOneEnded) {
  for (const std::int64_t index : {0, 1}) {
    JournalFile journal(path_);
    journal.append(journal.add_stream("result", kTwo), row(index, {0, 0}));
    journal.finish();
  }
  EXPECT_EQ(indices(JournalReader(path_), "result"), (std::vector<std::int64_t>{0, 1}));
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  EXPECT_NE(sentence_of([&] { journal.append(stream, row(1, {0, 0})); }), "");
}

TEST_F(JournalTest, RefusesAStreamWithOtherChannelsAndAnotherSession) {
  {
    JournalFile journal(path_);
    journal.add_stream("result", kTwo);
    journal.set_meta("session", "aa");
  }
  JournalFile journal(path_);
  EXPECT_NE(sentence_of([&] {
              journal.add_stream("result", {{"x", "m"}});
            }).find("`result` with other channels"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] {
              journal.set_meta("session", "bb");
            }).find("holds session aa, this is session bb"),
            std::string::npos);
  journal.set_meta("session", "aa");
}

TEST_F(JournalTest, TakesBackWhatWasNotCommitted) {
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  journal.begin();
  journal.append(stream, row(0, {0, 0}));
  journal.rollback();
  EXPECT_EQ(JournalReader(path_).row_count("result"), 0);
  journal.append(stream, row(0, {0, 0}));  // not there any more, so no overlap
}

TEST_F(JournalTest, CanBeReadWhileItIsWritten) {
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  journal.append(stream, row(0, {0, 0}));
  const JournalReader reader(path_);
  journal.append(stream, row(1, {0, 0}));
  EXPECT_EQ(reader.row_count("result"), 1);  // the view of its opening
  EXPECT_EQ(JournalReader(path_).row_count("result"), 2);
}

TEST_F(JournalTest, IsOneFileWhenFinished) {
  JournalFile journal(path_);
  journal.append(journal.add_stream("result", kTwo), row(0, {0, 0}));
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  journal.finish();
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-shm"));
}

TEST_F(JournalTest, CopiesWhatOnlyStandsInTheLog) {
  JournalFile journal(path_);
  journal.append(journal.add_stream("result", kTwo), row(0, {0, 0}));
  JournalReader(path_).copy_to(folder_.file("copy.db"));
  EXPECT_EQ(JournalReader(folder_.file("copy.db")).row_count("result"), 1);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("copy.db-wal")));
}

TEST_F(JournalTest, RefusesANewerSchemaAndNamesBoth) {
  { const JournalFile journal(path_); }
  SqliteDatabase(path_, SqliteDatabase::Access::kWrite).execute("PRAGMA user_version = 3");
  const std::string sentence = "journal " + path_ +
                               " has schema 3, this program knows up to schema 2; use the "
                               "newer program that wrote it";
  EXPECT_EQ(sentence_of([&] { JournalReader reader(path_); }), sentence);
  EXPECT_EQ(sentence_of([&] { JournalFile journal(path_); }), sentence);
}

TEST_F(JournalTest, RefusesWhatIsNoJournal) {
  EXPECT_EQ(sentence_of([&] { JournalReader reader(path_); }),
            "there is no journal " + path_);
  std::ofstream(path_) << "time_s,floor_w.x\n" << std::string(4096, '0');
  EXPECT_EQ(sentence_of([&] { JournalReader reader(path_); }),
            path_ + " is not a journal: it is no SQLite database");
  EXPECT_EQ(sentence_of([&] { JournalFile journal(path_); }),
            path_ + " is not a journal: it is no SQLite database");
  const std::string other = folder_.file("other.db");
  SqliteDatabase(other, SqliteDatabase::Access::kWrite)
      .execute("CREATE TABLE customer(name)");
  EXPECT_EQ(sentence_of([&] { JournalFile journal(other); }),
            other + " is not a journal: it is some other program's database");
}

TEST_F(JournalTest, SaysWhereAFolderIsMissing) {
  const std::string nowhere = folder_.file("nowhere/journal.db");
  EXPECT_EQ(sentence_of([&] { JournalFile journal(nowhere); }),
            "journal " + nowhere +
                " cannot be opened; check that its folder exists and its permissions");
}

TEST_F(JournalTest, NoticesABlockOfTheWrongLength) {
  {
    JournalFile journal(path_);
    journal.append(journal.add_stream("result", kTwo), row(0, {0, 0}));
  }
  SqliteDatabase(path_, SqliteDatabase::Access::kWrite)
      .execute("UPDATE block SET rows = x'0102'");
  EXPECT_NE(
      sentence_of([&] { indices(JournalReader(path_), "result"); }).find("is damaged"),
      std::string::npos);
}

// SQLite would remove the log of a database that was cut off to nothing.
TEST_F(JournalTest, LeavesTheLogOfAnEmptyFileAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  std::ofstream(path).flush();
  std::ofstream(path + "-wal") << std::string(5000, 'x');
  for (const std::string& sentence :
       {sentence_of([&] { JournalReader{path}; }), sentence_of([&] { JournalFile{path}; })})
    EXPECT_NE(sentence.find("is empty, but"), std::string::npos) << sentence;
  EXPECT_EQ(std::filesystem::file_size(path + "-wal"), 5000U);
}

}  // namespace
}  // namespace trestle::journal::journal_test
