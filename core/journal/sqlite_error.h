#pragma once

#include <stdexcept>
#include <string>

namespace trestle {

/// SQLite could not do it. what() is one sentence: the file, what is wrong, what to do.
class SqliteError : public std::runtime_error {
 public:
  /// @param code    SQLite's extended result code
  /// @param detail  SQLite's own words, for the cases that have no better ones
  SqliteError(const std::string& path, int code, const std::string& detail);
};

}  // namespace trestle
