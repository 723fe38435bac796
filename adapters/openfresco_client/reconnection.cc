#include "adapters/openfresco_client/reconnection.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace trestle::openfresco {
namespace {

constexpr auto kBetweenCalls = std::chrono::seconds(1);
constexpr auto kPolling = std::chrono::milliseconds(20);

}  // namespace

Reconnection::Reconnection(std::function<void()> attempt) : attempt_(std::move(attempt)) {
  thread_ = std::thread([this] { run(); });
}

Reconnection::~Reconnection() {
  stop();
}

void Reconnection::stop() noexcept {
  if (!thread_.joinable()) return;
  leaving_ = cancelled_ = true;
  thread_.join();
}

void Reconnection::run() noexcept {
  using Steady = std::chrono::steady_clock;
  Steady::time_point next{};
  while (!leaving_) {
    Turn turn = Turn::kNone;
    if (cancelled_ || Steady::now() < next ||
        !turn_.compare_exchange_strong(turn, Turn::kAttempt)) {
      std::this_thread::sleep_for(kPolling);
      continue;
    }
    bool succeeded = false;
    std::string failure;
    try {
      attempt_();
      succeeded = true;
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure_busy_.test_and_set(std::memory_order_acquire)) {
      std::snprintf(failure_.data(), failure_.size(), "%s", failure.c_str());
      failure_busy_.clear(std::memory_order_release);
    }
    turn_.store(succeeded ? Turn::kSucceeded : Turn::kNone);
    next = Steady::now() + kBetweenCalls;
  }
}

void Reconnection::start() noexcept {
  Turn turn = Turn::kTicks;
  turn_.compare_exchange_strong(turn, Turn::kNone);
}

bool Reconnection::take_success() noexcept {
  Turn turn = Turn::kSucceeded;
  return turn_.compare_exchange_strong(turn, Turn::kTicks);
}

void Reconnection::cancel() noexcept {
  cancelled_ = true;
  for (;;) {
    Turn turn = turn_;
    if (turn != Turn::kAttempt && turn_.compare_exchange_strong(turn, Turn::kTicks)) break;
    std::this_thread::yield();
  }
  cancelled_ = false;
}

Reconnection::Text Reconnection::last_failure() const noexcept {
  Text text{};
  if (!failure_busy_.test_and_set(std::memory_order_acquire)) {
    text = failure_;
    failure_busy_.clear(std::memory_order_release);
  }
  return text;
}

}  // namespace trestle::openfresco
