#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/types/record.h"

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

 private:
  std::int64_t visit_journal(std::int64_t from, std::int64_t to, const TakeRow& take) const;
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
};

}  // namespace trestle::web
