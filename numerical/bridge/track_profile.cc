#include "numerical/bridge/track_profile.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace trestle::bridge {
namespace {

class WindowedProfile final : public TrackProfile {
 public:
  WindowedProfile(std::unique_ptr<const TrackProfile> profile, double begin, double end,
                  double length)
      : profile_(std::move(profile)), begin_(begin), end_(end), length_(length) {}

  TrackPoint at(double x) const noexcept override {
    const double before = 1.0 + (x - begin_) / length_;
    const double behind = 1.0 - (x - end_) / length_;
    const double s = std::min(before, behind);
    if (s <= 0.0) return {};
    TrackPoint r = profile_->at(x);
    if (s >= 1.0) return r;
    const double sign = before < behind ? 1.0 / length_ : -1.0 / length_;
    const double w = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    const double dw = 30.0 * s * s * (1.0 - s) * (1.0 - s) * sign;
    const double ddw = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) * sign * sign;
    return {w * r.height, w * r.slope + dw * r.height,
            w * r.curvature + 2.0 * dw * r.slope + ddw * r.height};
  }

 private:
  std::unique_ptr<const TrackProfile> profile_;
  double begin_, end_, length_;
};

class TabulatedProfile final : public TrackProfile {
 public:
  TabulatedProfile(const TrackProfile& profile, double begin, double end, double spacing)
      : begin_(begin) {
    const double parts = std::max(1.0, std::ceil((end - begin) / spacing));
    spacing_ = (end - begin) / parts;
    points_.resize(static_cast<std::size_t>(parts) + 1);
    for (std::size_t i = 0; i < points_.size(); ++i)
      points_[i] = profile.at(begin + static_cast<double>(i) * spacing_);
  }

  TrackPoint at(double x) const noexcept override {
    const double place = (x - begin_) / spacing_;
    const auto parts = static_cast<double>(points_.size() - 1);
    if (!(place >= 0.0) || place > parts) return {};
    const double whole = std::min(std::floor(place), parts - 1.0);
    const TrackPoint& left = points_[static_cast<std::size_t>(whole)];
    const TrackPoint& right = points_[static_cast<std::size_t>(whole) + 1];
    const double h = spacing_;
    const double s = place - whole;
    // Remainder of the right end without the parabola of the left end.
    const double v0 = h * left.slope;
    const double a0 = 0.5 * h * h * left.curvature;
    const double p = right.height - left.height - v0 - a0;
    const double v = h * right.slope - v0 - 2.0 * a0;
    const double a = h * h * right.curvature - 2.0 * a0;
    const double c3 = 10.0 * p - 4.0 * v + 0.5 * a;
    const double c4 = -15.0 * p + 7.0 * v - a;
    const double c5 = 6.0 * p - 3.0 * v + 0.5 * a;
    return {left.height + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5)))),
            (v0 + s * (2.0 * a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h,
            (2.0 * a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h)};
  }

 private:
  double begin_;
  double spacing_ = 1.0;
  std::vector<TrackPoint> points_;
};

}  // namespace

std::unique_ptr<const TrackProfile> windowed(std::unique_ptr<const TrackProfile> profile,
                                             double begin, double end, double length) {
  return std::make_unique<WindowedProfile>(std::move(profile), begin, end, length);
}

std::unique_ptr<const TrackProfile> tabulate(const TrackProfile& profile, double begin,
                                             double end, double spacing) {
  return std::make_unique<TabulatedProfile>(profile, begin, end, spacing);
}

}  // namespace trestle::bridge
