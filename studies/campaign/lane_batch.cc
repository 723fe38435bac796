#include "studies/campaign/lane_batch.h"

#include <algorithm>
#include <utility>

namespace trestle::campaign {
namespace {

using lanes::kLaneActuators;
using lanes::LaneRequest;
using lanes::LaneRow;

// Steps between two questions whether the batch may continue.
constexpr std::int64_t kQuestionEvery = 256;

}  // namespace

LaneBatch::LaneBatch(const lanes::LaneLibrary& library, const LaneTables& tables,
                     std::vector<const LaneForm*> runs,
                     const std::vector<double>& target_limits)
    : library_(library),
      tables_(tables),
      width_(static_cast<std::size_t>(library.lanes())),
      target_(ActuatorMotion::zero(kLaneActuators)),
      sensed_(Measurement::zero(kLaneActuators, runs.front()->forces() - kLaneActuators)),
      last_command_(ActuatorVector::Zero(kLaneActuators)) {
  for (const LaneForm* form : runs)
    lanes_.push_back({form, std::make_unique<LaneAccount>(*form, target_limits)});
  values_.resize(static_cast<std::size_t>(
      LaneRow::size(runs.front()->forces(), runs.front()->recorded())));
}

bool LaneBatch::run(const std::function<bool()>& may_continue) {
  may_continue_ = &may_continue;
  const LaneForm& first = *lanes_.front().form;
  lanes::LaneProblem problem;
  problem.steps = first.steps();
  first.describe(problem);
  problem.loads = tables_.loads.data();
  problem.noise = tables_.noise.data();
  std::vector<const double*> parts;  // lanes without a run repeat the last one
  for (std::size_t lane = 0; lane < width_; ++lane)
    parts.push_back(lanes_[std::min(lane, lanes_.size() - 1)].form->parts().data());
  problem.parts = parts.data();
  library_.run(problem, {.context = this, .drive = &drive, .learnt = &learnt, .row = &row});
  return !abandoned_;
}

void LaneBatch::drive(void* context, const double* request, double* answer) {
  auto& batch = *static_cast<LaneBatch*>(context);
  for (std::size_t lane = 0; lane < batch.lanes_.size(); ++lane)
    if (!batch.lanes_[lane].left) batch.drive_lane(lane, request, answer);
  // Ballast follows the first run.
  for (std::size_t lane = 0; lane < batch.width_; ++lane)
    if (lane >= batch.lanes_.size() || batch.lanes_[lane].left)
      for (std::size_t i = 0; i < 2 * kLaneActuators; ++i)
        answer[i * batch.width_ + lane] = 0.0;
}

/// Compensator and controller of one lane: those of the nodes.
void LaneBatch::drive_lane(std::size_t lane, const double* request, double* answer) {
  const auto fill = [&](ActuatorVector& values, std::size_t first) {
    for (std::size_t i = 0; i < kLaneActuators; ++i)
      values[static_cast<Eigen::Index>(i)] = request[(first + i) * width_ + lane];
  };
  fill(target_.displacement, LaneRequest::kStroke);
  fill(target_.velocity, LaneRequest::kRate);
  fill(target_.acceleration, LaneRequest::kAcceleration);
  fill(sensed_.displacement, LaneRequest::kMeasured);
  fill(sensed_.force, LaneRequest::kForce);
  fill(last_command_, LaneRequest::kLastCommand);
  const LaneForm& form = *lanes_[lane].form;
  const ActuatorVector command =
      form.compensator().command(target_, sensed_.displacement, last_command_);
  const ActuatorVector drive = form.controller().drive(command, sensed_);
  for (std::size_t i = 0; i < kLaneActuators; ++i) {
    answer[i * width_ + lane] = command[static_cast<Eigen::Index>(i)];
    answer[(kLaneActuators + i) * width_ + lane] = drive[static_cast<Eigen::Index>(i)];
  }
}

/// For the estimates of the last step, which are made of coefficients.
void LaneBatch::learnt(void* context, const double* coefficients, int of_actuator) {
  const auto& batch = *static_cast<const LaneBatch*>(context);
  const auto count = static_cast<std::size_t>(of_actuator);
  std::vector<double> of_lane(count);
  for (std::size_t lane = 0; lane < batch.lanes_.size(); ++lane)
    for (std::size_t actuator = 0; actuator < kLaneActuators; ++actuator) {
      for (std::size_t i = 0; i < count; ++i)
        of_lane[i] = coefficients[(actuator * count + i) * batch.width_ + lane];
      batch.lanes_[lane].form->take_over(static_cast<int>(actuator), of_lane);
    }
}

bool LaneBatch::row(void* context, std::int64_t step, const double* row,
                    const unsigned char* left) {
  return static_cast<LaneBatch*>(context)->take(step, row, left);
}

bool LaneBatch::take(std::int64_t step, const double* row, const unsigned char* left) {
  bool any = false;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    Lane& it = lanes_[lane];
    it.left = it.left || left[lane] != 0;
    if (it.left) continue;
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = row[i * width_ + lane];
    it.account->add(step, values_);
    it.left = it.account->exceeded();
    any = any || !it.left;
  }
  if (step % kQuestionEvery == 0 && *may_continue_ && !(*may_continue_)()) {
    abandoned_ = true;
    return false;
  }
  return any;
}

}  // namespace trestle::campaign
