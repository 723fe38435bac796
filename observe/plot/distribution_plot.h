#pragma once

#include <string>
#include <vector>

#include "observe/plot/chart.h"

namespace trestle::plot {

/// A histogram: bars in round widths, about the square root of the count of them, at most
/// 40. Values that are not finite are left out.
/// @param quantity  what the values are
Chart histogram(const std::string& title, const AxisSettings& quantity,
                const std::vector<double>& values);

/// The share of values that are not above each of them, as one line of a CDF.
/// @param points  most that are drawn
Series cumulative_distribution(const std::string& name, std::vector<double> values,
                               const SeriesStyle& style, std::size_t points = 600);

/// The chart that holds such lines.
Chart distribution_chart(const std::string& title, const AxisSettings& quantity,
                         std::vector<Series> lines);

/// Returns a quantile of ascending values, linear between neighbours (Hyndman and Fan's
/// type 7); NaN if there are no values.
/// @param part  0 to 1
double sorted_quantile(const std::vector<double>& sorted, double part);

}  // namespace trestle::plot
