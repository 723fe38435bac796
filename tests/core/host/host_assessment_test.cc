#include "core/host/host_assessment.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace trestle::host {
namespace {

using std::chrono::microseconds;

TimerLatency late(int p50, int p99, int p999, int max) {
  return {
      3072, 0, microseconds(p50), microseconds(p99), microseconds(p999), microseconds(max)};
}

/// A laboratory's own machine, as it should be.
HostFacts good_host() {
  HostFacts facts;
  facts.kernel = "6.1.0-18-rt-amd64";
  facts.preempt_rt = true;
  facts.fifo_priority = 99;
  facts.cpus = 4;
  facts.isolated = "2-3";
  facts.governors = {"performance"};
  facts.clock_source = "tsc";
  facts.realtime_share_us = -1;
  facts.discipline = ClockDiscipline{"chrony, 192.0.2.1", {}, microseconds(60), 1e-6};
  facts.ordinary = late(55, 70, 120, 300);
  facts.fifo = late(3, 6, 9, 21);
  return facts;
}

const Finding& about(const HostAssessment& verdict, const std::string& word) {
  const auto found =
      std::find_if(verdict.findings.begin(), verdict.findings.end(),
                   [&](const Finding& finding) { return finding.about == word; });
  EXPECT_NE(found, verdict.findings.end()) << word;
  return *found;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HostAssessment, FindsNothingToChangeOnAGoodHost) {
  const HostAssessment verdict = assess_host(good_host());
  EXPECT_EQ(verdict.fitness, RealTimeSuitability::kSuitable);
  EXPECT_TRUE(holds(verdict.says, "21 us at 1024 Hz")) << verdict.says;
  for (const Finding& finding : verdict.findings) {
    EXPECT_EQ(finding.standing, Rating::kGood) << finding.about;
    EXPECT_EQ(finding.change, "") << finding.about;
  }
  EXPECT_TRUE(holds(about(verdict, "system clock").says, "right to 60 us"));
}

TEST(HostAssessment, SaysOfEachThingThatIsNotGoodWhatToChange) {
  struct Spoilt {
    const char* word;
    void (*spoil)(HostFacts&);
    Rating standing;
    const char* change;
  };
  const Spoilt all[] = {
      {"kernel", [](HostFacts& f) { f.preempt_rt = false; }, Rating::kFair, "PREEMPT_RT"},
      {"machine", [](HostFacts& f) { f.virtual_machine = true; }, Rating::kFair, "its own"},
      {"scheduling",
       [](HostFacts& f) {
         f.timer.priority = 80;
         f.fifo_priority = 50;
       },
       Rating::kFair, "priority: 50"},
      {"share", [](HostFacts& f) { f.realtime_share_us = 950'000; }, Rating::kFair,
       "sched_rt_runtime_us=-1"},
      {"memory", [](HostFacts& f) { f.lockable = 8 << 20; }, Rating::kPoor, "memlock"},
      {"CPUs", [](HostFacts& f) { f.cpus = 1; }, Rating::kPoor, "two"},
      {"CPUs", [](HostFacts& f) { f.isolated = ""; }, Rating::kFair, "isolcpus"},
      {"governor", [](HostFacts& f) { f.governors.emplace_back("powersave"); },
       Rating::kFair, "cpupower"},
      {"clock", [](HostFacts& f) { f.clock_source = "hpet"; }, Rating::kPoor, "tsc"},
      {"system clock",
       [](HostFacts& f) {
         f.discipline = Error{ErrorCode::kUnavailable, "nobody keeps it"};
       },
       Rating::kFair, "chrony"},
  };
  for (const Spoilt& spoilt : all) {
    HostFacts facts = good_host();
    spoilt.spoil(facts);
    const Finding finding = about(assess_host(facts), spoilt.word);
    EXPECT_EQ(finding.standing, spoilt.standing) << spoilt.word;
    EXPECT_TRUE(holds(finding.change, spoilt.change)) << finding.change;
  }
}

TEST(HostAssessment, IsNotReadyWhereSchedFifoIsNotAllowedHoweverGoodTheTimersLook) {
  HostFacts facts = good_host();
  facts.fifo_priority = 0;
  facts.fifo_refusal = "SCHED_FIFO with priority 80 is not allowed: raise rtprio";
  facts.fifo = Error{ErrorCode::kRefused, facts.fifo_refusal};
  const HostAssessment verdict = assess_host(facts);
  EXPECT_EQ(verdict.fitness, RealTimeSuitability::kMarginal);
  EXPECT_TRUE(holds(verdict.says, "300 us late")) << verdict.says;
  EXPECT_EQ(about(verdict, "scheduling").standing, Rating::kPoor);
  EXPECT_EQ(about(verdict, "scheduling").change, facts.fifo_refusal);
}

TEST(HostAssessment, IsNotReadyWhereMemoryMayNotBeLocked) {
  HostFacts facts = good_host();
  facts.lockable = 8 << 20;
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kMarginal);
}

TEST(HostAssessment, GoesByTheLatestWakeUp) {
  // A tick is 976 us: half of it is too late for "ready", a whole one in a thousand unfit.
  HostFacts facts = good_host();
  facts.fifo = late(3, 6, 9, 487);
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kSuitable);
  facts.fifo = late(3, 6, 9, 489);
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kMarginal);
  facts.fifo = late(3, 6, 975, 9000);
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kMarginal);
  facts.fifo = late(3, 6, 977, 9000);
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kUnsuitable);
  facts.fifo = TimerLatency{};
  EXPECT_EQ(assess_host(facts).fitness, RealTimeSuitability::kUnsuitable)
      << "nothing was measured";
}

TEST(HostAssessment, WritesDurationsLegibly) {
  EXPECT_EQ(legible(Duration(53'200)), "53.2 us");
  EXPECT_EQ(legible(Duration(999'700)), "1 ms");
  EXPECT_EQ(legible(Duration(1'234'000)), "1.23 ms");
  EXPECT_EQ(legible(std::chrono::seconds(2)), "2 s");
}

}  // namespace
}  // namespace trestle::host
