#include "observe/plot/curve_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "observe/plot/number_format.h"
#include "observe/plot/svg_writer.h"

namespace trestle::plot {
namespace {

constexpr std::size_t kMostLoopPoints = 4000;
constexpr std::size_t kMostSkipped = 200;  // in a row
constexpr double kFirstTolerance = 0.25;   // [px]
constexpr double kLargestTolerance = 4.0;  // [px]

/// Path data under way: a break begins another line.
class PathData {
 public:
  void add(double x, double y) {
    data_ += begins_ ? 'M' : 'L';
    append_coordinate(data_, x);
    data_ += ' ';
    append_coordinate(data_, y);
    begins_ = false;
  }
  void interrupt() { begins_ = true; }
  std::string take() { return std::move(data_); }

 private:
  std::string data_;
  bool begins_ = true;
};

/// The smallest and the largest of a pixel column, and which came first.
class ColumnExtremes {
 public:
  bool empty() const { return count_ == 0; }
  std::int64_t column() const { return column_; }

  void begin(std::int64_t column) {
    column_ = column;
    count_ = 0;
  }
  void add(PlotPoint point) {
    if (count_ == 0 || point.y < lowest_.y) lowest_ = point, lowest_at_ = count_;
    if (count_ == 0 || point.y > highest_.y) highest_ = point, highest_at_ = count_;
    ++count_;
  }
  void write(PathData& path) {
    if (count_ == 0) return;
    const bool falls = highest_at_ < lowest_at_;
    const PlotPoint& first = falls ? highest_ : lowest_;
    const PlotPoint& last = falls ? lowest_ : highest_;
    path.add(first.x, first.y);
    if (lowest_at_ != highest_at_) path.add(last.x, last.y);
    count_ = 0;
  }

 private:
  std::int64_t column_ = 0;
  std::size_t count_ = 0;
  std::size_t lowest_at_ = 0;
  std::size_t highest_at_ = 0;
  PlotPoint lowest_;
  PlotPoint highest_;
};

/// Square of the distance of a point from the stretch between two others.
double distance_squared(PlotPoint point, PlotPoint from, PlotPoint to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = dx * dx + dy * dy;
  const double along =
      length > 0.0
          ? std::clamp(((point.x - from.x) * dx + (point.y - from.y) * dy) / length, 0.0,
                       1.0)
          : 0.0;
  const double ex = point.x - from.x - along * dx;
  const double ey = point.y - from.y - along * dy;
  return ex * ex + ey * ey;
}

/// Which points of a stretch without breaks stay.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, double tolerance) {
  std::vector<PlotPoint> kept{points.front()};
  std::size_t anchor = 0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    bool needed = i - anchor >= kMostSkipped;
    for (std::size_t j = anchor + 1; j <= i && !needed; ++j)
      needed = distance_squared(points[j], points[anchor], points[i + 1]) >
               tolerance * tolerance;
    if (!needed) continue;
    kept.push_back(points[i]);
    anchor = i;
  }
  if (points.size() > 1) kept.push_back(points.back());
  return kept;
}

/// The farthest to the left and right, up and down.
std::array<std::size_t, 4> outermost_points(const std::vector<PlotPoint>& points) {
  const auto by_x = [](const PlotPoint& a, const PlotPoint& b) {
    return a.x < b.x;
  };
  const auto by_y = [](const PlotPoint& a, const PlotPoint& b) {
    return a.y < b.y;
  };
  const auto [left, right] = std::minmax_element(points.begin(), points.end(), by_x);
  const auto [top, bottom] = std::minmax_element(points.begin(), points.end(), by_y);
  std::array<std::size_t, 4> places{};
  std::size_t at = 0;
  for (const auto& place : {left, right, top, bottom})
    places[at++] = static_cast<std::size_t>(place - points.begin());
  return places;
}

}  // namespace

std::string history_path(std::span<const double> x, std::span<const double> y,
                         const Axis& across, const Axis& upwards) {
  PathData path;
  ColumnExtremes extremes;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const PlotPoint point{across.place(x[i]), upwards.place(y[i])};
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
      extremes.write(path);
      path.interrupt();
      continue;
    }
    const auto column = static_cast<std::int64_t>(std::floor(point.x));
    if (extremes.empty() || column != extremes.column()) {
      extremes.write(path);
      extremes.begin(column);
    }
    extremes.add(point);
  }
  extremes.write(path);
  return path.take();
}

std::string loop_path(std::span<const double> x, std::span<const double> y,
                      const Axis& across, const Axis& upwards) {
  std::vector<std::vector<PlotPoint>> stretches(1);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const PlotPoint point{across.place(x[i]), upwards.place(y[i])};
    if (std::isfinite(point.x) && std::isfinite(point.y))
      stretches.back().push_back(point);
    else if (!stretches.back().empty())
      stretches.emplace_back();
  }
  if (stretches.back().empty()) stretches.pop_back();
  std::size_t count = 0;
  for (double tolerance = kFirstTolerance; tolerance <= kLargestTolerance;
       tolerance *= 2.0) {
    count = 0;
    for (std::vector<PlotPoint>& stretch : stretches) {
      stretch = thinned(stretch, tolerance);  // what was left out once stays out
      count += stretch.size();
    }
    if (count <= kMostLoopPoints) break;
  }
  // A curve of nothing but noise: its outline and a part of it tell as much.
  const std::size_t every = (count + kMostLoopPoints - 1) / kMostLoopPoints;
  PathData path;
  for (const std::vector<PlotPoint>& stretch : stretches) {
    path.interrupt();
    const std::array<std::size_t, 4> outermost = outermost_points(stretch);
    for (std::size_t i = 0; i < stretch.size(); ++i)
      if (every <= 1 || i % every == 0 || i + 1 == stretch.size() ||
          std::find(outermost.begin(), outermost.end(), i) != outermost.end())
        path.add(stretch[i].x, stretch[i].y);
  }
  return path.take();
}

}  // namespace trestle::plot
