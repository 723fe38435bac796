#include "gateway/openfresco/attended_bus.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

namespace trestle {

AttendedBus::AttendedBus(ZmqTransport* elsewhere, int descriptor, Unread unread)
    : elsewhere_(elsewhere), descriptor_(descriptor), unread_(std::move(unread)) {
  if (elsewhere != nullptr) elsewhere->watch_also(descriptor);
}

void AttendedBus::wait(Duration timeout) noexcept {
  if (unread_ && unread_()) return;
  using Steady = std::chrono::steady_clock;
  timeout = std::max(timeout, Duration::zero());
  const Steady::time_point end = Steady::now() + timeout;
  if (elsewhere_ != nullptr) {
    elsewhere_->wait(timeout);
  } else {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const std::timespec limit{.tv_sec = whole.count(),
                              .tv_nsec = (timeout - whole).count()};
    pollfd client{.fd = descriptor_, .events = POLLIN, .revents = 0};
    ppoll(&client, 1, &limit, nullptr);
  }
  if (Steady::now() >= end) ++expired_;
}

}  // namespace trestle
