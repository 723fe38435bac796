#include "adapters/driver_program/hold_keeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "adapters/plugin/monotonic_ns.h"
#include "tests/adapters/driver/full_pipe.h"

namespace trestle::driver_program {
namespace {

bool eventually(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

trestle_adapter_v1 holding_functions() {
  trestle_adapter_v1 table{};
  table.hold = [](void* holds) {
    ++*static_cast<std::atomic<int>*>(holds);
  };
  return table;
}

/// A driver's standard error in place of that of this process.
class StandardError {
 public:
  explicit StandardError(int to) : before_(dup(STDERR_FILENO)) { dup2(to, STDERR_FILENO); }
  ~StandardError() {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;

 private:
  int before_;
};

/// The thread of a keeper never ends: what it uses stays.
struct Kept {
  std::atomic<int> holds{0};
  trestle_adapter_v1 table = holding_functions();
  driver::DriverPage page;
  FullPipe pipe;
  DriverLog log{STDERR_FILENO, 4};
  HoldKeeper keeper{table, &holds, page, log};
};

TEST(HoldKeeper, HoldsAgainThoughNobodyTakesItsLog) {
  static Kept& kept = *new Kept;
  const StandardError of_driver(kept.pipe.end());
  std::thread([] { kept.keeper.run(); }).detach();
  constexpr int kHolds = 12;
  for (int n = 1; n <= kHolds; ++n) {
    kept.keeper.call_begins(plugin::monotonic_ns());  // late at once
    ASSERT_TRUE(eventually([n] { return kept.holds == n; })) << n;
  }
  kept.keeper.moves();
  kept.page.watchdog_ns = 1;  // the site is silent
  ASSERT_TRUE(eventually([] { return kept.holds == kHolds + 1; }));
  kept.keeper.ask();  // the site asks
  ASSERT_TRUE(eventually([] { return kept.holds == kHolds + 2; }));
  EXPECT_EQ(kept.log.dropped(), 9U) << "13 lines of its own, for four places";
  EXPECT_NE(
      kept.pipe.read_until("9 lines are missing").find("a call of the plug-in is late"),
      std::string::npos);
}

}  // namespace
}  // namespace trestle::driver_program
