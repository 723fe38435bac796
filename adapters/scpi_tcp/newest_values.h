#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trestle::scpi_tcp {

/// The newest numbers of one thread, for one other thread. Neither waits: the reader sees
/// whether the writer wrote meanwhile (a sequence lock).
class NewestValues {
 public:
  explicit NewestValues(std::size_t count) : values_(count) {}

  /// What belongs to the numbers.
  struct Stamp {
    std::int64_t at_ns = 0;
    std::uint64_t number = 0;  ///< counts what was published
    unsigned holds = 0;        ///< asked for before
  };
  /// @pre one number for each value
  void publish(Stamp stamp, std::span<const double> values) noexcept;
  /// @returns false: the writer wrote meanwhile, or its thread was suspended while it
  ///          wrote; what was copied is worthless
  bool read(Stamp& stamp, std::span<double> values) const noexcept;

 private:
  std::atomic<unsigned> version_{0};
  std::atomic<std::int64_t> at_ns_{0};
  std::atomic<std::uint64_t> number_{0};
  std::atomic<unsigned> holds_{0};
  std::vector<std::atomic<double>> values_;
};

}  // namespace trestle::scpi_tcp
