#include "core/timing/monotonic_clock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>

namespace trestle::timing::monotonic_clock_test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

/// A process for which the clock that runs in sleep is two hours ahead of what it was.
class AfterASleep {
 public:
  /// @returns how long it has slept by its own clock; empty if this host allows no such
  ///          process
  static std::optional<Duration> asleep() {
    int ends[2];
    if (pipe(ends) != 0) return std::nullopt;
    const pid_t child = fork();
    if (child == 0) {
      if (!enter()) _exit(1);
      // The clocks are those of the namespace in its children only.
      const pid_t sleeper = fork();
      if (sleeper == 0) {
        const Duration slept = MonotonicClock().asleep();
        _exit(write(ends[1], &slept, sizeof slept) == sizeof slept ? 0 : 1);
      }
      waitpid(sleeper, nullptr, 0);
      _exit(0);
    }
    close(ends[1]);
    Duration slept{};
    const bool told = read(ends[0], &slept, sizeof slept) == sizeof slept;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return told ? std::optional(slept) : std::nullopt;
  }

 private:
  static bool enter() {
    if (unshare(CLONE_NEWTIME) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWTIME) != 0)
      return false;
    const int file = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
    const bool set = file >= 0 && write(file, "boottime 7200 0", 15) == 15;
    if (file >= 0) close(file);
    return set;
  }
};

TEST(MonotonicClock, CountsTheTimeInWhichTheHostSlept) {
  const Duration before = MonotonicClock().asleep();
  const std::optional<Duration> after = AfterASleep::asleep();
  if (!after)
    GTEST_SKIP() << "SKIPPED: this host lets a test have no time namespace of its own";
  // A preemption between two readings makes a result smaller.
  EXPECT_GT(*after - before, hours(2) - seconds(100));
  EXPECT_LT(*after - before, hours(2) + seconds(100));
}

}  // namespace
}  // namespace trestle::timing::monotonic_clock_test
