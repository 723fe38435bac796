#include "adapters/simulated/matrix_catalog.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/types/setting_error.h"

namespace trestle {
namespace {

using Rows = std::vector<std::vector<double>>;

std::string size_text(Eigen::Index rows, Eigen::Index columns) {
  const auto one = [](Eigen::Index n) {
    return n == 0 ? "any" : std::to_string(n);
  };
  return one(rows) + " x " + one(columns);
}

std::vector<double> read_line(std::string_view line, std::size_t number,
                              const std::string& path) {
  constexpr std::string_view kSpace = " \t\r";
  std::vector<double> values;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    cell.remove_prefix(std::min(cell.find_first_not_of(kSpace), cell.size()));
    cell = cell.substr(0, cell.find_last_not_of(kSpace) + 1);
    // from_chars knows no plus; taken off, it must not open the way to a second sign.
    std::string_view digits = cell;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    double value = 0.0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc{} || end != digits.data() + digits.size())
      throw SettingError(path,
                         "line " + std::to_string(number) + ": \"" + std::string(cell) +
                             "\" is no number; rows of numbers between commas, without "
                             "a header, are right");
    values.push_back(value);
    if (comma == std::string_view::npos) return values;
    line.remove_prefix(comma + 1);
  }
}

Rows read_file(const std::string& file, const std::string& path) {
  std::ifstream stream(file);
  if (!stream) throw SettingError(path, "cannot read " + file);
  Rows rows;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      rows.push_back(read_line(line, number, path));
  return rows;
}

Eigen::MatrixXd from_rows(const Rows& rows, const std::string& path) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != columns)
      throw SettingError(path, "row " + std::to_string(i + 1) + " has " +
                                   std::to_string(rows[i].size()) + " values, row 1 has " +
                                   std::to_string(columns) + "; all need the same");
    for (std::size_t j = 0; j < columns; ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
  }
  if (!matrix.allFinite()) throw SettingError(path, "has a value that is not finite");
  return matrix;
}

Eigen::MatrixXd from_entries(
    const google::protobuf::RepeatedPtrField<config::MatrixEntry>& entries,
    Eigen::Index rows, Eigen::Index columns, const std::string& path) {
  for (const config::MatrixEntry& entry : entries) {
    rows = std::max<Eigen::Index>(rows, entry.row());
    columns = std::max<Eigen::Index>(columns, entry.column());
  }
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows, columns);
  for (int i = 0; i < entries.size(); ++i) {
    const config::MatrixEntry& entry = entries[i];
    if (entry.row() == 0 || entry.column() == 0 || !std::isfinite(entry.value()))
      throw SettingError(path + "[" + std::to_string(i) + "]",
                         "needs row and column counted from 1, and a finite value");
    matrix(static_cast<Eigen::Index>(entry.row()) - 1,
           static_cast<Eigen::Index>(entry.column()) - 1) = entry.value();
  }
  return matrix;
}

}  // namespace

Eigen::MatrixXd make_matrix(const google::protobuf::RepeatedPtrField<config::Row>& rows,
                            const std::string& path) {
  Rows values;
  for (const config::Row& row : rows)
    values.emplace_back(row.values().begin(), row.values().end());
  return from_rows(values, path);
}

Eigen::MatrixXd make_matrix(const config::Matrix& matrix, Eigen::Index rows,
                            Eigen::Index columns, const std::string& path) {
  const int given = (matrix.file().empty() ? 0 : 1) + (matrix.entries().empty() ? 0 : 1) +
                    (matrix.rows().empty() ? 0 : 1);
  if (given != 1) throw SettingError(path, "give exactly one of file, entries and rows");
  Eigen::MatrixXd result;
  if (!matrix.file().empty())
    result = from_rows(read_file(matrix.file(), path + ".file"), path + ".file");
  else if (!matrix.rows().empty())
    result = make_matrix(matrix.rows(), path + ".rows");
  else
    result = from_entries(matrix.entries(), rows, columns, path + ".entries");
  if ((rows != 0 && result.rows() != rows) || (columns != 0 && result.cols() != columns))
    throw SettingError(path, "is " + size_text(result.rows(), result.cols()) + "; " +
                                 size_text(rows, columns) + " is needed here");
  if (matrix.has_scale()) result *= matrix.scale();
  return result;
}

}  // namespace trestle
