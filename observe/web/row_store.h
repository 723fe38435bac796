#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_reader.h"
#include "core/types/record.h"
#include "observe/web/bucket_frame.h"

namespace trestle::web {

/// The rows of one stream of a record, by index: the newest ones in bounded memory, all
/// others from the journal on demand.
///
/// Thread: one at a time. Blocks on the file system only.
class RowStore {
 public:
  using TakeRow = std::function<void(const RecordRow&)>;

  /// @param journal   path of the database
  /// @param channels  values per row
  /// @param bytes     of memory for the newest rows
  RowStore(std::string journal, std::string stream, std::size_t channels,
           std::size_t bytes);

  /// The next row that was followed. Rows come in ascending order of index.
  void add(const RecordRow& row);
  /// Rows below this index are in the journal only. Before the first row.
  void begin_at(std::int64_t first) noexcept { evicted_ = first - 1; }

  /// How many rows are kept in memory.
  std::size_t room() const noexcept { return room_; }
  /// Index of the newest row; nothing if there is none.
  std::optional<std::int64_t> newest() const noexcept;

  /// Gives the rows from index `from` to `to`, both included, in ascending order. Stops
  /// before a row that has left the memory and is not yet in the journal.
  /// @returns the rows below this index are complete
  std::int64_t visit(std::int64_t from, std::int64_t to, const TakeRow& take) const;

  /// The length of the extents of the journal (journal::kExtentRows) that whole buckets of
  /// `per` rows are made of; 0: of none.
  static std::int64_t extent_rows(std::int64_t per) noexcept;
  /// As visit(), for buckets of `per` rows from `from` on: reads the extents of the journal
  /// instead of its rows, and those rows that no extent includes. Ends with a whole bucket
  /// as soon as it has read more than `most_values`.
  /// @pre extent_rows(per) > 0, and `from` is a multiple of it
  std::int64_t reduce(std::int64_t from, std::int64_t to, std::int64_t per,
                      std::uint64_t most_values, BucketFrame& into) const;

  /// What looking back has cost so far: values read from the journal.
  std::uint64_t values_read() const noexcept { return values_read_; }

 private:
  /// The part of one reduce() that is in the journal.
  struct Reduction {
    std::int64_t next = 0;   // index that is not read yet
    std::int64_t begin = 0;  // of the first bucket
    std::int64_t per = 1;
    std::uint64_t most = 0;  // of values_read_
    bool over = false;       // more was read than that
  };

  std::int64_t visit_journal(std::int64_t from, std::int64_t to, const TakeRow& take) const;
  void reduce_journal(std::int64_t to, Reduction& reduction, BucketFrame& into) const;
  void reduce_rows(const journal::JournalReader& reader, std::int64_t to,
                   Reduction& reduction, BucketFrame& into) const;
  bool is_over(const Reduction& reduction) const noexcept;
  std::size_t place(std::size_t age) const noexcept;
  /// Position, by age, of the first row in memory with an index of `from` or above.
  std::size_t lower_bound(std::int64_t from) const noexcept;

  std::string journal_;
  std::string stream_;
  std::size_t channels_;
  std::size_t room_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;       // place of the next row
  std::int64_t evicted_ = -1;  // index of the newest row that left the memory
  std::vector<std::int64_t> indices_;
  std::vector<double> values_;
  mutable std::uint64_t values_read_ = 0;
};

}  // namespace trestle::web
