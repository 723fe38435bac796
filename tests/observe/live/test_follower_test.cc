#include "observe/live/test_follower.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::live::test_follower_test {
namespace {

constexpr std::int64_t kSteps = 3000;
constexpr std::int64_t kPeak = 500;  // a step of a large displacement
constexpr double kTimeStep = 0.01;

double displacement(std::int64_t step) {
  if (step == kPeak) return 0.05;
  return 0.01 * std::sin(0.02 * static_cast<double>(step));
}

double force(std::int64_t step) {
  return 1e6 * displacement(step) + 5e3 * std::cos(0.02 * static_cast<double>(step));
}

/// The integrator's record of a test of one actuator, of 30 s.
class Record {
 public:
  Record() {
    journal::JournalFile journal(folder_.file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "frame");
    journal.set_meta(meta_key::kMode, "pseudo-dynamic");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kTimeStep, std::to_string(kTimeStep));
    journal.set_meta(meta_key::kStepsPlanned, std::to_string(kSteps));
    journal.set_meta(meta_key::kContractOf + std::string("west"),
                     "contract: trestle 1\n"
                     "actuators: 1\n"
                     "actuators[0].name: 1\n"
                     "actuators[0].kind: translation\n"
                     "limits.actuators[0].displacement_m: 0.1\n");
    const int stream = journal.add_stream(stream_name::kResult, {{"west.1.target_m", "m"},
                                                                 {"west.1.command_m", "m"},
                                                                 {"west.1.measured_m", "m"},
                                                                 {"west.1.force_N", "N"}});
    journal.begin();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      const double x = displacement(step);
      const std::array<double, 4> row{x, x, x, force(step)};
      journal.append(stream, RecordRow{step, row});
    }
    journal.commit();
  }

  ActuatorView looked_at(bool whole_work) const {
    TestFollower test(
        {.folder = folder_.path(), .history_s = 10.0, .whole_work = whole_work});
    const TestView& view = test.look(0.0, nullptr);
    EXPECT_EQ(view.problem, "");
    EXPECT_EQ(view.steps_done, kSteps);
    return view.actuators.empty() ? ActuatorView() : view.actuators.front();
  }

 private:
  trestle::testing::TemporaryFolder folder_;
};

TEST(TestFollower, TellsTheWorkOfAllStepsThoughItLooksAtTheLastTenSeconds) {
  double work = 0.0;
  for (std::int64_t step = 1; step < kSteps; ++step)
    work += 0.5 * (force(step) + force(step - 1)) *
            (displacement(step) - displacement(step - 1));
  const Record record;
  const ActuatorView west = record.looked_at(true);
  EXPECT_NEAR(west.energy, work, 1e-9 * std::abs(work));
  // All other numbers are those of the last ten seconds.
  EXPECT_LT(west.use(LimitKind::kDisplacement).value, 0.02);
  const ActuatorView recent = record.looked_at(false);
  EXPECT_TRUE(std::isnan(recent.energy)) << "a part of the work is not the work";
  EXPECT_EQ(west.use(LimitKind::kDisplacement).value,
            recent.use(LimitKind::kDisplacement).value);
  EXPECT_EQ(west.measured, recent.measured);
}

}  // namespace
}  // namespace trestle::live::test_follower_test
