#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/journal/journal_file.h"
#include "core/journal/journal_reader.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::journal::extent_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using testing::TemporaryFolder;

const Channels kTwo{{"a_m", "m"}, {"b_N", "N"}};

/// Values with a turn in the middle of extents; the second channel has none at times.
double first_channel(std::int64_t index) {
  return std::sin(0.013 * static_cast<double>(index));
}
double second_channel(std::int64_t index) {
  if (index % 7 == 3 || (index >= 512 && index < 768)) return kNone;
  return static_cast<double>((index * 37) % 101) - 50.0;
}

struct Seen {
  double low = 0.0;
  double high = 0.0;
  double begin = 0.0;
};

class Extents : public ::testing::Test {
 protected:
  void write(JournalFile& journal, int stream, std::int64_t from, std::int64_t to,
             std::int64_t block = 100) {
    std::vector<std::byte> rows;
    for (std::int64_t index = from; index <= to; ++index) {
      const double values[2] = {first_channel(index), second_channel(index)};
      const auto* const bytes = reinterpret_cast<const std::byte*>(&index);
      rows.insert(rows.end(), bytes, bytes + sizeof index);
      const auto* const data = reinterpret_cast<const std::byte*>(values);
      rows.insert(rows.end(), data, data + sizeof values);
      if (index == to || (index - from) % block == block - 1) {
        journal.append(stream, rows);
        rows.clear();
      }
    }
  }

  /// The extents of one length by their first index; of one channel.
  std::map<std::int64_t, Seen> seen(std::int64_t rows, std::size_t channel,
                                    std::int64_t from = 0, std::int64_t to = 1 << 20) {
    std::map<std::int64_t, Seen> found;
    JournalReader(path_).visit_extents("result", rows, from, to, [&](const Extent& extent) {
      EXPECT_EQ(extent.rows, rows);
      found[extent.first] = {extent.low[channel], extent.high[channel],
                             extent.begin[channel]};
      return true;
    });
    return found;
  }

  /// By the formulas above, row by row.
  void expect_right(std::int64_t rows) {
    for (std::size_t channel = 0; channel < 2; ++channel)
      for (const auto& [first, extent] : seen(rows, channel)) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (std::int64_t index = first; index < first + rows; ++index) {
          const double value = channel == 0 ? first_channel(index) : second_channel(index);
          if (std::isnan(value)) continue;
          low = std::min(low, value);
          high = std::max(high, value);
        }
        if (low > high) {
          EXPECT_TRUE(std::isnan(extent.low) && std::isnan(extent.high)) << first;
        } else {
          EXPECT_EQ(extent.low, low) << first;
          EXPECT_EQ(extent.high, high) << first;
        }
        const double begin = channel == 0 ? first_channel(first) : second_channel(first);
        EXPECT_TRUE(extent.begin == begin ||
                    (std::isnan(extent.begin) && std::isnan(begin)))
            << first;
      }
  }

  bool has_table() {
    return SqliteDatabase(path_, SqliteDatabase::Access::kRead)
               .number("SELECT count(*) FROM sqlite_schema WHERE name = 'extent'") > 0;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("journal.db");
};

TEST_F(Extents, AreThoseOfTheRowsHoweverTheyWereWritten) {
  for (const std::int64_t block : {1, 100, 256, 5000}) {
    SCOPED_TRACE(block);
    path_ = folder_.file(std::to_string(block) + ".db");
    JournalFile journal(path_);
    const int stream = journal.add_stream("result", kTwo);
    journal.begin();
    write(journal, stream, 0, 9000, block);
    journal.commit();
    // The last one of each length is not whole.
    EXPECT_EQ(seen(256, 0).size(), 35U);
    EXPECT_EQ(seen(4096, 0).size(), 2U);
    expect_right(256);
    expect_right(4096);
    EXPECT_TRUE(std::isnan(seen(256, 1).at(512).low)) << "a channel without a number";
  }
}

TEST_F(Extents, OfAShortRecordTakeNoRoom) {
  JournalFile journal(path_);
  write(journal, journal.add_stream("result", kTwo), 0, 255);
  EXPECT_FALSE(has_table());
  EXPECT_TRUE(seen(256, 0).empty());
}

TEST_F(Extents, AreGivenOnlyWithinTheRangeAndUntilItIsEnough) {
  JournalFile journal(path_);
  write(journal, journal.add_stream("result", kTwo), 0, 3000);
  const auto some = seen(256, 0, 257, 1023);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some.begin()->first, 512);
  EXPECT_EQ(some.rbegin()->first, 768);
  int taken = 0;
  JournalReader(path_).visit_extents("result", 256, 0, 3000,
                                     [&](const Extent&) { return ++taken < 3; });
  EXPECT_EQ(taken, 3);
}

TEST_F(Extents, OfRowsThatAnotherProcessBeganAreNotMade) {
  {
    JournalFile journal(path_);
    write(journal, journal.add_stream("result", kTwo), 0, 300);
  }
  JournalFile journal(path_);
  const int stream = journal.find("result").value();
  write(journal, stream, 301, 1000);
  const auto found = seen(256, 0);
  EXPECT_TRUE(found.contains(0));
  EXPECT_FALSE(found.contains(256)) << "its first rows were not seen";
  EXPECT_TRUE(found.contains(512));
  expect_right(256);
}

TEST_F(Extents, OfRowsThatAResumeRepeatsAreThoseOfTheNewRows) {
  {
    JournalFile journal(path_);
    const int stream = journal.add_stream("result", kTwo);
    std::vector<double> wild{1e6, -1e6};
    for (std::int64_t index = 0; index <= 1100; ++index)
      if (index < 600)
        write(journal, stream, index, index);
      else
        journal.append(stream, RecordRow{index, wild});
    EXPECT_TRUE(seen(256, 0).contains(768));
  }
  JournalFile journal(path_);
  const int stream = journal.reopen_stream("result", kTwo, 599);
  EXPECT_EQ(seen(256, 0).size(), 2U) << "those with rows above 599 are gone";
  write(journal, stream, 600, 2000);
  EXPECT_FALSE(seen(256, 0).contains(512)) << "it was not seen from its beginning on";
  EXPECT_TRUE(seen(256, 0).contains(768));
  expect_right(256);
}

/// As 0.36 resumed: it knows no extents, and its rows are in few and long blocks.
TEST_F(Extents, OfRowsThatAnEarlierVersionRemovesAreGone) {
  {
    JournalFile journal(path_);
    write(journal, journal.add_stream("result", kTwo), 0, 9000, 1000);
  }
  EXPECT_TRUE(seen(256, 0).contains(8448));
  {
    SqliteDatabase earlier(path_, SqliteDatabase::Access::kWrite);
    earlier.execute("BEGIN");
    earlier.execute("DELETE FROM block WHERE first > 8700");
    earlier.execute(
        "UPDATE block SET last = 8700, count = 701, rows = substr(rows, 1, 701 * 24) WHERE "
        "first <= 8700 AND last > 8700");
    earlier.execute("COMMIT");
  }
  EXPECT_TRUE(seen(256, 0).contains(8192)) << "its rows are all there";
  EXPECT_FALSE(seen(256, 0).contains(8448)) << "its last rows are written again";
  SqliteDatabase(path_, SqliteDatabase::Access::kWrite)
      .execute("DELETE FROM block WHERE first > 4000");
  EXPECT_FALSE(seen(256, 0).contains(4864));
  EXPECT_EQ(seen(4096, 0).size(), 1U);
  JournalFile journal(path_);
  write(journal, journal.find("result").value(), 5000, 9000);
  expect_right(256);
  expect_right(4096);
}

/// Between the newest row that is left and the next one there was none.
TEST_F(Extents, ThatANewRowMayBelongToAreGone) {
  {
    JournalFile journal(path_);
    const int stream = journal.add_stream("result", kTwo);
    write(journal, stream, 0, 200);
    write(journal, stream, 300, 400);
    EXPECT_TRUE(seen(256, 0).contains(0));
  }
  SqliteDatabase(path_, SqliteDatabase::Access::kWrite)
      .execute("DELETE FROM block WHERE first >= 300");
  EXPECT_FALSE(seen(256, 0).contains(0));
}

TEST_F(Extents, OfRowsThatWereTakenBackAreNotMade) {
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  journal.begin();
  write(journal, stream, 0, 199);
  journal.commit();
  journal.begin();
  std::vector<double> wild{1e6, -1e6};
  for (std::int64_t index = 200; index <= 600; ++index)
    journal.append(stream, RecordRow{index, wild});
  journal.rollback();
  EXPECT_FALSE(has_table()) << "it was made in the transaction that was taken back";
  journal.begin();
  write(journal, stream, 200, 1100);
  journal.commit();
  expect_right(256);
  EXPECT_TRUE(seen(256, 0).contains(768));
}

TEST_F(Extents, OfAStreamWithFewRowsForItsIndicesAreNotMade) {
  JournalFile journal(path_);
  const int stream = journal.add_stream("result", kTwo);
  for (std::int64_t index = 0; index < 20'000; index += 10)
    write(journal, stream, index, index);
  EXPECT_FALSE(has_table());
}

TEST_F(Extents, OfAnUnknownLengthMakeTheFileDamaged) {
  {
    JournalFile journal(path_);
    write(journal, journal.add_stream("result", kTwo), 0, 600);
  }
  SqliteDatabase(path_, SqliteDatabase::Access::kWrite)
      .execute("UPDATE extent SET extremes = x'0102'");
  EXPECT_THROW(seen(256, 0), std::runtime_error);
}

}  // namespace
}  // namespace trestle::journal::extent_test
