#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/system/bench_lab.h"

namespace trestle::real_time_test {
namespace {

using testing::BenchRun;
using testing::difference;
using testing::Disturbances;
using testing::run_bench;
using Settings = std::vector<std::string>;

/// The test of docs/explanation/delay-compensation.md; its actuator ideal or late by whole
/// ticks.
std::string yaml() {
  std::ifstream file(TRESTLE_SOURCE_DIR "/docs/pictures/delay.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

Settings operator+(Settings left, const Settings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Settings late_by(int ticks) {
  if (ticks == 0) return {"sites.lab.rig.actuators=[ideal]"};
  char delay[64];
  std::snprintf(delay, sizeof delay, "%.17g", ticks / 1024.0);
  return {std::string("sites.lab.rig.actuators=[{kind: delay, delay: ") + delay + "}]"};
}

Settings real_time(int latency) {
  return {"mode=real-time", "clock=virtual",
          "real_time.latency_steps=" + std::to_string(latency)};
}

BenchRun completed(const Settings& settings, const Disturbances& disturbances = {}) {
  BenchRun run = run_bench(yaml(), settings, disturbances);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  EXPECT_EQ(run.results.cols(), run.report.steps_planned);
  return run;
}

// correct(k) uses the answer to step k − L: the force of an ideal rig L steps ago, which a
// rig that is late by L more steps gives in lock-step.
TEST(RealTimeMode, PutsLatencyStepsOfDelayIntoTheLoop) {
  for (const int latency : {0, 1, 2, 5})
    for (const int late : {0, 3}) {
      const BenchRun paced =
          completed(real_time(latency) + late_by(late) + Settings{"duration=3 s"});
      const BenchRun lockstep =
          completed(late_by(late + latency) + Settings{"duration=3 s"});
      const double worst = difference(paced.rows(".disp_"), lockstep.rows(".disp_"));
      std::printf("L = %d, rig late by %d steps: largest difference %.1e\n", latency, late,
                  worst);
      EXPECT_EQ(worst, 0.0) << latency << " " << late;
    }
}

TEST(RealTimeMode, MissesNothingWhereNothingIsLate) {
  for (const Settings& network :
       {Settings{}, Settings{"sites.lab.link=campus"},
        Settings{"sites.lab.link={delay: 300 us, return_delay: 200 us}"}}) {
    const BenchRun run = completed(real_time(1) + late_by(0) + network);
    EXPECT_EQ(run.report.sites[0].misses, 0);
    EXPECT_EQ(run.report.sites[0].late, 0);
    EXPECT_EQ(run.report.sites[0].pace.value().missed, 0);
    EXPECT_EQ(run.report.sites[0].pace.value().overruns, 0);
    EXPECT_TRUE(run.results.allFinite());
  }
}

TEST(RealTimeMode, RecordsTheSameOverALinkThatIsFastEnough) {
  const BenchRun perfect = completed(real_time(1) + late_by(0));
  const BenchRun campus =
      completed(real_time(1) + late_by(0) + Settings{"sites.lab.link=campus"});
  EXPECT_EQ(campus.results, perfect.results);
}

/// A site that does nothing for 5 ms from a tick on.
Disturbances stalled_at(std::int64_t tick) {
  Disturbances disturbances;
  disturbances.stalls.push_back(
      {0, Duration{std::llround(static_cast<double>(tick) / 1024.0 * 1e9)},
       std::chrono::milliseconds(5)});
  return disturbances;
}

// 5 ms are 5.12 steps: the ticks of five steps are left out, and the read before them comes
// after its deadline. With L = 1 tick m closes step m − 2: from that one on six answers are
// missed, the first of them comes late.
TEST(RealTimeMode, MissesExactlyWhatAStallTakes) {
  constexpr std::int64_t kTick = 500;
  const Settings settings =
      real_time(1) + late_by(0) + Settings{"real_time.most_in_a_row=6", "duration=2 s"};
  const BenchRun run = completed(settings, stalled_at(kTick));
  const evaluation::SiteReport& site = run.report.sites[0];
  std::printf(
      "a 5 ms stall at 1024 Hz: %lld answers missed, %lld of them late, %lld "
      "targets missed at the site\n",
      static_cast<long long>(site.misses), static_cast<long long>(site.late),
      static_cast<long long>(site.pace.value().missed));
  EXPECT_EQ(site.misses, 6);
  EXPECT_EQ(site.late, 1);
  EXPECT_EQ(site.pace.value().missed, 5);
  const Eigen::VectorXd measured = run.row("lab.floor.x.measured_m");
  std::vector<Eigen::Index> never;
  for (Eigen::Index step = 0; step < measured.size(); ++step)
    if (std::isnan(measured[step])) never.push_back(step);
  EXPECT_EQ(never, (std::vector<Eigen::Index>{499, 500, 501, 502, 503}));
  EXPECT_FALSE(std::isnan(measured[498])) << "late, and recorded";
  const Eigen::VectorXd answered = run.stamp("lab", "i3");
  for (Eigen::Index step = 0; step < answered.size(); ++step)
    EXPECT_EQ(std::isnan(answered[step]), step >= 498 && step <= 503) << step;
}

TEST(RealTimeMode, GoesOnWithTheExtrapolatedForce) {
  // Of an ideal spring, at rest in ticks: what is missing is made up from the answers
  // before, and the next answers are used again.
  const BenchRun undisturbed =
      completed(real_time(1) + late_by(0) + Settings{"duration=2 s"});
  std::vector<double> errors;
  for (const int order : {0, 1, 2}) {
    const BenchRun run = completed(real_time(1) + late_by(0) +
                                       Settings{"real_time.most_in_a_row=6", "duration=2 s",
                                                "real_time.order=" + std::to_string(order)},
                                   stalled_at(500));
    EXPECT_EQ(run.report.sites[0].misses, 6);
    errors.push_back(
        difference(run.row("floor.x.disp_m"), undisturbed.row("floor.x.disp_m")));
    std::printf("extrapolation of order %d: %.2e of the largest displacement\n", order,
                errors.back());
  }
  EXPECT_LT(errors[1], 0.5 * errors[0]);
  EXPECT_LT(errors[2], 0.5 * errors[1]);
}

TEST(RealTimeMode, StopsSafelyAtMoreMissesThanAreAllowed) {
  const auto stopped = [](const Settings& allowed, std::int64_t step, const char* why) {
    const BenchRun run =
        run_bench(yaml(), real_time(1) + late_by(0) + Settings{"duration=2 s"} + allowed,
                  stalled_at(500));
    EXPECT_EQ(run.report.result, evaluation::RunResult::kStopped);
    EXPECT_EQ(run.report.reason, "the answer of site lab to step " + std::to_string(step) +
                                     " missed its deadline (" + why +
                                     "); see the ledger for where the time goes, raise "
                                     "real_time.latency_steps or give the step more time");
    EXPECT_EQ(run.report.steps_done, step + 1) << "the one after it was open";
    EXPECT_EQ(run.results.cols(), run.report.steps_done) << "the record is whole";
  };
  stopped({"real_time.on_miss=stop"}, 498, "on_miss: stop");
  stopped({"real_time.most_in_a_row=2"}, 500, "3 in a row, with 2 allowed");
  stopped({"real_time.most_in_a_row=10", "real_time.most_in_window=4"}, 502,
          "5 within the window, with 4 allowed");
}

}  // namespace
}  // namespace trestle::real_time_test
