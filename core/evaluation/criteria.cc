#include "core/evaluation/criteria.h"

#include <algorithm>
#include <cmath>

#include "core/evaluation/cross_correlation.h"
#include "core/evaluation/error_norms.h"
#include "core/evaluation/frequency_domain_index.h"
#include "core/evaluation/tracking_estimator.h"

namespace trestle::evaluation {
namespace {

constexpr double kPercent = 100.0;

/// √(Σ(signal − wanted)²/Σ wanted²), means and all.
double rms_ratio(std::span<const double> signal, std::span<const double> wanted) {
  double error = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    error += (signal[k] - wanted[k]) * (signal[k] - wanted[k]);
    size += wanted[k] * wanted[k];
  }
  return std::sqrt(error / size);
}

class Evaluation {
 public:
  Evaluation(const RunHistory& history, double period)
      : history_(history), period_(period) {}

  void add(const CriteriaColumns::Actuator& actuator) {
    const std::span<const double> target = column(actuator.target);
    const std::span<const double> measured = column(actuator.measured);
    const bool as_measured =
        actuator.moved == CriteriaColumns::kNone || actuator.moved == actuator.measured;
    const std::span<const double> moved = as_measured ? measured : column(actuator.moved);
    const SignalPairSpectrum pair(target, measured);
    const double delay = static_cast<double>(delay_samples(pair)) * period_;
    const FrequencyDomainIndex index = frequency_index(pair, period_);
    const Tracking tracking = track(target, measured, column(actuator.force));
    found.actuators.push_back(actuator.name);
    found.delay.push_back((as_measured ? delay_samples_interpolated(pair)
                                       : delay_samples_interpolated(pair.with(moved))) *
                          period_);
    found.rmse.push_back(rms_ratio(moved, target));
    found.amplitude.push_back(index.amplitude);
    found.frequency_delay.push_back(index.delay);
    found.equivalent_frequency.push_back(index.frequency);
    found.nrmse.push_back(tracking.nrmse);
    found.peak_error.push_back(tracking.peak_error);
    found.energy_error.push_back(tracking.energy_error);
    benchmark(1).push_back(1000.0 * delay);
    compare(measured, target, 2, 3);
    benchmark(4).push_back(1000.0 * delay);
  }

  void add(const CriteriaColumns::InterfaceMotion& motion) {
    found.interface.push_back(motion.name);
    compare(column(motion.measured), column(motion.numerical), 5, 6);
    if (motion.reference_force != CriteriaColumns::kNone)
      found.force_error.push_back(
          rms_ratio(column(motion.force), column(motion.reference_force)));
    if (motion.reference != CriteriaColumns::kNone)
      compare(column(motion.measured), column(motion.reference), 7, 9);
  }

  void add(const CriteriaColumns::Response& response) {
    if (response.reference == CriteriaColumns::kNone) return;
    found.responses.push_back(response.name);
    compare(column(response.numerical), column(response.reference), 8, 10);
  }

  void synchronise(const CriteriaColumns& columns, const SynchronisationWindow& window) {
    const std::size_t rows = history_.rows();
    const auto row_at = [&](double time) {
      const double row = std::ceil(time / period_ - 1e-9);
      return row < static_cast<double>(rows) ? static_cast<std::size_t>(row) : rows;
    };
    const std::size_t last = rows - std::min(rows, columns.late);
    const std::size_t to = std::min(row_at(window.until), last);
    const std::size_t from = std::min(row_at(window.from), to);
    for (const auto& motion : columns.interface)
      found.synchronisation.push_back(synchronisation(
          column(motion.model == CriteriaColumns::kNone ? motion.numerical : motion.model)
              .subspan(from, to - from),
          column(motion.measured).subspan(from + columns.late, to - from), period_,
          window.frequencies));
  }

  bool finite() const {
    for (std::size_t i = 0; i < history_.columns(); ++i)
      for (const double value : history_.column(i))
        if (!std::isfinite(value)) return false;
    return true;
  }

  Criteria found;

 private:
  std::span<const double> column(int index) const {
    return history_.column(static_cast<std::size_t>(index));
  }
  std::vector<double>& benchmark(int number) {
    return found.benchmark[static_cast<std::size_t>(number - 1)];
  }
  void compare(std::span<const double> signal, std::span<const double> wanted,
               int deviation, int peak) {
    benchmark(deviation).push_back(kPercent * normalised_rms_error(signal, wanted));
    benchmark(peak).push_back(kPercent * normalised_peak_error(signal, wanted));
  }
  Tracking track(std::span<const double> target, std::span<const double> measured,
                 std::span<const double> force) const {
    TrackingEstimator estimator(period_);
    for (std::size_t k = 0; k < target.size(); ++k)
      estimator.add(target[k], measured[k], force[k]);
    return estimator.result();
  }

  const RunHistory& history_;
  double period_;
};

}  // namespace

Criteria evaluate(const RunHistory& history, const CriteriaColumns& columns, double period,
                  const SynchronisationWindow& window) {
  Evaluation evaluation(history, period);
  if (history.rows() == 0) return {};
  evaluation.found.stable = evaluation.finite();
  for (const auto& actuator : columns.actuators) evaluation.add(actuator);
  for (const auto& motion : columns.interface) evaluation.add(motion);
  for (const auto& response : columns.responses) evaluation.add(response);
  evaluation.synchronise(columns, window);
  return std::move(evaluation.found);
}

}  // namespace trestle::evaluation
