#pragma once

#include <stdexcept>
#include <string>

namespace trestle::journal {

/// SQLite could not do it. what() is one sentence: the file, what is wrong, what to do.
class SqliteError : public std::runtime_error {
 public:
  /// @param code    SQLite's extended result code
  /// @param detail  SQLite's own text, for errors without a better one
  SqliteError(const std::string& path, int code, const std::string& detail);
};

}  // namespace trestle::journal
