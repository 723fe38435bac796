#pragma once

#include <Eigen/Core>
#include <array>

#include "core/base/snapshot.h"
#include "numerical/integration/time_integrator.h"

namespace trestle::integration {

/// The way of the sites' commands from the end of one step to the estimate of the next: the
/// polynomial of Lagrange through the ends of the last steps and the present estimate, with
/// x = −2, −1, 0 at the ends of steps k−3, k−2, k−1, and 1 at the estimate of step k:
///
///   linear     Q(x) = x·d̂ − (x−1)·d_{k−1}
///   quadratic  Q(x) = ½·x(x+1)·d̂ − (x−1)(x+1)·d_{k−1} + ½·(x−1)x·d_{k−2}
///   cubic      Q(x) = ⅙·x(x+1)(x+2)·d̂ − ½·(x−1)(x+1)(x+2)·d_{k−1} + ½·(x−1)x(x+2)·d_{k−2}
///                     − ⅙·(x−1)x(x+1)·d_{k−3}
///
/// A. H. Schellenberg, S. A. Mahin, G. L. Fenves: Advanced implementation of hybrid
/// simulation. PEER 2009/104. Before step 0 the structure stood still. No call but the
/// constructor allocates.
class CommandPath {
 public:
  /// @param order      of the polynomial, 1 to 3
  /// @param time_step  Δt [s]: x runs by one in it
  /// @throws std::invalid_argument for another order
  CommandPath(int order, double time_step, Eigen::Index equations);

  /// Stands there.
  void start(const Eigen::VectorXd& displacement) noexcept;
  /// The last step has ended there.
  void begin_step(const Eigen::VectorXd& displacement) noexcept;
  /// To the place x of the way to this estimate; at 1 it is the estimate itself.
  void move(const Eigen::VectorXd& estimate, double x) noexcept;

  /// Where the last command is, of all equations [m | rad].
  const Eigen::VectorXd& displacement() const noexcept { return displacement_; }
  /// The motion along the way at the last command.
  DofMotion motion(Eigen::Index equation) const noexcept {
    return {displacement_[equation], velocity_[equation], acceleration_[equation]};
  }

  void save(SnapshotWriter& snapshot) const { visit(*this, snapshot); }
  void restore(SnapshotReader& snapshot) { visit(*this, snapshot); }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive) {
    for (auto& end : self.ends_) archive(end);
    archive(self.displacement_, self.velocity_, self.acceleration_);
  }
  using Factors = std::array<double, 4>;  // of the estimate, then of the ends
  void sum(const Factors& factors, const Eigen::VectorXd& estimate,
           Eigen::VectorXd& result) const noexcept;

  int order_;
  double time_step_;
  std::array<Eigen::VectorXd, 3> ends_;  // d_{k−1}, d_{k−2}, d_{k−3}
  Eigen::VectorXd displacement_;
  Eigen::VectorXd velocity_;
  Eigen::VectorXd acceleration_;
};

}  // namespace trestle::integration
