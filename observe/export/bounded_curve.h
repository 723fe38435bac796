#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace trestle::exports {

/// The points of a curve in bounded memory: all of them up to a number, then of every so
/// many points in a row those farthest to the left and right, up and down, in their order.
/// No extreme is lost. A point that is not finite breaks the curve, within a group at its
/// end.
class BoundedCurve {
 public:
  /// @param most  points that are held as they are, >= 16
  explicit BoundedCurve(std::size_t most) : most_(most) {}

  void add(double x, double y);

  /// Points of a group; 1: all points are there.
  std::size_t group_points() const noexcept { return every_; }
  /// Gives the points; the curve is empty afterwards.
  void take(std::vector<double>& x, std::vector<double>& y);

 private:
  struct Point {
    double x = 0.0;
    double y = 0.0;
    std::size_t number = 0;
  };
  struct Group {
    std::array<Point, 4> farthest{};  // left, right, down, up
    bool empty = true;
    bool broken = false;

    void include(const Point& point);
    void include(const Group& other);
  };

  void add_to_groups(const Point& point);
  void join_pairs();

  std::size_t most_;
  std::size_t every_ = 1;
  std::size_t count_ = 0;
  std::size_t in_last_ = 0;  // points of the last group
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<Group> groups_;
};

}  // namespace trestle::exports
