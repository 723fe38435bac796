#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "observe/web/row_store.h"
#include "observe/web/work_history.h"

namespace trestle::web {

/// One row of the steps, of which the curve is drawn.
struct LoopPoint {
  std::int64_t index = -1;
  double motion = 0.0;  ///< measured [m | rad]
  double force = 0.0;   ///< [N | N*m]
  bool joined = true;   ///< by a line to the point before
};

/// The force over the motion of an actuator from the first row on, by few points: those
/// with which the curve comes where it has not been before, and its extremes to a quarter
/// of a cell of the raster. However many loops lie on each other, the picture is that of
/// all rows, to a part of its ranges; every n-th row, instead, would draw loops that never
/// were. Rows are read once, a part in each call.
///
/// Thread: one at a time. Blocks on the file system only.
class LoopCurve {
 public:
  /// Rows that one call reads at most.
  static constexpr std::int64_t kMostRows = 32'768;
  static constexpr std::size_t kMostPoints = 5000;

  explicit LoopCurve(WorkHistory::Columns columns) : columns_(columns) {}

  /// Reads on towards row `index`.
  /// @returns the row that was reached; −1: none
  /// @throws std::runtime_error  the journal cannot be read at this instant
  std::int64_t read_to(std::int64_t index, const RowStore& rows);

  /// In the order of their rows.
  const std::vector<LoopPoint>& kept() const noexcept { return kept_; }
  /// The newest row behind them; nothing: there is none.
  std::optional<LoopPoint> last() const;
  /// Another number: points that were kept before may be gone.
  std::uint64_t generation() const noexcept { return generation_; }

 private:
  /// Of the raster, along each axis.
  static constexpr std::size_t kMostCells = 512;
  static constexpr std::size_t kFewestCells = 16;

  /// What an axis of the raster covers.
  struct Span {
    double low = 0.0;
    double high = 0.0;
  };

  void add(LoopPoint point);
  bool paint(const LoopPoint& from, const LoopPoint& to);
  bool is_far_extreme(const LoopPoint& before);
  bool covers(const LoopPoint& point) const;
  void widen();
  void begin_again();
  bool is_near(const LoopPoint& from, const LoopPoint& to) const;
  double place(double value, const Span& span) const;
  void keep(LoopPoint point);

  WorkHistory::Columns columns_;
  std::int64_t next_ = 0;  // index of the row that is due
  std::vector<LoopPoint> kept_;
  std::optional<LoopPoint> latest_;
  std::array<LoopPoint, 4> extremes_;  // smallest and largest motion, and force
  std::array<double, 4> kept_extremes_{};
  Span motion_;
  Span force_;
  std::size_t cells_ = kMostCells;
  std::bitset<kMostCells * kMostCells> painted_;
  std::uint64_t generation_ = 0;
};

}  // namespace trestle::web
