#include "adapters/scpi_tcp/newest_values.h"

namespace trestle::scpi_tcp {

void NewestValues::publish(Stamp stamp, std::span<const double> values) noexcept {
  const unsigned before = version_.load(std::memory_order_relaxed);
  version_.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t i = 0; i < values_.size(); ++i)
    values_[i].store(values[i], std::memory_order_relaxed);
  at_ns_.store(stamp.at_ns, std::memory_order_relaxed);
  number_.store(stamp.number, std::memory_order_relaxed);
  holds_.store(stamp.holds, std::memory_order_relaxed);
  version_.store(before + 2, std::memory_order_release);
}

bool NewestValues::read(Stamp& stamp, std::span<double> values) const noexcept {
  constexpr int kTries = 8;  // a writer needs a microsecond
  for (int n = 0; n < kTries; ++n) {
    const unsigned before = version_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < values_.size(); ++i)
      values[i] = values_[i].load(std::memory_order_relaxed);
    stamp = {at_ns_.load(std::memory_order_relaxed),
             number_.load(std::memory_order_relaxed),
             holds_.load(std::memory_order_relaxed)};
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return true;
  }
  return false;
}

}  // namespace trestle::scpi_tcp
