#include "numerical/excitation/support_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/column_reader.h"
#include "core/base/header_units.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "numerical/excitation/sampling_gaps.h"

namespace trestle::excitation {

SupportState SupportHistory::Polynomial::at(double t) const noexcept {
  SupportState state;
  for (int i = 5; i >= 0; --i) {
    state.acceleration = state.acceleration * t + 2.0 * state.velocity;
    state.velocity = state.velocity * t + state.displacement;
    state.displacement = state.displacement * t + c[i];
  }
  return state;
}

SupportHistory SupportHistory::of_acceleration(const GroundMotion& motion) {
  SupportHistory history;
  history.times_ = motion.time;
  SupportState state;
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const double a = motion.acceleration[i];
    Polynomial part{{state.displacement, state.velocity, 0.0, 0.0, 0.0, 0.0}};
    if (i + 1 < motion.time.size()) {
      const double length = motion.time[i + 1] - motion.time[i];
      part.c[2] = 0.5 * a;
      part.c[3] = (motion.acceleration[i + 1] - a) / (6.0 * length);
      state = part.at(length);
    }
    history.parts_.push_back(part);
  }
  return history;
}

SupportHistory SupportHistory::of_displacement(const std::vector<double>& times,
                                               const std::vector<double>& displacements) {
  // Second derivatives at the points: a tridiagonal system, solved from its start.
  const std::size_t count = times.size();
  std::vector<double> pivot(count);
  std::vector<double> right(count);
  const auto slope = [&](std::size_t i) {
    return (displacements[i + 1] - displacements[i]) / (times[i + 1] - times[i]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double before = i > 0 ? times[i] - times[i - 1] : 0.0;
    const double after = i + 1 < count ? times[i + 1] - times[i] : 0.0;
    const double rise = (i + 1 < count ? slope(i) : 0.0) - (i > 0 ? slope(i - 1) : 0.0);
    pivot[i] = (before + after) / 3.0;
    right[i] = rise;
    if (i == 0) continue;
    const double factor = before / 6.0 / pivot[i - 1];
    pivot[i] -= factor * before / 6.0;
    right[i] -= factor * right[i - 1];
  }
  std::vector<double> second(count);
  for (std::size_t i = count; i-- > 0;) {
    const double beside =
        i + 1 < count ? (times[i + 1] - times[i]) / 6.0 * second[i + 1] : 0.0;
    second[i] = (right[i] - beside) / pivot[i];
  }
  SupportHistory history;
  history.times_ = times;
  for (std::size_t i = 0; i < count; ++i) {
    Polynomial part{{displacements[i], 0.0, 0.0, 0.0, 0.0, 0.0}};
    if (i + 1 < count) {
      const double length = times[i + 1] - times[i];
      part.c[1] = slope(i) - length * (2.0 * second[i] + second[i + 1]) / 6.0;
      part.c[2] = 0.5 * second[i];
      part.c[3] = (second[i + 1] - second[i]) / (6.0 * length);
    }
    history.parts_.push_back(part);
  }
  return history;
}

SupportHistory SupportHistory::of_states(std::vector<double> times,
                                         std::vector<SupportState> states) {
  SupportHistory history;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const SupportState& from = states[i];
    Polynomial part{{from.displacement, 0.0, 0.0, 0.0, 0.0, 0.0}};
    if (i + 1 < times.size()) {
      const SupportState& to = states[i + 1];
      const double h = times[i + 1] - times[i];
      part.c[1] = from.velocity;
      part.c[2] = 0.5 * from.acceleration;
      // What the quadratic misses at the end.
      const double u =
          to.displacement - from.displacement - h * (part.c[1] + h * part.c[2]);
      const double v = to.velocity - from.velocity - h * from.acceleration;
      const double a = to.acceleration - from.acceleration;
      part.c[3] = (10.0 * u - 4.0 * h * v + 0.5 * h * h * a) / (h * h * h);
      part.c[4] = (-15.0 * u + 7.0 * h * v - h * h * a) / (h * h * h * h);
      part.c[5] = (6.0 * u - 3.0 * h * v + 0.5 * h * h * a) / (h * h * h * h * h);
    }
    history.parts_.push_back(part);
  }
  history.times_ = std::move(times);
  return history;
}

SupportState SupportHistory::at(double time) const {
  constexpr double kSame = 1e-9;  // [s]: a point that falls on a step is met
  const auto after = std::upper_bound(times_.begin(), times_.end(), time + kSame);
  if (after == times_.begin())
    return {.displacement = parts_.front().c[0], .velocity = 0.0, .acceleration = 0.0};
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  return parts_[i].at(std::max(time - times_[i], 0.0));
}

double SupportHistory::peak_displacement() const {
  double peak = 0.0;
  for (const Polynomial& part : parts_) peak = std::max(peak, std::abs(part.c[0]));
  return peak;
}

SupportHistory::Jump SupportHistory::jump() const {
  std::vector<double> steps{std::abs(parts_.front().c[0])};  // from rest at zero
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i)
    steps.push_back(std::abs(parts_[i + 1].c[0] - parts_[i].c[0]));
  std::vector<double> moving;
  std::copy_if(steps.begin() + 1, steps.end(), std::back_inserter(moving),
               [](double step) { return step > 0.0; });
  Jump found;
  if (!moving.empty()) {
    const auto middle = moving.begin() + static_cast<std::ptrdiff_t>(moving.size() / 2);
    std::nth_element(moving.begin(), middle, moving.end());
    found.median = *middle;
  }
  constexpr double kTimes = 5.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double before = i > 0 ? steps[i - 1] : 0.0;
    const double after = i + 1 < steps.size() ? steps[i + 1] : 0.0;
    if (steps[i] > kTimes * std::max({before, after, found.median}))
      found.step = std::max(found.step, steps[i]);
  }
  return found;
}

namespace {

constexpr double kLargestDisplacement = 1e3;  // [m]
constexpr double kLargestRate = 1e4;          // [m/s], [m/s²]

/// The numbers of a line.
struct Row {
  std::array<double, 4> values{};
  std::size_t count = 0;
};

Row row_of(const ColumnReader& reader, const std::string& line) {
  Row row;
  if (has_decimal_comma(line))
    reader.fail("a decimal comma; write numbers with a decimal point");
  for (const std::string_view word : words_of(line)) {
    const std::optional<double> value = number_of(word);
    if (!value) reader.fail("is no row of numbers: `" + std::string(word) + "`");
    if (row.count < row.values.size()) row.values[row.count] = *value;
    ++row.count;
  }
  return row;
}

constexpr std::size_t kSampled = 20;  // points

/// Displacements are in m unless the test file scales them.
void check_header(const ColumnReader& reader, const FileHeader& header, double scale) {
  const std::vector<std::string>& units = header.units();
  if (units.size() < 2) return;
  const auto fail = [&](const std::string& unit, const std::string& what) {
    reader.fail_at(header.line(),
                   "the header states the unit `" + unit + "` of the " + what);
  };
  if (!units[0].empty() && units[0] != "s" && units[0] != "sec" && units[0] != "seconds")
    fail(units[0], "times; they must be in s");
  const auto unit = unit_of_length(units[1]);
  if (!unit && is_known_unit(units[1]))
    fail(units[1], "displacements, which is no length; give displacements in m");
  if (unit && *unit != 1.0 && scale == 1.0)
    fail(units[1],
         "displacements, which are taken in m; give `scale: " + in_words(*unit) + "`");
}

/// Why a row does not fit behind the others; empty: it does.
std::string misfit(const Row& row, std::size_t columns, const std::vector<double>& times) {
  if (row.count != columns || (row.count != 2 && row.count != 4))
    return "has " + std::to_string(row.count) +
           " columns; give time and displacement, or also velocity and acceleration, in "
           "every row";
  for (const double value : row.values)
    if (!std::isfinite(value)) return "has a value that is no number";
  if (row.values[0] < 0.0) return "its time is before zero";
  if (!times.empty() && !(row.values[0] > times.back())) return "its time does not rise";
  return "";
}

bool is_possible(const SupportState& state) {
  return std::abs(state.displacement) <= kLargestDisplacement &&
         std::abs(state.velocity) <= kLargestRate &&
         std::abs(state.acceleration) <= kLargestRate;
}

}  // namespace

SupportHistory read_support_displacements(const std::string& file, double scale,
                                          const std::string& path) {
  ColumnReader reader(file, path);
  std::vector<double> times;
  std::vector<SupportState> states;
  std::vector<int> lines;
  std::size_t columns = 0;
  FileHeader header(2);
  std::string line;
  while (reader.next(line)) {
    if (words_of(line).empty()) continue;
    if (header.takes(line, reader.line())) continue;
    if (times.empty()) check_header(reader, header, scale);
    const Row row = row_of(reader, line);
    if (columns == 0) columns = row.count;
    if (const std::string why = misfit(row, columns, times); !why.empty()) reader.fail(why);
    times.push_back(row.values[0]);
    lines.push_back(reader.line());
    states.push_back({.displacement = scale * row.values[1],
                      .velocity = scale * row.values[2],
                      .acceleration = scale * row.values[3]});
    if (!is_possible(states.back()))
      reader.fail("a motion beyond any support, scale included; must be at most " +
                  in_words(kLargestDisplacement) + " m and " + in_words(kLargestRate) +
                  " m/s and m/s2. Is the scale right?");
  }
  if (times.size() < 2) throw SettingError(path, file + ": needs at least two rows");
  // A settlement of a few points is no sampled record.
  if (columns == 2 && times.size() >= kSampled) check_gaps(reader, times, lines);
  if (columns == 4) return SupportHistory::of_states(std::move(times), std::move(states));
  std::vector<double> displacements;
  for (const SupportState& state : states) displacements.push_back(state.displacement);
  SupportHistory history = SupportHistory::of_displacement(times, displacements);
  if (const SupportHistory::Jump jump = history.jump(); jump.step > 0.0)
    throw SettingError(path, file + ": jumps by " + in_words(jump.step) +
                                 " m, more than five times its median step of " +
                                 in_words(jump.median) +
                                 " m and the steps beside it; smooth it, or give "
                                 "velocities and accelerations in columns 3 and 4");
  return history;
}

}  // namespace trestle::excitation
