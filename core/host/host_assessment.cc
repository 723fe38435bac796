#include "core/host/host_assessment.h"

#include <algorithm>
#include <cstdio>

namespace trestle::host {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Finding kernel(const HostFacts& facts) {
  if (facts.preempt_rt) return {"kernel", facts.kernel + ", PREEMPT_RT", Rating::kGood, ""};
  return {"kernel", facts.kernel + ", not PREEMPT_RT", Rating::kFair,
          "boot a PREEMPT_RT kernel (Debian: linux-image-rt-amd64)"};
}

Finding machine(const HostFacts& facts) {
  if (!facts.virtual_machine) return {"machine", "no hypervisor seen", Rating::kGood, ""};
  return {"machine", "virtual: a hypervisor may stop it at any time", Rating::kFair,
          "run the site server on a machine of its own"};
}

Finding scheduling(const HostFacts& facts) {
  const std::string highest = std::to_string(facts.fifo_priority);
  if (facts.fifo_refusal.empty() && facts.fifo_priority < facts.timer.priority)
    return {"scheduling", "SCHED_FIFO up to " + highest, Rating::kFair,
            "set `control_thread: {priority: " + highest +
                "}`, or raise rtprio in /etc/security/limits.conf"};
  if (facts.fifo_refusal.empty())
    return {"scheduling", "SCHED_FIFO up to " + highest, Rating::kGood, ""};
  return {"scheduling",
          "SCHED_FIFO " +
              (facts.fifo_priority == 0 ? std::string("not allowed") : "up to " + highest),
          Rating::kPoor, facts.fifo_refusal};
}

Finding share(const HostFacts& facts) {
  const long us = facts.realtime_share_us.value_or(-1);
  if (us < 0 || us >= 1'000'000)
    return {"share", "SCHED_FIFO may take a whole CPU", Rating::kGood, ""};
  return {"share", "SCHED_FIFO gets " + std::to_string(us / 1000) + " ms of each second",
          Rating::kFair,
          "where control threads spin: `sysctl kernel.sched_rt_runtime_us=-1`"};
}

Finding memory(const HostFacts& facts) {
  if (!facts.lockable) return {"memory", "may be locked", Rating::kGood, ""};
  return {"memory",
          "may be locked up to " + std::to_string(*facts.lockable / 1024) + " KiB",
          Rating::kPoor,
          "add `USER - memlock unlimited` to /etc/security/limits.conf and log in anew"};
}

Finding cpus(const HostFacts& facts) {
  const std::string count =
      std::to_string(facts.cpus) + (facts.cpus == 1 ? " CPU" : " CPUs");
  if (facts.cpus < 2)
    return {"CPUs", count, Rating::kPoor,
            "give it two or more: one for the control thread, one for bus and journal"};
  if (facts.isolated.empty())
    return {"CPUs", count + ", none isolated", Rating::kFair,
            "boot with `isolcpus=N nohz_full=N rcu_nocbs=N`, and set `control_thread: "
            "{cpu: N}`"};
  return {"CPUs", count + ", isolated " + facts.isolated, Rating::kGood, ""};
}

Finding governor(const HostFacts& facts) {
  if (facts.governors.empty())
    return {"governor", "the host does not tell", Rating::kGood, ""};
  const bool steady = facts.governors == std::vector<std::string>{"performance"};
  return {"governor", joined(facts.governors), steady ? Rating::kGood : Rating::kFair,
          steady ? "" : "`cpupower frequency-set -g performance`"};
}

Finding monotonic(const HostFacts& facts) {
  // These are read by a call into the kernel or over a slow bus, microseconds each.
  for (const char* slow : {"hpet", "acpi_pm", "jiffies", "refined-jiffies"})
    if (facts.clock_source == slow)
      return {"clock", facts.clock_source + ", slow to read", Rating::kPoor,
              "find out from the kernel's log why it gave up the tsc (often the firmware)"};
  return {"clock",
          facts.clock_source.empty() ? "the host does not tell" : facts.clock_source,
          Rating::kGood, ""};
}

Finding system_clock(const HostFacts& facts) {
  if (facts.discipline)
    return {"system clock",
            "kept by " + facts.discipline.value().source + ", right to " +
                legible(facts.discipline.value().bound),
            Rating::kGood, ""};
  return {"system clock", facts.discipline.error().detail, Rating::kFair,
          "for `clock_source: system`: install chrony, with a server nearby"};
}

Finding timer(const char* about, const Result<TimerLatency>& measured, Duration period) {
  if (!measured) return {about, "not measured", Rating::kPoor, ""};
  const TimerLatency& late = measured.value();
  std::string says = "late by " + legible(late.p50) + " (p50), " + legible(late.p99) +
                     " (p99), " + legible(late.p999) + " (p99.9), " + legible(late.max) +
                     " (max)";
  if (late.missed > 0) says += ", " + std::to_string(late.missed) + " ticks missed";
  const Rating standing = late.max < period / 2 ? Rating::kGood
                          : late.p999 < period  ? Rating::kFair
                                                : Rating::kPoor;
  return {about, says, standing, ""};
}

std::string rate(Duration period) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g Hz", 1.0 / seconds(period));
  return text;
}

}  // namespace

const char* name(RealTimeSuitability fitness) noexcept {
  switch (fitness) {
    case RealTimeSuitability::kSuitable:
      return "ready";
    case RealTimeSuitability::kMarginal:
      return "late ticks";
    case RealTimeSuitability::kUnsuitable:
      return "unfit";
  }
  return "?";
}

const char* name(Rating standing) noexcept {
  switch (standing) {
    case Rating::kGood:
      return "good";
    case Rating::kFair:
      return "fair";
    case Rating::kPoor:
      return "poor";
  }
  return "?";
}

std::string legible(Duration duration) {
  const double us = seconds(duration) * 1e6;
  char text[40];
  if (us < 999.5)
    std::snprintf(text, sizeof text, "%.3g us", us);
  else if (us < 999.5e3)
    std::snprintf(text, sizeof text, "%.3g ms", us / 1e3);
  else
    std::snprintf(text, sizeof text, "%.3g s", us / 1e6);
  return text;
}

HostAssessment assess_host(const HostFacts& facts) {
  const Duration period = facts.timer.period;
  const Result<TimerLatency>& best = facts.fifo ? facts.fifo : facts.ordinary;
  const bool allowed = facts.fifo.has_value() && !facts.lockable;
  HostAssessment verdict;
  const std::string at = " at " + rate(period);
  if (!best || best.value().ticks == 0) {
    verdict.says = "nothing could be measured" + at;
  } else if (best.value().p999 >= period) {
    verdict.says = "more than one tick of a thousand is a whole tick late" + at;
  } else if (allowed && best.value().max < period / 2) {
    verdict.fitness = RealTimeSuitability::kSuitable;
    verdict.says = "no wake-up was later than " + legible(best.value().max) + at;
  } else {
    verdict.fitness = RealTimeSuitability::kMarginal;
    verdict.says = "a wake-up was " + legible(best.value().max) + " late" + at;
    if (!allowed) verdict.says += ", and what a control thread asks for is not allowed";
  }
  verdict.findings = {kernel(facts),
                      machine(facts),
                      scheduling(facts),
                      share(facts),
                      memory(facts),
                      cpus(facts),
                      governor(facts),
                      monotonic(facts),
                      system_clock(facts),
                      timer("ordinary", facts.ordinary, period),
                      timer("FIFO", facts.fifo, period)};
  return verdict;
}

}  // namespace trestle::host
