#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace trestle::fuzz {

/// Bytes read as a sequence of choices; where they end every choice is zero.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  bool any() const noexcept { return !left_.empty(); }

  std::uint8_t byte() noexcept {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  int below(int end) noexcept { return byte() % end; }
  bool coin() noexcept { return (byte() & 1U) != 0; }

  /// Mostly a moderate number, sometimes a nasty one, sometimes any.
  double number(double scale) noexcept {
    static constexpr std::array kNasty = {0.0,
                                          -0.0,
                                          std::numeric_limits<double>::quiet_NaN(),
                                          std::numeric_limits<double>::infinity(),
                                          -std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::denorm_min(),
                                          std::numeric_limits<double>::max(),
                                          -std::numeric_limits<double>::max(),
                                          1e-300,
                                          1e300};
    const std::uint8_t choice = byte();
    if (choice < 240) return scale * (choice - 120) / 100.0;
    if (choice < 250) return kNasty[choice - 240U];
    return any_number();
  }

  std::span<const std::uint8_t> bytes(std::size_t count) noexcept {
    const auto taken = left_.first(count < left_.size() ? count : left_.size());
    left_ = left_.subspan(taken.size());
    return taken;
  }

  std::int64_t integer() noexcept { return std::bit_cast<std::int64_t>(any_number()); }

 private:
  double any_number() noexcept {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    return std::bit_cast<double>(bits);
  }

  std::span<const std::uint8_t> left_;
};

}  // namespace trestle::fuzz
