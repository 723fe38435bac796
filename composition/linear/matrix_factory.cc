#include "composition/linear/matrix_factory.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/setting_error.h"
#include "core/math/matrix_file.h"

namespace trestle::composition {
namespace {

using Rows = std::vector<std::vector<double>>;

std::string size_text(Eigen::Index rows, Eigen::Index columns) {
  const auto one = [](Eigen::Index n) {
    return n == 0 ? "any" : std::to_string(n);
  };
  return one(rows) + " x " + one(columns);
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

Eigen::MatrixXd from_file(const std::string& file, const std::string& path) {
  const Result<Eigen::MatrixXd> matrix = math::read_matrix(file);
  if (!matrix) throw SettingError(path, matrix.error().detail);
  return matrix.value();
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
    result = from_file(matrix.file(), path + ".file");
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

void set_rows(config::Matrix& message, const Eigen::MatrixXd& matrix) {
  message.Clear();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    config::Row& row = *message.add_rows();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.add_values(matrix(i, j));
  }
}

}  // namespace trestle::composition
