#include "composition/numerical/matrix_parts_factory.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

using Rows = google::protobuf::RepeatedPtrField<config::Row>;

/// Largest difference of the two triangles, relative to the largest entry.
constexpr double kTrianglesAlike = 1e-8;

class PartReader {
 public:
  PartReader(const config::MatrixPart& part, std::vector<std::string> known,
             std::string path)
      : part_(part), known_(std::move(known)), path_(std::move(path)) {}

  structure::RemovedPart read() {
    structure::RemovedPart read;
    read_rows(read.rows);
    read.mass = matrix(part_.mass(), "mass");
    read.stiffness = matrix(part_.stiffness(), "stiffness");
    read.damping = matrix(part_.damping(), "damping");
    if (part_.mass().empty() && part_.stiffness().empty() && part_.damping().empty())
      problems_.add(path_, "takes nothing out; give it mass, stiffness or damping");
    problems_.throw_if_any();
    return read;
  }

 private:
  void read_rows(std::vector<int>& rows) {
    std::unordered_set<std::string> seen;
    for (int i = 0; i < part_.dofs_size(); ++i) {
      const std::string& name = part_.dofs(i);
      const std::string here = path_ + ".dofs[" + std::to_string(i) + "]";
      const auto found = std::find(known_.begin(), known_.end(), name);
      if (found == known_.end())
        problems_.add(here,
                      "the matrices have no DOF `" + name + "`" + suggest(name, known_));
      if (!seen.insert(name).second)
        problems_.add(here, "DOF `" + name + "` stands twice; each row needs its own name");
      rows.push_back(static_cast<int>(found - known_.begin()));
    }
  }

  Eigen::MatrixXd matrix(const Rows& rows, const char* field) {
    const int n = part_.dofs_size();
    if (rows.empty()) return {};
    const std::string here = path_ + "." + field;
    if (rows.size() != n) {
      problems_.add(here, "has " + std::to_string(rows.size()) + " rows; there are " +
                              std::to_string(n) + " DOFs");
      return {};
    }
    Eigen::MatrixXd dense(n, n);
    for (int i = 0; i < n; ++i) {
      if (rows[i].values_size() != n) {
        problems_.add(here + "[" + std::to_string(i) + "]",
                      "has " + std::to_string(rows[i].values_size()) +
                          " numbers; there are " + std::to_string(n) + " DOFs");
        return {};
      }
      for (int j = 0; j < n; ++j) dense(i, j) = rows[i].values(j);
    }
    check(dense, here);
    return 0.5 * (dense + dense.transpose());
  }

  void check(const Eigen::MatrixXd& dense, const std::string& here) {
    if (!dense.allFinite())
      return problems_.add(here, "the matrix holds a value that is no finite number");
    Eigen::Index row = 0;
    Eigen::Index column = 0;
    const double apart = (dense - dense.transpose()).cwiseAbs().maxCoeff(&row, &column);
    if (apart > kTrianglesAlike * dense.cwiseAbs().maxCoeff())
      problems_.add(here, "the matrix is not symmetric: (" + std::to_string(row + 1) +
                              ", " + std::to_string(column + 1) + ") is " +
                              in_words(dense(row, column)) + ", (" +
                              std::to_string(column + 1) + ", " + std::to_string(row + 1) +
                              ") is " + in_words(dense(column, row)));
  }

  const config::MatrixPart& part_;
  std::vector<std::string> known_;
  std::string path_;
  SettingErrorCollector problems_;
};

}  // namespace

std::vector<structure::RemovedPart> given_parts(const config::Matrices& matrices,
                                                const std::vector<std::string>& known,
                                                const std::string& path) {
  SettingErrorCollector problems;
  std::vector<structure::RemovedPart> parts;
  for (int i = 0; i < matrices.without_size(); ++i) {
    const std::string here = path + ".without[" + std::to_string(i) + "]";
    try {
      parts.push_back(PartReader(matrices.without(i), known, here).read());
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  }
  problems.throw_if_any();
  return parts;
}

}  // namespace trestle::composition
