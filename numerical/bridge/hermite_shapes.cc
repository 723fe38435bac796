#include "numerical/bridge/hermite_shapes.h"

#include <algorithm>
#include <utility>

namespace trestle::bridge {

HermiteShapes::HermiteShapes(std::vector<Element> elements,
                             const std::vector<Eigen::MatrixXd>& vectors)
    : elements_(std::move(elements)) {
  for (const Eigen::MatrixXd& part : vectors) {
    first_.push_back(modes_);
    modes_ += part.cols();
    most_ = std::max(most_, part.cols());
    vectors_.emplace_back(part.transpose());
  }
}

void HermiteShapes::at(double x, ShapeValues& values) const noexcept {
  values.count = 0;
  if (!(x >= 0.0) || x > elements_.back().start + elements_.back().length) return;
  const auto behind = std::upper_bound(
      elements_.begin(), elements_.end(), x,
      [](double place, const Element& element) { return place < element.start; });
  const Element& element = *(behind - 1);
  const Eigen::MatrixXd& vectors = vectors_[static_cast<std::size_t>(element.part)];
  values.first = first_[static_cast<std::size_t>(element.part)];
  values.count = vectors.rows();
  const double L = element.length;
  const double s = (x - element.start) / L;
  const double rest = 1.0 - s;
  const std::array<double, 4> N{rest * rest * (1.0 + 2.0 * s), L * s * rest * rest,
                                s * s * (3.0 - 2.0 * s), -L * s * s * rest};
  const std::array<double, 4> slope{-6.0 * s * rest / L, rest * (1.0 - 3.0 * s),
                                    6.0 * s * rest / L, s * (3.0 * s - 2.0)};
  const std::array<double, 4> curvature{(12.0 * s - 6.0) / (L * L), (6.0 * s - 4.0) / L,
                                        (6.0 - 12.0 * s) / (L * L), (6.0 * s - 2.0) / L};
  auto value = values.value.head(values.count);
  auto first = values.slope.head(values.count);
  auto second = values.curvature.head(values.count);
  value.setZero();
  first.setZero();
  second.setZero();
  for (std::size_t i = 0; i < element.rows.size(); ++i) {
    if (element.rows[i] < 0) continue;
    const auto shape = vectors.col(element.rows[i]);
    value += N[i] * shape;
    first += slope[i] * shape;
    second += curvature[i] * shape;
  }
}

}  // namespace trestle::bridge
