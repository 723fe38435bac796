#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/atomic_file.h"
#include "core/types/record.h"

namespace trestle::exports {

/// RFC 4180: encloses a name with a comma, a quote or a line break in quotes.
void append_csv_name(std::string& text, const std::string& name);

/// Writes a table as CSV: `time_s`, then one column per channel. Numbers are the shortest
/// that read back as the same double, lines end in `\n`, no locale: equal records give
/// equal bytes.
class CsvTable {
 public:
  explicit CsvTable(const std::string& path) : file_(path) {}

  void head(const Channels& channels);

  void begin_row(double time);
  void values(std::span<const double> values);
  void empty_cells(std::size_t count);  ///< for missing values
  void end_row();

  /// The table is complete.
  void keep();

 private:
  AtomicFile file_;
  std::string text_;  // lines on their way
};

}  // namespace trestle::exports
