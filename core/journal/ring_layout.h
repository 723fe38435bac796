#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace trestle::journal {

/// Layout of a ring file, `<name>.ring`: one page with this header, then one area per
/// entry, each from the start of a page. RingFile writes it, RingFollower reads it while it
/// is written (docs/reference/journal-format.md).
///
/// A ring file only grows. It ends by being unlinked or moved, so that a mapping of it
/// stays valid.
inline constexpr std::array<char, 8> kRingMagic{'T', 'R', 'R', 'I', 'N', 'G', '0', '1'};
inline constexpr std::size_t kRingPage = 4096;
inline constexpr std::size_t kMaxRingAreas = 32;
inline constexpr std::size_t kMaxRingName = 55;  ///< [bytes]

enum class RingAreaKind : std::uint32_t { kRows = 1, kEvents = 2, kAudit = 3, kState = 4 };

struct RingAreaEntry {
  RingAreaKind kind;
  std::uint32_t unused;
  std::uint64_t width;   ///< values per row
  std::uint64_t room;    ///< rows, events or entries; values of a state
  std::uint64_t offset;  ///< from the start of the file; a multiple of the page [bytes]
  std::uint64_t bytes;
  std::array<char, kMaxRingName + 1> name;  ///< of a stream; ends at the first zero
};

struct RingHeader {
  std::array<char, 8> magic;
  std::atomic<std::uint64_t> areas;  ///< counts an entry when it is whole
  std::array<char, 40> boot;         ///< identity of the system start
  std::array<char, 40> session;      ///< 32 hexadecimal digits
  std::array<RingAreaEntry, kMaxRingAreas> entries;
};
static_assert(sizeof(RingHeader) <= kRingPage);

}  // namespace trestle::journal
