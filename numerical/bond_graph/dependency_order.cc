#include "numerical/bond_graph/dependency_order.h"

namespace trestle::bond_graph {

std::vector<Eigen::Index> cyclic_rows(const Eigen::MatrixXd& A) {
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> reaches = A.array() != 0.0;
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index i = 0; i < n; ++i)
      if (reaches(i, k))
        for (Eigen::Index j = 0; j < n; ++j) reaches(i, j) = reaches(i, j) || reaches(k, j);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < n; ++i)
    if (reaches(i, i)) rows.push_back(i);
  return rows;
}

std::vector<Eigen::Index> dependency_order(const Eigen::MatrixXd& A) {
  const Eigen::Index n = A.rows();
  std::vector<Eigen::Index> order;
  std::vector<bool> done(static_cast<std::size_t>(n), false);
  bool grew = true;
  while (grew) {
    grew = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      bool ready = !done[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; ready && j < n; ++j)
        ready = A(i, j) == 0.0 || done[static_cast<std::size_t>(j)];
      if (!ready) continue;
      done[static_cast<std::size_t>(i)] = grew = true;
      order.push_back(i);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (!done[static_cast<std::size_t>(i)]) order.push_back(i);
  return order;
}

}  // namespace trestle::bond_graph
