#include "core/host/host_facts.h"

#include <gtest/gtest.h>

namespace trestle::host {
namespace {

TEST(HostFacts, KnowsAPreemptRtKernel) {
  EXPECT_TRUE(is_preempt_rt("1", ""));
  EXPECT_TRUE(is_preempt_rt("", "#1 SMP PREEMPT_RT Debian 6.1.76-1 (2024-02-01)"));
  EXPECT_FALSE(is_preempt_rt("", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)"));
  EXPECT_FALSE(is_preempt_rt("0", ""));
}

TEST(HostFacts, KnowsAVirtualMachineByTheFlagOfItsProcessor) {
  EXPECT_TRUE(
      is_virtual_machine("processor\t: 0\nflags\t\t: fpu sse hypervisor lm\nbugs\t: x\n"));
  EXPECT_FALSE(
      is_virtual_machine("processor\t: 0\nflags\t\t: fpu sse lm\nbugs\t: hypervisor\n"));
  EXPECT_FALSE(is_virtual_machine(""));
}

TEST(HostFacts, AreReadOnThisHost) {
  TimerMeasurement timer;
  timer.length = std::chrono::milliseconds(5);
  timer.priority = 10;
  const HostFacts facts = read_host_facts(timer);
  EXPECT_FALSE(facts.kernel.empty());
  EXPECT_GE(facts.cpus, 1);
  EXPECT_TRUE(facts.ordinary);
  EXPECT_EQ(facts.fifo.has_value(), facts.fifo_refusal.empty());
}

}  // namespace
}  // namespace trestle::host
