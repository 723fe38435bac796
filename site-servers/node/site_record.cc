#include "site-servers/node/site_record.h"

#include "core/session/channel_names.h"

namespace trestle {

void SiteRecord::open(const Configure& configure, const std::string& site,
                      const std::string& software,
                      const std::vector<ActuatorDescription>& actuators,
                      const Channels& ticks) {
  close();
  const Channels intent = target_channels(site, configure.layout);
  const Channels result = answer_channels(site, configure.layout, actuators);
  intent_row_.assign(intent.size(), 0.0);
  result_row_.assign(result.size(), 0.0);
  const std::vector<StepSink*> sinks = recorder_.open(
      configure.session,
      {{"node", site},
       {"test", configure.test},
       {"mode", configure.mode},
       {"software", software},
       {"time_step_s", exact_text(configure.time_step)},
       {"tick_s", exact_text(configure.time_step / configure.ticks_per_step)},
       {"ticks_per_step", std::to_string(configure.ticks_per_step)},
       {"seed", std::to_string(configure.seed)},
       {"steps_planned", std::to_string(configure.steps_planned)}},
      {{"intent", intent}, {"result", result}, {"tick", ticks}});
  intent_ = sinks[0];
  result_ = sinks[1];
  ticks_ = sinks[2];
  open_ = true;
}

bool SiteRecord::intent(const StepCommand& command) noexcept {
  if (!open_) return false;
  const InterfaceVector& target = command.target.displacement;
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    intent_row_[static_cast<std::size_t>(i)] = target[i];
    result_row_[static_cast<std::size_t>(3 * i)] = target[i];
  }
  return intent_->push({command.step, intent_row_});
}

bool SiteRecord::result(const StepResponse& response) noexcept {
  if (!open_) return false;
  double* out = result_row_.data();
  for (Eigen::Index i = 0; i < response.measured.size(); ++i, out += 3) {
    out[1] = response.measured[i];
    out[2] = response.force[i];
  }
  for (Eigen::Index i = response.measured.size(); i < response.force.size(); ++i)
    *out++ = response.force[i];
  const ActuatorReport& report = response.actuators;
  for (Eigen::Index i = 0; i < report.target.size(); ++i, out += 4) {
    out[0] = report.target[i];
    out[1] = report.command[i];
    out[2] = report.measured[i];
    out[3] = report.force[i];
  }
  return result_->push({response.step, result_row_});
}

void SiteRecord::event(std::int64_t step, const std::string& kind,
                       const std::string& text) {
  if (open_) recorder_.event(step, kind, text);
}

void SiteRecord::close() {
  if (!open_) return;
  open_ = false;
  recorder_.close();
}

}  // namespace trestle
