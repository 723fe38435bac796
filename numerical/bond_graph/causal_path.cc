#include "numerical/bond_graph/causal_path.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace trestle::bond_graph {
namespace {

constexpr int kNone = std::numeric_limits<int>::max();

/// One kind of element: how the variables it receives depend on those that all give.
struct Layer {
  const Eigen::MatrixXd* from_z;
  const Eigen::MatrixXd* from_d;
  const Eigen::MatrixXd* from_r;
  const Eigen::MatrixXd* from_u;
  int length;
};

int least(const Eigen::MatrixXd& row_of, Eigen::Index row,
          const std::vector<int>& lengths) {
  int shortest = kNone;
  for (Eigen::Index j = 0; j < row_of.cols(); ++j)
    if (row_of(row, j) != 0.0)
      shortest = std::min(shortest, lengths[static_cast<std::size_t>(j)]);
  return shortest;
}

}  // namespace

// Bellman and Ford, since derivative storages count −1.
std::optional<int> shortest_path(const JunctionStructure& S, Eigen::Index input,
                                 Eigen::Index output) {
  std::vector<int> z(S.integral.size(), kNone);
  std::vector<int> d(S.derivative.size(), kNone);
  std::vector<int> r(S.resistors.size(), kNone);
  std::vector<int> u(S.inputs.size(), kNone);
  u[static_cast<std::size_t>(input)] = 0;
  const auto reach = [&](const Layer& layer, Eigen::Index row) {
    const int shortest =
        std::min({least(*layer.from_z, row, z), least(*layer.from_d, row, d),
                  least(*layer.from_r, row, r), least(*layer.from_u, row, u)});
    return shortest == kNone ? kNone : shortest + layer.length;
  };
  const Layer to_z{&S.x.z, &S.x.d, &S.x.r, &S.x.u, 1};
  const Layer to_d{&S.d.z, &S.d.d, &S.d.r, &S.d.u, -1};
  const Layer to_r{&S.r.z, &S.r.d, &S.r.r, &S.r.u, 0};
  const std::size_t rounds = z.size() + d.size() + r.size();
  for (std::size_t round = 0; round < rounds; ++round)
    for (const auto& [layer, lengths] :
         {std::pair{&to_z, &z}, std::pair{&to_d, &d}, std::pair{&to_r, &r}})
      for (std::size_t i = 0; i < lengths->size(); ++i)
        (*lengths)[i] =
            std::min((*lengths)[i], reach(*layer, static_cast<Eigen::Index>(i)));
  const int length = reach({&S.y.z, &S.y.d, &S.y.r, &S.y.u, 0}, output);
  if (length == kNone) return std::nullopt;
  return length;
}

}  // namespace trestle::bond_graph
