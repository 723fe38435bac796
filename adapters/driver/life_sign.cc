#include "adapters/driver/life_sign.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"

namespace trestle::driver {
namespace {

constexpr std::int64_t kAsleep = 3'600'000'000'000;  // [ns]

}  // namespace

LifeSign::LifeSign(std::atomic<std::uint32_t>& word) : word_(word) {
  entry_.next = &owned_.list;
  owned_.list.next = &entry_;
  owned_.futex_offset = reinterpret_cast<char*>(&word_) - reinterpret_cast<char*>(&entry_);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the other threads
  thread_ = std::thread([this] { own(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (owns_.load() == 0) wait_while(owns_, 0, plugin::monotonic_ns() + kAsleep);
}

void LifeSign::own() noexcept {
  syscall(SYS_set_robust_list, &owned_, sizeof owned_);
  word_ = static_cast<std::uint32_t>(gettid()) | FUTEX_WAITERS;
  wake(word_);
  owns_ = 1;
  wake(owns_);
  while (leaving_.load() == 0) wait_while(leaving_, 0, plugin::monotonic_ns() + kAsleep);
  owned_.list.next = &owned_.list;
  word_ = 0;
}

LifeSign::~LifeSign() {
  leaving_ = 1;
  wake(leaving_);
  thread_.join();
}

}  // namespace trestle::driver
