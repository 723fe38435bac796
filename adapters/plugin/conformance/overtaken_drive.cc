#include "adapters/plugin/conformance/overtaken_drive.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <utility>

namespace trestle::conformance {
namespace {

constexpr std::size_t kBytes = 4096;
constexpr int kReadAndWrite = PROT_READ | PROT_WRITE;
// A hold() neither waits nor allocates. One that has begun and not ended after this time
// waits; a busy host may begin the thread much later.
constexpr int kHoldPatience = 1;     // [s]
constexpr int kThreadPatience = 30;  // [s]

double* memory_page() {
  void* const page =
      mmap(nullptr, kBytes, kReadAndWrite, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("the system gives no memory");
  return static_cast<double*>(page);
}

/// Waits for the semaphore; in a signal handler, too. @returns whether it was posted
bool posted_within(sem_t& semaphore, int limit) noexcept {
  std::timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += limit;
  int result = 0;
  do result = sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

std::atomic<OvertakenDrive*> OvertakenDrive::current_{nullptr};

OvertakenDrive::OvertakenDrive(std::function<void()> hold)
    : hold_(std::move(hold)), page_(memory_page()) {
  sem_init(&read_, 0, 0);
  sem_init(&held_, 0, 0);
  holder_ = std::thread([this] { hold_when_read(); });
  current_ = this;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &before_);
}

OvertakenDrive::~OvertakenDrive() {
  sigaction(SIGSEGV, &before_, nullptr);
  current_ = nullptr;
  ends_ = true;
  sem_post(&read_);
  holder_.join();
  sem_destroy(&held_);
  sem_destroy(&read_);
  munmap(page_, kBytes);
}

HoldInWrite OvertakenDrive::write(std::span<const double> drive,
                                  const std::function<void(const double*)>& write) {
  came_ = HoldInWrite::kNone;
  std::copy(drive.begin(), drive.end(), page_);
  mprotect(page_, kBytes, PROT_NONE);
  write(page_);
  mprotect(page_, kBytes, kReadAndWrite);
  return came_;
}

void OvertakenDrive::on_fault(int /*signal*/, siginfo_t* fault,
                              void* /*context*/) noexcept {
  const int saved = errno;
  OvertakenDrive* const drive = current_;
  const char* const at = static_cast<const char*>(fault->si_addr);
  const char* const page =
      drive == nullptr ? nullptr : reinterpret_cast<char*>(drive->page_);
  if (page != nullptr && at >= page && at < page + kBytes) {
    drive->let_hold_come();
    mprotect(drive->page_, kBytes, kReadAndWrite);
  } else {
    // A fault of the plug-in's own: the instruction is repeated, and the program crashes.
    struct sigaction crash {};
    crash.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, drive == nullptr ? &crash : &drive->before_, nullptr);
  }
  errno = saved;
}

/// Runs in the signal handler of the thread that reads the drive.
void OvertakenDrive::let_hold_come() noexcept {
  began_ = false;
  sem_post(&read_);
  for (int waited = 0; waited < kThreadPatience; waited += kHoldPatience) {
    const bool had_begun = began_;
    if (posted_within(held_, kHoldPatience)) {
      came_ = HoldInWrite::kCame;
      return;
    }
    if (had_begun) break;
  }
  came_ = began_ ? HoldInWrite::kWaited : HoldInWrite::kNone;
}

/// Runs on the other thread.
void OvertakenDrive::hold_when_read() {
  for (;;) {
    while (sem_wait(&read_) != 0) {
    }
    if (ends_) return;
    began_ = true;
    hold_();
    sem_post(&held_);
  }
}

}  // namespace trestle::conformance
