#include "composition/numerical/matrices_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "composition/numerical/dof_map.h"
#include "composition/numerical/market_matrix.h"
#include "composition/numerical/matrix_parts_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "core/math/matrix_file.h"
#include "core/math/matrix_market_file.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

using Eigen::Index;

/// Largest difference of the two triangles, relative to the largest entry.
constexpr double kSymmetric = 1e-8;

std::string size_of(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

class MatricesReader {
 public:
  MatricesReader(const config::Matrices& matrices, std::string path)
      : matrices_(matrices),
        path_(std::move(path)),
        named_(matrix_dofs(matrices, path_, problems_)),
        n_(static_cast<int>(named_.size())) {}

  structure::ImportedMatrices read() {
    read_dofs();
    given_.mass = read_matrix_of(matrices_.mass(), "mass");
    given_.stiffness = read_matrix_of(matrices_.stiffness(), "stiffness");
    if (matrices_.has_damping_matrix()) {
      given_.damping = read_matrix_of(matrices_.damping_matrix(), "damping_matrix");
      if (matrices_.has_damping())
        problems_.add(path_ + ".damping",
                      "both damping and damping_matrix are given; give one of them");
    }
    try {
      given_.without = given_parts(matrices_, named_, path_);
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
    check_mass();
    given_.influence = {matrices_.influence().begin(), matrices_.influence().end()};
    if (!given_.influence.empty() && matrices_.influence_size() != n_)
      problems_.add(path_ + ".influence",
                    "has " + std::to_string(matrices_.influence_size()) +
                        " numbers; there are " + std::to_string(n_) + " DOFs");
    problems_.throw_if_any();
    return std::move(given_);
  }

 private:
  void read_dofs() {
    std::unordered_set<std::string> seen;
    for (int i = 0; i < n_; ++i) {
      const std::string& name = named_[static_cast<std::size_t>(i)];
      const std::string here = matrices_.dof_map().empty()
                                   ? path_ + ".dofs[" + std::to_string(i) + "]"
                                   : path_ + ".dof_map";
      const std::size_t dot = name.rfind('.');
      const std::string dof = dot == std::string::npos ? "" : name.substr(dot + 1);
      if (constexpr std::array<std::string_view, 6> kKnown{"x", "y", "z", "rx", "ry", "rz"};
          dot == 0 || std::find(kKnown.begin(), kKnown.end(), dof) == kKnown.end())
        problems_.add(here, "`" + name +
                                "` is no DOF; write <node>.x, .y or .rz, in space also "
                                "<node>.z, .rx or .ry");
      if (!seen.insert(name).second)
        problems_.add(here, "DOF `" + name + "` stands twice; each row needs its own name");
      given_.dofs.push_back(name);
    }
  }

  structure::SparseMatrix read_matrix_of(const config::Matrix& matrix, const char* field) {
    const std::string here = path_ + "." + field;
    const int ways = (matrix.file().empty() ? 0 : 1) + (matrix.entries().empty() ? 0 : 1) +
                     (matrix.rows().empty() ? 0 : 1);
    if (ways != 1) {
      problems_.add(here, std::string(field) +
                              " needs exactly one of file, entries and rows; " +
                              std::to_string(ways) + " are given");
      return structure::SparseMatrix(n_, n_);
    }
    const double scale = matrix.has_scale() ? matrix.scale() : 1.0;
    if (!std::isfinite(scale)) problems_.add(here + ".scale", "scale is no finite number");
    if (!matrix.entries().empty()) return scale * from_entries(matrix, here);
    if (!matrix.rows().empty()) return scale * from_rows(matrix, here);
    if (math::is_matrix_market(matrix.file())) return scale * from_market(matrix, field);
    const Result<Eigen::MatrixXd> read = math::read_matrix(matrix.file());
    if (read) return scale * checked(read.value(), here + ".file", matrix.file() + ": ");
    problems_.add(here + ".file", read.error().detail);
    return structure::SparseMatrix(n_, n_);
  }

  structure::SparseMatrix from_market(const config::Matrix& matrix,
                                      const std::string& field) {
    const std::string here = path_ + "." + field + ".file";
    structure::SparseMatrix read =
        read_market_matrix(matrix.file(), given_.dofs, here, problems_);
    if (field == "stiffness") check_constraint_rows(read, given_.dofs, here, problems_);
    return read;
  }

  structure::SparseMatrix from_rows(const config::Matrix& matrix, const std::string& here) {
    Eigen::MatrixXd dense(matrix.rows_size(), matrix.rows(0).values_size());
    for (int i = 0; i < matrix.rows_size(); ++i) {
      const config::Row& row = matrix.rows(i);
      if (row.values_size() != dense.cols()) {
        problems_.add(here + ".rows[" + std::to_string(i) + "]",
                      "has " + std::to_string(row.values_size()) +
                          " numbers; the first row has " + std::to_string(dense.cols()));
        return structure::SparseMatrix(n_, n_);
      }
      for (int j = 0; j < row.values_size(); ++j) dense(i, j) = row.values(j);
    }
    return checked(dense, here, "");
  }

  structure::SparseMatrix from_entries(const config::Matrix& matrix,
                                       const std::string& here) {
    std::vector<Eigen::Triplet<double>> triplets;
    std::unordered_set<std::int64_t> seen;
    for (int k = 0; k < matrix.entries_size(); ++k) {
      const config::MatrixEntry& entry = matrix.entries(k);
      const std::string at = here + ".entries[" + std::to_string(k) + "]";
      const std::int64_t row = std::int64_t{entry.row()} - 1;
      const std::int64_t column = std::int64_t{entry.column()} - 1;
      const std::string where =
          "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ")";
      if (std::min(row, column) < 0 || std::max(row, column) >= n_) {
        problems_.add(at, "entry " + where + " is outside the matrix of " +
                              std::to_string(n_) + " DOFs; rows and columns count from 1");
        continue;
      }
      if (!std::isfinite(entry.value()))
        problems_.add(at, "entry " + where + " is no finite number");
      if (!seen.insert(std::max(row, column) * n_ + std::min(row, column)).second)
        problems_.add(at, "entry " + where +
                              " is given twice; give one triangle of the symmetric matrix");
      triplets.emplace_back(row, column, entry.value());
      if (row != column) triplets.emplace_back(column, row, entry.value());
    }
    structure::SparseMatrix sparse(n_, n_);
    sparse.setFromTriplets(triplets.begin(), triplets.end());
    return sparse;
  }

  structure::SparseMatrix checked(const Eigen::MatrixXd& dense, const std::string& here,
                                  const std::string& file) {
    if (dense.rows() != dense.cols()) {
      problems_.add(here, file + "the matrix is " + size_of(dense) + "; it must be square");
      return structure::SparseMatrix(n_, n_);
    }
    if (dense.rows() != n_) {
      problems_.add(here, file + "the matrix is " + size_of(dense) + "; there are " +
                              std::to_string(n_) + " DOFs");
      return structure::SparseMatrix(n_, n_);
    }
    if (!dense.allFinite()) {
      problems_.add(here, file + "the matrix holds a value that is no finite number");
      return structure::SparseMatrix(n_, n_);
    }
    Index row = 0;
    Index column = 0;
    const double apart = (dense - dense.transpose()).cwiseAbs().maxCoeff(&row, &column);
    if (apart > kSymmetric * dense.cwiseAbs().maxCoeff())
      problems_.add(here, file + "the matrix is not symmetric: (" +
                              std::to_string(row + 1) + ", " + std::to_string(column + 1) +
                              ") is " + in_words(dense(row, column)) + ", (" +
                              std::to_string(column + 1) + ", " + std::to_string(row + 1) +
                              ") is " + in_words(dense(column, row)));
    const Eigen::MatrixXd symmetric = 0.5 * (dense + dense.transpose());
    return symmetric.sparseView();
  }

  void check_mass() {
    Eigen::VectorXd left = given_.mass.diagonal();
    for (Index i = 0; i < left.size(); ++i)
      if (left[i] < 0.0)
        problems_.add(path_ + ".mass",
                      "the mass of " + given_.dofs[static_cast<std::size_t>(i)] + " is " +
                          in_words(left[i]) + "; must not be negative");
    if (!problems_.empty()) return;
    for (std::size_t p = 0; p < given_.without.size(); ++p)
      for (Index i = 0; i < given_.without[p].mass.rows(); ++i) {
        const int row = given_.without[p].rows[static_cast<std::size_t>(i)];
        left[row] -= given_.without[p].mass(i, i);
        if (left[row] < 0.0)
          problems_.add(path_ + ".without[" + std::to_string(p) + "].mass",
                        "takes more mass from " +
                            given_.dofs[static_cast<std::size_t>(row)] +
                            " than there is; " + in_words(left[row]) + " would be left");
      }
  }

  const config::Matrices& matrices_;
  std::string path_;
  SettingErrorCollector problems_;
  std::vector<std::string> named_;
  int n_;
  structure::ImportedMatrices given_;
};

}  // namespace

structure::ImportedMatrices given_matrices(const config::Matrices& matrices,
                                           const std::string& path) {
  return MatricesReader(matrices, path).read();
}

}  // namespace trestle::composition
