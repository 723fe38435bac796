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

  /// Another program has the file.
  bool is_busy() const noexcept { return busy_; }
  /// As of PassingError: says nothing against what is in the file.
  bool is_passing() const noexcept { return passing_; }

 private:
  bool busy_;
  bool passing_;
};

}  // namespace trestle::journal
