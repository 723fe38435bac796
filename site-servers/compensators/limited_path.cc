#include "site-servers/compensators/limited_path.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace trestle::compensators {
namespace {

/// A broken line that rises, with steps: its corners from left to right.
class RisingLine {
 public:
  /// The line value = at − target.
  RisingLine(double from, double to, double target) noexcept : size_(2) {
    corners_[0] = {from, from - target};
    corners_[1] = {to, to - target};
  }

  /// Where it is zero; the nearest end if it is not.
  double zero() const noexcept {
    double found = corners_[corners_[0].value >= 0.0 ? 0 : size_ - 1].at;
    for (std::size_t i = size_ - 1; i > 0; --i) {
      const Corner& left = corners_[i - 1];
      const Corner& right = corners_[i];
      if (left.value < 0.0 && right.value >= 0.0)
        found = left.at - left.value * (right.at - left.at) / (right.value - left.value);
    }
    return found;
  }

  /// Moves what is below zero to the left and what is above to the right.
  void open(double zero, double by) noexcept {
    std::size_t below = 0;
    while (below < size_ && corners_[below].value < 0.0) corners_[below++].at -= by;
    for (std::size_t i = size_; i > below; --i)
      corners_[i + 1] = {corners_[i - 1].at + by, corners_[i - 1].value};
    corners_[below] = {zero - by, 0.0};
    corners_[below + 1] = {zero + by, 0.0};
    size_ += 2;
  }

  /// Leaves what lies from −most to most. @pre a point of it does
  void cut(double most) noexcept {
    const double left = value(-most);
    const double right = value(most);
    std::size_t first = 0;
    while (first < size_ && corners_[first].at < -most) ++first;
    std::size_t end = size_;
    while (end > first && corners_[end - 1].at > most) --end;
    const bool cuts_right = end < size_;
    std::size_t kept = 0;
    if (first > 0) corners_[kept++] = {-most, left};
    for (std::size_t i = first; i < end; ++i) corners_[kept++] = corners_[i];
    if (cuts_right) corners_[kept++] = {most, right};
    size_ = kept;
  }

  void add(double target) noexcept {
    for (std::size_t i = 0; i < size_; ++i) corners_[i].value += corners_[i].at - target;
  }

 private:
  struct Corner {
    double at, value;
  };

  double value(double at) const noexcept {
    for (std::size_t i = 1; i < size_; ++i) {
      const Corner& left = corners_[i - 1];
      const Corner& right = corners_[i];
      if (at >= left.at && at < right.at)
        return left.value +
               (right.value - left.value) * (at - left.at) / (right.at - left.at);
    }
    return corners_[at < corners_[0].at ? 0 : size_ - 1].value;
  }

  std::array<Corner, 2 * LimitedPath::kMostKnots + 2> corners_;  // two more by each open()
  std::size_t size_;
};

}  // namespace

bool LimitedPath::unlimited() const noexcept {
  return std::isinf(stroke_) && std::isinf(step_);
}

double LimitedPath::stroke_at(double start, int knot) const noexcept {
  return std::max(stroke_, std::abs(start) - (knot + 1) * step_);
}

bool LimitedPath::contains(double start,
                           const Eigen::Ref<const Eigen::VectorXd>& path) const noexcept {
  bool within = true;
  double before = start;
  for (Eigen::Index j = 0; j < path.size(); ++j) {
    within = within && std::abs(path[j] - before) <= step_ &&
             std::abs(path[j]) <= stroke_at(start, static_cast<int>(j));
    before = path[j];
  }
  return within;
}

void LimitedPath::project(double start, Eigen::Ref<Eigen::VectorXd> path) const noexcept {
  const Eigen::Index knots = path.size();
  assert(knots >= 1 && knots <= kMostKnots);
  if (contains(start, path) || !path.allFinite() || !std::isfinite(start)) return;
  if (std::isinf(step_)) {
    for (Eigen::Index j = 0; j < knots; ++j)
      path[j] = std::clamp(path[j], -stroke_, stroke_);
    return;
  }
  const double stroke = stroke_at(start, 0);
  RisingLine line(std::max(-stroke, start - step_), std::min(stroke, start + step_),
                  path[0]);
  path[0] = line.zero();
  for (Eigen::Index j = 1; j < knots; ++j) {
    line.open(path[j - 1], step_);
    line.cut(stroke_at(start, static_cast<int>(j)));
    line.add(path[j]);
    path[j] = line.zero();  // where the first j + 1 knots would end
  }
  for (Eigen::Index j = knots - 1; j > 0; --j)
    path[j - 1] = std::clamp(path[j - 1], path[j] - step_, path[j] + step_);
}

}  // namespace trestle::compensators
