#include "gateway/openfresco_server/interruptible_transport.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

namespace trestle::openfresco_server {
namespace {

// For a client that is slower, or shares the CPU and cannot send: number of consecutive
// expired polls, and of waits that then sleep.
constexpr int kInVain = 2;
constexpr int kRest = 100;

}  // namespace

InterruptibleTransport::InterruptibleTransport(bus::ZmqTransport* elsewhere, int descriptor,
                                               Unread unread, Spin spin)
    : elsewhere_(elsewhere),
      descriptor_(descriptor),
      unread_(std::move(unread)),
      spin_(std::move(spin)) {
  // Alone on one CPU the client could not speak meanwhile.
  if (std::thread::hardware_concurrency() < 2) spin_.longest = {};
  if (elsewhere != nullptr) elsewhere->add_wait_descriptor(descriptor);
}

bool InterruptibleTransport::came_while_awake(std::chrono::steady_clock::time_point end) {
  if (spin_.longest <= Duration::zero() || !spin_.came) return false;
  if (resting_ > 0) {
    --resting_;
    return false;
  }
  using Steady = std::chrono::steady_clock;
  end = std::min(end, Steady::now() + spin_.longest);
  do {
    if (!spin_.came()) continue;
    in_vain_ = 0;
    return true;
  } while (Steady::now() < end);
  if (++in_vain_ == kInVain) {
    in_vain_ = 0;
    resting_ = kRest;
  }
  return false;
}

void InterruptibleTransport::wait(Duration timeout) noexcept {
  if (unread_ && unread_()) return;
  using Steady = std::chrono::steady_clock;
  timeout = std::max(timeout, Duration::zero());
  const Steady::time_point end = Steady::now() + timeout;
  if (came_while_awake(end)) {
    ++awake_;
    return;
  }
  timeout = std::max<Duration>(end - Steady::now(), Duration::zero());
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

}  // namespace trestle::openfresco_server
