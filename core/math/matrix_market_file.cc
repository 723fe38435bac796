#include "core/math/matrix_market_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text_file.h"

namespace trestle::math {
namespace {

/// Rows or columns of one file. The announced size alone would ask for memory.
constexpr std::int64_t kMostRows = 10'000'000;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// A word of a line; columns count from 1.
struct Word {
  std::string_view text;
  std::size_t column;
};

std::vector<Word> words_of(std::string_view line) {
  constexpr std::string_view kGaps = " \t\r";
  std::vector<Word> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(kGaps, at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kGaps, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = end;
  }
  return words;
}

/// The first mistake of a file; caught where the reader begins.
struct Mistake {
  std::size_t line;
  std::size_t column;
  std::string what;
};

std::string as_quoted(std::string_view text) {
  return "`" + std::string(text) + "`";
}

class MarketReader {
 public:
  explicit MarketReader(std::istream& stream) : stream_(stream) {}

  /// @throws Mistake
  Eigen::SparseMatrix<double> read() {
    read_banner();
    read_size();
    if (coordinate_)
      read_coordinates();
    else
      read_array();
    if (next_line())
      fail(words_.front(), "the matrix has all its " + announced() +
                               "; take this line out, or correct the size line");
    Eigen::SparseMatrix<double> matrix(rows_, columns_);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    return matrix;
  }

 private:
  [[noreturn]] void fail(const Word& word, std::string what) const {
    throw Mistake{line_, word.column, std::move(what)};
  }
  [[noreturn]] void fail_behind(std::string what) const {
    throw Mistake{line_, text_.size() + 1, std::move(what)};
  }

  bool read_text() {
    std::string next;
    if (!std::getline(stream_, next))
      return false;  // text_ stays: mistakes point behind it
    text_ = std::move(next);
    ++line_;
    words_ = words_of(text_);
    return true;
  }

  /// The next line that is neither empty nor a comment.
  bool next_line() {
    while (read_text())
      if (!words_.empty() && !words_.front().text.starts_with('%')) return true;
    return false;
  }

  void read_banner() {
    const bool found = read_text() && !words_.empty();
    if (!found || lower(words_.front().text) != "%%matrixmarket")
      throw Mistake{
          1, 1,
          "the file does not begin with %%MatrixMarket; write it as MatrixMarket, "
          "or name a CSV file .csv"};
    if (words_.size() != 5 || lower(words_[1].text) != "matrix")
      fail_behind(
          "the first line must read %%MatrixMarket matrix coordinate|array real "
          "general|symmetric");
    coordinate_ = choice(words_[2], "coordinate", "array");
    choice(words_[3], "real", "integer");
    symmetric_ = choice(words_[4], "symmetric", "general");
  }

  /// @returns whether the word is the first one
  bool choice(const Word& word, const char* first, const char* second) const {
    const std::string given = lower(word.text);
    if (given != first && given != second)
      fail(word, as_quoted(word.text) + " is not supported; write the matrix as " + first +
                     " or " + second);
    return given == first;
  }

  void read_size() {
    if (!next_line()) fail_behind("the file ends before the size of the matrix");
    const std::size_t wanted = coordinate_ ? 3 : 2;
    expect_words(wanted, coordinate_ ? "the size line has rows, columns and entries"
                                     : "the size line has rows and columns");
    rows_ = whole(words_[0]);
    columns_ = whole(words_[1]);
    for (const Word& word : {words_[0], words_[1]})
      if (const std::int64_t size = whole(word); size < 1 || size > kMostRows)
        fail(word, "the matrix has " + std::string(word.text) + " rows or columns; 1 to " +
                       std::to_string(kMostRows) + " are possible");
    if (symmetric_ && rows_ != columns_)
      fail(words_[1], "a symmetric matrix is square; this one is " + size());
    if (coordinate_) {
      count_ = whole(words_[2]);
      if (count_ < 0) fail(words_[2], "the number of entries is negative");
    } else {
      count_ = symmetric_ ? rows_ * (rows_ + 1) / 2 : rows_ * columns_;
    }
  }

  void read_coordinates() {
    std::unordered_map<std::int64_t, std::size_t> lines;
    for (std::int64_t k = 0; k < count_; ++k) {
      expect_entry(k);
      expect_words(3, "a line has row, column and value");
      const std::int64_t row = whole(words_[0]);
      const std::int64_t column = whole(words_[1]);
      if (row < 1 || row > rows_)
        fail(words_[0],
             "row " + std::string(words_[0].text) + " is outside the matrix of " + size());
      if (column < 1 || column > columns_)
        fail(words_[1], "column " + std::string(words_[1].text) +
                            " is outside the matrix of " + size());
      if (symmetric_ && column > row)
        fail(words_[1],
             "the entry is above the diagonal; a symmetric file has the lower triangle");
      const auto [before, added] = lines.try_emplace(row * columns_ + column, line_);
      if (!added)
        fail(words_[0], "entry (" + std::to_string(row) + ", " + std::to_string(column) +
                            ") is given twice, first in line " +
                            std::to_string(before->second));
      add(row - 1, column - 1, number(words_[2]));
    }
  }

  void read_array() {
    std::int64_t k = 0;
    for (std::int64_t column = 0; column < columns_; ++column)
      for (std::int64_t row = symmetric_ ? column : 0; row < rows_; ++row) {
        expect_entry(k++);
        expect_words(1, "a line of an array has one value");
        add(row, column, number(words_[0]));
      }
  }

  void add(std::int64_t row, std::int64_t column, double value) {
    if (value == 0.0) return;
    entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    if (symmetric_ && row != column)
      entries_.emplace_back(static_cast<int>(column), static_cast<int>(row), value);
  }

  void expect_entry(std::int64_t k) {
    if (!next_line())
      fail_behind("the file ends after " + std::to_string(k) + " of " + announced());
  }

  void expect_words(std::size_t wanted, const char* what) const {
    const std::string found =
        std::string(what) + "; this one has " + std::to_string(words_.size()) + " words";
    if (words_.size() < wanted) fail_behind(found);
    if (words_.size() > wanted) fail(words_[wanted], found);
  }

  std::int64_t whole(const Word& word) const {
    std::int64_t value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [rest, error] = std::from_chars(word.text.data(), end, value);
    if (error != std::errc{} || rest != end)
      fail(word, as_quoted(word.text) + " is no whole number");
    return value;
  }

  double number(const Word& word) const {
    std::string_view digits = word.text;
    // from_chars knows no plus; taken off, it must not open the way to a second sign.
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    double value = 0.0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || rest != end || !std::isfinite(value))
      fail(word, as_quoted(word.text) + " is no finite number");
    return value;
  }

  std::string size() const {
    return std::to_string(rows_) + " x " + std::to_string(columns_);
  }
  std::string announced() const { return std::to_string(count_) + " entries"; }

  std::istream& stream_;
  std::string text_;
  std::vector<Word> words_;
  std::size_t line_ = 0;
  bool coordinate_ = false;
  bool symmetric_ = false;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t count_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

bool is_matrix_market(const std::string& file) {
  return lower(file).ends_with(".mtx");
}

Result<Eigen::SparseMatrix<double>> read_matrix_market(const std::string& file) {
  std::ifstream stream;
  if (const std::string why = open_text_file(file, stream); !why.empty())
    return Error{ErrorCode::kUnavailable, "cannot read the file " + file + ": " + why};
  try {
    return MarketReader(stream).read();
  } catch (const Mistake& mistake) {
    return Error{ErrorCode::kMalformed, file + ":" + std::to_string(mistake.line) + ":" +
                                            std::to_string(mistake.column) + ": " +
                                            mistake.what};
  }
}

}  // namespace trestle::math
