#include "observe/web/loop_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::web {
namespace {

/// The raster is wider than the curve by this part, so that it is seldom made again.
constexpr double kRoom = 0.5;

/// Farther apart than this number of cells, two points that follow each other are not
/// joined.
constexpr double kNear = 1.5;

/// What is larger is of a test that has run away: a span of two such values is no number.
constexpr double kLargest = 1e300;

/// An extreme is kept that is farther out than the last one by this number of cells.
constexpr double kNearExtreme = 0.25;

}  // namespace

std::int64_t LoopCurve::read_to(std::int64_t index, const RowStore& rows) {
  bool whole = true;
  rows.visit(next_, std::min(index, next_ + kMostRows - 1), [&](const RecordRow& row) {
    // Rows that were overwritten before they were read are in the journal soon.
    whole = whole && row.index == next_;
    if (!whole) return;
    ++next_;
    add({row.index, row.values[columns_.motion], row.values[columns_.force]});
  });
  return next_ - 1;
}

std::optional<LoopPoint> LoopCurve::last() const {
  if (!latest_ || latest_->index == kept_.back().index) return std::nullopt;
  LoopPoint point = *latest_;
  point.joined = is_near(kept_.back(), point);
  return point;
}

void LoopCurve::add(LoopPoint point) {
  if (!(std::abs(point.motion) < kLargest) || !(std::abs(point.force) < kLargest)) return;
  if (!latest_) {
    latest_ = point;
    extremes_.fill(point);
    kept_extremes_ = {point.motion, point.motion, point.force, point.force};
    return keep(point);
  }
  const LoopPoint before = *std::exchange(latest_, point);
  std::array<LoopPoint, 4>& extremes = extremes_;
  if (point.motion < extremes[0].motion) extremes[0] = point;
  if (point.motion > extremes[1].motion) extremes[1] = point;
  if (point.force < extremes[2].force) extremes[2] = point;
  if (point.force > extremes[3].force) extremes[3] = point;
  if (!covers(point)) widen();
  const bool is_new = paint(before, point);
  const bool turned = is_far_extreme(before);
  if (!is_new && !turned) return;
  if (before.index != kept_.back().index && (turned || !is_near(kept_.back(), before))) {
    LoopPoint start = before;
    start.joined = is_near(kept_.back(), before);
    keep(start);
  }
  if (is_new) keep(point);
}

/// The one before was the last of a growing value, and farther out than the one that is
/// kept.
bool LoopCurve::is_far_extreme(const LoopPoint& before) {
  bool far = false;
  for (std::size_t side = 0; side < extremes_.size(); ++side) {
    const bool of_motion = side < 2;
    const LoopPoint& one = extremes_[side];
    const double value = of_motion ? one.motion : one.force;
    const Span& span = of_motion ? motion_ : force_;
    if (one.index != before.index ||
        std::abs(place(value, span) - place(kept_extremes_[side], span)) < kNearExtreme)
      continue;
    kept_extremes_[side] = value;
    far = true;
  }
  return far;
}

/// @returns whether the line between them comes where nothing is painted
bool LoopCurve::paint(const LoopPoint& from, const LoopPoint& to) {
  const double x = place(from.motion, motion_);
  const double y = place(from.force, force_);
  const double dx = place(to.motion, motion_) - x;
  const double dy = place(to.force, force_) - y;
  const int parts =
      1 + static_cast<int>(std::ceil(2.0 * std::max(std::abs(dx), std::abs(dy))));
  bool is_new = false;
  for (int k = 0; k <= parts; ++k) {
    const double part = static_cast<double>(k) / parts;
    const auto column = static_cast<std::size_t>(x + part * dx);
    const auto row = static_cast<std::size_t>(y + part * dy);
    auto cell = painted_[row * kMostCells + column];
    is_new = is_new || !cell;
    cell = true;
  }
  return is_new;
}

bool LoopCurve::covers(const LoopPoint& point) const {
  return point.motion >= motion_.low && point.motion <= motion_.high &&
         point.force >= force_.low && point.force <= force_.high;
}

/// To the extremes, and some room around them.
void LoopCurve::widen() {
  const auto around = [](Span& span, double low, double high) {
    if (low >= span.low && high <= span.high) return;
    const double room = kRoom * (high - low);
    span = {low - room, high + room};
  };
  around(motion_, extremes_[0].motion, extremes_[1].motion);
  around(force_, extremes_[2].force, extremes_[3].force);
  begin_again();
}

/// Paints what is kept into an empty raster; what adds nothing there any more goes.
void LoopCurve::begin_again() {
  ++generation_;
  painted_.reset();
  std::vector<LoopPoint> before = std::exchange(kept_, {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    const LoopPoint& point = before[i];
    const auto is_this = [&point](const LoopPoint& one) {
      return one.index == point.index;
    };
    const bool joined = point.joined && i > 0;
    const bool is_new = paint(joined ? before[i - 1] : point, point);
    if (!is_new && !std::any_of(extremes_.begin(), extremes_.end(), is_this)) continue;
    if (joined && !kept_.empty() && kept_.back().index != before[i - 1].index &&
        !is_near(kept_.back(), before[i - 1])) {
      kept_.push_back(before[i - 1]);
      kept_.back().joined = false;
    }
    kept_.push_back(point);
    kept_.back().joined = joined && kept_.size() > 1;
  }
}

bool LoopCurve::is_near(const LoopPoint& from, const LoopPoint& to) const {
  return std::abs(place(to.motion, motion_) - place(from.motion, motion_)) <= kNear &&
         std::abs(place(to.force, force_) - place(from.force, force_)) <= kNear;
}

/// @returns in cells, inside the raster
double LoopCurve::place(double value, const Span& span) const {
  const double range = span.high - span.low;
  const auto cells = static_cast<double>(cells_);
  if (!(range > 0.0)) return 0.0;
  return std::clamp((value - span.low) / range * cells, 0.0, cells - 1e-6);
}

void LoopCurve::keep(LoopPoint point) {
  kept_.push_back(point);
  while (kept_.size() > kMostPoints && cells_ > kFewestCells) {
    cells_ /= 2;
    begin_again();
  }
}

}  // namespace trestle::web
