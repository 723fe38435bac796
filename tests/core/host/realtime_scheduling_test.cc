#include "core/host/realtime_scheduling.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <functional>
#include <thread>

#include "core/host/capability.h"

namespace trestle::host {
namespace {

bool is_in(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What a thread is given goes with it.
void in_a_thread(const std::function<void()>& work) {
  std::thread(work).join();
}

TEST(Realtime, SetsSchedFifoOrSaysWhatToChange) {
  in_a_thread([] {
    const HostRequestError refusal = set_fifo_priority(20);
    if (refusal) {
      EXPECT_TRUE(is_in(*refusal, "priority 20")) << *refusal;
      EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
      return;
    }
    sched_param parameters{};
    sched_getparam(0, &parameters);
    EXPECT_EQ(sched_getscheduler(0), SCHED_FIFO);
    EXPECT_EQ(parameters.sched_priority, 20);
    EXPECT_EQ(set_fifo_priority(0), std::nullopt);
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  });
}

TEST(Realtime, SaysInOneSentenceWhatToChangeForPriorities) {
  const std::string limited = fifo_refusal(80, EPERM, 0);
  EXPECT_TRUE(is_in(limited, "the limit (ulimit -r) is 0")) << limited;
  EXPECT_TRUE(is_in(limited, "rtprio 95")) << "of those that watch it, too: " << limited;
  EXPECT_TRUE(is_in(limited, "setcap")) << limited;
  const std::string grouped = fifo_refusal(80, EPERM, 99);
  EXPECT_TRUE(is_in(grouped, "control group")) << grouped;
  EXPECT_TRUE(is_in(fifo_refusal(120, EINVAL, 99), "120 is refused"));
}

TEST(Realtime, SaysInOneSentenceWhatToChangeForMemory) {
  const std::string limited = lock_refusal(ENOMEM, 8UL << 20);
  EXPECT_TRUE(is_in(limited, "8192 KiB")) << limited;
  EXPECT_TRUE(is_in(limited, "memlock unlimited")) << limited;
}

TEST(Realtime, StaysOnTheCpuItIsGivenAndRefusesOneThatIsNotThere) {
  in_a_thread([] {
    const int here = sched_getcpu();
    EXPECT_EQ(pin_to_cpu(here), std::nullopt);
    EXPECT_EQ(sched_getcpu(), here);
    for (const int nowhere : {-1, CPU_SETSIZE - 1, CPU_SETSIZE}) {
      const HostRequestError refusal = pin_to_cpu(nowhere);
      ASSERT_TRUE(refusal) << nowhere;
      EXPECT_TRUE(is_in(*refusal, "CPU " + std::to_string(nowhere))) << *refusal;
    }
  });
}

TEST(Realtime, TightensTheTimersOfItsThread) {
  in_a_thread([] {
    EXPECT_EQ(minimise_timer_slack(), std::nullopt);
    EXPECT_EQ(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL), 1);
  });
}

TEST(Realtime, NeverWakesBeforeItIsDue) {
  using std::chrono::microseconds;
  for (const Duration spin : {Duration::zero(), Duration(microseconds(50))}) {
    const auto due = std::chrono::steady_clock::now() + microseconds(200);
    sleep_until(due, spin);
    EXPECT_GE(std::chrono::steady_clock::now(), due);
  }
  sleep_until(std::chrono::steady_clock::now() - microseconds(1), Duration::zero());
}

TEST(Capability, ReadsTheEffectiveMask) {
  EXPECT_EQ(effective_capabilities("Name:\tx\nCapEff:\t00000000a80425fb\nCapBnd:\t0\n"),
            0xa80425fbU);
  EXPECT_EQ(effective_capabilities("Name:\tx\n"), std::nullopt);
  EXPECT_EQ(effective_capabilities("\nCapEff:\t"), std::nullopt);
}

}  // namespace
}  // namespace trestle::host
