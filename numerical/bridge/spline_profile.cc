#include "numerical/bridge/spline_profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

#include "core/base/column_reader.h"
#include "core/base/header_units.h"

namespace trestle::bridge {
namespace {

constexpr double kHighest = 1e3;    // [m]
constexpr double kFarthest = 1e7;   // [m]
constexpr std::size_t kBeside = 5;  // spacings on either side that are compared with one

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The spacings on either side of one.
std::vector<double> spacings_beside(const std::vector<double>& spacings, std::size_t at) {
  const std::size_t begin = at - std::min(at, kBeside);
  const std::size_t end = std::min(at + kBeside + 1, spacings.size());
  std::vector<double> beside;
  for (std::size_t i = begin; i < end; ++i)
    if (i != at) beside.push_back(spacings[i]);
  return beside;
}

/// Whether nine of ten spacings are as those beside them.
bool is_sampled_evenly(const std::vector<double>& spacings) {
  std::size_t even = 0;
  for (std::size_t i = 0; i < spacings.size(); ++i) {
    const double usual = median(spacings_beside(spacings, i));
    if (std::abs(spacings[i] - usual) <= 0.1 * usual) ++even;
  }
  return 10 * even >= 9 * spacings.size();
}

/// Returns the longest spacing that fits between those beside it [m]. Of a road that is
/// sampled evenly, a longer one has lost a point, unless others beside it are as long: a
/// stretch of a coarser sampling. Of another road a lost point cannot be told: only a
/// spacing out of all proportion to those beside it is a gap there.
double longest_between(std::vector<double> beside, bool evenly) {
  constexpr std::size_t kThird = 2;
  const double usual = median(beside);
  std::ranges::sort(beside, std::ranges::greater{});
  if (!evenly) return 10.0 * beside.front();
  return 1.5 * (beside.size() > kThird ? std::max(usual, beside[kThird]) : usual);
}

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

void check_gaps(const ColumnReader& reader, const std::vector<double>& places,
                double origin, const std::vector<int>& lines) {
  if (places.size() < 4) return;
  std::vector<double> spacings(places.size() - 1);
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    spacings[i] = places[i + 1] - places[i];
  const bool evenly = is_sampled_evenly(spacings);
  for (std::size_t i = 0; i < spacings.size(); ++i)
    if (const double longest = longest_between(spacings_beside(spacings, i), evenly);
        spacings[i] > longest)
      reader.fail_at(lines[i + 1],
                     "a gap: x jumps by " + short_text(spacings[i]) + " m from " +
                         short_text(places[i] + origin) + " m to " +
                         short_text(places[i + 1] + origin) + " m; at most " +
                         short_text(longest) +
                         " m fit the spacings beside it. Write the missing points");
}

void check_columns(const ColumnReader& reader, std::string_view line,
                   const std::vector<std::string_view>& row) {
  if (has_decimal_comma(line))
    reader.fail("a decimal comma; write numbers with a decimal point");
  if (row.size() != 2)
    reader.fail(std::to_string(row.size()) + (row.size() == 1 ? " column" : " columns") +
                "; a profile has two, x and r, with numbers of a decimal point");
}

/// The unit that a header states is the one that the test file gives.
void check_header(const ColumnReader& reader, const FileHeader& header, double unit) {
  const std::vector<std::string>& units = header.units();
  if (units.size() < 2) return;
  const auto fail = [&](const std::string& stated, const std::string& what) {
    reader.fail_at(header.line(), "the header states the unit `" + stated + "` of " + what);
  };
  if (const auto of_x = unit_of_length(units[0]); of_x && *of_x != 1.0)
    fail(units[0], "x; it must be in m");
  const auto of_r = unit_of_length(units[1]);
  if (!of_r && is_known_unit(units[1])) fail(units[1], "r, which is no length");
  if (of_r && std::abs(*of_r - unit) > 1e-6 * unit)
    fail(units[1],
         "r, and the test file " + short_text(unit) + " m; give `unit: " + units[1] + "`");
}

}  // namespace

SplineProfile::SplineProfile(std::vector<double> places, std::vector<double> heights)
    : places_(std::move(places)), heights_(std::move(heights)) {
  const std::size_t n = places_.size();
  curvatures_.assign(n, 0.0);
  std::vector<double> pivot(n, 1.0);
  // Elimination downwards, and back.
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = places_[i] - places_[i - 1];
    const double right = places_[i + 1] - places_[i];
    const double above = i > 1 ? left / pivot[i - 1] : 0.0;
    pivot[i] = 2.0 * (left + right) - above * (i > 1 ? left : 0.0);
    curvatures_[i] = 6.0 * ((heights_[i + 1] - heights_[i]) / right -
                            (heights_[i] - heights_[i - 1]) / left) -
                     above * curvatures_[i - 1];
  }
  for (std::size_t i = n - 1; i-- > 1;)
    curvatures_[i] = (curvatures_[i] - (places_[i + 1] - places_[i]) *
                                           (i + 2 < n ? curvatures_[i + 1] : 0.0)) /
                     pivot[i];
}

TrackPoint SplineProfile::at(double x) const noexcept {
  if (x < begin() || x > end()) return {};
  const auto above = std::upper_bound(places_.begin() + 1, places_.end() - 1, x);
  const auto i = static_cast<std::size_t>(above - places_.begin());
  const double h = places_[i] - places_[i - 1];
  const double b = (x - places_[i - 1]) / h;
  const double a = 1.0 - b;
  const double left = curvatures_[i - 1];
  const double right = curvatures_[i];
  return {a * heights_[i - 1] + b * heights_[i] +
              (a * (a * a - 1.0) * left + b * (b * b - 1.0) * right) * h * h / 6.0,
          (heights_[i] - heights_[i - 1]) / h +
              ((1.0 - 3.0 * a * a) * left + (3.0 * b * b - 1.0) * right) * h / 6.0,
          a * left + b * right};
}

SplineProfile read_profile(const std::string& file, double unit, double origin,
                           const std::string& path, ProfileChecks checks) {
  ColumnReader reader(file, path);
  std::vector<double> places;
  std::vector<double> heights;
  std::vector<int> lines;
  std::string line;
  FileHeader header(2);
  while (reader.next(line)) {
    std::vector<std::string_view> row = words_of(line);
    if (row.empty()) continue;
    if (header.takes(line, reader.line())) continue;
    if (places.empty() && checks == ProfileChecks::kAll) check_header(reader, header, unit);
    if (checks == ProfileChecks::kFewer)
      std::erase_if(row, [](std::string_view word) { return word.empty(); });
    if (checks == ProfileChecks::kAll || row.size() < 2) check_columns(reader, line, row);
    const double place = reader.number(row[0]) - origin;
    const double height = reader.number(row[1]) * unit;
    if (!(std::abs(place) <= kFarthest))
      reader.fail("x is " + short_text(place) + " m; must be within " +
                  short_text(kFarthest) + " m");
    if (!(std::abs(height) <= kHighest))
      reader.fail("a height of " + short_text(height) +
                  " m, unit included; must be at most " + short_text(kHighest) +
                  " m. Is the unit right?");
    if (!places.empty() && !(place > places.back())) reader.fail("x does not rise");
    places.push_back(place);
    heights.push_back(height);
    lines.push_back(reader.line());
  }
  if (places.size() < 2)
    reader.fail_whole("has " + std::to_string(places.size()) +
                      " points; a profile needs at least two");
  if (checks == ProfileChecks::kAll) check_gaps(reader, places, origin, lines);
  return {std::move(places), std::move(heights)};
}

}  // namespace trestle::bridge
