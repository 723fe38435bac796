#include "studies/bond_graph_report/matrix_json.h"

namespace trestle::bond_graph_report {

nlohmann::ordered_json matrix_json(const Eigen::MatrixXd& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    rows.push_back(nlohmann::ordered_json::array());
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      rows.back().push_back(matrix(i, j) + 0.0);
  }
  return rows;
}

}  // namespace trestle::bond_graph_report
