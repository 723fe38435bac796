#include "studies/sensitivity/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/random.h"

namespace trestle::sensitivity {
namespace {

__extension__ using WideProduct = unsigned __int128;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kOutside = 0.025;  // on each side of an interval

/// The terms of the estimates, row by row: sums of them are all that a replicate needs.
class IndexTerms {
 public:
  IndexTerms(const std::vector<std::vector<double>>& rows, std::size_t parameters)
      : width_(2 + 2 * parameters), rows_(rows.size()) {
    for (const auto& row : rows) mean_ += row[0] + row[1];
    mean_ /= 2.0 * static_cast<double>(rows_);
    terms_.reserve(rows_ * width_);
    for (const auto& row : rows) {
      // About the mean, so that no large numbers cancel.
      const double a = row[0] - mean_;
      const double b = row[1] - mean_;
      terms_.push_back(a + b);
      terms_.push_back(a * a + b * b);
      for (std::size_t i = 0; i < parameters; ++i) {
        const double mixed = row[2 + i] - mean_;
        terms_.push_back(b * (mixed - a));
        terms_.push_back((a - mixed) * (a - mixed));
      }
    }
  }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t width() const noexcept { return width_; }
  double mean() const noexcept { return mean_; }

  void add(std::size_t row, std::vector<double>& sums) const noexcept {
    const double* const terms = terms_.data() + row * width_;
    for (std::size_t i = 0; i < width_; ++i) sums[i] += terms[i];
  }

  double variance(const std::vector<double>& sums) const noexcept {
    const double count = 2.0 * static_cast<double>(rows_);
    const double mean = sums[0] / count;
    return sums[1] / count - mean * mean;
  }

 private:
  std::size_t width_;
  std::size_t rows_;
  double mean_ = 0.0;
  std::vector<double> terms_;
};

double first_of(const std::vector<double>& sums, std::size_t parameter, double rows,
                double variance) {
  return sums[2 + 2 * parameter] / rows / variance;
}

double total_of(const std::vector<double>& sums, std::size_t parameter, double rows,
                double variance) {
  return sums[3 + 2 * parameter] / (2.0 * rows) / variance;
}

/// The sums over as many rows as there are, each drawn at random.
std::vector<double> resampled(const IndexTerms& terms, std::uint64_t seed,
                              std::uint64_t replicate) {
  static const std::uint64_t stream = stream_id("bootstrap");
  std::vector<double> sums(terms.width(), 0.0);
  for (std::size_t i = 0; i < terms.rows(); i += 4) {
    const auto bits =
        random_bits({.seed = seed, .stream = stream, .channel = replicate, .index = i});
    for (std::size_t k = 0; k < 4 && i + k < terms.rows(); ++k)
      terms.add(static_cast<std::size_t>(
                    (static_cast<WideProduct>(bits[k]) * terms.rows()) >> 64U),
                sums);
  }
  return sums;
}

double sorted_percentile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void set_interval(std::vector<double> replicates, IntervalEstimate& estimate) {
  std::erase_if(replicates, [](double value) { return !std::isfinite(value); });
  if (replicates.empty()) return;
  std::sort(replicates.begin(), replicates.end());
  estimate.low = sorted_percentile(replicates, kOutside);
  estimate.high = sorted_percentile(replicates, 1.0 - kOutside);
}

}  // namespace

SobolIndices sobol_indices(const std::vector<std::vector<double>>& rows,
                           std::size_t parameters, const BootstrapSettings& bootstrap) {
  const IntervalEstimate none{kNothing, kNothing, kNothing};
  SobolIndices indices{.mean = kNothing,
                       .variance = kNothing,
                       .first = std::vector<IntervalEstimate>(parameters, none),
                       .total = std::vector<IntervalEstimate>(parameters, none)};
  if (rows.size() < 2) return indices;
  const IndexTerms terms(rows, parameters);
  const auto count = static_cast<double>(rows.size());
  std::vector<double> sums(terms.width(), 0.0);
  for (std::size_t row = 0; row < rows.size(); ++row) terms.add(row, sums);
  indices.mean = terms.mean();
  indices.variance = terms.variance(sums);
  if (!(indices.variance > 0.0)) return indices;
  for (std::size_t i = 0; i < parameters; ++i) {
    indices.first[i].value = first_of(sums, i, count, indices.variance);
    indices.total[i].value = total_of(sums, i, count, indices.variance);
  }
  std::vector<std::vector<double>> first(parameters);
  std::vector<std::vector<double>> total(parameters);
  for (int replicate = 0; replicate < bootstrap.replicates; ++replicate) {
    const std::vector<double> drawn =
        resampled(terms, bootstrap.seed, static_cast<std::uint64_t>(replicate));
    const double variance = terms.variance(drawn);
    for (std::size_t i = 0; i < parameters; ++i) {
      first[i].push_back(first_of(drawn, i, count, variance));
      total[i].push_back(total_of(drawn, i, count, variance));
    }
  }
  for (std::size_t i = 0; i < parameters; ++i) {
    set_interval(std::move(first[i]), indices.first[i]);
    set_interval(std::move(total[i]), indices.total[i]);
  }
  return indices;
}

}  // namespace trestle::sensitivity
