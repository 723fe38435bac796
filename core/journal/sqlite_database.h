#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/journal/sqlite_statement.h"

namespace trestle::journal {

/// An open SQLite database. Used by one thread at a time. Every verb that can fail throws
/// SqliteError.
class SqliteDatabase {
 public:
  enum class Access {
    kRead,   ///< the file must be there, and is left as it is
    kWrite,  ///< made where it is not there
  };

  SqliteDatabase(std::string path, Access access);

  /// Runs SQL without result rows.
  void execute(const std::string& sql);

  SqliteStatement prepare(std::string_view sql) { return {database_.get(), sql}; }

  /// Returns the first column of the first row; 0 if no row exists.
  std::int64_t number(std::string_view sql);

  /// True between BEGIN and its end.
  bool in_transaction() const noexcept;

  /// Overwrites `target` with a copy of this database, including rows that exist only in
  /// the write-ahead log.
  void copy_to(SqliteDatabase& target);

  const std::string& path() const noexcept { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace trestle::journal
