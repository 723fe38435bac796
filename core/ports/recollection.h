#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

/// What a node's record holds of one session, read back: after a restart, or for an answer
/// that is asked for again. Not for the step path.
class Recollection {
 public:
  /// No row is there.
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  struct State {
    std::int64_t step = 0;  ///< as it was after this step
    std::vector<double> values;
  };

  virtual ~Recollection() = default;

  /// Empty where nothing was stated.
  virtual std::string fact(const std::string& key) const = 0;
  /// Index of the last row of a stream, or kNone.
  virtual std::int64_t last(const std::string& stream) const = 0;
  /// One row; rows in order are quickest.
  /// @returns false where it is not there
  virtual bool row(const std::string& stream, std::int64_t index,
                   std::vector<double>& into) = 0;
  virtual std::optional<State> state() const = 0;
  /// Nothing that was written is missing: no power was lost since. Else the last rows may
  /// be older than what happened last.
  virtual bool whole() const = 0;
};

}  // namespace trestle
