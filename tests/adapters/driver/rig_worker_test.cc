#include "adapters/driver_program/rig_worker.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "adapters/driver/driver_page.h"
#include "adapters/driver/futex.h"
#include "adapters/driver/known_holds.h"
#include "adapters/driver_program/driver_log.h"
#include "adapters/driver_program/hold_keeper.h"
#include "adapters/plugin/monotonic_ns.h"

namespace trestle::driver_program {
namespace {

using driver::Call;
using driver::Request;

constexpr std::int64_t kLong = 60'000'000'000;  // [ns]

/// A plug-in of one actuator, whose write() lasts until the time that the test names.
struct Rig {
  std::atomic<std::int64_t> writes_until{0};
  std::atomic<int> writes{0};
  std::atomic<int> holds_at_write{0};
  std::atomic<int> holds{0};
  std::atomic<bool> refuses_at_length{false};
  std::array<double, 2> state{1.0, -2.0};
};

Rig& rig_of(void* rig) {
  return *static_cast<Rig*>(rig);
}

trestle_adapter_v1 functions() {
  trestle_adapter_v1 table{};
  table.describe = [](void*, trestle_rig_capabilities* is) {
    is->actuators = 1;
    is->real_equipment = 1;
  };
  table.describe_channel = [](void*, std::uint32_t, std::uint32_t,
                              trestle_channel* channel) {
    channel->rotates = 1;
    std::snprintf(channel->name, sizeof channel->name, "head");
  };
  table.prepare = [](void* rig, const trestle_run*, char* why,
                     std::uint32_t size) -> trestle_adapter_status {
    if (!rig_of(rig).refuses_at_length) return TRESTLE_ADAPTER_OK;
    std::fill_n(why, size, 'x');
    return TRESTLE_ADAPTER_TRIPPED;
  };
  table.read = [](void*, std::int64_t, trestle_sensed* sensed) -> trestle_adapter_status {
    sensed->displacement[0] = sensed->force[0] = 0.0;
    return TRESTLE_ADAPTER_OK;
  };
  table.write = [](void* rig, const double*) -> trestle_adapter_status {
    while (plugin::monotonic_ns() <= rig_of(rig).writes_until) std::this_thread::yield();
    rig_of(rig).holds_at_write = rig_of(rig).holds.load();
    ++rig_of(rig).writes;
    return TRESTLE_ADAPTER_OK;
  };
  table.hold = [](void* rig) {
    ++rig_of(rig).holds;
  };
  table.save = [](void* rig, double* state, std::uint32_t room) -> std::uint32_t {
    for (std::uint32_t i = 0; i < room && i < 2; ++i) state[i] = rig_of(rig).state[i];
    return 2;
  };
  table.restore = [](void* rig, const double* state, std::uint32_t count) {
    if (count != 2) return trestle_adapter_status{TRESTLE_ADAPTER_TRIPPED};
    std::copy_n(state, 2, rig_of(rig).state.begin());
    return trestle_adapter_status{TRESTLE_ADAPTER_OK};
  };
  table.diagnose = [](void*, char* text, std::uint32_t) {
    text[0] = '\0';
  };
  table.close = [](void*) {
  };
  return table;
}

/// A worker, and the site that it serves. The holds of the site are done on the spot.
class RigWorkerTest : public testing::Test {
 protected:
  RigWorkerTest()
      : keeper_(table_, &rig_, *page_, log_),
        worker_(table_, &rig_, *page_, keeper_, log_) {
    page_->limits.displacement.fill(1.0);
    page_->limits.rate.fill(1e3);
    thread_ = std::thread([this] { worker_.run(); });
    ask({.call = Call::kPrepare, .tick_s = 0.01});
  }
  ~RigWorkerTest() override {
    ask({.call = Call::kEnd});
    thread_.join();
  }

  /// @param patience_ns  of the driver; the site waits longer
  /// @returns whether the call was well
  bool ask(const Request& request, std::int64_t patience_ns = kLong) {
    Request& made = page_->request;
    made = request;
    known_.add_to(made, *page_, known_.asked());
    made.sequence = page_->requested + 1;
    made.deadline_ns = plugin::monotonic_ns() + patience_ns;
    made.protection = digest_of(page_->limits, page_->watchdog_ns);
    made.digest = digest_of(made);
    return publish(made.sequence);
  }
  bool publish(std::uint32_t sequence) {
    page_->requested = sequence;
    driver::wake(page_->requested);
    for (std::uint32_t seen = page_->answered; seen != sequence; seen = page_->answered)
      driver::wait_while(page_->answered, seen, plugin::monotonic_ns() + kLong);
    known_.learn(page_->answer);
    return page_->answer.status == TRESTLE_ADAPTER_OK;
  }
  bool write(double drive, std::int64_t patience_ns = kLong) {
    Request request{.call = Call::kWrite, .count = 1};
    request.drive[0] = drive;
    return ask(request, patience_ns);
  }
  void hold() {
    known_.ask(*page_);
    keeper_.hold();
    page_->holds_done = page_->holds_asked.load();
  }

  Rig rig_;
  const trestle_adapter_v1 table_ = functions();
  std::unique_ptr<driver::DriverPage> page_ = std::make_unique<driver::DriverPage>();
  DriverLog log_{STDERR_FILENO};
  HoldKeeper keeper_;
  RigWorker worker_;
  driver::KnownHolds known_;
  std::thread thread_;
};

/// The CPUs that this process may use.
std::vector<int> own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

TEST_F(RigWorkerTest, HasThePriorityAndTheCpuOfItsSiteOrSaysWhatTheHostRefuses) {
  const int cpu = own_cpus().back();
  page_->priority = 7;
  page_->cpu = cpu;
  ASSERT_TRUE(ask({.call = Call::kPrepare, .tick_s = 0.01}));
  cpu_set_t set;
  ASSERT_EQ(pthread_getaffinity_np(thread_.native_handle(), sizeof set, &set), 0);
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpu), &set));
  int policy = 0;
  sched_param parameters{};
  ASSERT_EQ(pthread_getschedparam(thread_.native_handle(), &policy, &parameters), 0);
  const std::string refused = page_->refused.data();
  const bool has_it = policy == SCHED_FIFO && parameters.sched_priority == 7;
  const bool is_told = refused.find("SCHED_FIFO with priority 7 is") != std::string::npos;
  EXPECT_NE(has_it, is_told) << refused;
}

TEST_F(RigWorkerTest, RunsWithoutACpuThatTheHostRefusesAndTellsItToEachRun) {
  page_->priority = 0;
  page_->cpu = 1023;  // no host of ours has it
  const std::string words = "the thread cannot stay on CPU 1023";
  for (int run = 0; run < 2; ++run) {
    page_->refused[0] = '\0';
    ASSERT_TRUE(ask({.call = Call::kPrepare, .tick_s = 0.01}));
    const std::string refused = page_->refused.data();
    EXPECT_NE(refused.find(words), std::string::npos) << refused;
    EXPECT_EQ(refused.find("SCHED_FIFO"), std::string::npos) << refused;
  }
  EXPECT_TRUE(write(0.001));
}

TEST_F(RigWorkerTest, LocksItsMemoryOrSaysWhyNot) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer locks nothing";
#endif
  std::ifstream status("/proc/self/status");
  std::string word;
  long locked = -1;
  while (locked < 0 && status >> word)
    if (word == "VmLck:") status >> locked;
  const std::string refused = page_->refused.data();
  EXPECT_TRUE(locked > 0 || refused.find("memory is not locked") != std::string::npos)
      << locked << " KiB: " << refused;
}

TEST_F(RigWorkerTest, NamesActuatorNumberAndLimitOfADriveThatItRefuses) {
  const auto told = [this](const char* words) {
    const std::string text = page_->answer.text.data();
    return text.find(words) != std::string::npos ? "" : text;
  };
  EXPECT_FALSE(write(1.25));
  EXPECT_EQ(told("displacement 1250 mm at actuator 1 is above its limit 1000 mm;"), "");
  hold();
  ASSERT_TRUE(ask({.call = Call::kDescribeChannel, .what = TRESTLE_ACTUATOR}));
  EXPECT_FALSE(write(1.25));
  EXPECT_EQ(told("displacement 1250 mrad at actuator head is above its limit 1000 mrad;"),
            "");
  hold();
  EXPECT_FALSE(write(0.001, -1'000'000'000));
  EXPECT_EQ(told("its driver received the drive 10"), "") << "ms too late, 1000 or more";
  hold();
  Request request{.call = Call::kWrite, .count = 2};
  EXPECT_FALSE(ask(request));
  EXPECT_EQ(told("received a drive of 2 actuators, and the rig has 1;"), "");
  EXPECT_EQ(rig_.writes, 0);
}

/// The driver holds after a write() that came back late. A site that was late itself takes
/// its answer, though: also where it is the first one after a hold of the site.
TEST_F(RigWorkerTest, NoDriveFollowsALateOneThatTheDriverHeld) {
  for (const bool first_after_hold : {false, true}) {
    hold();
    if (!first_after_hold) {
      ASSERT_TRUE(write(0.001));
    }
    constexpr std::int64_t kPatience = 300'000'000;
    rig_.writes_until = plugin::monotonic_ns() + 2 * kPatience;
    const int holds = rig_.holds;
    ASSERT_TRUE(write(0.002, kPatience));
    ASSERT_EQ(rig_.holds, holds + 1) << "of the driver itself";
    const int writes = rig_.writes;
    EXPECT_FALSE(write(0.003)) << first_after_hold;
    EXPECT_EQ(rig_.writes, writes);
    EXPECT_NE(std::string(page_->answer.text.data()).find("a call came back too late"),
              std::string::npos)
        << page_->answer.text.data();
    hold();
    EXPECT_TRUE(write(0.003)) << page_->answer.text.data();
  }
}

/// The other way round, the hold undoes the drive, and the driver holds once more: nobody
/// tells the site, which drives on.
TEST_F(RigWorkerTest, ADriveWaitsForAHoldThatWasRequestedBeforeIt) {
  ASSERT_TRUE(write(0.001));
  const int writes = rig_.writes;
  known_.ask(*page_);  // and the plug-in's hold() takes its time
  EXPECT_FALSE(write(0.002, 200'000'000));
  EXPECT_EQ(rig_.writes, writes);
  EXPECT_NE(std::string(page_->answer.text.data()).find("hold() of the plug-in has not"),
            std::string::npos)
      << page_->answer.text.data();
  const int holds = rig_.holds;
  const std::uint32_t requested = page_->requested;
  std::thread hold([&] {
    while (page_->requested == requested) std::this_thread::yield();
    keeper_.hold();
    page_->holds_done = page_->holds_asked.load();
    driver::wake(page_->holds_done);
  });
  EXPECT_TRUE(write(0.002)) << page_->answer.text.data();
  hold.join();
  EXPECT_EQ(rig_.writes, writes + 1);
  EXPECT_EQ(rig_.holds_at_write, holds + 1) << "it came before the hold";
  EXPECT_EQ(rig_.holds, holds + 1) << "the driver has held once more";
  EXPECT_TRUE(write(0.003)) << page_->answer.text.data();
}

/// Such a site learns the count of the holds only afterwards, and with it what the driver
/// has held by itself since: as its watchdog does, or after a write() that came back late.
TEST_F(RigWorkerTest, NoDriveFollowsAnOwnHoldBehindADriveThatWaited) {
  for (const bool reads : {true, false}) {
    known_.ask(*page_);
    const std::uint32_t requested = page_->requested;
    std::thread hold_of_site([&] {
      while (page_->requested == requested) std::this_thread::yield();
      keeper_.hold();
      page_->holds_done = page_->holds_asked.load();
      driver::wake(page_->holds_done);
    });
    const bool passed = write(0.001);
    hold_of_site.join();
    ASSERT_TRUE(passed) << page_->answer.text.data();
    keeper_.hold();
    if (reads) {
      ASSERT_TRUE(ask({.call = Call::kRead}));
    }
    const int writes = rig_.writes;
    EXPECT_FALSE(write(0.002)) << reads;
    EXPECT_EQ(rig_.writes, writes);
    EXPECT_NE(std::string(page_->answer.text.data()).find("its driver has held it by"),
              std::string::npos)
        << page_->answer.text.data();
    EXPECT_FALSE(write(0.002)) << "it has not held yet";
    ASSERT_TRUE(ask({.call = Call::kPrepare, .tick_s = 0.01}));
    known_.accept(*page_);
    EXPECT_TRUE(write(0.002)) << page_->answer.text.data();
    hold();
    EXPECT_TRUE(write(0.003)) << page_->answer.text.data();
  }
}

/// Another state than the recorded one would go on as if it were that.
TEST_F(RigWorkerTest, RestoresNoStateThatWasOverwritten) {
  ASSERT_TRUE(ask({.call = Call::kSave, .count = 2}));
  const std::span saved = std::span<const double>(page_->state).first(2);
  ASSERT_EQ(page_->answer.count, 2U);
  const std::uint64_t digest = page_->answer.state;
  EXPECT_EQ(digest, driver::digest_of(saved));
  page_->state[1] = 2.0;
  EXPECT_NE(digest, driver::digest_of(saved)) << "the site sees it, too";
  EXPECT_FALSE(ask({.call = Call::kRestore, .count = 2, .state = digest}));
  EXPECT_STREQ(page_->answer.text.data(),
               "its driver received a state over a corrupted page");
  EXPECT_EQ(rig_.state[1], -2.0) << "it reached the plug-in";
  rig_.state[1] = 5.0;
  page_->state[1] = -2.0;
  EXPECT_TRUE(ask({.call = Call::kRestore, .count = 2, .state = digest}));
  EXPECT_EQ(rig_.state[1], -2.0);
}

/// The site ends the text of its copy, which then must have the same digest: else it reads
/// of a corrupted page in place of the plug-in's words.
TEST_F(RigWorkerTest, EndsWordsThatThePluginDidNotEnd) {
  rig_.refuses_at_length = true;
  EXPECT_FALSE(ask({.call = Call::kPrepare, .tick_s = 0.01}));
  driver::Answer taken = page_->answer;
  taken.text.back() = '\0';
  EXPECT_EQ(taken.digest, digest_of(taken));
}

TEST_F(RigWorkerTest, ServesNoRequestTwice) {
  ASSERT_TRUE(write(0.001));
  const int writes = rig_.writes;
  const int holds = rig_.holds;
  EXPECT_FALSE(publish(4711));
  EXPECT_EQ(rig_.writes, writes);
  EXPECT_EQ(rig_.holds, holds + 1);
  EXPECT_FALSE(write(0.001)) << "it has held by itself";
  hold();
  EXPECT_TRUE(write(0.001)) << page_->answer.text.data();
}

}  // namespace
}  // namespace trestle::driver_program
