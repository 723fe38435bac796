#include "studies/characterisation/identified_transfer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "studies/characterisation/polynomial_roots.h"
#include "studies/characterisation/transfer_fit.h"

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr int kHighestOrder = 4;
constexpr double kStandsOut = 2.0;         // standard deviations, of a coefficient
constexpr double kLeastWeight = 0.01;      // of a shape that has a say
constexpr std::size_t kPoints = 24;        // of the band, for what people look at
constexpr std::size_t kLinesOfAPoint = 8;  // of a point
constexpr std::size_t kPlaces = 48;        // at which deviations are computed
// A misfit of one of kPoints stretches that noise alone makes once in 1000 fits.
const double kSurprise = std::log(1000.0 * kPoints);
// Slow is this part of the band.
constexpr double kSlow = 0.02;

struct Candidate {
  FittedTransfer fit;
  double weight = 0.0;
};

double freedom(const FrequencyResponseData& lines, const FittedTransfer& fit) {
  return std::max(1.0, 2.0 * static_cast<double>(lines.frequency.size()) -
                           static_cast<double>(fit.parameters()));
}

std::vector<Candidate> fit_all(const FrequencyResponseData& lines,
                               const EstimateSettings& settings) {
  const TickCircle circle(lines.frequency, lines.tick);
  std::vector<Candidate> candidates;
  const int lowest = settings.order.value_or(0);
  const int highest = settings.order.value_or(kHighestOrder);
  for (int order = lowest; order <= highest; ++order)
    for (int zeros = 0; zeros < std::max(order, 1); ++zeros) {
      FittedTransfer fit = fit_transfer(lines, circle, order, zeros, settings.delay);
      if (std::isfinite(fit.misfit)) candidates.push_back({std::move(fit), 0.0});
    }
  return candidates;
}

/// Every pole and zero is there for something: the last coefficients stand out of their
/// deviations. Where a zero cancels a pole, they do not.
bool is_determined(const FittedTransfer& fit) {
  const Eigen::Index first = fit.fixed_delay ? 0 : 1;
  const auto stands_out = [&](double coefficient, Eigen::Index place) {
    return std::abs(coefficient) > kStandsOut * std::sqrt(fit.covariance(place, place));
  };
  const std::vector<double>& d = fit.transfer.denominator;
  const std::vector<double>& n = fit.transfer.numerator;
  const Eigen::Index last = first + static_cast<Eigen::Index>(d.size());
  return (d.empty() || stands_out(d.back(), last)) &&
         (n.empty() || stands_out(n.back(), last + static_cast<Eigen::Index>(n.size())));
}

void drop_undetermined(std::vector<Candidate>& candidates) {
  const auto undetermined = [](const Candidate& each) {
    return !is_determined(each.fit);
  };
  if (std::all_of(candidates.begin(), candidates.end(), undetermined)) return;
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), undetermined),
                   candidates.end());
}

/// Occam's window (Madigan and Raftery 1994): of the models with similar probability only
/// simpler ones than the best are weighted. Larger ones only add poles that zeros cancel.
/// @returns by how much the residual variance is above that of the noise, at least 1
double weigh(const FrequencyResponseData& lines, std::vector<Candidate>& candidates) {
  double excess = std::numeric_limits<double>::infinity();
  for (const Candidate& each : candidates)
    excess = std::min(excess, each.fit.misfit / freedom(lines, each.fit));
  excess = std::max(excess, 1.0);
  const double penalty = std::log(2.0 * static_cast<double>(lines.frequency.size()));
  const auto criterion = [&](const FittedTransfer& fit) {
    return fit.misfit / excess + penalty * fit.parameters();
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& each : candidates) least = std::min(least, criterion(each.fit));
  double sum = 0.0;
  int simplest = 0;
  for (Candidate& each : candidates) {
    each.weight = std::exp(-0.5 * (criterion(each.fit) - least));
    if (criterion(each.fit) == least) simplest = each.fit.parameters();
  }
  for (Candidate& each : candidates) {
    if (each.weight < kLeastWeight ||
        (each.weight < 1.0 && each.fit.parameters() >= simplest))
      each.weight = 0.0;
    sum += each.weight;
  }
  for (Candidate& each : candidates) each.weight /= sum;
  return excess;
}

const Candidate& best_of(const std::vector<Candidate>& candidates) {
  return *std::max_element(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.weight < b.weight; });
}

/// Standard deviations about the best shape, that between the shapes included.
void add_deviations(const std::vector<Candidate>& candidates, double excess, double tick,
                    IdentifiedTransfer& estimate) {
  double delay = 0.0;
  double gain = 0.0;
  for (const Candidate& each : candidates) {
    if (each.weight == 0.0) continue;
    const Eigen::Index first = each.fit.fixed_delay ? 0 : 1;
    const double tick_variance = first == 0 ? 0.0 : each.fit.covariance(0, 0);
    delay += each.weight * (excess * tick_variance * tick * tick +
                            std::norm(each.fit.transfer.delay - estimate.transfer.delay));
    gain += each.weight * (excess * each.fit.covariance(first, first) +
                           std::norm(each.fit.transfer.gain - estimate.transfer.gain));
  }
  estimate.delay_deviation = std::sqrt(delay);
  estimate.gain_deviation = std::sqrt(gain);
}

/// @returns the largest deviation of the response in the band
double largest_deviation(const std::vector<Candidate>& candidates, double excess,
                         const FrequencyResponseData& lines) {
  std::vector<double> frequency;
  for (std::size_t i = 0; i < kPlaces; ++i)
    frequency.push_back(lines.frequency.front() +
                        (lines.frequency.back() - lines.frequency.front()) *
                            static_cast<double>(i) / (kPlaces - 1));
  const TickCircle places(frequency, lines.tick);
  const std::vector<Complex> chosen =
      tick_response(best_of(candidates).fit.transfer, places);
  std::vector<double> variance(kPlaces, 0.0);
  for (const Candidate& each : candidates) {
    if (each.weight == 0.0) continue;
    const std::vector<double> deviation = response_deviation(each.fit, places);
    const std::vector<Complex> response = tick_response(each.fit.transfer, places);
    for (std::size_t i = 0; i < kPlaces; ++i)
      variance[i] += each.weight * (excess * deviation[i] * deviation[i] +
                                    std::norm(response[i] - chosen[i]));
  }
  return std::sqrt(*std::max_element(variance.begin(), variance.end()));
}

/// The measured response in stretches: the ratio of what was measured to what the fit
/// predicts, averaged with the weights of the lines, times the fit in the middle; so that
/// nothing is lost to a phase that turns within a stretch.
std::vector<ResponsePoint> points_of(const FrequencyResponseData& lines,
                                     const DelayedTransfer& transfer) {
  const std::vector<Complex> fitted =
      tick_response(transfer, TickCircle(lines.frequency, lines.tick));
  std::vector<ResponsePoint> points;
  for (const FrequencyBand& band :
       split_bands(lines.frequency.size(), kPoints, kLinesOfAPoint)) {
    Complex ratio = 0.0;
    double power = 0.0;
    for (std::size_t k = band.begin; k < band.end; ++k) {
      const Complex predicted = fitted[k] * lines.drive[k];
      const double weight = 1.0 / (lines.deviation[k] * lines.deviation[k]);
      ratio += weight * lines.measured[k] * std::conj(predicted);
      power += weight * std::norm(predicted);
    }
    const std::size_t middle = (band.begin + band.end) / 2;
    points.push_back({lines.frequency[middle], ratio / power * fitted[middle],
                      fitted[middle], std::abs(fitted[middle]) / std::sqrt(power),
                      coherence(lines, band)});
  }
  return points;
}

double unexplained(const ResponsePoint& point) {
  const double off = std::abs(point.measured - point.fitted);
  return off * off > 2.0 * point.deviation * point.deviation * kSurprise ? off : 0.0;
}

/// Returns the frequency at which |H| first falls below gain/√2, up to half the tick's rate
/// [Hz].
double corner_of(const DelayedTransfer& transfer, double tick) {
  constexpr int kSteps = 4000;
  std::vector<double> frequency;
  for (int i = 1; i < kSteps; ++i) frequency.push_back(0.5 / tick * i / kSteps);
  DelayedTransfer prompt = transfer;
  prompt.delay = 0.0;
  const std::vector<Complex> response = tick_response(prompt, TickCircle(frequency, tick));
  for (std::size_t k = 0; k < frequency.size(); ++k)
    if (std::abs(response[k]) < std::abs(transfer.gain) / std::numbers::sqrt2)
      return frequency[k];
  return 0.0;
}

bool stands_out(const FrequencyResponseData& lines, const FittedTransfer& fit) {
  double nothing = 0.0;
  for (std::size_t k = 0; k < lines.frequency.size(); ++k)
    nothing += std::norm(lines.measured[k] / lines.deviation[k]);
  const double penalty = std::log(2.0 * static_cast<double>(lines.frequency.size()));
  return fit.misfit + penalty * fit.parameters() < nothing;
}

std::vector<Complex> scaled(std::vector<Complex> roots, double scale) {
  for (Complex& root : roots) root *= scale;
  return roots;
}

}  // namespace

IdentifiedTransfer estimate_transfer(const FrequencyResponseData& lines,
                                     const EstimateSettings& settings) {
  std::vector<Candidate> candidates = fit_all(lines, settings);
  assert(!candidates.empty());
  drop_undetermined(candidates);
  const double excess = weigh(lines, candidates);
  const FittedTransfer& best = best_of(candidates).fit;
  IdentifiedTransfer estimate;
  estimate.transfer = best.transfer;
  estimate.nothing = settings.allow_no_response && !stands_out(lines, best);
  estimate.highest = lines.frequency.back();
  estimate.poles = scaled(polynomial_roots(best.transfer.denominator), best.transfer.scale);
  if (!best.transfer.numerator.empty())
    estimate.zeros = scaled(polynomial_roots(best.transfer.numerator), best.transfer.scale);
  estimate.fit_error = std::sqrt(best.misfit / freedom(lines, best));
  estimate.points = points_of(lines, best.transfer);
  add_deviations(candidates, excess, lines.tick, estimate);
  const double noise = largest_deviation(candidates, excess, lines);
  double largest = 0.0;
  double off = 0.0;
  estimate.lowest_coherence = 1.0;
  for (const ResponsePoint& point : estimate.points) {
    largest = std::max(largest, std::abs(point.fitted));
    off = std::max(off, unexplained(point));
    estimate.lowest_coherence = std::min(estimate.lowest_coherence, point.coherence);
  }
  estimate.worst_deviation = std::hypot(noise, off) / largest;
  const double slow = kSlow * lines.frequency.back();
  const Complex there = tick_response(best.transfer, TickCircle({slow}, lines.tick))[0];
  estimate.low_frequency_delay =
      0.0 - std::arg(there / best.transfer.gain) / (2.0 * std::numbers::pi * slow);
  estimate.corner = corner_of(best.transfer, lines.tick);
  return estimate;
}

}  // namespace trestle::characterisation
