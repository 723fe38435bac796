#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_event.h"
#include "core/journal/journal_reader.h"
#include "core/journal/ring_follower.h"
#include "core/types/record.h"

namespace trestle::journal {

/// Reads a journal while another process writes it, or after that process died: the rows of
/// the database and those that are only in the ring file beside it, as one sequence by
/// index.
///
/// New rows come from the ring file, which costs the writer nothing. The database is opened
/// for a moment only: by refresh(), and where the ring has overwritten rows that were not
/// read yet (lock-step is faster than any reader). A reader that stops or dies leaves no
/// lock.
///
/// Thread: one at a time. Blocks on the file system only.
class JournalFollower {
 public:
  using TakeRow = std::function<void(const RecordRow&)>;

  struct Taken {
    std::size_t rows = 0;
    std::uint64_t skipped = 0;  ///< overwritten in the ring, and not in the database yet
  };

  /// @param path  of the database
  explicit JournalFollower(std::string path) : path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }

  /// Reads facts, streams and new events from the database, and looks for the ring file.
  /// Call it about once a second.
  /// @returns false if no journal is at the path yet
  /// @throws std::runtime_error with one sentence if it cannot be read
  bool refresh();

  /// The facts, as refresh() found them.
  std::optional<std::string> meta(const std::string& key) const;
  bool has_stream(const std::string& stream) const noexcept;
  /// @pre has_stream(stream)
  const Channels& channels(const std::string& stream) const;
  /// True if a process writes the ring file, or was killed before it could remove it.
  bool has_ring() const noexcept {
    return ring_ && ring_->state() == RingFollower::State::kFollowed;
  }
  /// Why rows are not read from the ring file; empty: they are, or there is none.
  std::string ring_problem() const { return ring_ ? ring_->problem() : std::string(); }

  /// Index of the newest row; nothing if the stream has no row. @pre has_stream(stream)
  std::optional<std::int64_t> newest_index(const std::string& stream);

  /// Begins the sequence of a stream with the first row at `first` or above.
  /// @pre has_stream(stream)
  void start(const std::string& stream, std::int64_t first);

  /// Gives each row that is new since the last call, in ascending order of index; the
  /// values are valid during the call. @pre has_stream(stream)
  Taken follow(const std::string& stream, const TakeRow& take);

  /// The events that refresh() has found and this verb has not given yet.
  std::vector<JournalEvent> take_events();

 private:
  struct Stream {
    std::string name;
    Channels channels;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();  // given last
    std::uint64_t generation = 0;  // of the ring that `next` counts; 0: of none
    std::uint64_t next = 0;        // number in the ring
    bool due = true;               // the database may have more, and no ring tells
  };

  Stream& find(const std::string& stream);
  void read_database();
  std::size_t take_committed(Stream& stream, std::int64_t below, const TakeRow& take);
  void take_ring(Stream& stream, std::size_t place, const TakeRow& take, Taken& taken);

  std::string path_;
  std::optional<RingFollower> ring_;
  std::map<std::string, std::string> meta_;
  std::vector<Stream> streams_;
  std::int64_t last_event_ = 0;
  std::vector<JournalEvent> events_;
  std::vector<std::byte> bytes_;
  std::vector<double> values_;
};

}  // namespace trestle::journal
