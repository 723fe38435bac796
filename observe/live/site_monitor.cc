#include "observe/live/site_monitor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/session/channel_names.h"

namespace trestle::live {
namespace {

// The estimates of delay and error forget with this time constant, as the integrator's own
// do [s].
constexpr double kMemory = 2.0;
// A delay with a larger standard error of the fit is not shown.
constexpr double kWellKnown = 0.05;

std::optional<std::size_t> column(const Channels& channels, const Channel& sought) {
  const auto found =
      std::find_if(channels.begin(), channels.end(),
                   [&](const Channel& each) { return each.name == sought.name; });
  if (found == channels.end()) return std::nullopt;
  return static_cast<std::size_t>(found - channels.begin());
}

}  // namespace

SiteMonitor::SiteMonitor(Settings settings) : settings_(std::move(settings)) {
  const double forgetting = std::exp(-settings_.time_step / kMemory);
  for (const AgreedActuator& actuator : settings_.actuators) {
    ActuatorView& view = views_.emplace_back();
    view.site = settings_.site;
    view.name = actuator.name;
    view.kind = actuator.kind;
    tracking_.emplace_back(settings_.time_step, forgetting);
    energy_.emplace_back();
  }
  for (ActuatorVector* values : {&row_.target, &row_.drive, &row_.measured, &row_.force})
    values->resize(static_cast<Eigen::Index>(settings_.actuators.size()));
  usage_.emplace(limits(), settings_.time_step);
}

RigLimits SiteMonitor::limits() const {
  RigLimits limits;
  for (const AgreedActuator& actuator : settings_.actuators)
    limits.push_back(actuator.limits);
  return limits;
}

bool SiteMonitor::find_step_columns(const Channels& channels) {
  if (const std::optional<ColumnsOfSite> found = find(channels)) step_columns_ = *found;
  return !step_columns_.empty();
}

bool SiteMonitor::find_tick_columns(const Channels& channels) {
  if (!(settings_.tick > 0.0)) return false;
  if (const std::optional<ColumnsOfSite> found = find(channels)) tick_columns_ = *found;
  return !tick_columns_.empty();
}

std::optional<SiteMonitor::ColumnsOfSite> SiteMonitor::find(
    const Channels& channels) const {
  ColumnsOfSite columns;
  for (const AgreedActuator& actuator : settings_.actuators) {
    const std::string prefix = session::channel_prefix(settings_.site, actuator.name);
    const auto motion = [&](const char* quantity) {
      return column(channels, session::motion_channel(prefix, quantity, actuator.kind));
    };
    const auto target = motion("target");
    // A record that keeps the drive itself is better than one of the command.
    auto drive = motion("drive");
    if (!drive) drive = motion("command");
    const auto measured = motion("measured");
    const auto force = column(channels, session::force_channel(prefix, actuator.kind));
    if (!target || !drive || !measured || !force) return std::nullopt;
    columns.push_back({*target, *drive, *measured, *force});
  }
  return columns;
}

void SiteMonitor::fill(LimitUsage::Row& into, const ColumnsOfSite& columns,
                       const RecordRow& row) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    into.target[at] = row.values[columns[i].target];
    into.drive[at] = row.values[columns[i].drive];
    into.measured[at] = row.values[columns[i].measured];
    into.force[at] = row.values[columns[i].force];
  }
}

void SiteMonitor::add_step(const RecordRow& row) {
  if (step_columns_.empty()) return;
  fill(row_, step_columns_, row);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    views_[i].target = row_.target[at];
    views_[i].measured = row_.measured[at];
    views_[i].force = row_.force[at];
    energy_[i].add(row.index, row_.measured[at], row_.force[at]);
    // The response of a step may have been missed.
    if (std::isfinite(row_.target[at]) && std::isfinite(row_.measured[at]) &&
        std::isfinite(row_.force[at]))
      tracking_[i].add(row_.target[at], row_.measured[at], row_.force[at]);
  }
  if (tick_columns_.empty()) add_limit_row(step_columns_, row);
}

void SiteMonitor::add_work(const RecordRow& row) {
  for (std::size_t i = 0; i < step_columns_.size(); ++i)
    energy_[i].add(row.index, row.values[step_columns_[i].measured],
                   row.values[step_columns_[i].force]);
}

void SiteMonitor::add_tick(const RecordRow& row) {
  if (!tick_columns_.empty()) add_limit_row(tick_columns_, row);
}

void SiteMonitor::add_limit_row(const ColumnsOfSite& columns, const RecordRow& row) {
  const bool ticks = !tick_columns_.empty();
  const std::int64_t distance = row.index - last_index_;
  if (any_limit_row_ && (spacing_ == 0 || distance < spacing_)) {
    // The first two rows tell how far apart they are.
    spacing_ = std::max<std::int64_t>(distance, 1);
    const double period = ticks ? settings_.tick : settings_.time_step;
    usage_.emplace(limits(), period * static_cast<double>(spacing_));
  } else if (any_limit_row_ && distance != spacing_) {
    usage_->interrupt();
  }
  fill(row_, columns, row);
  usage_->add(row_);
  knows_use_ = true;
  for (const ActuatorVector* values :
       {&row_.target, &row_.drive, &row_.measured, &row_.force})
    knows_use_ = knows_use_ && values->allFinite();
  last_index_ = row.index;
  any_limit_row_ = true;
}

std::vector<ActuatorView> SiteMonitor::take_views() {
  const bool ticks = !tick_columns_.empty();
  for (std::size_t i = 0; i < views_.size(); ++i) {
    ActuatorView& view = views_[i];
    const evaluation::Tracking tracking = tracking_[i].result();
    const bool judged = tracking.uncertainty < kWellKnown;
    view.delay = judged ? tracking.delay : ActuatorView::kUnknown;
    view.error = judged ? tracking.nrmse : ActuatorView::kUnknown;
    if (i < settings_.delay_limits.size())
      view.margin = settings_.delay_limits[i] - view.delay;
    view.energy = energy_[i].value();
    view.used = usage_->highest(i);
    // Between two looks nothing may have moved on: then the last row counts, if it has all
    // values. Without one the use is not known: it is not zero.
    for (std::size_t kind = 0; kind < kLimitKinds; ++kind) {
      double& value = view.used[kind].value;
      if (knows_use_)
        value = std::max(value, usage_->now(i)[kind].value);
      else if (!(value > 0.0))
        value = ActuatorView::kUnknown;
    }
    view.per_step = !ticks || spacing_ > 1;
    if (!ticks && !settings_.steps_tell_rates) forget_rates(view.used);
  }
  usage_->clear_highest();
  return views_;
}

void SiteMonitor::forget_rates(LimitUsage::Uses& uses) const noexcept {
  for (const LimitKind kind : {LimitKind::kRate, LimitKind::kAcceleration})
    uses[static_cast<std::size_t>(kind)].value = ActuatorView::kUnknown;
}

}  // namespace trestle::live
