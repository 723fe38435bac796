#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/ring_mapping.h"

namespace trestle::journal {

/// Reads the rows of a ring file while another process writes them, or after that process
/// died. Maps the file for reading only and takes no lock: neither the writer nor the next
/// process of its node notices.
///
/// Rows have a number: the first that was pushed into this file has 0. A row that the
/// writer overwrites while it is copied is dropped and counted; rows in the oldest eighth
/// of a ring are not read.
///
/// Thread: one at a time. Blocks on the file system only.
class RingFollower {
 public:
  enum class State {
    kAbsent,    ///< no file, or one whose header is not written yet
    kUnusable,  ///< not a ring file, damaged, of another session or of an earlier start of
                ///< the system: problem() says which
    kFollowed,  ///< the file at the path is mapped
    kRemoved,   ///< the mapped file is no longer at the path; its rows can still be read
  };

  struct Read {
    std::uint64_t first = 0;    ///< number of the first row that was copied
    std::size_t rows = 0;       ///< copied
    std::uint64_t skipped = 0;  ///< wanted, but overwritten, or about to be
  };

  /// @param path     of the ring file
  /// @param session  32 hexadecimal digits; empty: any
  RingFollower(std::string path, std::string session)
      : path_(std::move(path)), expected_session_(std::move(session)) {}

  /// Looks at the path: maps a file that is new there, and streams that were added. Call it
  /// about once a second; read the rows of the mapped file before.
  State refresh();

  State state() const noexcept { return state_; }
  /// Why the file is unusable, in one sentence; otherwise empty.
  const std::string& problem() const noexcept { return problem_; }
  /// Counts the files that were mapped: the numbers of rows begin again with each.
  std::uint64_t generation() const noexcept { return generation_; }

  /// Returns the place of a stream; nothing if the mapped file has none of that name.
  std::optional<std::size_t> find(const std::string& stream) const noexcept;
  /// Values per row. @pre stream was returned by find() since refresh()
  std::size_t channels(std::size_t stream) const noexcept;
  /// Rows pushed so far, also those that were overwritten since. @pre as channels()
  std::uint64_t pushed(std::size_t stream) const noexcept;

  /// Copies rows from number `next` on, oldest first, as they are in a block of the journal
  /// (row_layout.h). @pre as channels()
  /// @param limit  rows at most
  /// @param into   replaced
  Read read(std::size_t stream, std::uint64_t next, std::size_t limit,
            std::vector<std::byte>& into) const;

 private:
  State open();

  std::string path_;
  std::string expected_session_;
  State state_ = State::kAbsent;
  std::string problem_;
  std::uint64_t generation_ = 0;
  std::optional<RingMapping> mapping_;
};

}  // namespace trestle::journal
