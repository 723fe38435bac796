#include "observe/export/bounded_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::exports {
namespace {

constexpr std::size_t kFirstGroup = 8;  // points: the groups take no more room than they

}  // namespace

void BoundedCurve::Group::include(const Point& point) {
  if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
    broken = true;
    return;
  }
  if (empty) farthest.fill(point);
  empty = false;
  if (point.x < farthest[0].x) farthest[0] = point;
  if (point.x > farthest[1].x) farthest[1] = point;
  if (point.y < farthest[2].y) farthest[2] = point;
  if (point.y > farthest[3].y) farthest[3] = point;
}

void BoundedCurve::Group::include(const Group& other) {
  if (!other.empty)
    for (const Point& point : other.farthest) include(point);
  broken = broken || other.broken;
}

void BoundedCurve::add(double x, double y) {
  if (every_ == 1 && count_ < most_) {
    x_.push_back(x);
    y_.push_back(y);
    ++count_;
    return;
  }
  if (every_ == 1) {
    every_ = kFirstGroup;
    for (std::size_t i = 0; i < x_.size(); ++i) add_to_groups({x_[i], y_[i], i});
    x_ = {};
    y_ = {};
  }
  add_to_groups({x, y, count_++});
}

void BoundedCurve::add_to_groups(const Point& point) {
  if (groups_.empty() || in_last_ == every_) {
    if (groups_.size() >= most_ / 4) join_pairs();
    groups_.emplace_back();
    in_last_ = 0;
  }
  groups_.back().include(point);
  ++in_last_;
}

void BoundedCurve::join_pairs() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < groups_.size(); i += 2) {
    Group joined = groups_[i];
    if (i + 1 < groups_.size()) joined.include(groups_[i + 1]);
    groups_[kept++] = joined;
  }
  groups_.resize(kept);
  every_ *= 2;
}

void BoundedCurve::take(std::vector<double>& x, std::vector<double>& y) {
  constexpr double kBreak = std::numeric_limits<double>::quiet_NaN();
  x = std::move(x_);
  y = std::move(y_);
  for (Group& group : groups_) {
    std::sort(group.farthest.begin(), group.farthest.end(),
              [](const Point& a, const Point& b) { return a.number < b.number; });
    for (std::size_t i = 0; i < group.farthest.size() && !group.empty; ++i) {
      if (i > 0 && group.farthest[i].number == group.farthest[i - 1].number) continue;
      x.push_back(group.farthest[i].x);
      y.push_back(group.farthest[i].y);
    }
    if (!group.broken) continue;
    x.push_back(kBreak);
    y.push_back(kBreak);
  }
  groups_ = {};
}

}  // namespace trestle::exports
