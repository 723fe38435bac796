#include "core/journal/state_buffer.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace trestle::journal {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::uint32_t kSlots = 3;
constexpr std::uint32_t kNew = 4;  // beside the slot's number

std::size_t slot_bytes(std::size_t values) noexcept {
  const std::size_t bytes = kCacheLine + values * sizeof(double);
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace

struct StateBuffer::Head {
  std::atomic<std::uint64_t> sequence;  // 0: not whole
  std::int64_t step;
  std::uint64_t count;
};

std::size_t StateBuffer::area_bytes(std::size_t values) noexcept {
  return kCacheLine + kSlots * slot_bytes(values);
}

StateBuffer::StateBuffer(std::size_t values, std::span<std::byte> memory) noexcept
    : values_(values),
      memory_(memory),
      middle_(reinterpret_cast<std::atomic<std::uint32_t>*>(memory.data())) {
  static_assert(sizeof(Head) <= kCacheLine);
  assert(memory.size() >= area_bytes(values));
}

void StateBuffer::put(std::uint64_t sequence, std::int64_t step,
                      std::span<const double> values) noexcept {
  assert(values.size() <= values_);
  Head& to = head(back_);
  to.sequence.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  to.step = step;
  to.count = values.size();
  if (!values.empty())
    std::memcpy(reinterpret_cast<std::byte*>(&to) + kCacheLine, values.data(),
                values.size_bytes());
  to.sequence.store(sequence, std::memory_order_release);
  back_ = middle_->exchange(back_ | kNew, std::memory_order_acq_rel) & ~kNew;
}

std::optional<StateBuffer::View> StateBuffer::take() noexcept {
  if ((middle_->load(std::memory_order_relaxed) & kNew) == 0) return std::nullopt;
  front_ = middle_->exchange(front_, std::memory_order_acq_rel) & ~kNew;
  return view(front_);
}

std::optional<StateBuffer::View> StateBuffer::newest() const noexcept {
  std::optional<View> newest;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const View candidate = view(slot);
    if (candidate.sequence > (newest ? newest->sequence : 0)) newest = candidate;
  }
  return newest;
}

StateBuffer::Head& StateBuffer::head(std::uint32_t slot) const noexcept {
  return *reinterpret_cast<Head*>(memory_.data() + kCacheLine + slot * slot_bytes(values_));
}

StateBuffer::View StateBuffer::view(std::uint32_t slot) const noexcept {
  const Head& from = head(slot);
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(from.count, values_));
  const auto* const values = reinterpret_cast<const double*>(
      reinterpret_cast<const std::byte*>(&from) + kCacheLine);
  return {from.sequence.load(std::memory_order_acquire), from.step, {values, count}};
}

}  // namespace trestle::journal
