#include "core/timing/lower_convex_hull.h"

#include <algorithm>

namespace trestle::timing {
namespace {

/// Returns twice the area of the triangle; positive if `middle` is below the line from left
/// to right. In doubles: misjudged corners differ by less than a picosecond.
double depth(const LowerConvexHull::Vertex& left, const LowerConvexHull::Vertex& middle,
             const LowerConvexHull::Vertex& right) noexcept {
  const auto across = static_cast<double>((right.at - left.at).count());
  const auto part = static_cast<double>((middle.at - left.at).count());
  return part * static_cast<double>(right.value - left.value) -
         across * static_cast<double>(middle.value - left.value);
}

}  // namespace

void LowerConvexHull::add(TimePoint at, std::int64_t value) noexcept {
  if (size_ > 0 && at < corner(size_ - 1).at) return;
  if (size_ > 0 && at == corner(size_ - 1).at) {
    if (value >= corner(size_ - 1).value) return;
    --size_;
  }
  const Vertex added{at, value};
  while (size_ > 1 && depth(corner(size_ - 2), corner(size_ - 1), added) <= 0.0) --size_;
  if (size_ == kCapacity) remove_flattest_vertex();
  corners_[static_cast<std::size_t>(size_++)] = added;
}

void LowerConvexHull::remove_flattest_vertex() noexcept {
  int flattest = 1;
  double least = depth(corner(0), corner(1), corner(2));
  for (int i = 2; i < size_ - 1; ++i) {
    const double here = depth(corner(i - 1), corner(i), corner(i + 1));
    if (here >= least) continue;
    least = here;
    flattest = i;
  }
  std::copy(corners_.begin() + flattest + 1, corners_.begin() + size_,
            corners_.begin() + flattest);
  --size_;
}

const LowerConvexHull::Vertex& LowerConvexHull::lowest(double slope,
                                                       TimePoint reference) const noexcept {
  // Values count from the first corner's, so that offsets of hours cost no digits.
  const auto height = [&](const Vertex& corner) {
    return static_cast<double>(corner.value - corners_[0].value) +
           slope * static_cast<double>((reference - corner.at).count());
  };
  int lowest = 0;
  double least = height(corner(0));
  for (int i = 1; i < size_; ++i) {
    const double here = height(corner(i));
    if (here >= least) continue;
    least = here;
    lowest = i;
  }
  return corner(lowest);
}

}  // namespace trestle::timing
