#include "adapters/driver_program/driver_log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/adapters/driver/full_pipe.h"

namespace trestle::driver_program {
namespace {

constexpr std::int64_t kFlushPatience = 60'000'000'000;  // [ns]

TEST(DriverLog, NeverWaitsForWhoTakesItsLinesAndSaysHowManyAreMissing) {
  const FullPipe pipe;
  DriverLog log(pipe.end(), 4);
  for (int n = 1; n <= 10; ++n) log.tell("line %d", n);
  EXPECT_EQ(log.dropped(), 6U);
  EXPECT_FALSE(log.flush(1)) << "nobody has read";
  EXPECT_EQ(pipe.read_until("line 4\n"),
            "line 1\n... 6 lines are missing here: nobody took them\nline 2\nline 3\n"
            "line 4\n");
  EXPECT_TRUE(log.flush(kFlushPatience));
  log.tell("and %s", "on");
  EXPECT_EQ(pipe.read_until("on\n"), "and on\n");
  EXPECT_EQ(log.dropped(), 6U);
}

TEST(DriverLog, CutsALongLineAndEndsIt) {
  const FullPipe pipe;
  DriverLog log(pipe.end());
  log.tell("%s", std::string(2000, 'x').c_str());
  EXPECT_EQ(pipe.read_until("\n"), std::string(DriverLog::kLongestLine - 2, 'x') + "\n");
}

/// Each line is whole, and those of one thread are in their order, whoever else writes.
TEST(DriverLog, TakesTheLinesOfSeveralThreads) {
  constexpr int kThreads = 4;
  constexpr int kLines = 200;
  const FullPipe pipe;
  DriverLog log(pipe.end(), 1024);
  std::vector<std::thread> threads;
  for (int who = 0; who < kThreads; ++who)
    threads.emplace_back([&log, who] {
      for (int n = 0; n < kLines; ++n) log.tell("%d: %d", who, n);
    });
  for (std::thread& thread : threads) thread.join();
  log.tell("end");
  const std::string all = pipe.read_until("end\n");
  EXPECT_EQ(log.dropped(), 0U);
  std::vector<int> next(kThreads, 0);
  int lines = 0;
  for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) {
    int who = 0;
    int n = 0;
    if (std::sscanf(all.c_str() + at, "%d: %d", &who, &n) != 2) continue;
    ASSERT_LT(who, kThreads);
    EXPECT_EQ(n, next[static_cast<std::size_t>(who)]++);
    ++lines;
  }
  EXPECT_EQ(lines, kThreads * kLines);
}

}  // namespace
}  // namespace trestle::driver_program
