#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trestle::journal {

/// Copies between a row in private memory and one in a ring that another process reads
/// while it is written. Both are whole words of 8 bytes, on 8 bytes. The reader decides
/// afterwards, by the ring's counter, whether what it copied was overwritten meanwhile
/// (RingFollower).
inline constexpr std::size_t kSharedWord = sizeof(std::uint64_t);

/// The writer's copy: a plain one. The thread sanitizer, to which reader and writer are
/// threads of one process, sees one atomic store per word.
inline void write_shared_words(std::byte* to, const void* from,
                               std::size_t bytes) noexcept {
#if defined(__SANITIZE_THREAD__)
  for (std::size_t at = 0; at < bytes; at += kSharedWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(from) + at, kSharedWord);
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(to + at), word, __ATOMIC_RELAXED);
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

/// The reader's copy: one atomic load per word, each before every later read.
inline void read_shared_words(std::byte* to, const std::byte* from,
                              std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += kSharedWord) {
    const std::uint64_t word = __atomic_load_n(
        reinterpret_cast<const std::uint64_t*>(from + at), __ATOMIC_ACQUIRE);
    std::memcpy(to + at, &word, kSharedWord);
  }
}

}  // namespace trestle::journal
