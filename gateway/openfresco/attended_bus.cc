#include "gateway/openfresco/attended_bus.h"

#include <poll.h>

#include <algorithm>

namespace trestle {

AttendedBus::AttendedBus(ZmqTransport* elsewhere, int descriptor)
    : elsewhere_(elsewhere), descriptor_(descriptor) {
  if (elsewhere != nullptr) elsewhere->watch_also(descriptor);
}

void AttendedBus::wait(Duration timeout) noexcept {
  if (elsewhere_ != nullptr) return elsewhere_->wait(timeout);
  timeout = std::max(timeout, Duration::zero());
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const std::timespec limit{.tv_sec = whole.count(), .tv_nsec = (timeout - whole).count()};
  pollfd client{.fd = descriptor_, .events = POLLIN, .revents = 0};
  ppoll(&client, 1, &limit, nullptr);
}

}  // namespace trestle
