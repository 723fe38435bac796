#include "observe/records/stream_envelope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/journal/journal_file.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::stream_envelope_test {
namespace {

using records::StreamEnvelope;
using testing::TemporaryFolder;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kRows = 5000;

/// The second column has no number for a while, its largest magnitude is below zero and
/// comes twice.
std::vector<double> row_values(std::int64_t index) {
  const double second = index == 3210 || index == 4700  ? -60.0
                        : index >= 1000 && index < 2100 ? kNone
                                                        : double((index * 37) % 101) - 50.0;
  return {std::sin(0.013 * static_cast<double>(index)), second};
}

/// A stream of rows from −1 on.
class LongStream {
 public:
  LongStream() {
    journal::JournalFile journal(path());
    const int stream = journal.add_stream("result", {{"a_m", "m"}, {"b_N", "N"}});
    journal.begin();
    for (std::int64_t index = -1; index < kRows; ++index)
      journal.append(stream, RecordRow{index, index < 0 ? std::vector<double>{9e9, 9e9}
                                                        : row_values(index)});
    journal.commit();
  }
  std::string path() const { return folder_.file("journal.db"); }
  void change(const std::string& sql) const {
    journal::SqliteDatabase(path(), journal::SqliteDatabase::Access::kWrite).execute(sql);
  }
  StreamEnvelope envelope(std::int64_t fewest) const {
    return {journal::JournalReader(path()), "result", fewest};
  }

 private:
  TemporaryFolder folder_;
};

/// Every part holds exactly the extremes of its own rows.
void expect_extremes(const StreamEnvelope& envelope) {
  ASSERT_EQ(envelope.last(), kRows - 1);
  for (std::size_t part = 0; part < envelope.first().size(); ++part)
    for (std::size_t column = 0; column < 2; ++column) {
      double low = kNone;
      double high = kNone;
      const std::int64_t first = envelope.first()[part];
      for (std::int64_t i = first; i < std::min(first + envelope.part_rows(), kRows); ++i) {
        low = std::fmin(low, row_values(i)[column]);
        high = std::fmax(high, row_values(i)[column]);
      }
      const auto& found = envelope.column(column);
      EXPECT_TRUE(found.low[part] == low ||
                  (std::isnan(low) && std::isnan(found.low[part])))
          << part;
      EXPECT_TRUE(found.high[part] == high ||
                  (std::isnan(high) && std::isnan(found.high[part])))
          << part;
    }
}

TEST(StreamEnvelope, HasTheExtremesOfEachPartWhateverItIsMadeOf) {
  const LongStream record;
  for (const std::int64_t fewest : {1, 8, 100, 2000}) {
    const StreamEnvelope envelope = record.envelope(fewest);
    EXPECT_GE(envelope.first().size(), static_cast<std::size_t>(fewest));
    EXPECT_LE(envelope.first().size(), static_cast<std::size_t>(2 * fewest + 1));
    expect_extremes(envelope);
  }
  EXPECT_EQ(record.envelope(8).part_rows(), 512);   // two extents
  EXPECT_EQ(record.envelope(100).part_rows(), 50);  // of rows
  record.change(
      "DROP TABLE extent; DROP TRIGGER extent_after_DELETE; "
      "DROP TRIGGER extent_after_UPDATE");
  expect_extremes(record.envelope(8));
}

TEST(StreamEnvelope, NamesTheFirstRowOfTheLargestMagnitude) {
  const LongStream record;
  for (const std::int64_t fewest : {1, 8, 2000}) {
    const StreamEnvelope envelope = record.envelope(fewest);
    EXPECT_EQ(envelope.peak(1).index, 3210);
    EXPECT_EQ(envelope.peak(1).value, -60.0);
    double largest = 0.0;
    for (std::int64_t i = 0; i < kRows; ++i)
      largest = std::max(largest, std::abs(row_values(i)[0]));
    EXPECT_EQ(std::abs(envelope.peak(0).value), largest);
    EXPECT_EQ(row_values(envelope.peak(0).index)[0], envelope.peak(0).value);
  }
}

TEST(StreamEnvelope, ReadsTheRowsOfNoPartThatAnExtentTells) {
  const LongStream record;
  const StreamEnvelope before = record.envelope(8);
  // The rows of the second part are gone; no peak is in it, and its extents stand.
  record.change("DELETE FROM block WHERE first >= 512 AND first < 1024");
  const StreamEnvelope after = record.envelope(8);
  EXPECT_EQ(after.first(), before.first());
  EXPECT_EQ(after.column(0).low, before.column(0).low);
  EXPECT_EQ(after.column(0).high, before.column(0).high);
}

TEST(StreamEnvelope, OfAColumnWithoutANumberHasNoPeak) {
  const TemporaryFolder folder;
  {
    journal::JournalFile journal(folder.file("journal.db"));
    const int stream = journal.add_stream("result", {{"a_m", "m"}});
    for (std::int64_t index = 0; index < 10; ++index)
      journal.append(stream, RecordRow{index, std::vector<double>{kNone}});
    journal.add_stream("ledger", {{"b", ""}});
  }
  const journal::JournalReader reader(folder.file("journal.db"));
  const StreamEnvelope envelope(reader, "result", 2);
  EXPECT_EQ(envelope.peak(0).index, -1);
  EXPECT_TRUE(std::isnan(envelope.peak(0).value));
  EXPECT_TRUE(StreamEnvelope(reader, "ledger", 2).empty());
}

}  // namespace
}  // namespace trestle::stream_envelope_test
