#include "bench/driver/ping_pong.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::driver_bench {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

struct PingPong::Words {
  alignas(64) std::atomic<std::uint32_t> there{0};
  alignas(64) std::atomic<std::uint32_t> back{0};
};

PingPong::PingPong(int cpu) {
  void* const shared = mmap(nullptr, sizeof(Words), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no memory to share");
  words_ = new (shared) Words;
  other_ = fork();
  if (other_ != 0) return;
  if (cpu >= 0) host::pin_to_cpu(cpu);
  for (std::uint32_t seen = 0;;) {
    driver::wait_while(words_->there, seen, plugin::monotonic_ns() + kSecond);
    if (words_->there.load(std::memory_order_acquire) == seen) continue;
    seen = words_->there.load(std::memory_order_acquire);
    words_->back.store(seen, std::memory_order_release);
    driver::wake(words_->back);
  }
}

void PingPong::exchange() noexcept {
  const std::uint32_t word = words_->there.load() + 1;
  words_->there.store(word, std::memory_order_release);
  driver::wake(words_->there);
  while (words_->back.load(std::memory_order_acquire) != word)
    driver::wait_while(words_->back, word - 1, plugin::monotonic_ns() + kSecond);
}

PingPong::~PingPong() {
  kill(other_, SIGKILL);
  waitpid(other_, nullptr, 0);
  munmap(words_, sizeof(Words));
}

}  // namespace trestle::driver_bench
