#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/journal/journal_file.h"
#include "core/record/ledger_columns.h"
#include "core/session/audit_actions.h"
#include "core/types/record_names.h"
#include "observe/report/limit_use.h"
#include "observe/report/run_page.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/support/golden_page.h"

namespace trestle::report::run_modes_test {
namespace {

using testing::TemporaryFolder;

constexpr int kSteps = 400;
constexpr double kTimeStep = 0.01;
constexpr int kTicksPerStep = 4;
constexpr std::int64_t kBegun = 1'795'499'727'306'812'458;  // 2026-11-24, UTC [ns]

/// What differs between the execution modes in a record.
struct Mode {
  std::string name;
  bool real = false;
  int latency = 0;
  double scale = 1.0;  ///< wall time over test time
  /// Of the accounts of a step, from `compute` to `correct` [ns].
  std::array<double, 11> accounts{};
  int missed_every = 0;  ///< 0: no response is missed
  bool held = false;     ///< for 41 s, after step 200
};

const Mode kPseudoDynamic{.name = "pseudo-dynamic",
                          .real = true,
                          .scale = 10.0,
                          .accounts = {20e3, 1.2e6, 10e3, 4.1e6, 0.1e6, 0.1e6, 71.2e6,
                                       1.2e6, 4.2e6, 12.8e6, 70e3},
                          .held = true};
const Mode kRealTime{
    .name = "real-time",
    .latency = 1,
    .accounts = {9e3, 5e3, 6e3, 0.4e6, 1.1e6, 0.05e6, 6.8e6, 0.03e6, 0.4e6, 1.1e6, 20e3},
    .missed_every = 97};
const Mode kContinuous{
    .name = "continuous",
    .scale = 20.0,
    .accounts = {30e3, 6e3, 8e3, 9.7e6, 3e6, 0.1e6, 160e6, 0.2e6, 10.1e6, 15e6, 60e3}};

double target_at(double time) {
  return 0.015 * std::sin(10.0 * time) + 0.002 * std::sin(37.0 * time);
}

/// A column that yields: elastic up to 3.6 kN, and a tenth of the stiffness besides.
class Column {
 public:
  double force_at(double displacement) {
    constexpr double kStiffness = 3e5;
    constexpr double kYield = 3600.0;
    double force = kStiffness * (displacement - plastic_);
    if (std::abs(force) > kYield) {
      force = std::copysign(kYield, force);
      plastic_ = displacement - force / kStiffness;
    }
    return force + 0.1 * kStiffness * displacement;
  }

 private:
  double plastic_ = 0.0;
};

class ModeRecord {
 public:
  explicit ModeRecord(const Mode& mode) : mode_(mode) {
    write_integrator();
    write_site();
    std::ofstream(file("effective.yaml"))
        << "test: modes\nmode: " << mode.name
        << "\nnumerical: {frame: {nodes: {base: [0, 0], floor: [0, 3]}, members: [{from: "
           "base, to: floor}]}}\n";
  }

  std::string path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  std::string contract() const {
    std::string text =
        "contract: trestle 1\nsite: west\nsite.software: 0.1.0\nsite.real_equipment: " +
        std::string(mode_.real ? "yes" : "no") + "\nmode: " + mode_.name +
        "\nlatency_steps: " + std::to_string(mode_.latency) +
        "\nticks_per_step: " + std::to_string(kTicksPerStep) +
        "\nseed: 7\ninterface[0].name: floor.x\nactuators[0].name: 1\n"
        "limits.actuators[0].displacement_m: 0.02\nlimits.actuators[0].rate_m_s: 0.4\n"
        "limits.actuators[0].force_N: 5000\ncompensator: ats\ncontroller: default\n";
    if (mode_.name == "continuous") text += "continuous.scale: 20\n";
    if (mode_.real)
      text +=
          "site_states.calibration.1.force.sensor: LC-250\n"
          "site_states.calibration.1.force.due: 2027-10-30\n";
    return text;
  }

  void write_facts(journal::JournalFile& journal, const char* node) const {
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "modes");
    journal.set_meta(meta_key::kMode, mode_.name);
    journal.set_meta(meta_key::kNode, node);
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.set_meta(meta_key::kTick, "0.0025");
    journal.set_meta(meta_key::kSoftware, "0.1.0");
    journal.set_meta(meta_key::kBegun, std::to_string(kBegun));
    journal.set_meta(meta_key::kEnded, std::to_string(kBegun + 90'000'000'000));
  }

  bool is_missed(int step) const {
    return mode_.missed_every > 0 && step % mode_.missed_every == mode_.missed_every - 1;
  }

  void write_integrator() {
    journal::JournalFile journal(file("journal.db"));
    write_facts(journal, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kStepsPlanned, std::to_string(kSteps));
    journal.set_meta("contract.west", contract());
    const int result =
        journal.add_stream(stream_name::kResult, {{"west.floor.x.target_m", "m"},
                                                  {"west.floor.x.measured_m", "m"},
                                                  {"west.floor.x.force_N", "N"},
                                                  {"west.1.target_m", "m"},
                                                  {"west.1.command_m", "m"},
                                                  {"west.1.measured_m", "m"},
                                                  {"west.1.force_N", "N"},
                                                  {"floor.x.disp_m", "m"}});
    const int ledger =
        journal.add_stream(stream_name::kLedger, record::LedgerColumns("west").channels());
    Column column;
    journal.begin();
    for (int step = 0; step < kSteps; ++step) {
      const double time = step * kTimeStep;
      const double target = target_at(time);
      const double measured = target_at(time - 0.002);
      const double force = column.force_at(measured);
      const std::vector<double> row{
          target,   measured, force, target, target_at(time + 0.012),
          measured, force,    target};
      journal.append(result, RecordRow{step, row});
      journal.append(ledger, RecordRow{step, ledger_row(step)});
    }
    journal.commit();
    write_events(journal);
    write_audit(journal);
    journal.finish();
  }

  /// The session time at which a step begins [ns].
  double begin_of(int step) const {
    const double hold = mode_.held && step > 200 ? 41e9 : 0.0;
    return 1e9 * step * kTimeStep * mode_.scale + hold;
  }

  std::vector<double> ledger_row(int step) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    const auto names = record::LedgerColumns::names();
    ledger_.clear();
    double now = begin_of(step);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      const std::string_view name = names[i];
      // The way to the site and back is not always as quick.
      if (i > 0) now += mode_.accounts.at(i - 1) * (1.0 + 0.03 * (step % 7));
      const bool of_site = name.starts_with('s') || name == "i3_ns";
      ledger_.push_back(is_missed(step) && of_site ? kMissing : std::floor(now));
    }
    ledger_.push_back(is_missed(step) ? kMissing : 41'000.0 + step);
    return ledger_;
  }

  void write_events(journal::JournalFile& journal) const {
    const auto at = [](double nanoseconds) {
      return TimePoint(Duration(static_cast<std::int64_t>(nanoseconds)));
    };
    journal.add_event({at(0.0), "integrator", "state", "RUNNING"});
    if (mode_.held) {
      journal.add_event({at(begin_of(200) + 5e7), "integrator", "state",
                         "HOLDING: held by ada@lab: look at the grips of west"});
      journal.add_event({at(begin_of(201)), "integrator", "state", "RUNNING"});
    }
    journal.add_event({at(begin_of(kSteps)), "integrator", "state", "STOPPING"});
  }

  void write_audit(journal::JournalFile& journal) const {
    std::vector<AuditEntry> entries{
        session::audit_configured("integrator", "bus: west", "5eed"),
        session::audit_armed("ada@lab", "operator channel", "5eed")};
    if (mode_.held)
      entries.push_back({"ada@lab", "operator channel", session::audit_what::kHeld,
                         "look at the grips of west"});
    std::string before;
    std::int64_t number = 0;
    for (const AuditEntry& entry : entries) {
      journal::AuditRecord record{++number, kBegun + number * 1'000'000'000, entry, {}};
      record.digest = before = journal::audit_digest(before, record);
      journal.add_audit(record);
    }
  }

  /// The control ticks of the site.
  void write_site() const {
    journal::JournalFile journal(file("west.db"));
    write_facts(journal, "west");
    journal.set_meta(meta_key::kContract, contract());
    const int stream = journal.add_stream(stream_name::kTick, {{"west.1.target_m", "m"},
                                                               {"west.1.command_m", "m"},
                                                               {"west.1.measured_m", "m"},
                                                               {"west.1.force_N", "N"}});
    Column column;
    // A real-time record has this stream, too, but its ticks are by the clock.
    const int closing =
        mode_.name == "real-time"
            ? -1
            : journal.add_stream(stream_name::kClosing, {{"west.ticks", ""}});
    journal.begin();
    for (int tick = 0; tick < kSteps * kTicksPerStep; ++tick) {
      const double time = tick * kTimeStep / kTicksPerStep;
      const double measured = target_at(time - 0.002);
      const std::vector<double> row{target_at(time), target_at(time + 0.012), measured,
                                    column.force_at(measured)};
      journal.append(stream, RecordRow{tick, row});
    }
    for (int step = 0; closing >= 0 && step < kSteps; ++step)
      journal.append(
          closing, RecordRow{step, std::vector<double>{1.0 * kTicksPerStep * (step + 1)}});
    journal.commit();
    journal.finish();
  }

  TemporaryFolder folder_;
  Mode mode_;
  std::vector<double> ledger_;
};

/// The files of the journals have other bytes with each version of SQLite; their rows have
/// not.
std::string page_of(const std::string& folder) {
  const RunData run(folder);
  std::string page = run_page(run, "trestle 0.1.0");
  for (const RecordedFile& file : run.files)
    for (const std::string& half : {file.digest.substr(0, 32), file.digest.substr(32)})
      for (std::size_t at = page.find(half); at != std::string::npos; at = page.find(half))
        page.replace(at, half.size(), "of this file");
  return page;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(RunPageOfEachMode, PseudoDynamicLooksAsItDid) {
  const ModeRecord record(kPseudoDynamic);
  const std::string page = page_of(record.path());
  EXPECT_NE(page.find("pseudo-dynamic"), std::string::npos);
  EXPECT_NE(page.find("Course of the test"), std::string::npos);
  EXPECT_NE(page.find("look at the grips of west"), std::string::npos);
  EXPECT_NE(page.find("LC-250"), std::string::npos) << "it is real equipment";
  testing::expect_golden(page, "observe/report/golden/run_pseudo_dynamic.html");
}

TEST(RunPageOfEachMode, RealTimeLooksAsItDid) {
  const ModeRecord record(kRealTime);
  const std::string page = page_of(record.path());
  EXPECT_NE(page.find("Responses that were not in by their deadline"), std::string::npos);
  EXPECT_NE(page.find(">4<"), std::string::npos) << "four answers are missing";
  testing::expect_golden(page, "observe/report/golden/run_real_time.html");
}

TEST(RunPageOfEachMode, ContinuousLooksAsItDid) {
  const ModeRecord record(kContinuous);
  const std::string page = page_of(record.path());
  EXPECT_GT(count_of(page, "actuation"), 0U);
  testing::expect_golden(page, "observe/report/golden/run_continuous.html");
}

const LimitUse& use_of(const std::vector<LimitUse>& uses, const std::string& quantity) {
  return *std::find_if(uses.begin(), uses.end(), [&quantity](const LimitUse& use) {
    return use.quantity == quantity;
  });
}

// The actuators move by the clock of the rig, on which a continuous test is stretched.
TEST(LimitUseOfEachMode, TakesRatesByTheClockOfTheRig) {
  const ModeRecord even(kRealTime);
  const ModeRecord stretched(kContinuous);
  const RunData real_time(even.path());
  const RunData continuous(stretched.path());
  const std::vector<LimitUse> fast = limit_uses(real_time.sites.at(0), real_time);
  const std::vector<LimitUse> slow = limit_uses(continuous.sites.at(0), continuous);
  ASSERT_EQ(fast.size(), 5U);
  ASSERT_EQ(slow.size(), 5U);
  EXPECT_GT(use_of(fast, "rate").largest, 0.2);
  EXPECT_NEAR(use_of(slow, "rate").largest, use_of(fast, "rate").largest / 20.0, 1e-9);
  EXPECT_NEAR(use_of(slow, "acceleration").largest,
              use_of(fast, "acceleration").largest / 400.0, 1e-9);
  EXPECT_DOUBLE_EQ(use_of(slow, "displacement").largest,
                   use_of(fast, "displacement").largest);
  EXPECT_NEAR(use_of(slow, "rate").time, use_of(fast, "rate").time, 1e-9)
      << "when it was is told in the time of the test";
  EXPECT_NE(run_page(continuous, "trestle 0.1.0").find("by the clock of the rig"),
            std::string::npos);
  EXPECT_EQ(run_page(real_time, "trestle 0.1.0").find("by the clock of the rig"),
            std::string::npos);
}

// Clock, zone, language and place of the record are not in it.
TEST(RunPageOfEachMode, IsTheSameInAnotherFolder) {
  for (const Mode& mode : {kPseudoDynamic, kRealTime, kContinuous}) {
    const ModeRecord record(mode);
    const TemporaryFolder other;
    const std::string copy = other.file("moved");
    std::filesystem::copy(record.path(), copy);
    const std::string page = run_page(RunData(record.path()), "trestle 0.1.0");
    EXPECT_TRUE(page == run_page(RunData(copy), "trestle 0.1.0")) << mode.name;
    EXPECT_EQ(page.find(record.path()), std::string::npos) << mode.name;
  }
}

}  // namespace
}  // namespace trestle::report::run_modes_test
