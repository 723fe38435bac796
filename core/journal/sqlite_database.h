#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/journal/sqlite_statement.h"

namespace trestle {

/// An open SQLite database. Used by one thread at a time. Every verb that can fail throws
/// SqliteError.
class SqliteDatabase {
 public:
  enum class Access {
    kRead,   ///< the file must be there, and is left as it is
    kWrite,  ///< made where it is not there
  };

  SqliteDatabase(std::string path, Access access);

  /// Runs SQL that gives no rows anybody wants.
  void execute(const std::string& sql);

  SqliteStatement prepare(std::string_view sql) { return {database_.get(), sql}; }

  /// First column of the first row; 0 where there is none.
  std::int64_t number(std::string_view sql);

  /// True between BEGIN and its end.
  bool in_transaction() const noexcept;

  /// Copies everything, what only stands in the write-ahead log included, over `target`.
  void copy_to(SqliteDatabase& target);

  const std::string& path() const noexcept { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace trestle
