#pragma once

#include <cstdint>

namespace trestle::report {

/// Numbers that a report holds of all streams of a record together: 2^26, which is 512 MiB.
/// A longer record is reported in part: its whole length as smallest and largest values,
/// and a window of its rows.
inline constexpr std::int64_t kMostValues = std::int64_t{1} << 26;

/// How much of a record is held in memory. Tests lower it, so that a short record takes the
/// path of a long one.
struct ReadBounds {
  std::int64_t most_values = kMostValues;
  /// Of a long record: numbers of a stream that is held whole all the same.
  std::int64_t short_stream = std::int64_t{1} << 22;
  std::int64_t window_rows = std::int64_t{1} << 16;  ///< of a stream that is not
  std::int64_t envelope_parts = 2000;  ///< fewest of its whole length, see StreamEnvelope
  std::int64_t samples = 64;           ///< stretches of the ledger of a long record
  std::int64_t sample_rows = 1024;     ///< in each
};

}  // namespace trestle::report
