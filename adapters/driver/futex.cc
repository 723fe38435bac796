#include "adapters/driver/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <limits>

namespace trestle::driver {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

void wait_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::int64_t deadline_ns) noexcept {
  timespec until{};
  until.tv_sec = deadline_ns / kSecond;
  until.tv_nsec = deadline_ns % kSecond;
  // FUTEX_WAIT_BITSET takes a time of the clock, FUTEX_WAIT a duration. Not private: the
  // other side is another process.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, value, &until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void wake(const std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr,
          0);
}

}  // namespace trestle::driver
