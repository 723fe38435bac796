#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// Reads a text file of numbers in columns line by line and knows the line of an error.
/// During set-up only.
class ColumnReader {
 public:
  /// @param path  of the setting that names the file, for errors
  /// @throws SettingError if the file cannot be read, or is no plain file
  ColumnReader(std::string file, std::string path);

  /// @returns false at the end
  /// @throws SettingError for a byte that is no text
  bool next(std::string& line);
  int line() const noexcept { return line_; }

  /// Returns the number that a word is.
  /// @throws SettingError for a word that is none, or is not finite
  double number(std::string_view word) const;

  /// Throws a SettingError that names file and line.
  [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }
  [[noreturn]] void fail_at(int line, const std::string& what) const;
  /// Throws a SettingError that names the file.
  [[noreturn]] void fail_whole(const std::string& what) const;

 private:
  std::string file_;
  std::string path_;
  std::ifstream stream_;
  int line_ = 0;
};

/// Returns what commas, semicolons and blanks separate. An empty cell before the last word
/// is an empty word.
std::vector<std::string_view> words_of(std::string_view line);

/// Returns the number that a whole word is, infinite and NaN included; nothing: it is none.
std::optional<double> number_of(std::string_view word);

/// Returns true for `1,5` with a comma for the point: digits on both sides, and the line
/// separates its columns by something else.
bool has_decimal_comma(std::string_view line);

/// Returns true if the first line of a file names its columns. A row in which only the
/// first number is mistyped is no header.
/// @param columns  that a row of the file has at least
bool is_header(std::string_view line, std::size_t columns);

}  // namespace trestle
