#include "core/math/matrix_file.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/text_file.h"
#include "core/math/matrix_market_file.h"

namespace trestle::math {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kSeparators = ",;\t ";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Appends the numbers of one line.
/// @returns the text that is no number, or nothing
std::string_view read_row(std::string_view line, std::vector<double>& numbers) {
  const bool commas = line.find_first_of(",;") != std::string_view::npos;
  const std::string_view separators = commas ? kSeparators.substr(0, 2) : kSeparators;
  while (true) {
    const std::size_t end = line.find_first_of(separators);
    std::string_view cell = trimmed(line.substr(0, end));
    const std::string_view as_written = cell.empty() ? "an empty cell" : cell;
    // from_chars knows no plus; taken off, it must not open the way to a second sign.
    if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
    double value = 0.0;
    const auto [rest, error] =
        std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || rest != cell.data() + cell.size() || !std::isfinite(value))
      return as_written;
    numbers.push_back(value);
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end + 1);
    if (!commas) line = trimmed(line);
  }
}

Error malformed(const std::string& file, std::size_t line, const std::string& what) {
  return {ErrorCode::kMalformed, file + ":" + std::to_string(line) + ": " + what};
}

/// A MatrixMarket file as a full matrix.
Result<Eigen::MatrixXd> full_matrix(const std::string& file) {
  const Result<Eigen::SparseMatrix<double>> sparse = read_matrix_market(file);
  if (!sparse) return sparse.error();
  constexpr double kMostValues = 1e8;  // 0.8 GB
  const double values = static_cast<double>(sparse.value().rows()) *
                        static_cast<double>(sparse.value().cols());
  if (values > kMostValues)
    return Error{ErrorCode::kRefused, file + ": the matrix is " +
                                          std::to_string(sparse.value().rows()) + " x " +
                                          std::to_string(sparse.value().cols()) +
                                          "; too large for a full matrix (1e8 values)"};
  return Eigen::MatrixXd(sparse.value());
}

}  // namespace

Result<Eigen::MatrixXd> read_matrix(const std::string& file) {
  if (is_matrix_market(file)) return full_matrix(file);
  std::ifstream stream;
  if (const std::string why = open_text_file(file, stream); !why.empty())
    return Error{ErrorCode::kUnavailable, "cannot read the file " + file + ": " + why};
  std::vector<double> numbers;
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::string line;
  for (std::size_t at = 1; std::getline(stream, line); ++at) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    const std::size_t before = numbers.size();
    const std::string_view wrong = read_row(text, numbers);
    if (!wrong.empty())
      return malformed(
          file, at,
          "`" + std::string(wrong) +
              "` is no finite number; a matrix file has numbers only, no header");
    const std::size_t found = numbers.size() - before;
    if (rows == 0) columns = found;
    if (found != columns)
      return malformed(file, at,
                       "has " + std::to_string(found) + " numbers; the first row has " +
                           std::to_string(columns));
    ++rows;
  }
  if (rows == 0) return malformed(file, 1, "the file is empty; a matrix needs rows");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::MatrixXd(Eigen::Map<const RowMajor>(
      numbers.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)));
}

}  // namespace trestle::math
