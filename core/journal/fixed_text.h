#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trestle::journal {

/// Text of at most `kLongest` bytes in place. Longer text is cut between two UTF-8
/// characters.
template <std::size_t kLongest>
struct FixedText {
  std::array<char, kLongest> characters{};
  std::uint64_t length = 0;

  void assign(std::string_view text) noexcept {
    std::size_t fitting = std::min(text.size(), kLongest);
    if (fitting < text.size())
      while (fitting > 0 && (static_cast<unsigned char>(text[fitting]) & 0xC0U) == 0x80U)
        --fitting;
    std::copy_n(text.begin(), fitting, characters.begin());
    length = fitting;
  }
  std::string_view view() const noexcept {
    return {characters.data(),
            static_cast<std::size_t>(std::min<std::uint64_t>(length, kLongest))};
  }
};

}  // namespace trestle::journal
