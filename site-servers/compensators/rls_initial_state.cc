#include "site-servers/compensators/rls_initial_state.h"

#include <cmath>

#include "core/base/setting_rule.h"
#include "core/math/recursive_least_squares.h"

namespace trestle::compensators {
namespace {

void check(const RlsInitialState& start, int taps, const std::string& path) {
  if (start.coefficients.size() != taps)
    throw SettingError(path + ".coefficients",
                       std::to_string(start.coefficients.size()) + " coefficients for " +
                           std::to_string(taps) + " taps; give one each");
  if (!start.coefficients.allFinite())
    throw SettingError(path + ".coefficients", "has a value that is not finite");
  if (start.covariance.rows() != taps || start.covariance.cols() != taps)
    throw SettingError(path + ".covariance",
                       "is " + std::to_string(start.covariance.rows()) + " x " +
                           std::to_string(start.covariance.cols()) + "; " +
                           std::to_string(taps) + " x " + std::to_string(taps) +
                           " is needed here");
  if (math::square_root(start.covariance).size() == 0)
    throw SettingError(path + ".covariance",
                       "is no covariance; it must be symmetric and positive semidefinite");
}

}  // namespace

std::vector<RlsInitialState> RlsInitialStates::checked(int actuators, int command_taps,
                                                       int target_taps, double tick) const {
  const int taps = command_taps + target_taps;
  if (!given.empty()) {
    if (given.size() != static_cast<std::size_t>(actuators))
      throw SettingError("start", std::to_string(given.size()) + " entries for " +
                                      std::to_string(actuators) +
                                      " actuators; give one each");
    for (std::size_t i = 0; i < given.size(); ++i)
      check(given[i], taps, "start[" + std::to_string(i) + "]");
    return given;
  }
  initial_delay.checked(actuators, "initial_delay");
  require(initial_covariance > 0.0 && std::isfinite(initial_covariance),
          "initial_covariance", initial_covariance, "must be above zero");
  std::vector<RlsInitialState> starts;
  for (int i = 0; i < actuators; ++i) {
    const double delay = initial_delay[i];
    require(delay >= 0.0 && std::isfinite(delay), "initial_delay", delay,
            "must not be below zero");
    RlsInitialState& start = starts.emplace_back();
    start.coefficients = Eigen::VectorXd::Zero(taps);
    start.coefficients.tail(target_taps) = phase_lead_taps(target_taps, delay / tick);
    start.covariance = initial_covariance * Eigen::MatrixXd::Identity(taps, taps);
  }
  return starts;
}

Eigen::VectorXd phase_lead_taps(int taps, double ticks) {
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(taps, 1.0 / taps);
  if (taps == 1) return weights;
  const double middle = 0.5 * (taps - 1);
  const Eigen::ArrayXd from_middle = Eigen::ArrayXd::LinSpaced(taps, -middle, middle);
  weights -= (from_middle * ((ticks + middle) / from_middle.square().sum())).matrix();
  return weights;
}

}  // namespace trestle::compensators
