#include "numerical/bond_graph/runtime/command_lead.h"

#include <algorithm>
#include <cmath>

namespace trestle::bond_graph {
namespace {

using Eigen::VectorXd;

constexpr double kShort = 0.5;  // [steps]

/// Whole steps of a time, and what is left of it; rounding makes no rest.
struct Lead {
  std::int64_t whole;
  double rest;
};
Lead in_steps(double time, double step) {
  const double steps = time / step;
  const double whole = std::floor(steps + 1e-9);
  const double rest = steps - whole;
  return {static_cast<std::int64_t>(whole), rest < 1e-9 ? 0.0 : rest * step};
}

Lead lead_of(const SteppingSettings& settings, std::size_t port) {
  const double h = settings.time_step;
  return in_steps(settings.delay_of(port) + settings.lead * h, h);
}

}  // namespace

CommandLead::CommandLead(const SteppingSettings& settings, SteppedModel& model)
    : settings_(settings), model_(model), reach_(VectorXd::Zero(model.states())) {
  for (std::size_t i = 0; i < settings.ports.size(); ++i) {
    const auto [whole, rest] = lead_of(settings, i);
    whole_.push_back(whole);
    rest_.push_back(model.propagator(rest));
  }
}

std::int64_t CommandLead::whole_steps(const SteppingSettings& settings) {
  std::int64_t farthest = 0;
  for (std::size_t i = 0; i < settings.ports.size(); ++i)
    farthest = std::max(farthest, lead_of(settings, i).whole);
  return farthest;
}

bool CommandLead::predict(std::int64_t step, std::size_t port, const VectorXd& state,
                          const VectorXd& force) noexcept {
  reach_ = state;
  if (settings_.delay_of(port) == 0.0 && settings_.lead <= kShort) {
    // As published: half a step by the rates of its beginning.
    if (settings_.lead > 0.0) {
      if (!model_.evaluate_mean(step, state, force)) return false;
      reach_ += settings_.lead * settings_.time_step * model_.rate();
    }
    return model_.evaluate(static_cast<double>(step), reach_, force);
  }
  std::int64_t at = step;
  for (; at < step + whole_[port]; ++at)
    if (!model_.advance(at, reach_, force)) return false;
  const VectorXd& input = model_.mean_inputs(at, force);
  if (!rest_[port].advance(reach_, input, input)) return false;
  return model_.evaluate(
      static_cast<double>(at) + rest_[port].period() / settings_.time_step, reach_, force);
}

}  // namespace trestle::bond_graph
