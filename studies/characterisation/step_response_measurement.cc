#include "studies/characterisation/step_response_measurement.h"

#include <cmath>
#include <utility>

#include "core/session/fault_text.h"
#include "studies/characterisation/motion_signal.h"

namespace trestle::characterisation {
namespace {

constexpr double kRestTime = 1.0;         // [s]
constexpr double kStepHold = 0.4;         // [s]
constexpr double kSecondStepRatio = 0.5;  // of the second step to the first

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double middle = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

StepResponseMeasurement::StepResponseMeasurement(const StepResponseSettings& settings,
                                                 const RigLimits& limits, SiteAdapter& rig,
                                                 std::function<bool()> asked)
    : settings_(settings),
      exercise_(limits, settings.tick, rig),
      names_(rig.description()),
      asked_(std::move(asked)) {}

bool StepResponseMeasurement::run() {
  if (exercise_.open(TimePoint{})) return fail();
  const auto ticks = static_cast<std::size_t>(std::lround(kRestTime / settings_.tick));
  if (!move({0, std::vector<double>(ticks, 0.0)})) return false;
  const ExerciseRecord rest = exercise_.record();
  for (std::size_t i = 0; i < names_.actuators.size(); ++i) {
    noise_.push_back(deviation_of(rest.displacement[i]));
    records_.emplace_back();
    for (const double part : {1.0, -kSecondStepRatio}) {
      ExcitationSegment step{static_cast<int>(i),
                             motion::smooth_step(part * settings_.amplitude, settings_.rise,
                                                 kStepHold, settings_.tick)};
      step.offsets.insert(step.offsets.end(), ticks / 2, 0.0);
      if (!move(step)) return false;
      records_.back().push_back(record_of(i, rest));
    }
  }
  return true;
}

bool StepResponseMeasurement::fail() {
  reason_ = exercise_.fault()
                ? session::format_fault(exercise_.fault(), {}, names_.actuators) +
                      "; the rig holds"
                : "stopped by the operator; the rig holds";
  return false;
}

bool StepResponseMeasurement::move(const ExcitationSegment& segment) {
  exercise_.begin(segment);
  bool more = true;
  while (more && !asked_()) {
    const auto at = static_cast<double>(++ticks_) * settings_.tick;
    more = exercise_.tick(TimePoint{Duration{std::llround(1e9 * at)}});
  }
  if (more) exercise_.hold();
  return more || exercise_.fault() ? fail() : true;
}

TransferRecord StepResponseMeasurement::record_of(std::size_t actuator,
                                                  const ExerciseRecord& rest) const {
  const ExerciseRecord& step = exercise_.record();
  TransferRecord record{step.drive, step.displacement[actuator], step.force[actuator]};
  const double displacement = mean_of(rest.displacement[actuator]);
  const double force = mean_of(rest.force[actuator]);
  for (double& value : record.displacement) value -= displacement;
  for (double& value : record.force) value -= force;
  return record;
}

}  // namespace trestle::characterisation
