// Hold, kill and resume in the paced modes, on the virtual clock.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/types/step_range.h"
#include "core/yaml/override.h"
#include "studies/rehearsal/fault_simulator.h"
#include "studies/rehearsal/scenario_checker.h"

namespace trestle {
namespace {

using namespace std::chrono_literals;
using Settings = std::vector<std::string>;

const char* const kTest = R"(test: two storeys
time_step: 1/128 s
duration: 1 s
seed: 3
excitation: {record: synthetic, synthetic: {duration: 0.5 s, peak: 4 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 1 t, stiffness: 80 kN/m}, high: {mass: 1 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0}}
clock: virtual
deadlines: {heartbeat: 15 ms, watchdog: 80 ms, step: 2 s, hold: 60 s}
clock_bound: 100 ms
real_time: {most_in_a_row: 10000, most_in_window: 10000}
sites:
  west:
    interface: [low.x]
    control_tick: 1/512 s
    limits: {interface: {x: 200 mm}, actuators: [{displacement: 200 mm, rate: 2 m/s, force: 50 kN}]}
    compensator: {kind: ats, expected_delay: 3 ms}
    rig:
      actuators: [{kind: second-order, frequency: 60 Hz, damping: 0.7}]
      specimen:  {kind: linear, stiffness: [[40000]]}
  east:
    like: west
    interface: [high.x]
)";
constexpr std::int64_t kSteps = 48;
constexpr int kIntegrator = rehearsal::ScheduledFault::kIntegrator;
constexpr std::int64_t kMostMissed = 6;  // in a row, before the integrator stops
constexpr double kRate = 2.0;            // [m/s]
constexpr double kWallTick = 1.0 / 512;  // [s]
const Settings kFar{"sites.west.link={delay: 20 ms, return_delay: 15 ms}",
                    "sites.east.link={delay: 3 ms, return_delay: 3 ms}"};
const Settings kNear{"sites.west.link={delay: 1 ms, return_delay: 1 ms}"};

/// The gate trips where the command is not smooth.
const char* const kActuator =
    "{displacement: 200 mm, rate: 2 m/s, acceleration: 250 m/s2, force: 50 kN}";
const Settings kGentle{std::string("sites.west.limits.actuators=[") + kActuator + "]",
                       std::string("sites.east.limits.actuators=[") + kActuator + "]"};

class TestFile {
 public:
  TestFile() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "trestle_resume_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = pattern;
    std::ofstream(path()) << kTest;
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "test.yaml").string(); }

 private:
  std::filesystem::path folder_;
};

Settings operator+(Settings left, const Settings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Settings real_time(int latency) {
  return {"mode=real-time", "real_time.latency_steps=" + std::to_string(latency)};
}
const Settings kContinuous{"mode=continuous"};

double column(const rehearsal::MemorySession::Stream& stream, std::size_t row,
              std::size_t at) {
  return stream.row(row)[at];
}

/// Largest change of the command from tick to tick, and of that change [m].
struct Smoothness {
  double change = 0.0;
  double jump = 0.0;
};

Smoothness smoothness(const rehearsal::MemorySession& site) {
  constexpr std::size_t kCommand = 1;
  const rehearsal::MemorySession::Stream& ticks = *site.stream("tick");
  Smoothness found;
  double before = 0.0;
  for (std::size_t i = 1; i < ticks.rows(); ++i) {
    const double way = column(ticks, i, kCommand) - column(ticks, i - 1, kCommand);
    found.change = std::max(found.change, std::abs(way));
    if (i > 1) found.jump = std::max(found.jump, std::abs(way - before));
    before = way;
  }
  return found;
}

class Bench {
 public:
  explicit Bench(const Settings& settings, bool real_rigs = false)
      : bench_(file_.path(), yaml::parse_command_line_overrides(settings), "test", kSteps),
        real_rigs_(real_rigs),
        mode_(bench_.integrator().mode),
        undisturbed_(run({})) {
    EXPECT_EQ(undisturbed_.result, evaluation::RunResult::kComplete) << undisturbed_.reason;
  }

  /// One fault, begun when this part of the steps' calls were made.
  void strike(rehearsal::FaultType sort, int node, Duration duration, double part) {
    rehearsal::ScheduledFault fault;
    fault.sort = sort;
    fault.node = node;
    fault.duration = duration;
    fault.at = static_cast<rehearsal::CallCount>(
        part * static_cast<double>(undisturbed_.calls_of_steps));
    SCOPED_TRACE(rehearsal::sentence(fault, bench_.sites()) + " at call " +
                 std::to_string(fault.at));
    const rehearsal::ScenarioTrace trace = run({fault});
    judge(trace);
    if (sort == rehearsal::FaultType::kOperatorHold ||
        (sort == rehearsal::FaultType::kKill && node < 0))
      expect_every_step_executed(trace);
    if (::testing::Test::HasFailure() && !told_) {
      told_ = true;
      rehearsal::FaultSimulator lab(bench_, settings({fault}, true));
      for (const std::string& line : lab.run().story)
        if (line.find("Heartbeat") == std::string::npos) std::puts(line.c_str());
    }
  }

  /// The integrator stands still, as when its host stops it for a while: it misses too many
  /// responses and leaves the test held. A person resumes it once.
  /// @param together  the sites are in the integrator's process, which ends
  void pause(Duration duration, double part, bool together) {
    rehearsal::ScheduledFault stall;
    stall.sort = rehearsal::FaultType::kStall;
    stall.node = kIntegrator;
    stall.duration = duration;
    stall.at = static_cast<rehearsal::CallCount>(
        part * static_cast<double>(undisturbed_.calls_of_steps));
    SCOPED_TRACE("at call " + std::to_string(stall.at));
    rehearsal::FaultLabSettings lab = settings({stall}, false);
    lab.resumes = 1;
    lab.one_process = together;
    const rehearsal::ScenarioTrace trace = rehearsal::FaultSimulator(bench_, lab).run();
    judge(trace);
    EXPECT_GE(trace.resumed, 1) << "it was not stopped";
    for (std::size_t site = 1; site <= 2; ++site) {
      const std::int64_t executed =
          static_cast<std::int64_t>(record(trace, site).stream("result")->rows());
      EXPECT_GE(executed, kSteps - kMostMissed) << "site " << site;
      EXPECT_EQ(executed + static_cast<std::int64_t>(missed(record(trace, site)).size()),
                kSteps)
          << "site " << site;
    }
  }

 private:
  static std::set<std::int64_t> missed(const rehearsal::MemorySession& kept) {
    std::set<std::int64_t> steps;
    for (const rehearsal::MemorySession::Event& event : kept.events) {
      if (event.kind != "missed") continue;
      const auto named = parse_steps(event.text);
      EXPECT_TRUE(named) << event.text;
      if (!named) continue;
      for (std::int64_t step = named->first; step <= named->last; ++step)
        EXPECT_TRUE(steps.insert(step).second) << "step " << step << " is named twice";
    }
    return steps;
  }

  rehearsal::FaultLabSettings settings(std::vector<rehearsal::ScheduledFault> faults,
                                       bool story) const {
    return {.faults = std::move(faults),
            .real_rigs = real_rigs_,
            .dice = rehearsal::ScenarioRandom(1, 0, 1),
            .allowed = std::vector<std::vector<rehearsal::MotionLimits>>(
                2, {rehearsal::MotionLimits{0.2, kRate * kWallTick}}),
            .sync_delay = {},
            .story = story};
  }
  rehearsal::ScenarioTrace run(std::vector<rehearsal::ScheduledFault> faults) {
    return rehearsal::FaultSimulator(bench_, settings(std::move(faults), false)).run();
  }
  const rehearsal::MemorySession& record(const rehearsal::ScenarioTrace& trace,
                                         std::size_t disk) const {
    return *trace.disks[disk]->find(bench_.integrator().session);
  }

  void judge(const rehearsal::ScenarioTrace& trace) {
    // All steps are done while the site is still away: nobody has brought its rig home.
    const bool left = real_rigs_ && trace.reason.find("was started again before it said") !=
                                        std::string::npos;
    EXPECT_EQ(trace.result,
              left ? evaluation::RunResult::kStopped : evaluation::RunResult::kComplete)
        << trace.reason;
    for (const std::string& violation :
         rehearsal::ScenarioChecker(bench_.integrator(), undisturbed_)
             .judge(trace)
             .violations)
      ADD_FAILURE() << violation;
    if (trace.result != evaluation::RunResult::kComplete) return;
    judge_integrator(record(trace, 0));
    for (std::size_t site = 1; site <= 2; ++site) judge_site(record(trace, site));
  }

  /// The integrator had not reached the steps that were due while it did not run.
  void expect_every_step_executed(const rehearsal::ScenarioTrace& trace) const {
    for (std::size_t site = 1; site <= 2; ++site)
      EXPECT_EQ(record(trace, site).stream("result")->rows(),
                static_cast<std::size_t>(kSteps))
          << "site " << site;
  }

  void judge_integrator(const rehearsal::MemorySession& kept) const {
    EXPECT_EQ(kept.stream("result")->rows(), static_cast<std::size_t>(kSteps));
    const rehearsal::MemorySession::Stream& ledger = *kept.stream("ledger");
    ASSERT_EQ(ledger.rows(), static_cast<std::size_t>(kSteps));
    const std::size_t width = ledger.channels.size() / 2;
    for (std::size_t site = 0; site < 2; ++site) {
      double begun = -1e300;
      double over = -1e300;
      for (std::size_t i = 0; i < ledger.rows(); ++i) {
        const double i0 = column(ledger, i, width * site);
        const double i4 = column(ledger, i, width * site + 11);
        EXPECT_GE(i0, begun) << "step " << i << " begins before the one before it";
        EXPECT_GE(i4, over) << "step " << i << " is over before the one before it";
        EXPECT_GE(i4, i0) << "step " << i;
        begun = i0;
        over = i4;
      }
    }
  }

  void judge_site(const rehearsal::MemorySession& kept) const {
    const std::set<std::int64_t> never = missed(kept);
    const rehearsal::MemorySession::Stream& result = *kept.stream("result");
    for (const std::int64_t step : result.index)
      EXPECT_FALSE(never.contains(step)) << "step " << step << " was missed, and executed";
    if (mode_ == ExecutionMode::kContinuous) {
      EXPECT_EQ(result.rows(), static_cast<std::size_t>(kSteps));
    }
    const rehearsal::MemorySession::Stream& closing = *kept.stream("closing");
    for (std::size_t i = 1; i < closing.rows(); ++i)
      EXPECT_GT(column(closing, i, 0), column(closing, i - 1, 0))
          << "time went back behind step " << closing.index[i - 1];
    const Smoothness found = smoothness(kept);
    EXPECT_LE(found.change, kRate * kWallTick);
    EXPECT_LE(found.jump, kRate * kWallTick);
  }

  TestFile file_;
  rehearsal::RehearsalSetup bench_;
  bool real_rigs_;
  ExecutionMode mode_;
  rehearsal::ScenarioTrace undisturbed_;
  bool told_ = false;
};

const std::vector<Settings> kEveryWay{
    kContinuous,          kContinuous + kFar,   real_time(0),       real_time(1),
    real_time(1) + kNear, real_time(2) + kNear, real_time(5) + kFar};

void everywhere(rehearsal::FaultType sort, int node, Duration duration,
                const Settings& limits = kGentle) {
  for (const Settings& settings : kEveryWay) {
    SCOPED_TRACE(settings.size() > 1 ? settings[0] + " " + settings[1] : settings[0]);
    Bench bench(settings + limits);
    for (const double part : {0.12, 0.31, 0.5, 0.503, 0.507, 0.509, 0.74, 0.93})
      bench.strike(sort, node, duration, part);
  }
}

// Real time advances meanwhile, with extrapolated forces. The targets are then far away,
// and an adaptive compensator jumps there by itself, so only the rate is limited. A target
// that stays away for longer than `deadlines.step` makes the integrator hold in continuous
// mode.
TEST(ResumeByTime, ASiteThatWasCutOffForLongerThanTheWatchdog) {
  everywhere(rehearsal::FaultType::kPartition, 0, 150ms, {});
  for (const Settings& settings : {kContinuous, kContinuous + kFar}) {
    Bench bench(settings + kGentle);
    for (const double part : {0.2, 0.5, 0.502})
      bench.strike(rehearsal::FaultType::kPartition, 1, 3s, part);
  }
}

TEST(ResumeByTime, ASiteThatWasKilled) {
  everywhere(rehearsal::FaultType::kKill, 0, 700ms);
}

TEST(ResumeByTime, AnIntegratorThatWasKilled) {
  everywhere(rehearsal::FaultType::kKill, kIntegrator, 700ms);
}

TEST(ResumeByTime, AnOperatorsHold) {
  everywhere(rehearsal::FaultType::kOperatorHold, kIntegrator, 2s);
}

TEST(ResumeByTime, RealEquipmentFromWhereItStands) {
  for (const Settings& settings : {kContinuous + kFar, real_time(1) + kNear}) {
    SCOPED_TRACE(settings[0]);
    Bench bench(settings + kGentle, true);
    for (const double part : {0.31, 0.5, 0.503, 0.74}) {
      bench.strike(rehearsal::FaultType::kOperatorHold, kIntegrator, 2s, part);
      bench.strike(rehearsal::FaultType::kKill, kIntegrator, 700ms, part);
      bench.strike(rehearsal::FaultType::kKill, 0, 700ms, part);
    }
  }
}

// 150 ms are 19 steps. The test continues at the step at which the integrator stopped: the
// sites execute those that were due meanwhile, and no other.
TEST(ResumeByTime, ATestThatWasStoppedForMissedResponses) {
  for (const bool real : {false, true})
    for (const bool together : {false, true}) {
      SCOPED_TRACE(std::string(real ? "real" : "simulated") +
                   (together ? ", in one process" : ", in processes of their own"));
      Bench bench(real_time(1) + kGentle +
                      Settings{"deadlines.watchdog=2 s", "real_time.most_in_a_row=5"},
                  real);
      for (const double part : {0.2, 0.31, 0.5, 0.503}) bench.pause(150ms, part, together);
    }
}

}  // namespace
}  // namespace trestle
