#include "adapters/simulated/drive_file.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <stdexcept>
#include <system_error>

namespace trestle::simulated {
namespace {

// For another site that only looks whether the file is in use.
constexpr int kLooks = 100;
constexpr int kBetweenLooks = 2;  // [ms]

bool lock(int file, bool patiently) noexcept {
  for (int look = 0; ::flock(file, LOCK_EX | LOCK_NB) != 0; ++look) {
    if (!patiently || look == kLooks) return false;
    ::poll(nullptr, 0, kBetweenLooks);
  }
  return true;
}

}  // namespace

/// As the file has it.
struct DriveFile::Rows {
  std::atomic<std::int64_t> newest;
  std::atomic<std::uint32_t> writes;  ///< wakes those that wait
  std::atomic<double> drives[kKept];  ///< a ring by tick
};

DriveFile::DriveFile(const std::string& path, bool own)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  const auto fail = [&path](const std::string& why) {
    throw std::runtime_error("the sites that share a specimen cannot meet at " + path +
                             ": " + why);
  };
  if (!file_ || ::ftruncate(file_.number(), sizeof(Rows)) != 0)
    fail(std::generic_category().message(errno));
  const bool unused = lock(file_.number(), own);
  if (own && !unused)
    fail("another test uses it. Wait for its end, or name another meeting place");
  void* const map =
      ::mmap(nullptr, sizeof(Rows), PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (map == MAP_FAILED) fail(std::generic_category().message(errno));
  rows_ = static_cast<Rows*>(map);
  if (unused) rows_->newest.store(-1, std::memory_order_release);
  if (unused && !own) ::flock(file_.number(), LOCK_UN);
}

/// The file stays: another site may have it mapped.
DriveFile::~DriveFile() {
  ::munmap(rows_, sizeof(Rows));
}

void DriveFile::write(std::int64_t tick, double drive) noexcept {
  const std::int64_t last = newest();
  const double before = read(last);
  const auto put = [this](std::int64_t at, double value) {
    rows_->drives[at % kKept].store(value, std::memory_order_relaxed);
  };
  for (std::int64_t at = std::max(last + 1, tick - kKept); at < tick; ++at) put(at, before);
  put(tick, drive);
  rows_->newest.store(std::max(last, tick), std::memory_order_release);
  rows_->writes.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, &rows_->writes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::int64_t DriveFile::newest() const noexcept {
  return rows_->newest.load(std::memory_order_acquire);
}

double DriveFile::read(std::int64_t tick) const noexcept {
  const std::int64_t known = std::min(tick, newest());
  return known < 0 ? 0.0 : rows_->drives[known % kKept].load(std::memory_order_relaxed);
}

bool DriveFile::wait_for(std::int64_t tick, int at_most_ms) const noexcept {
  const timespec at_most{at_most_ms / 1000, at_most_ms % 1000 * 1000000L};
  for (;;) {
    const std::uint32_t writes = rows_->writes.load(std::memory_order_acquire);
    if (newest() >= tick) return true;
    if (::syscall(SYS_futex, &rows_->writes, FUTEX_WAIT, writes, &at_most, nullptr, 0) !=
            0 &&
        errno == ETIMEDOUT)
      return false;
  }
}

}  // namespace trestle::simulated
