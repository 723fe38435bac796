#include "studies/characterisation/frequency_sampling_filter.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/base/setting_checks.h"
#include "core/math/dense_solve.h"

namespace trestle::characterisation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kShortest = 8;     // N [ticks]
constexpr Index kLongest = 20000;  // bounds the time of a fit
constexpr Index kMostFrequencies = 40;
constexpr int kHighestNoiseOrder = 20;
constexpr Index kRowsAColumn = 3;  // fewer rows say nothing of the noise
constexpr int kMostNoiseRounds = 30;
constexpr double kNoiseSettled = 1e-9;  // of d

/// Columns of the regression: 1, then cos and sin of each frequency.
Index columns_of(Index frequencies) {
  return 2 * frequencies + 1;
}

/// What a unit of each parameter adds to the impulse response at tick i: h_i = w(i)·θ with
/// θ = G(1), Re G(e^{jω₁}), Im G(e^{jω₁}), ...
VectorXd impulse_weights(Index i, Index samples, Index frequencies) {
  VectorXd weights(columns_of(frequencies));
  const double one = 1.0 / static_cast<double>(samples);
  weights[0] = one;
  for (Index l = 1; l <= frequencies; ++l) {
    const double angle =
        2.0 * std::numbers::pi * one * static_cast<double>((l * i) % samples);
    weights[2 * l - 1] = 2.0 * one * std::cos(angle);
    weights[2 * l] = -2.0 * one * std::sin(angle);
  }
  return weights;
}

/// A record as equations, one a tick.
struct Equations {
  MatrixXd rows;
  VectorXd values;
};

Equations equations_of(const TransferRecord& record, const MatrixXd& weights) {
  const auto ticks = static_cast<Index>(record.drive.size());
  MatrixXd columns = MatrixXd::Zero(weights.rows(), ticks);
  for (Index k = 0; k < ticks; ++k)
    for (Index i = 0; i < std::min(weights.cols(), k + 1); ++i) {
      const double drive = record.drive[static_cast<std::size_t>(k - i)];
      if (drive != 0.0) columns.col(k) += drive * weights.col(i);
    }
  return {columns.transpose(),
          Eigen::Map<const VectorXd>(record.displacement.data(), ticks)};
}

/// v[k] + Σ dᵢ·v[k−i] of every column, without the first p rows.
MatrixXd whitened(const MatrixXd& of, const VectorXd& d) {
  const Index kept = of.rows() - d.size();
  MatrixXd result = of.bottomRows(kept);
  for (Index i = 1; i <= d.size(); ++i)
    result += d[i - 1] * of.middleRows(d.size() - i, kept);
  return result;
}

Equations whitened(const std::vector<Equations>& records, const VectorXd& d) {
  Index rows = 0;
  for (const Equations& record : records) rows += record.rows.rows() - d.size();
  Equations all{MatrixXd(rows, records.front().rows.cols()), VectorXd(rows)};
  Index at = 0;
  for (const Equations& record : records) {
    const Index count = record.rows.rows() - d.size();
    all.rows.middleRows(at, count) = whitened(record.rows, d);
    all.values.segment(at, count) = whitened(record.values, d);
    at += count;
  }
  return all;
}

/// Which of the frequencies, from the lowest, leave the least PRESS.
struct Choice {
  Index frequencies = 0;
  double press = std::numeric_limits<double>::infinity();
};

/// An orthonormal basis of all columns is one of the first of them, too: so each number of
/// frequencies costs no more than its own two columns.
Choice choose(const Equations& all, Index lowest) {
  const MatrixXd basis = math::orthonormal_basis(all.rows);
  VectorXd left = all.values;
  VectorXd leverage = VectorXd::Zero(all.values.size());
  Choice best;
  for (Index column = 0; column < basis.cols(); ++column) {
    left -= basis.col(column) * basis.col(column).dot(all.values);
    leverage += basis.col(column).cwiseAbs2();
    if (column % 2 != 0 || column / 2 < lowest) continue;
    double sum = 0.0;
    for (Index k = 0; k < left.size(); ++k) {
      const double error = left[k] / std::max(1.0 - leverage[k], 1e-12);
      sum += error * error;
    }
    const double press = std::sqrt(sum / static_cast<double>(left.size()));
    if (press < best.press) best = {column / 2, press};
  }
  return best;
}

/// The autoregression of what is left: v[k] = −Σ dᵢ·v[k−i] + e[k].
VectorXd autoregression(const std::vector<Equations>& records, const VectorXd& parameters,
                        int order) {
  Index rows = 0;
  for (const Equations& record : records) rows += record.rows.rows() - order;
  MatrixXd past(rows, order);
  VectorXd present(rows);
  Index at = 0;
  for (const Equations& record : records) {
    const VectorXd left =
        record.values - record.rows.leftCols(parameters.size()) * parameters;
    const Index count = left.size() - order;
    present.segment(at, count) = left.tail(count);
    for (int i = 1; i <= order; ++i)
      past.col(i - 1).segment(at, count) = left.segment(order - i, count);
    at += count;
  }
  if (past.isZero(0.0)) return VectorXd::Zero(order);
  return -math::least_squares(past, present);
}

/// N, after the settings have been found to go with the records.
Index checked(const std::vector<TransferRecord>& records,
              const FrequencySamplingSettings& settings) {
  const auto limits = [](Index from, Index to) {
    return "must be from " + std::to_string(from) + " to " + std::to_string(to);
  };
  const double ticks = std::round(settings.settling / settings.tick);
  require(ticks >= static_cast<double>(kShortest) && ticks <= static_cast<double>(kLongest),
          "settling", settings.settling, limits(kShortest, kLongest) + " control ticks");
  const auto samples = static_cast<Index>(ticks);
  const Index most = std::min(kMostFrequencies, (samples - 1) / 2);
  require(settings.frequencies >= 0 && settings.frequencies <= most, "frequencies",
          settings.frequencies, limits(0, most) + " at this settling time");
  require(settings.noise_order >= 0 && settings.noise_order <= kHighestNoiseOrder,
          "noise_order", settings.noise_order, limits(0, kHighestNoiseOrder));
  Index rows = 0;
  for (const TransferRecord& record : records)
    rows +=
        std::max<Index>(0, static_cast<Index>(record.drive.size()) - settings.noise_order);
  const Index columns = columns_of(std::max(settings.frequencies, 1));
  require(rows >= kRowsAColumn * columns, "frequencies", settings.frequencies,
          "the records have " + std::to_string(rows) + " ticks, " +
              std::to_string(kRowsAColumn * columns) +
              " are needed; choose fewer frequencies, or measure for longer");
  return samples;
}

/// Fills in the response, the step response and their deviations.
/// @param root  R of the whitened equations: the parameters' covariance is (RᵀR)⁻¹·σ²
void describe(const VectorXd& parameters, const MatrixXd& root, double sigma, Index samples,
              FrequencySamplingModel& model) {
  const MatrixXd lower = root.transpose();
  const Index columns = parameters.size();
  const MatrixXd spread = math::solve_lower(lower, MatrixXd::Identity(columns, columns));
  const auto deviation = [&](const VectorXd& weights) {
    return sigma * (spread * weights).norm();
  };
  const auto unit = [&](Index i) {
    return VectorXd(VectorXd::Unit(columns, i));
  };
  model.response.emplace_back(parameters[0], 0.0);
  model.deviation.emplace_back(deviation(unit(0)), 0.0);
  for (Index l = 1; 2 * l < columns; ++l) {
    model.response.emplace_back(parameters[2 * l - 1], parameters[2 * l]);
    model.deviation.emplace_back(deviation(unit(2 * l - 1)), deviation(unit(2 * l)));
  }
  VectorXd sum = VectorXd::Zero(columns);
  for (Index m = 0; m < samples; ++m) {
    sum += impulse_weights(m, samples, columns / 2);
    model.step.push_back(sum.dot(parameters));
    model.step_deviation.push_back(deviation(sum));
  }
}

}  // namespace

FrequencySamplingModel fit_frequency_samples(const std::vector<TransferRecord>& records,
                                             const FrequencySamplingSettings& settings) {
  const Index samples = checked(records, settings);
  Index ticks = 0;
  for (const TransferRecord& record : records)
    ticks += static_cast<Index>(record.drive.size()) - settings.noise_order;
  const Index most =
      settings.frequencies > 0
          ? settings.frequencies
          : std::min({kMostFrequencies, (samples - 1) / 2, (ticks / kRowsAColumn - 1) / 2});
  MatrixXd weights(columns_of(most), samples);
  for (Index i = 0; i < samples; ++i) weights.col(i) = impulse_weights(i, samples, most);
  std::vector<Equations> equations;
  for (const TransferRecord& record : records)
    if (static_cast<Index>(record.drive.size()) > settings.noise_order)
      equations.push_back(equations_of(record, weights));

  VectorXd noise = VectorXd::Zero(settings.noise_order);
  VectorXd parameters;
  Equations all;
  Choice chosen;
  for (int round = 0; round < kMostNoiseRounds; ++round) {
    all = whitened(equations, noise);
    chosen = choose(all, settings.frequencies);
    parameters =
        math::least_squares(all.rows.leftCols(columns_of(chosen.frequencies)), all.values);
    if (settings.noise_order == 0) break;
    const VectorXd before = noise;
    noise = autoregression(equations, parameters, settings.noise_order);
    if ((noise - before).cwiseAbs().maxCoeff() < kNoiseSettled) break;
  }

  const Index columns = parameters.size();
  const VectorXd left = all.values - all.rows.leftCols(columns) * parameters;
  const auto degrees = static_cast<double>(left.size() - columns - noise.size());
  FrequencySamplingModel model;
  model.spacing = 1.0 / (static_cast<double>(samples) * settings.tick);
  model.noise.assign(noise.begin(), noise.end());
  model.innovation = left.norm() / std::sqrt(degrees);
  model.press = chosen.press;
  model.rows = static_cast<std::size_t>(left.size());
  describe(parameters, math::qr_r_factor(all.rows.leftCols(columns)), model.innovation,
           samples, model);
  return model;
}

}  // namespace trestle::characterisation
