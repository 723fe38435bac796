#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/system/bench_lab.h"

namespace trestle::ledger_test {
namespace {

using std::chrono::milliseconds;
using testing::BenchRun;
using testing::Disturbances;
using testing::run_bench;
using Settings = std::vector<std::string>;

const char* const kTest = R"(test: ledger
time_step: 10 ms
duration: 0.3 s
excitation: {record: synthetic, synthetic: {duration: 0.2 s, peak: 2 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 1 t, stiffness: 80 kN/m}, high: {mass: 1 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0}}
sites:
  west:
    interface: [low.x]
    rig: {actuators: [ideal], specimen: {kind: linear, stiffness: [[40000]]}}
  east:
    interface: [high.x]
    rig: {actuators: [ideal], specimen: {kind: linear, stiffness: [[40000]]}}
)";

Settings operator+(Settings left, const Settings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Settings kPseudoDynamic{"mode=pseudo-dynamic", "clock=virtual"};
const Settings kContinuous{"mode=continuous", "clock=virtual"};
const Settings kRealTime{"mode=real-time", "clock=virtual"};

constexpr std::array<const char*, 12> kStamps = {"i0", "i1", "ir", "i2", "s1", "s2",
                                                 "s3", "s4", "s5", "i3", "ij", "i4"};
constexpr std::array<const char*, 11> kAccounts = {
    "compute",   "journal", "encode",   "uplink", "wait",   "control",
    "actuation", "reply",   "downlink", "join",   "correct"};

// Rows of accounts().
constexpr Eigen::Index kUplink = 3;
constexpr Eigen::Index kWait = 4;
constexpr Eigen::Index kActuation = 6;
constexpr Eigen::Index kDownlink = 8;

/// The accounts of a site, one row each, one column per step [ns].
Eigen::MatrixXd accounts(const BenchRun& run, const std::string& site) {
  const Eigen::Index steps = run.stamp(site, "i0").size();
  Eigen::MatrixXd found(kAccounts.size(), steps);
  for (std::size_t n = 0; n < kAccounts.size(); ++n)
    found.row(static_cast<Eigen::Index>(n)) = run.between(site, kStamps[n], kStamps[n + 1]);
  return found;
}

BenchRun completed(const Settings& settings, const Disturbances& disturbances = {}) {
  BenchRun run = run_bench(kTest, settings, disturbances);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  for (const char* site : {"west", "east"}) {
    const Eigen::MatrixXd found = accounts(run, site);
    EXPECT_EQ(found.cols(), run.report.steps_planned);
    // In doubles of whole nanoseconds below 2^53: exactly.
    const Eigen::VectorXd whole = run.between(site, "i0", "i4");
    for (Eigen::Index step = 0; step < found.cols(); ++step) {
      if (std::isnan(found.col(step).sum())) continue;  // missed
      EXPECT_EQ(found.col(step).sum(), whole[step]) << step;
    }
  }
  return run;
}

/// Lock-step, where every delay adds to the step, with a ledger on the virtual clock.
BenchRun lockstep(const Settings& settings, Disturbances disturbances) {
  disturbances.ledger_in_lockstep = true;
  return completed(settings, disturbances);
}

Duration late(milliseconds time) {
  return time;
}

/// The ledger of every step shows the given nanoseconds in these accounts, none elsewhere.
void expect_alone(const BenchRun& run, const std::string& site,
                  const std::vector<std::pair<std::string, double>>& expected) {
  const Eigen::MatrixXd found = accounts(run, site);
  for (std::size_t n = 0; n < kAccounts.size(); ++n) {
    double wanted = 0.0;
    for (const auto& [account, value] : expected)
      if (account == kAccounts[n]) wanted = value;
    const auto row = static_cast<Eigen::Index>(n);
    for (Eigen::Index step = 0; step < found.cols(); ++step)
      EXPECT_EQ(found(row, step), wanted)
          << site << " " << kAccounts[n] << " of step " << step;
  }
}

TEST(Ledger, ShowsNoTimeWhereNonePasses) {
  const BenchRun run = lockstep({}, {});
  for (const char* site : {"west", "east"}) expect_alone(run, site, {});
}

TEST(Ledger, IsNotKeptInLockstepOnTheVirtualClock) {
  const BenchRun run = run_bench(kTest, {});
  EXPECT_EQ(run.streams.count("ledger"), 0U);
  EXPECT_TRUE(run.report.sites[0].ledger.empty());
}

TEST(Ledger, PutsWhatTheIntegratorComputesIntoComputeAndCorrect) {
  Disturbances slow;
  slow.predict = [](std::int64_t) {
    return late(milliseconds(3));
  };
  for (const char* site : {"west", "east"})
    expect_alone(lockstep({}, slow), site, {{"compute", 3e6}});
  slow.predict = nullptr;
  slow.correct = [](std::int64_t) {
    return late(milliseconds(4));
  };
  for (const char* site : {"west", "east"})
    expect_alone(lockstep({}, slow), site, {{"correct", 4e6}});
}

TEST(Ledger, PutsWhatTheRecordTakesIntoJournal) {
  Disturbances slow;
  slow.record = [](const std::string& stream, std::int64_t) {
    return stream == "intent" ? late(milliseconds(2)) : Duration::zero();
  };
  for (const char* site : {"west", "east"})
    expect_alone(lockstep({}, slow), site, {{"journal", 2e6}});
}

TEST(Ledger, TellsTheWaysApart) {
  const Settings links{"sites.west.link={delay: 7 ms, return_delay: 0 ms}",
                       "sites.east.link={delay: 0 ms, return_delay: 5 ms}"};
  const BenchRun run = lockstep(links, {});
  expect_alone(run, "west", {{"uplink", 7e6}});
  expect_alone(run, "east", {{"downlink", 5e6}, {"join", 2e6}});
}

TEST(Ledger, PutsWhatASiteTakesIntoItsStage) {
  Disturbances slow;
  slow.write = [](std::size_t site, std::int64_t) {
    return site == 0 ? late(milliseconds(2)) : Duration::zero();
  };
  // On one thread east waits for west: its messages lie until west is done.
  expect_alone(lockstep({}, slow), "west", {{"control", 2e6}});
  slow.write = nullptr;
  slow.read = [](std::size_t site, std::int64_t read) {
    return site == 0 && read > 0 ? late(milliseconds(3)) : Duration::zero();
  };
  expect_alone(lockstep({}, slow), "west", {{"actuation", 3e6}});
  slow.read = nullptr;
  slow.record = [](const std::string& stream, std::int64_t step) {
    return stream == "west.result" && step >= 0 ? late(milliseconds(4)) : Duration::zero();
  };
  expect_alone(lockstep({}, slow), "west", {{"reply", 4e6}});
}

TEST(Ledger, PutsARampIntoActuation) {
  const BenchRun run = completed(kPseudoDynamic);
  const Eigen::MatrixXd found = accounts(run, "west");
  for (Eigen::Index step = 0; step < found.cols(); ++step) {
    // 0.1 s of settling and two ticks of measuring at least.
    EXPECT_GE(found(kActuation, step), 0.12e9 - 1.0) << step;
    EXPECT_LE(found(kWait, step), 10e6) << "at most until the next tick";
    for (const Eigen::Index account : {0, 1, 2, 3, 5, 7, 8, 10})
      EXPECT_EQ(found(account, step), 0.0) << kAccounts[static_cast<std::size_t>(account)];
  }
}

TEST(Ledger, PutsTheTimeUntilTheTickIntoWait) {
  // L = 1: a target goes out when the step before it is closed, a step ahead of its tick.
  const BenchRun perfect = completed(kRealTime);
  const BenchRun far =
      completed(kRealTime + Settings{"sites.west.link={delay: 3 ms, return_delay: 2 ms}"});
  const Eigen::MatrixXd found = accounts(far, "west");
  const Eigen::MatrixXd before = accounts(perfect, "west");
  for (Eigen::Index step = 2; step < found.cols(); ++step) {
    EXPECT_EQ(before(kUplink, step), 0.0);
    EXPECT_EQ(found(kUplink, step), 3e6) << step;
    EXPECT_EQ(found(kDownlink, step), 2e6) << step;
    // The target goes out 2 ms later, when the answer is in, and travels for 3 ms.
    EXPECT_EQ(before(kWait, step) - found(kWait, step), 5e6) << step;
    EXPECT_EQ(before(kActuation, step), found(kActuation, step)) << step;
  }
}

TEST(Ledger, PutsALateTickIntoWait) {
  Disturbances late_once;
  late_once.stalls.push_back({0, milliseconds(100), milliseconds(4)});  // under half a step
  const Eigen::MatrixXd found = accounts(completed(kRealTime, late_once), "west");
  const Eigen::MatrixXd before = accounts(completed(kRealTime), "west");
  const Eigen::MatrixXd more = found - before;
  // The tick at 100 ms closes step 8 and begins step 9, both 4 ms late.
  EXPECT_EQ(more(kActuation, 8), 4e6);
  EXPECT_EQ(more(kWait, 9), 4e6);
  EXPECT_EQ(more(kActuation, 9), -4e6) << "the next tick is on time again";
  for (const Eigen::Index account : {3, 5, 7, 8}) {
    EXPECT_EQ(more.row(account).cwiseAbs().maxCoeff(), 0.0)
        << kAccounts[static_cast<std::size_t>(account)];
  }
}

TEST(Ledger, AddsUpInEveryMode) {
  for (const Settings& mode : {kPseudoDynamic, kContinuous, kRealTime}) {
    completed(mode);
    completed(mode + Settings{"sites.west.link={delay: 1 ms, return_delay: 2 ms}",
                              "sites.east.link={delay: 2 ms, jitter: 200 us}"});
  }
}

TEST(Ledger, EndsTheAccountsOfAMissedSiteInJoin) {
  Disturbances stall;
  stall.stalls.push_back({0, milliseconds(95), milliseconds(20)});
  const BenchRun run = completed(kRealTime, stall);
  const Eigen::VectorXd read = run.stamp("west", "s4");
  int missed = 0;
  for (Eigen::Index step = 0; step < read.size(); ++step) {
    if (!std::isnan(read[step])) continue;
    ++missed;
    const double parts = run.between("west", "i0", "i2")[step] +
                         run.between("west", "i2", "ij")[step] +
                         run.between("west", "ij", "i4")[step];
    EXPECT_EQ(parts, run.between("west", "i0", "i4")[step]);
    EXPECT_TRUE(std::isnan(run.stamp("west", "clock_bound")[step]));
  }
  EXPECT_EQ(missed, run.report.sites[0].misses);
  EXPECT_GT(missed, 0);
}

TEST(Ledger, KnowsTheSumOfTheWaysExactlyAndTheSplitWithinTheBound) {
  Disturbances clocks;
  clocks.clock_ahead = std::chrono::hours(3);
  const BenchRun run = completed(
      kPseudoDynamic + Settings{"sites.west.link={delay: 9 ms, return_delay: 3 ms}",
                                "sites.east.link={delay: 2 ms, return_delay: 2 ms}"},
      clocks);
  for (const auto& [site, up, down] :
       {std::tuple{"west", 9e6, 3e6}, std::tuple{"east", 2e6, 2e6}}) {
    const Eigen::MatrixXd found = accounts(run, site);
    const Eigen::VectorXd bound = run.stamp(site, "clock_bound");
    for (Eigen::Index step = 0; step < found.cols(); ++step) {
      EXPECT_EQ(found(kUplink, step) + found(kDownlink, step), up + down)
          << site << " " << step;
      EXPECT_LE(std::abs(found(kUplink, step) - up), bound[step]) << site << " " << step;
      // No method can do better than half the round trip.
      EXPECT_GE(bound[step], 0.5 * (up + down)) << site << " " << step;
      EXPECT_LE(bound[step], 0.5 * (up + down) + 2e6) << site << " " << step;
    }
  }
}

}  // namespace
}  // namespace trestle::ledger_test
