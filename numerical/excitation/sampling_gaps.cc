#include "numerical/excitation/sampling_gaps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/base/setting_checks.h"

namespace trestle::excitation {

void check_gaps(const ColumnReader& reader, const std::vector<double>& time,
                const std::vector<int>& lines) {
  if (time.size() < 4) return;
  std::vector<double> intervals(time.size() - 1);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) intervals[i] = time[i + 1] - time[i];
  std::vector<double> sorted = intervals;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double usual = *middle;
  // Some programs write five digits; anything beyond half an interval is no rounding.
  const auto even = std::ranges::count_if(
      intervals, [usual](double each) { return std::abs(each - usual) <= 0.25 * usual; });
  if (static_cast<double>(even) < 0.75 * static_cast<double>(intervals.size())) return;
  for (std::size_t i = 0; i < intervals.size(); ++i)
    if (intervals[i] > 1.5 * usual)
      reader.fail_at(lines[i + 1], "a gap: " + in_words(intervals[i]) +
                                       " s after the line before, where the others are " +
                                       in_words(usual) +
                                       " s apart. Write the missing samples");
}

}  // namespace trestle::excitation
