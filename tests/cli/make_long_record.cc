// Makes the record of a long test, as an integrator writes it: 58 channels (14 actuators of
// one site and two displacements) at 1 kHz, extents and all. 10 hours are 17 GB.
//
//   make_long_record FOLDER MINUTES
//
// One row, after a third of the test, has the largest force: 240 kN of 250 kN at
// actuator 3.

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/journal/journal_recorder.h"
#include "core/record/site_step_columns.h"
#include "core/session/session_contract.h"
#include "core/types/record_names.h"

namespace trestle::testing {
namespace {

constexpr int kActuators = 14;
constexpr std::size_t kPerActuator = 4;  // target, command, measured, force
constexpr std::int64_t kRate = 1000;     // rows a second
constexpr std::int64_t kBetweenWaits = 1024;
constexpr std::size_t kPeriod = 1000;  // rows of one oscillation
constexpr double kAmplitude = 0.02;    // [m]
constexpr double kStiffness = 5e6;     // [N/m]
constexpr double kLargestForce = 240e3;

std::vector<ActuatorDescription> actuators() {
  std::vector<ActuatorDescription> all;
  for (int i = 0; i < kActuators; ++i) all.push_back({.name = std::to_string(i + 1)});
  return all;
}

std::string contract() {
  Configured configured;
  configured.actuators = actuators();
  configured.limits.assign(kActuators, {.displacement = 0.06,
                                        .rate = 0.4,
                                        .force = 250e3,
                                        .tracking_error = 0.02,
                                        .tracking_dwell = 0.01,
                                        .energy_error = 300.0,
                                        .acceleration = 16.0});
  return session::contract_text({}, {}, configured, {});
}

/// Whole oscillations whose height changes slowly; every actuator follows 4 ms late.
class Motion {
 public:
  explicit Motion(std::int64_t rows) : rows_(rows) {
    for (std::size_t i = 0; i < kPeriod; ++i)
      sine_[i] = std::sin(2.0 * std::numbers::pi * static_cast<double>(i) / kPeriod);
  }

  void fill(std::int64_t step, std::vector<double>& row) const {
    const double part = static_cast<double>(step) / static_cast<double>(rows_);
    const double height = kAmplitude * (0.3 + 0.7 * (1.0 - std::abs(2.0 * part - 1.0)));
    const auto at = static_cast<std::size_t>(step) + kPeriod;
    for (std::size_t i = 0; i < kActuators; ++i) {
      double* const values = row.data() + i * kPerActuator;
      values[0] = values[1] = height * sine_[(at + 37 * i) % kPeriod];
      values[2] = height * sine_[(at + 37 * i - 4) % kPeriod];
      values[3] = kStiffness * values[2];
    }
    if (step == rows_ / 3) row[2 * kPerActuator + 3] = kLargestForce;
    row[row.size() - 2] = row[0];
    row[row.size() - 1] = 2.0 * row[0];
  }

 private:
  std::int64_t rows_;
  std::array<double, kPeriod> sine_{};
};

void make(const std::string& folder, double minutes) {
  const auto rows = static_cast<std::int64_t>(60.0 * minutes * kRate);
  Channels channels = record::SiteStepColumns("west", {}, actuators()).channels();
  if (channels.size() != kActuators * kPerActuator)
    throw std::runtime_error("a site's step has other columns than this program knows");
  channels.push_back({"floor.x.disp_m", "m"});
  channels.push_back({"roof.x.disp_m", "m"});
  journal::JournalRecorder recorder(
      {.folder = folder, .name = "journal", .node = kIntegratorNode, .facts = {}});
  RowSink* const sink =
      recorder
          .open(SessionId{1},
                {{meta_key::kNode, kIntegratorNode},
                 {meta_key::kTest, "long"},
                 {meta_key::kMode, "real-time"},
                 {meta_key::kTimeStep, std::to_string(1.0 / kRate)},
                 {meta_key::kStepsPlanned, std::to_string(rows)},
                 {meta_key::kSites, "west"},
                 {std::string(meta_key::kContractOf) + "west", contract()}},
                {{stream_name::kResult, channels}})
          .at(0);
  const Motion motion(rows);
  std::vector<double> row(channels.size());
  for (std::int64_t step = 0; step < rows; ++step) {
    if (step % kBetweenWaits == 0)
      while (!recorder.wait_for_space(journal::kMaxSpaceWait))
        if (recorder.failed()) throw std::runtime_error(recorder.error_message());
    motion.fill(step, row);
    sink->push({step, row});
  }
  recorder.close();
  if (recorder.failed()) throw std::runtime_error(recorder.error_message());
  std::printf("%lld rows of %zu channels\n", static_cast<long long>(rows), channels.size());
}

}  // namespace
}  // namespace trestle::testing

int main(int count, char** words) {
  try {
    if (count != 3) throw std::runtime_error("make_long_record FOLDER MINUTES");
    trestle::testing::make(words[1], std::stod(words[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
