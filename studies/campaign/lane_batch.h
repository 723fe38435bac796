#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "studies/campaign/lane_account.h"
#include "studies/campaign/lane_form.h"
#include "studies/lanes/lane_library.h"

namespace trestle::campaign {

/// Tables that all runs of a campaign share.
struct LaneTables {
  std::vector<double> loads;
  std::vector<double> noise;
};

/// Runs that share the lanes of one core, from the first step to the last.
class LaneBatch {
 public:
  /// @param runs  that fit each other, at least 1, at most as many as lanes; outlive this
  LaneBatch(const lanes::LaneLibrary& library, const LaneTables& tables,
            std::vector<const LaneForm*> runs, const std::vector<double>& target_limits);

  /// @param may_continue  asked now and then
  /// @returns false if `may_continue` ended it
  bool run(const std::function<bool()>& may_continue);

  /// After run(): the account of a run that came to its end on the common path; null: it
  /// left the path, and must be repeated by the nodes.
  LaneAccount* completed(std::size_t run) noexcept {
    return lanes_[run].left ? nullptr : lanes_[run].account.get();
  }

 private:
  struct Lane {
    const LaneForm* form;
    std::unique_ptr<LaneAccount> account;
    bool left = false;
  };

  static void drive(void* context, const double* request, double* answer);
  static void learnt(void* context, const double* coefficients, int of_actuator);
  static bool row(void* context, std::int64_t step, const double* row,
                  const unsigned char* left);
  void drive_lane(std::size_t lane, const double* request, double* answer);
  bool take(std::int64_t step, const double* row, const unsigned char* left);

  const lanes::LaneLibrary& library_;
  const LaneTables& tables_;
  std::vector<Lane> lanes_;
  std::size_t width_;
  const std::function<bool()>* may_continue_ = nullptr;
  bool abandoned_ = false;
  std::vector<double> values_;
  ActuatorMotion target_;
  Measurement sensed_;
  ActuatorVector last_command_;
};

}  // namespace trestle::campaign
