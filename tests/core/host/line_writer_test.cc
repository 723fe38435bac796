#include "core/host/line_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace trestle::host::line_writer_test {
namespace {

using Clock = std::chrono::steady_clock;

/// A pipe whose reader reads when it is asked to.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  /// Until this text has come, or long has passed.
  std::string read_until(const std::string& text) const {
    const Clock::time_point end = Clock::now() + std::chrono::seconds(60);
    std::string all;
    std::array<char, 4096> bytes{};
    while (all.find(text) == std::string::npos && Clock::now() < end) {
      pollfd ready{ends[0], POLLIN, 0};
      if (poll(&ready, 1, 100) <= 0) continue;
      const ssize_t count = read(ends[0], bytes.data(), bytes.size());
      if (count <= 0) break;
      all.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return all;
  }
  std::array<int, 2> ends{};
};

TEST(LineWriter, WritesInOrder) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  writer.write("one\n");
  writer.write("two\n");
  EXPECT_EQ(pipe.read_until("two\n"), "one\ntwo\n");
  EXPECT_EQ(writer.dropped(), 0U);
}

TEST(LineWriter, KeepsALineBelowWhatIsWritten) {
  const Pipe pipe;
  LineWriter writer(pipe.ends[1]);
  writer.write("one\n");
  EXPECT_EQ(pipe.read_until("one\n"), "one\n");
  writer.renew("at 1 %");
  EXPECT_EQ(pipe.read_until("1 %"), "at 1 %");
  writer.renew("at 2 %");
  EXPECT_EQ(pipe.read_until("2 %"), "\r\x1b[Kat 2 %");
  writer.write("two\n");
  EXPECT_EQ(pipe.read_until("2 %"), "\r\x1b[Ktwo\nat 2 %");
  writer.renew("");
  EXPECT_EQ(pipe.read_until("\x1b[K"), "\r\x1b[K");
  writer.write("three\n");
  EXPECT_EQ(pipe.read_until("three\n"), "three\n");
}

TEST(LineWriter, TakesItsLineAwayWhenItEnds) {
  const Pipe pipe;
  {
    LineWriter writer(pipe.ends[1]);
    writer.renew("at 1 %");
    EXPECT_EQ(pipe.read_until("1 %"), "at 1 %");
    writer.write("last\n");
    writer.renew("");
  }
  // Its thread may have come to write the line once more in between.
  const std::string text = pipe.read_until("last\n");
  const std::string last = "\r\x1b[Klast\n";
  EXPECT_TRUE(text == last || text == last + "at 1 %\r\x1b[K") << text;
}

TEST(LineWriter, NeverWaitsForAReaderAndSaysHowMuchIsMissing) {
  const Pipe pipe;
  ASSERT_GT(fcntl(pipe.ends[1], F_SETPIPE_SZ, 4096), 0);  // room for four lines
  auto writer = std::make_unique<LineWriter>(pipe.ends[1], 8);
  const std::string line = std::string(999, 'x') + "\n";
  // More than the pipe takes: who waited for it would never come back.
  int written = 0;
  while (writer->dropped() == 0 && written < 100'000) {
    writer->write(line);
    ++written;
  }
  ASSERT_LT(written, 100'000);
  for (int n = 0; n < 99; ++n) writer->write(line);
  EXPECT_GE(writer->dropped(), 86U)
      << "the queue has room for eight lines, the pipe for four";
  const std::string read = pipe.read_until("nobody read them\n");
  EXPECT_NE(read.find(" lines are missing here: nobody read them\n"), std::string::npos);
}

TEST(LineWriter, EndsAlthoughNobodyReads) {
  const Pipe pipe;
  auto writer = std::make_unique<LineWriter>(pipe.ends[1], 64);
  while (writer->dropped() == 0) writer->write(std::string(4000, 'x') + "\n");
  const Clock::time_point begin = Clock::now();
  writer.reset();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
}

TEST(LineWriter, LastWordsArriveAndDoNotWaitForWhoDoesNotRead) {
  const Pipe pipe;
  write_last_words(pipe.ends[1], "the end\n");
  EXPECT_EQ(pipe.read_until("the end\n"), "the end\n");
  ASSERT_GE(fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string block(4096, 'x');
  while (write(pipe.ends[1], block.data(), block.size()) > 0) {
  }
  ASSERT_GE(fcntl(pipe.ends[1], F_SETFL, 0), 0);
  const Clock::time_point begin = Clock::now();
  write_last_words(pipe.ends[1], "nobody reads this\n");
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace trestle::host::line_writer_test
