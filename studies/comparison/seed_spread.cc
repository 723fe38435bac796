#include "studies/comparison/seed_spread.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace trestle::comparison {
namespace {

constexpr double kLevel = 0.05;  // of the whole row

/// Whether `larger` is above `smaller` by more than its seeds explain.
bool surely_above(const std::vector<double>& larger, const std::vector<double>& smaller,
                  double level) {
  std::vector<double> difference;
  for (std::size_t i = 0; i < larger.size(); ++i)
    difference.push_back(larger[i] - smaller[i]);
  const SeedSpread spread = seed_spread(difference);
  if (!(spread.mean > 0.0)) return false;
  const double t =
      spread.mean * std::sqrt(static_cast<double>(difference.size())) / spread.deviation;
  return student_tail(t, static_cast<int>(difference.size()) - 1) < level;
}

}  // namespace

SeedSpread seed_spread(const std::vector<double>& values) noexcept {
  const auto count = static_cast<double>(values.size());
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), 0.0};
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? 0.0 : std::sqrt(squares / (count - 1.0))};
}

double student_tail(double t, int degrees) noexcept {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double square = std::cos(angle) * std::cos(angle);
  const bool odd = degrees % 2 != 0;
  double term = odd ? std::cos(angle) : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (int k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= square * (k - 1) / k;
    sum += term;
  }
  const double inside = odd ? (angle + std::sin(angle) * sum) * 2.0 / std::numbers::pi
                            : std::sin(angle) * sum;
  return 0.5 * (1.0 - inside);
}

std::vector<double> values_of_seeds(const std::vector<campaign::Results>& seeds,
                                    const std::string& name) {
  std::vector<double> values;
  for (const campaign::Results& results : seeds) {
    const double* const value = campaign::find_result(results, name);
    values.push_back(value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value);
  }
  return values;
}

std::vector<bool> best_by_seeds(const std::vector<std::vector<double>>& shortfalls) {
  std::vector<bool> best(shortfalls.size(), false);
  std::size_t smallest = shortfalls.size();
  double mean = std::numeric_limits<double>::infinity();
  std::size_t compared = 0;
  for (std::size_t i = 0; i < shortfalls.size(); ++i) {
    const double its = seed_spread(shortfalls[i]).mean;
    if (!std::isfinite(its)) continue;
    ++compared;
    if (its >= mean) continue;
    mean = its;
    smallest = i;
  }
  if (compared < 2 || shortfalls[smallest].size() < 2) return best;
  const double level = kLevel / static_cast<double>(compared - 1);
  std::size_t marked = 0;
  for (std::size_t i = 0; i < shortfalls.size(); ++i) {
    if (!std::isfinite(seed_spread(shortfalls[i]).mean)) continue;
    assert(shortfalls[i].size() == shortfalls[smallest].size());
    best[i] = i == smallest || !surely_above(shortfalls[i], shortfalls[smallest], level);
    if (best[i]) ++marked;
  }
  if (marked == compared) std::fill(best.begin(), best.end(), false);
  return best;
}

}  // namespace trestle::comparison
