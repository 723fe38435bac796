#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation/tracking_estimator.h"
#include "core/types/record.h"
#include "observe/live/actuator_view.h"
#include "observe/live/agreed_actuators.h"
#include "observe/live/dissipated_energy.h"
#include "observe/live/limit_usage.h"

namespace trestle::live {

/// Makes the views of a site's actuators from its recorded rows: steps for target,
/// measurement, force, delay and error; control ticks, if they are known, for the use of
/// limits.
class SiteMonitor {
 public:
  struct Settings {
    std::string site;
    std::vector<AgreedActuator> actuators;
    double time_step = 0.0;  ///< [s]
    /// Period of consecutive control ticks, of the wall clock [s]; 0: none are recorded.
    double tick = 0.0;
    double tick_of_test = 0.0;  ///< the same, of test time [s]
    /// A step takes `time_step` of the wall clock: rates can be told from step to step.
    bool steps_tell_rates = false;
    /// Delay at which the loop turns unstable, one per actuator; NaN or missing: not known
    /// [s].
    std::vector<double> delay_limits = {};
  };

  /// @throws SettingError  if a limit is not above zero
  explicit SiteMonitor(Settings settings);

  const std::string& site() const noexcept { return settings_.site; }
  std::size_t actuators() const noexcept { return views_.size(); }
  /// Of the step that was added last [m | rad].
  double measured(std::size_t actuator) const noexcept { return views_[actuator].measured; }
  /// Period of consecutive ticks, in test time [s].
  double tick_of_test() const noexcept { return settings_.tick_of_test; }

  /// Finds the columns of a stream. Before rows of it are added.
  /// @returns false if a column is missing
  bool find_step_columns(const Channels& channels);
  bool find_tick_columns(const Channels& channels);

  void add_step(const RecordRow& row);
  /// In place of add_step(): a step that is long ago, of which the work alone counts.
  void add_work(const RecordRow& row);
  void add_tick(const RecordRow& row);

  /// Of all actuators; the use of limits is the highest since the last call.
  std::vector<ActuatorView> take_views();

 private:
  /// Positions in a row.
  struct Columns {
    std::size_t target = 0;
    std::size_t drive = 0;
    std::size_t measured = 0;
    std::size_t force = 0;
  };
  using ColumnsOfSite = std::vector<Columns>;

  std::optional<ColumnsOfSite> find(const Channels& channels) const;
  static void fill(LimitUsage::Row& into, const ColumnsOfSite& columns,
                   const RecordRow& row);
  RigLimits limits() const;
  void add_limit_row(const ColumnsOfSite& columns, const RecordRow& row);
  void forget_rates(LimitUsage::Uses& uses) const noexcept;

  Settings settings_;
  ColumnsOfSite step_columns_;
  ColumnsOfSite tick_columns_;
  std::vector<ActuatorView> views_;
  std::vector<evaluation::TrackingEstimator> tracking_;
  std::vector<DissipatedEnergy> energy_;
  std::optional<LimitUsage> usage_;
  LimitUsage::Row row_;
  std::int64_t last_index_ = 0;
  std::int64_t spacing_ = 0;  // of the rows of `usage_`; 0: not known
  bool any_limit_row_ = false;
  bool knows_use_ = false;  // the last row of `usage_` has all values
};

}  // namespace trestle::live
