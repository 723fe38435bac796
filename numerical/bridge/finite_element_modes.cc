#include "numerical/bridge/finite_element_modes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math/dense_eigenvalues.h"
#include "numerical/bridge/girders.h"
#include "numerical/bridge/hermite_shapes.h"

namespace trestle::bridge {
namespace {

using Matrix4 = Eigen::Matrix4d;

/// Consistent matrices of an Euler–Bernoulli element (Przemieniecki 1968, ch. 5 and 11).
Matrix4 stiffness_of(double EI, double L) {
  Matrix4 K;
  K << 12.0, 6.0 * L, -12.0, 6.0 * L,               //
      6.0 * L, 4.0 * L * L, -6.0 * L, 2.0 * L * L,  //
      -12.0, -6.0 * L, 12.0, -6.0 * L,              //
      6.0 * L, 2.0 * L * L, -6.0 * L, 4.0 * L * L;
  return K * (EI / (L * L * L));
}

Matrix4 mass_of(double m, double L) {
  Matrix4 M;
  M << 156.0, 22.0 * L, 54.0, -13.0 * L,              //
      22.0 * L, 4.0 * L * L, 13.0 * L, -3.0 * L * L,  //
      54.0, 13.0 * L, 156.0, -22.0 * L,               //
      -13.0 * L, -3.0 * L * L, -22.0 * L, 4.0 * L * L;
  return M * (m * L / 420.0);
}

/// Numbers the free DOFs of every part and keeps what each is made of.
class Mesh {
 public:
  Mesh(const Girders& girders, int elements_per_span) : piers_(girders.piers) {
    std::size_t support = 0;
    int joint = -1;  // row of the girders' common support on the left; −1: held
    for (const auto& girder : girders.spans) {
      if (joint < 0) sizes_.push_back(0);
      int left = joint;
      int turn = new_row();
      for (const GirderSpan& span : girder) {
        for (int e = 0; e < elements_per_span; ++e) {
          const bool at_support = e + 1 == elements_per_span;
          const int right = at_support ? support_row(++support) : new_row();
          const int next = new_row();
          add(span, span.length / elements_per_span, {left, turn, right, next});
          left = right;
          turn = next;
        }
      }
      joint = left;
    }
  }

  BridgeModes modes(int count) const {
    BridgeModes bridge;
    std::vector<Eigen::MatrixXd> vectors;
    std::vector<double> frequencies;
    for (int part = 0; part < static_cast<int>(sizes_.size()); ++part) {
      const math::SymmetricEigen spectrum = spectrum_of(part);
      const Eigen::Index all = spectrum.values.size();
      const Eigen::Index kept = count > 0 ? std::min<Eigen::Index>(count, all) : all;
      for (Eigen::Index n = 0; n < kept; ++n)
        frequencies.push_back(std::sqrt(std::max(spectrum.values[n], 0.0)));
      vectors.emplace_back(spectrum.vectors.leftCols(kept));
      bridge.parts.push_back(kept);
    }
    bridge.frequency = Eigen::Map<const Eigen::VectorXd>(
        frequencies.data(), static_cast<Eigen::Index>(frequencies.size()));
    std::vector<HermiteShapes::Element> shapes;
    for (const Element& element : elements_) shapes.push_back(element.shape);
    bridge.shapes = std::make_unique<HermiteShapes>(std::move(shapes), std::move(vectors));
    return bridge;
  }

  int largest() const { return *std::max_element(sizes_.begin(), sizes_.end()); }

 private:
  struct Element {
    HermiteShapes::Element shape;
    GirderSpan span;
  };
  struct Spring {
    int part = 0;
    int row = 0;
    PierSettings pier;
  };

  int new_row() { return sizes_.back()++; }

  int support_row(std::size_t support) {
    if (!std::isfinite(piers_[support].stiffness)) return -1;
    springs_.push_back({static_cast<int>(sizes_.size()) - 1, new_row(), piers_[support]});
    return springs_.back().row;
  }

  void add(const GirderSpan& span, double length, std::array<int, 4> rows) {
    elements_.push_back({{x_, length, static_cast<int>(sizes_.size()) - 1, rows}, span});
    x_ += length;
  }

  math::SymmetricEigen spectrum_of(int part) const {
    const int size = sizes_[static_cast<std::size_t>(part)];
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
    Eigen::MatrixXd M = K;
    for (const Element& element : elements_) {
      if (element.shape.part != part) continue;
      const Matrix4 k = stiffness_of(element.span.stiffness, element.shape.length);
      const Matrix4 m = mass_of(element.span.mass, element.shape.length);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const int row = element.shape.rows[static_cast<std::size_t>(i)];
          const int column = element.shape.rows[static_cast<std::size_t>(j)];
          if (row < 0 || column < 0) continue;
          K(row, column) += k(i, j);
          M(row, column) += m(i, j);
        }
    }
    for (const Spring& spring : springs_) {
      if (spring.part != part) continue;
      K(spring.row, spring.row) += spring.pier.stiffness;
      M(spring.row, spring.row) += spring.pier.mass;
    }
    return math::symmetric_eigen(K, M);
  }

  std::vector<PierSettings> piers_;
  std::vector<int> sizes_;  // free DOFs of each part
  std::vector<Element> elements_;
  std::vector<Spring> springs_;
  double x_ = 0.0;
};

}  // namespace

BridgeModes finite_element_modes(const Girders& girders, int elements_per_span, int modes) {
  return Mesh(girders, elements_per_span).modes(modes);
}

int largest_part(const Girders& girders, int elements_per_span) {
  return Mesh(girders, elements_per_span).largest();
}

}  // namespace trestle::bridge
