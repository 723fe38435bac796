#include "site-servers/node/control_thread.h"

#include <algorithm>

#include "core/host/crash_handler.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::site_node {
namespace {

constexpr int kBehind = 10;                 // priorities
constexpr const char* kCarriers = "ZMQbg";  // ZeroMQ's own threads
// Interval between two checks for orders while no tick is due.
constexpr Duration kLook = std::chrono::milliseconds(1);

}  // namespace

void ControlThread::begin(TickedLoop& loop) {
  end();
  stop_ = false;
  asked_ = false;
  thread_.begin([this, &loop] {
    const host::AlternateSignalStack last_words_need_room;
    request_host_resources();
    asked_ = true;
    asked_.notify_one();
    drive(loop);
  });
  asked_.wait(false);
  // The thread of the bus comes right behind, so that an answer does not wait for others.
  const int behind = settings_.priority - kBehind;
  if (behind > 0 && !host::set_fifo_priority(behind)) raised_ = true;
  if (raised_) host::set_fifo_priority_by_thread_name(kCarriers, behind);
  host::minimise_timer_slack();
}

void ControlThread::request_host_resources() {
  warnings_.clear();
  std::vector<host::HostRequestError> answers{host::lock_memory(),
                                              host::minimise_timer_slack()};
  if (settings_.cpu) answers.push_back(host::pin_to_cpu(*settings_.cpu));
  if (settings_.priority > 0)
    answers.push_back(host::set_fifo_priority(settings_.priority));
  for (const host::HostRequestError& refusal : answers)
    if (refusal) warnings_.push_back(*refusal);
}

void ControlThread::drive(TickedLoop& loop) noexcept {
  while (!stop_.load(std::memory_order_relaxed)) {
    const TimePoint now = clock_.now();
    const TimePoint due = loop.tick(now);
    host::sleep_until(clock_.steady(std::min(due, now + kLook)),
                      due <= now + kLook ? settings_.spin : Duration::zero());
  }
}

bool ControlThread::end(Duration at_most) noexcept {
  stop_ = true;
  if (!thread_.join(at_most)) return false;
  if (raised_) host::set_fifo_priority_by_thread_name(kCarriers, 0);
  if (raised_) host::set_fifo_priority(0);
  raised_ = false;
  return true;
}

}  // namespace trestle::site_node
