#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace trestle::record {

/// The columns of a row that hold the values of one `Source`. Declared once per stream;
/// writers, readers and tests use the same object:
///
///   responses.add<&StepResponse::actuators, &ActuatorReport::force>(column, actuator);
///
/// add() is for set-up; pack() and unpack() do not allocate.
template <typename Source>
class ColumnSet {
 public:
  /// @tparam path  data members that lead from a Source to a vector of doubles; none: it
  ///               is one
  template <auto... path>
  void add(std::size_t column, Eigen::Index entry) {
    columns_.push_back({column, entry, &read_entry<path...>, &write_entry<path...>});
  }
  /// @tparam path  data members that lead to one value; times are in nanoseconds
  template <auto... path>
  void add(std::size_t column) {
    columns_.push_back({column, 0, &read_value<path...>, &write_value<path...>});
  }

  /// Copies what the source has into its columns; all other columns stay as they are.
  void pack(const Source& source, std::span<double> row) const noexcept {
    for (const Column& column : columns_)
      column.read(source, column.entry, row[column.place]);
  }
  /// The inverse. @pre the vectors of `into` have their sizes: entries that one has not
  /// stay in the row
  void unpack(std::span<const double> row, Source& into) const noexcept {
    for (const Column& column : columns_)
      column.write(into, column.entry, row[column.place]);
  }

 private:
  struct Column {
    std::size_t place;
    Eigen::Index entry;
    void (*read)(const Source&, Eigen::Index, double& cell) noexcept;
    void (*write)(Source&, Eigen::Index, double cell) noexcept;
  };

  template <auto... path>
  static auto& follow(auto& from) noexcept {
    if constexpr (sizeof...(path) == 0)
      return from;
    else
      return follow_first<path...>(from);
  }
  template <auto first, auto... rest>
  static auto& follow_first(auto& from) noexcept {
    return follow<rest...>(from.*first);
  }

  template <auto... path>
  static void read_entry(const Source& source, Eigen::Index entry, double& cell) noexcept {
    const auto& vector = follow<path...>(source);
    if (entry < vector.size()) cell = vector[entry];
  }
  template <auto... path>
  static void write_entry(Source& into, Eigen::Index entry, double cell) noexcept {
    auto& vector = follow<path...>(into);
    if (entry < vector.size()) vector[entry] = cell;
  }

  template <auto... path>
  static void read_value(const Source& source, Eigen::Index /*entry*/,
                         double& cell) noexcept {
    cell = to_cell(follow<path...>(source));
  }
  template <auto... path>
  static void write_value(Source& into, Eigen::Index /*entry*/, double cell) noexcept {
    from_cell(cell, follow<path...>(into));
  }

  static double to_cell(bool value) noexcept { return value ? 1.0 : 0.0; }
  static double to_cell(std::int64_t value) noexcept { return static_cast<double>(value); }
  static double to_cell(TimePoint value) noexcept {
    return to_cell(value.time_since_epoch().count());
  }
  static void from_cell(double cell, bool& value) noexcept { value = cell != 0.0; }
  static void from_cell(double cell, std::int64_t& value) noexcept {
    value = static_cast<std::int64_t>(cell);
  }
  static void from_cell(double cell, TimePoint& value) noexcept {
    value = TimePoint{Duration{static_cast<std::int64_t>(cell)}};
  }

  std::vector<Column> columns_;
};

}  // namespace trestle::record
