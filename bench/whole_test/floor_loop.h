#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <string>

namespace trestle::bench {

/// The matrix products of one step of the benchmark of Condori Uribe et al. (2023) and
/// nothing else, as anyone would write them down: no messages, no records, no checks.
///
/// Per step: two structures (the numerical part, and the undivided one) by Newmark's method
/// with sparse K and C and a dense inverse; two strokes from x and rz; a plant of 8 states;
/// x and rz from two strokes; a bay of 5 DOFs; its forces at the actuators and back at the
/// interface. Numbers of noise and plant are of no matter and stand in for the published
/// ones.
class FloorLoop {
 public:
  /// @param folder  of stiffness.csv and mass.csv
  explicit FloorLoop(const std::string& folder);

  /// @returns a number that depends on all steps
  double run(std::int64_t steps);

 private:
  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  struct Motion {
    Eigen::VectorXd d, v, a;
  };

  void advance(Motion& motion, const Eigen::VectorXd& load);
  Eigen::Vector2d strokes(double x, double theta) const;
  Eigen::Vector2d site_force(double x, double theta);

  Sparse stiffness_;
  Sparse damping_;
  Eigen::MatrixXd inverse_;
  Eigen::VectorXd base_;
  Eigen::VectorXd rest_;
  Motion hybrid_;
  Motion undivided_;

  Eigen::Matrix<double, 8, 8> A_;
  Eigen::Matrix<double, 8, 2> B_;
  Eigen::Matrix<double, 2, 8> C_;
  Eigen::Matrix<double, 8, 1> state_;

  Eigen::Matrix<double, 5, 2> follow_;
  Eigen::Matrix<double, 3, 5> bay_stiffness_, bay_damping_, bay_mass_;
  Eigen::Matrix<double, 5, 1> z_, rate_;
};

}  // namespace trestle::bench
