#include "studies/pretest/step_cost.h"

#include <gtest/gtest.h>

#include "core/timing/virtual_clock.h"

namespace trestle::pretest::step_cost_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Its steps take 10 µs, every tenth 30 µs, and one of the first round a stall of the host.
class TimedSubstructure final : public NumericalSubstructure {
 public:
  explicit TimedSubstructure(timing::VirtualClock& clock) : clock_(clock) {}

  std::int64_t steps() const noexcept override { return planned; }
  void prepare() override { ++prepared; }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override {
    sized = sized && requests.size() == 1 && requests[0].target.displacement.size() == 1;
    Duration took = microseconds(step % 10 == 9 ? 30 : 10);
    if (large) took = milliseconds(60);
    if (prepared == 1 && step == 4) took += milliseconds(20);
    clock_.advance_to(clock_.now() + took);
  }
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override {
    sized = sized && answers.size() == 1 && answers[0].measured.size() == 1 &&
            answers[0].force.size() == 2;
    return step != diverges_at;
  }
  const Channels& channels() const noexcept override { return none_; }
  void record(std::span<double> /*row*/) const noexcept override {}
  void snapshot(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  std::int64_t planned = 1000;
  std::int64_t diverges_at = -5;
  bool large = false;
  int prepared = 0;
  bool sized = true;

 private:
  timing::VirtualClock& clock_;
  Channels none_;
};

const std::vector<InterfaceLayout> kOneSite{
    {{.name = "top.x"}, {.name = "top.y", .role = DofRole::kForceOnly}}};

StepCost measured(TimedSubstructure& substructure, timing::VirtualClock& clock) {
  return measure_step_cost(substructure, kOneSite, [&clock] { return clock.now(); });
}

TEST(StepCost, IsThatOfTheStepsAndNotOfTheHost) {
  timing::VirtualClock clock;
  TimedSubstructure substructure(clock);
  const StepCost cost = measured(substructure, clock);
  EXPECT_EQ(cost.steps, 200);
  EXPECT_NEAR(cost.typical, 10e-6, 1e-9);
  EXPECT_NEAR(cost.worst, 30e-6, 1e-9) << "the stall was in one round alone";
  EXPECT_TRUE(substructure.sized);
}

TEST(StepCost, IsMeasuredBrieflyAndLeavesTheStart) {
  timing::VirtualClock clock;
  TimedSubstructure substructure(clock);
  substructure.large = true;
  const StepCost cost = measured(substructure, clock);
  EXPECT_EQ(cost.steps, 2);
  EXPECT_NEAR(cost.worst, 60e-3, 1e-9);
  EXPECT_LT(seconds(clock.now() - TimePoint{}), 1.0);
  EXPECT_EQ(substructure.prepared, 6) << "once more than there are rounds";
}

TEST(StepCost, IsThatOfTheStepsThatThereAre) {
  timing::VirtualClock clock;
  TimedSubstructure substructure(clock);
  substructure.planned = 0;
  EXPECT_EQ(measured(substructure, clock).steps, 0);
  substructure.planned = 50;
  substructure.diverges_at = 7;
  EXPECT_EQ(measured(substructure, clock).steps, 8);
}

}  // namespace
}  // namespace trestle::pretest::step_cost_test
