#pragma once

#include <array>
#include <cstdint>

#include "core/base/time.h"

namespace trestle::timing {

/// The lower convex hull of points (time, value), of at most kCapacity corners. If it is
/// full, the least significant corner is removed.
class LowerConvexHull {
 public:
  struct Vertex {
    TimePoint at{};
    std::int64_t value = 0;
  };

  /// Adds a point. Points must arrive in the order of `at`; an earlier one is ignored.
  void add(TimePoint at, std::int64_t value) noexcept;
  bool empty() const noexcept { return size_ == 0; }
  void clear() noexcept { size_ = 0; }

  /// The corner with the least value + slope·(reference − at).
  /// @param slope  [ns/ns]
  /// @pre !empty()
  const Vertex& lowest(double slope, TimePoint reference) const noexcept;

 private:
  static constexpr int kCapacity = 64;

  void remove_flattest_vertex() noexcept;
  const Vertex& corner(int index) const noexcept {
    return corners_[static_cast<std::size_t>(index)];
  }

  std::array<Vertex, kCapacity> corners_{};
  int size_ = 0;
};

}  // namespace trestle::timing
