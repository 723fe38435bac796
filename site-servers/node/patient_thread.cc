#include "site-servers/node/patient_thread.h"

#include <chrono>

namespace trestle::site_node {
namespace {

constexpr auto kBetweenLooksAtEnd = std::chrono::milliseconds(1);

}  // namespace

bool PatientThread::join(Duration at_most) noexcept {
  if (!thread_.joinable()) return true;
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (!done_->load(std::memory_order_acquire)) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(kBetweenLooksAtEnd);
  }
  thread_.join();
  return true;
}

}  // namespace trestle::site_node
