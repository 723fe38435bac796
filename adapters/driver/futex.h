#pragma once

#include <atomic>
#include <cstdint>

namespace trestle::driver {

/// Sleeps while `word` is `value`, at most until `deadline_ns` of CLOCK_MONOTONIC. May
/// return early. The word may be shared with another process.
void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::int64_t deadline_ns) noexcept;

/// Wakes all that sleep on the word. Allowed in a signal handler.
void wake(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace trestle::driver
