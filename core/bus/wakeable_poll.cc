#include "core/bus/wakeable_poll.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <stdexcept>

namespace trestle::bus {

WakeablePoll::~WakeablePoll() {
  if (wake_event_ >= 0) close(wake_event_);
}

void WakeablePoll::open(const std::vector<int>& sockets) {
  for (const int socket : sockets)
    events_.push_back({.fd = socket, .events = POLLIN, .revents = 0});
  wake_event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_event_ < 0) throw std::runtime_error("no descriptor to be woken by");
  events_.push_back({.fd = wake_event_, .events = POLLIN, .revents = 0});
}

void WakeablePoll::add(int descriptor) {
  events_.insert(events_.end() - 1, {.fd = descriptor, .events = POLLIN, .revents = 0});
  ++others_;
}

void WakeablePoll::wake() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t bytes = write(wake_event_, &one, sizeof one);
}

bool WakeablePoll::sleep(Duration timeout) noexcept {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const std::timespec limit{.tv_sec = whole.count(), .tv_nsec = (timeout - whole).count()};
  const int ready = ppoll(events_.data(), events_.size(), &limit, nullptr);
  if (ready < 0) return errno == EINTR;
  for (std::size_t i = 0; i < others_; ++i)
    if (events_[events_.size() - 2 - i].revents != 0) return false;
  if (events_.back().revents == 0) return ready > 0;
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t bytes = read(wake_event_, &count, sizeof count);
  return false;
}

}  // namespace trestle::bus
