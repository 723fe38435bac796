#include "adapters/modbus_tcp/wake_signal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <system_error>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::modbus_tcp {

WakeSignal::WakeSignal() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (event_ < 0)
    throw std::runtime_error("the system gives no event: " +
                             std::generic_category().message(errno));
}

WakeSignal::~WakeSignal() {
  close(event_);
}

void WakeSignal::raise() noexcept {
  const int saved = errno;  // also in a signal handler
  const std::uint64_t one = 1;
  // A full counter is a raised signal, too.
  [[maybe_unused]] const ssize_t written = write(event_, &one, sizeof(one));
  errno = saved;
}

void WakeSignal::wait_until(std::int64_t due_ns) noexcept {
  const std::int64_t left = std::max<std::int64_t>(due_ns - plugin::monotonic_ns(), 0);
  const timespec limit{left / 1'000'000'000, left % 1'000'000'000};
  pollfd waiting{event_, POLLIN, 0};
  ppoll(&waiting, 1, &limit, nullptr);
  std::uint64_t raised = 0;
  [[maybe_unused]] const ssize_t size = read(event_, &raised, sizeof(raised));
}

}  // namespace trestle::modbus_tcp
