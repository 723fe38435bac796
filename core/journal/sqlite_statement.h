#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;       // NOLINT(readability-identifier-naming): SQLite's own name
struct sqlite3_stmt;  // NOLINT(readability-identifier-naming): SQLite's own name

namespace trestle::journal {

/// One prepared SQL statement. Parameters count from 1, columns from 0, as in SQLite.
/// The database must outlive it; every function throws SqliteError.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, std::string_view sql);

  SqliteStatement& bind(int parameter, std::int64_t value);
  SqliteStatement& bind(int parameter, std::string_view text);  ///< copied
  /// The bytes are not copied: they must live until the statement is reset.
  SqliteStatement& bind(int parameter, std::span<const std::byte> bytes);

  /// @returns true if there is a row to look at, false at the end
  bool step();

  /// Runs it to its end, and makes it ready for the next use.
  void run();

  /// Ready to be run again; parameters are forgotten.
  void reset() noexcept;

  std::int64_t integer(int column);
  bool is_null(int column);
  std::string text(int column);
  /// Valid until the next step() or reset().
  std::span<const std::byte> blob(int column);

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };

  void check(int code) const;

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace trestle::journal
