#pragma once

#include <array>
#include <vector>

#include "numerical/bridge/mode_shapes.h"

namespace trestle::bridge {

/// Shapes that are cubic between the nodes of beam elements: eigenvectors of one or several
/// independent parts of a bridge (Cook et al., Concepts and Applications of Finite Element
/// Analysis, 2002, sec. 2.4).
class HermiteShapes final : public ModeShapes {
 public:
  struct Element {
    double start = 0.0;       ///< x of its left end [m]
    double length = 0.0;      ///< [m]
    int part = 0;             ///< part of the bridge with these eigenvectors
    std::array<int, 4> rows;  ///< of w, w' left, w, w' right, w down; −1: held
  };
  /// @param elements  from left to right without a gap, part after part
  /// @param vectors   of each part: one column per mode, mass-normalised
  HermiteShapes(std::vector<Element> elements, const std::vector<Eigen::MatrixXd>& vectors);

  Eigen::Index modes() const noexcept override { return modes_; }
  Eigen::Index max_active_modes() const noexcept override { return most_; }
  void at(double x, ShapeValues& values) const noexcept override;

 private:
  std::vector<Element> elements_;
  std::vector<Eigen::MatrixXd> vectors_;  // transposed: a column per row of the above
  std::vector<Eigen::Index> first_;       // mode of each part
  Eigen::Index modes_ = 0;
  Eigen::Index most_ = 0;
};

}  // namespace trestle::bridge
