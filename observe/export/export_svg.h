#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace trestle::exports {

/// What a picture of recorded columns shows.
struct PictureOptions {
  /// Names of exported columns; `2:NAME` is that of the second run alone, otherwise of each
  /// run that has it. Columns of one unit share a chart, of which at most seven lines are
  /// told apart.
  std::vector<std::string> columns{};
  std::string against{};     ///< a column in place of time, for loops; empty: over time
  std::string less{};        ///< folder of a run whose values are subtracted; empty: none
  bool logarithmic = false;  ///< magnitudes, on a logarithmic scale
  std::optional<double> from{};  ///< earliest time [s]
  std::optional<double> to{};    ///< latest time [s]
  /// Points of a column that are held as they are. Of a longer one the outermost points of
  /// groups of steps are, and the picture says so (BoundedCurve).
  std::size_t most_points = std::size_t{1} << 20;
};

/// Draws columns of the `result` streams of runs as one SVG: a chart per unit, lines by
/// observe/plot, named as the run's folder where there are several. Equal records give
/// equal bytes.
///
/// A value that is subtracted is that of the same step; a step that the other run does not
/// have breaks the line. At most 50 MB are held for a column.
///
/// @param run_dirs  folders of runs, one or more
/// @param file      "-": standard output
/// @throws std::runtime_error with one sentence: no such folder, run or column (with the
///         nearest name), another time step than the run that is subtracted, more than
///         seven lines of a unit, nothing recorded between the times; no partial file is
///         left
void export_svg(const std::vector<std::string>& run_dirs, const std::string& file,
                const PictureOptions& options);

}  // namespace trestle::exports
