#include "observe/web/row_store.h"

#include <gtest/gtest.h>

#include "core/journal/extent_builder.h"
#include "core/journal/sqlite_database.h"
#include "tests/observe/web/watched_folder.h"

namespace trestle::web::row_store_test {
namespace {

using testing::kChannels;
using testing::row_values;
using testing::WatchedFolder;

constexpr std::int64_t kRows = 50'000;

/// With the last 256 rows in memory, and all others in the journal alone.
RowStore store_of(const WatchedFolder& folder) {
  RowStore store(folder.journal(), stream_name::kResult, kChannels, 0);
  store.begin_at(kRows - static_cast<std::int64_t>(store.room()));
  for (std::int64_t index = kRows - static_cast<std::int64_t>(store.room()); index < kRows;
       ++index) {
    const std::vector<double> values = row_values(index);
    store.add({index, values});
  }
  return store;
}

BucketFrame frame_of(std::int64_t first, std::int64_t per, Reduce reduce) {
  return BucketFrame({1, {0, 3}, first, static_cast<std::uint32_t>(per), reduce});
}

/// All rows of the range, one by one: what any frame must be.
std::string by_rows(std::int64_t first, std::int64_t to, std::int64_t per, Reduce reduce) {
  BucketFrame frame = frame_of(first, per, reduce);
  for (std::int64_t index = first; index <= to; ++index) {
    const std::vector<double> values = row_values(index);
    frame.add({index, values});
  }
  return frame.bytes(static_cast<std::uint32_t>((to + 1 - first) / per));
}

TEST(RowStore, MakesBucketsOfExtentsThatAreThoseOfTheRows) {
  const WatchedFolder folder(kRows);
  for (const Reduce reduce : {Reduce::kExtremes, Reduce::kFirstRow})
    for (const std::int64_t per : {256, 768, 4096, 8192})
      for (const std::int64_t from : {std::int64_t{0}, std::int64_t{8192}}) {
        SCOPED_TRACE(per);
        const RowStore store = store_of(folder);
        BucketFrame frame = frame_of(from, per, reduce);
        EXPECT_EQ(store.reduce(from, kRows - 1, per, 1U << 30U, frame), kRows);
        const std::int64_t whole = from + (kRows - from) / per * per;
        EXPECT_TRUE(frame.bytes(static_cast<std::uint32_t>((whole - from) / per)) ==
                    by_rows(from, whole - 1, per, reduce));
      }
}

// 10 hours at 1 kHz have 720 times these rows: they could not be read.
TEST(RowStore, LooksAtAWholeRecordWithoutReadingItsRows) {
  const WatchedFolder folder(kRows);
  const RowStore store = store_of(folder);
  BucketFrame frame = frame_of(0, 4096, Reduce::kExtremes);
  store.reduce(0, kRows - 1, 4096, 1U << 30U, frame);
  // Twelve extents of 4096 rows, then fewer rows than the next one has.
  EXPECT_LE(store.values_read(), 12 * 3 * kChannels + 4096 * (kChannels + 1));
  const std::uint64_t before = store.values_read();
  BucketFrame fine = frame_of(0, 256, Reduce::kExtremes);
  store.reduce(0, 40'959, 256, 1U << 30U, fine);
  EXPECT_LE(store.values_read() - before, 160 * 3 * kChannels);
}

TEST(RowStore, EndsWithAWholeBucketWhenItHasReadEnough) {
  const WatchedFolder folder(kRows);
  // As an earlier version wrote it.
  journal::SqliteDatabase(folder.journal(), journal::SqliteDatabase::Access::kWrite)
      .execute("DROP TABLE extent");
  const RowStore store = store_of(folder);
  std::int64_t next = 0;
  int frames = 0;
  while (next < 40'960) {
    BucketFrame frame = frame_of(next, 4096, Reduce::kExtremes);
    const std::uint64_t before = store.values_read();
    const std::int64_t reached = store.reduce(next, 40'959, 4096, 1000, frame);
    ASSERT_GT(reached, next);
    ASSERT_EQ(reached % 4096, 0);
    EXPECT_LE(store.values_read() - before, 4096 * (kChannels + 1));
    EXPECT_TRUE(frame.bytes(1) == by_rows(next, next + 4095, 4096, Reduce::kExtremes));
    next = reached;
    ++frames;
  }
  EXPECT_EQ(frames, 10);
}

/// As ticks of which every tenth is kept: no row is the first of its bucket.
TEST(RowStore, EndsWhenItHasReadEnoughAlsoOfAStreamWithGaps) {
  const trestle::testing::TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  RowStore store(path, "tick", kChannels, 0);
  constexpr std::int64_t kKept = 100'000;
  {
    journal::JournalFile journal(path);
    const int stream = journal.add_stream(
        "tick", {{"a_m", "m"}, {"b_m", "m"}, {"c_N", "N"}, {"d_N", "N"}});
    const auto newest = kKept - static_cast<std::int64_t>(store.room());
    store.begin_at(10 * newest + 1);
    journal.begin();
    for (std::int64_t row = 0; row < kKept; ++row) {
      const std::vector<double> values = row_values(row);
      journal.append(stream, RecordRow{10 * row + 1, values});
      if (row >= newest) store.add({10 * row + 1, values});
    }
    journal.commit();
  }
  BucketFrame frame = frame_of(0, 256, Reduce::kExtremes);
  EXPECT_EQ(store.reduce(0, 10 * kKept, 256, 1000, frame), 8 * 256);
  EXPECT_LE(store.values_read(), 1000 + 26 * (kChannels + 1));
}

TEST(RowStore, ReadsTheRowsThatNoExtentIncludes) {
  const WatchedFolder folder(kRows);
  journal::SqliteDatabase(folder.journal(), journal::SqliteDatabase::Access::kWrite)
      .execute("DELETE FROM extent WHERE rows = 256 AND first IN (0, 512, 2560, 2816)");
  const RowStore store = store_of(folder);
  BucketFrame frame = frame_of(0, 768, Reduce::kExtremes);
  EXPECT_EQ(store.reduce(0, 7679, 768, 1U << 30U, frame), 7680);
  EXPECT_TRUE(frame.bytes(10) == by_rows(0, 7679, 768, Reduce::kExtremes));
}

TEST(RowStore, KnowsWhichBucketsAreMadeOfExtents) {
  EXPECT_EQ(RowStore::extent_rows(1), 0);
  EXPECT_EQ(RowStore::extent_rows(255), 0);
  EXPECT_EQ(RowStore::extent_rows(768), 256);
  EXPECT_EQ(RowStore::extent_rows(12'288), 4096);
}

}  // namespace
}  // namespace trestle::web::row_store_test
