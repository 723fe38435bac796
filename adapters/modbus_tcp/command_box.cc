#include "adapters/modbus_tcp/command_box.h"

namespace trestle::modbus_tcp {

void CommandBox::hold() noexcept {
  holds_.fetch_add(1, std::memory_order_seq_cst);
  wake_.raise();
}

void CommandBox::stop() noexcept {
  stopped_at_.store(holds_.fetch_add(1, std::memory_order_seq_cst) + 1);
  wake_.raise();
}

void CommandBox::begin_run() noexcept {
  stopped_at_.store(0);
  hold();
}

bool CommandBox::give(std::span<const std::uint16_t> words, unsigned holds) noexcept {
  if (this->holds() != holds) return false;
  words_.publish(holds, [words](std::size_t i) { return words[i]; });
  return this->holds() == holds;
}

Order CommandBox::order() const noexcept {
  const unsigned commanded = words_.stamp();
  if (commanded == holds()) return Order::kFollow;
  return stopped_at_.load() > commanded ? Order::kStop : Order::kHold;
}

bool CommandBox::take(std::span<std::uint16_t> words) const noexcept {
  unsigned holds = 0;
  return words_.read(holds, [words](std::size_t i, std::uint16_t word) {
    words[i] = word;
  }) && holds == this->holds();
}

}  // namespace trestle::modbus_tcp
