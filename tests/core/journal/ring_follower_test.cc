#include "core/journal/ring_follower.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"
#include "core/journal/row_queue.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::journal::ring_follower_test {
namespace {

using testing::TemporaryFolder;
using State = RingFollower::State;

constexpr const char* kSession = "0123456789abcdef0123456789abcdef";

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::int64_t kManyRows = 1'000'000;
#else
constexpr std::int64_t kManyRows = 10'000'000;
#endif

RowQueue add_queue(RingFile& ring, const std::string& name, std::size_t channels,
                   std::size_t rows) {
  return {channels, rows,
          QueueMemory(ring.add(RingFile::Kind::kRows, name, channels, rows,
                               RowQueue::area_bytes(channels, rows)))};
}

double value_of(std::int64_t index, std::size_t channel) {
  return static_cast<double>(index * 31 + static_cast<std::int64_t>(channel));
}

void push(RowQueue& queue, std::int64_t index, std::vector<double>& row) {
  for (std::size_t channel = 0; channel < row.size(); ++channel)
    row[channel] = value_of(index, channel);
  queue.push({index, row});
}

/// Rows whose index or values are not those of one push.
std::size_t torn_rows(const std::vector<std::byte>& bytes, std::size_t channels,
                      std::uint64_t first) {
  const std::size_t width = row_bytes(channels);
  std::size_t torn = 0;
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    const auto row = std::span(bytes).subspan(at, width);
    const auto index = static_cast<std::int64_t>(first + at / width);
    bool whole = row_index(row) == index;
    for (std::size_t channel = 0; channel < channels; ++channel) {
      double value = 0.0;
      std::memcpy(&value, row.data() + sizeof index + channel * sizeof value, sizeof value);
      whole = whole && value == value_of(index, channel);
    }
    torn += whole ? 0 : 1;
  }
  return torn;
}

class RingFollowerTest : public ::testing::Test {
 protected:
  const std::string& path() const { return path_; }

  void expect_refused(const std::string& part) {
    RingFollower follower(path_, kSession);
    EXPECT_EQ(follower.refresh(), State::kUnusable);
    EXPECT_NE(follower.problem().find(part), std::string::npos) << follower.problem();
    EXPECT_EQ(follower.find("tick"), std::nullopt);
  }

  void overwrite(std::size_t offset, const std::vector<char>& bytes) {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("journal.ring");
};

TEST_F(RingFollowerTest, GivesEveryRowInOrderWhileTheyArePushed) {
  RingFollower follower(path(), kSession);
  EXPECT_EQ(follower.refresh(), State::kAbsent);
  RingFile ring(path(), kSession);
  RowQueue ticks = add_queue(ring, "tick", 2, 16);
  EXPECT_EQ(follower.refresh(), State::kFollowed);
  const std::optional<std::size_t> place = follower.find("tick");
  ASSERT_TRUE(place);
  EXPECT_EQ(follower.channels(*place), 2U);
  std::vector<double> row(2);
  std::vector<std::byte> bytes;
  std::uint64_t next = 0;
  for (std::int64_t index = 0; index < 100; ++index) {
    push(ticks, index, row);
    ticks.pop(ticks.size());
    const RingFollower::Read read = follower.read(*place, next, 100, bytes);
    ASSERT_EQ(read.first, static_cast<std::uint64_t>(index));
    ASSERT_EQ(read.rows, 1U);
    ASSERT_EQ(torn_rows(bytes, 2, read.first), 0U);
    next = read.first + read.rows;
  }
  EXPECT_EQ(follower.read(*place, next, 100, bytes).rows, 0U);
}

TEST_F(RingFollowerTest, CountsRowsThatWereOverwrittenAndLeavesTheOldestEighthAlone) {
  RingFile ring(path(), kSession);
  RowQueue ticks = add_queue(ring, "tick", 1, 16);
  std::vector<double> row(1);
  for (std::int64_t index = 0; index < 40; ++index) {
    push(ticks, index, row);
    ticks.pop(1);
  }
  RingFollower follower(path(), kSession);
  follower.refresh();
  std::vector<std::byte> bytes;
  const RingFollower::Read read = follower.read(0, 0, 100, bytes);
  EXPECT_EQ(read.first, 40U - 14U);
  EXPECT_EQ(read.rows, 14U);
  EXPECT_EQ(read.skipped, 26U);
  EXPECT_EQ(torn_rows(bytes, 1, read.first), 0U);
}

TEST_F(RingFollowerTest, EveryRowOfAWriterAtFullSpeedIsWholeOrCounted) {
  constexpr std::size_t kChannels = 5;
  RingFile ring(path(), kSession);
  RowQueue ticks = add_queue(ring, "tick", kChannels, 256);
  RingFollower follower(path(), kSession);
  follower.refresh();
  std::atomic<bool> ended{false};
  std::thread writer([&] {
    std::vector<double> row(kChannels);
    for (std::int64_t index = 0; index < kManyRows; ++index) {
      push(ticks, index, row);
      ticks.pop(1);
    }
    ended.store(true);
  });
  std::uint64_t next = 0;
  std::uint64_t rows = 0;
  std::uint64_t skipped = 0;
  std::size_t torn = 0;
  std::vector<std::byte> bytes;
  for (bool last = false; !last;) {
    last = ended.load();
    const RingFollower::Read read = follower.read(0, next, 1000, bytes);
    ASSERT_EQ(read.first, next + read.skipped);
    torn += torn_rows(bytes, kChannels, read.first);
    rows += read.rows;
    skipped += read.skipped;
    next = read.first + read.rows;
  }
  writer.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(rows + skipped, static_cast<std::uint64_t>(kManyRows));
}

TEST_F(RingFollowerTest, TakesNoLock) {
  {
    RingFile ring(path(), kSession);
    add_queue(ring, "tick", 1, 16);
  }
  RingFollower follower(path(), kSession);
  ASSERT_EQ(follower.refresh(), State::kFollowed);
  std::optional<RingFile> next_life;
  EXPECT_EQ(RingFile::find(path(), next_life), RingFile::Status::kRecoverable);
}

TEST_F(RingFollowerTest, ReadsAFileThatWasRemovedAndThenFollowsTheNext) {
  std::vector<double> row(1);
  RingFollower follower(path(), kSession);
  std::vector<std::byte> bytes;
  {
    RingFile ring(path(), kSession);
    RowQueue ticks = add_queue(ring, "tick", 1, 16);
    push(ticks, 0, row);
    EXPECT_EQ(follower.refresh(), State::kFollowed);
    ring.remove();
  }
  EXPECT_EQ(follower.refresh(), State::kRemoved);
  EXPECT_EQ(follower.read(0, 0, 16, bytes).rows, 1U);
  EXPECT_EQ(follower.generation(), 1U);
  RingFile ring(path(), kSession);
  RowQueue ticks = add_queue(ring, "tick", 1, 16);
  EXPECT_EQ(follower.refresh(), State::kFollowed);
  EXPECT_EQ(follower.generation(), 2U);
  EXPECT_EQ(follower.read(0, 0, 16, bytes).rows, 0U);
}

TEST_F(RingFollowerTest, FindsStreamsThatAreAddedLater) {
  RingFile ring(path(), kSession);
  RingFollower follower(path(), kSession);
  follower.refresh();
  EXPECT_EQ(follower.find("tick"), std::nullopt);
  ring.add(RingFile::Kind::kState, "", 1, 8, 4096);
  add_queue(ring, "tick", 3, 16);
  follower.refresh();
  EXPECT_EQ(follower.find("tick"), 0U);
  EXPECT_EQ(follower.channels(0), 3U);
}

TEST_F(RingFollowerTest, RefusesWhatIsNotTheRingOfItsSession) {
  { RingFile ring(path(), "ffffffffffffffffffffffffffffffff"); }
  expect_refused("session ffffffffffffffffffffffffffffffff");
}

TEST_F(RingFollowerTest, RefusesAnotherProgramsFile) {
  std::ofstream(path()) << std::string(8192, 'x');
  expect_refused("another program");
}

TEST_F(RingFollowerTest, RefusesAFileThatIsShorterThanItsHeader) {
  std::ofstream(path()) << "TRRING01";
  expect_refused("8 bytes");
}

TEST_F(RingFollowerTest, RefusesAFileWhoseEndIsMissing) {
  {
    RingFile ring(path(), kSession);
    add_queue(ring, "tick", 4, 4096);
  }
  std::filesystem::resize_file(path(), 2 * kRingPage);
  expect_refused("its end is missing");
}

TEST_F(RingFollowerTest, RefusesAFileOfAnEarlierStartOfTheSystem) {
  { RingFile ring(path(), kSession); }
  overwrite(offsetof(RingHeader, boot), {'0', '0', '0', '0'});
  expect_refused("last start of the system");
}

TEST_F(RingFollowerTest, RefusesNumbersThatDoNotFit) {
  {
    RingFile ring(path(), kSession);
    add_queue(ring, "tick", 4, 16);
  }
  const std::size_t entry = offsetof(RingHeader, entries);
  const std::vector<char> huge(8, '\x7f');
  overwrite(entry + offsetof(RingAreaEntry, width), huge);
  expect_refused("damaged");
  overwrite(offsetof(RingHeader, areas), huge);
  expect_refused("damaged");
}

TEST_F(RingFollowerTest, AnEmptyFileLeftBehindIsReplacedAndNotWritten) {
  { const std::ofstream made(path()); }
  const std::string held = path() + ".held";
  std::filesystem::create_hard_link(path(), held);
  RingFile ring(path(), kSession);
  EXPECT_EQ(std::filesystem::file_size(held), 0U);
  RingFollower follower(path(), kSession);
  EXPECT_EQ(follower.refresh(), State::kFollowed);
}

}  // namespace
}  // namespace trestle::journal::ring_follower_test
