#include "numerical/bridge/spline_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "core/base/setting_error.h"

namespace trestle::bridge {
namespace {

/// Numbers of one line. @returns false if something else is in it
bool numbers_of(std::string line, std::vector<double>& values) {
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\r'; },
      ' ');
  values.clear();
  const char* at = line.c_str();
  for (;;) {
    while (*at == ' ' || *at == '\t') ++at;
    if (*at == '\0') return true;
    char* end = nullptr;
    values.push_back(std::strtod(at, &end));
    if (end == at || !std::isfinite(values.back())) return false;
    at = end;
  }
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
                           const std::string& path) {
  std::ifstream stream(file);
  if (!stream) throw SettingError(path, file + " cannot be read");
  std::vector<double> places;
  std::vector<double> heights;
  std::vector<double> values;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::string where = "line " + std::to_string(number) + " of " + file;
    const bool clean = numbers_of(line, values);
    if (clean && values.empty()) continue;
    if (!clean || values.size() < 2) {
      if (number == 1) continue;
      throw SettingError(path, where + " is not two numbers, x and r, in columns");
    }
    if (!places.empty() && !(values[0] - origin > places.back()))
      throw SettingError(path, where + ": x does not rise");
    places.push_back(values[0] - origin);
    heights.push_back(values[1] * unit);
  }
  if (places.size() < 2)
    throw SettingError(path, file + " has " + std::to_string(places.size()) +
                                 " points; a profile needs at least two");
  return {std::move(places), std::move(heights)};
}

}  // namespace trestle::bridge
