#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

namespace trestle::plugin {

/// The last sentence that one thread wrote about what went wrong, for another to read: no
/// lock, no heap. A reader would have to be overtaken by several faults to see a mixture.
class FaultMessage {
 public:
  template <typename... Values>
  void write(const char* format, Values... values) noexcept {
    const unsigned next = written_.load(std::memory_order_relaxed) + 1;
    std::snprintf(texts_[next % kTexts].data(), kLength, format, values...);
    written_.store(next, std::memory_order_release);
    stands_.store(true, std::memory_order_release);
  }
  void clear() noexcept { stands_.store(false, std::memory_order_relaxed); }
  /// Empty: nothing went wrong.
  std::string text() const {
    if (!stands_.load(std::memory_order_acquire)) return {};
    return texts_[written_.load(std::memory_order_acquire) % kTexts].data();
  }
  /// Copies text() without the heap, cut to `size` bytes with the zero at its end.
  /// @returns false: there is none, and nothing is copied
  bool copy(char* text, std::uint32_t size) const noexcept {
    if (size == 0 || !stands_.load(std::memory_order_acquire)) return false;
    std::snprintf(text, size, "%s",
                  texts_[written_.load(std::memory_order_acquire) % kTexts].data());
    return true;
  }

  static constexpr std::size_t kLength = 512;

 private:
  static constexpr unsigned kTexts = 8;

  std::array<std::array<char, kLength>, kTexts> texts_{};
  std::atomic<unsigned> written_{0};
  std::atomic<bool> stands_{false};
};

}  // namespace trestle::plugin
