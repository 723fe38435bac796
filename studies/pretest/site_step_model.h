#pragma once

#include "studies/pretest/closed_loop.h"

namespace trestle::pretest {

/// Three quantities of one motion; rows are DOFs or actuators, columns are probes: states
/// of the loop that are looked at side by side.
struct StateBasisMotion {
  Eigen::MatrixXd displacement;
  Eigen::MatrixXd velocity;
  Eigen::MatrixXd acceleration;
};

/// All that a site remembers from tick to tick, columns as above.
class SiteStepModel {
 public:
  /// @param delays  further delay of each actuator [s]; empty: none
  /// @param probes  columns
  SiteStepModel(const ClosedLoopSite& site, const std::vector<double>& delays,
                Eigen::Index probes);

  /// Rows of all that is remembered.
  Eigen::Index rows() const noexcept;
  /// From, and to, `rows()` rows of a larger block, from `at` on.
  void take(const Eigen::MatrixXd& states, Eigen::Index at);
  void give(Eigen::MatrixXd& states, Eigen::Index at) const;

  /// One step towards a target.
  /// @returns the forces that are answered
  Eigen::MatrixXd step(const StateBasisMotion& structure);

  /// One tick of controller and rig alone.
  void move(const Eigen::MatrixXd& command);
  const Eigen::MatrixXd& measured() const noexcept { return measured_; }

 private:
  StateBasisMotion between(const StateBasisMotion& target, int tick) const;
  Eigen::MatrixXd command(const StateBasisMotion& stroke);
  Eigen::MatrixXd delayed(const Eigen::MatrixXd& drive);
  void load();
  void take_out(const Eigen::MatrixXd& displacement);
  template <typename Self, typename Visit>
  static void each_block(Self& self, Visit visit);

  const ClosedLoopSite& site_;
  std::vector<FractionalDelay> delays_;
  StateBasisMotion from_;
  std::vector<Eigen::MatrixXd> targets_;   // per actuator, the newest first
  std::vector<Eigen::MatrixXd> commands_;  // likewise
  std::vector<Eigen::MatrixXd> drives_;    // likewise
  Eigen::MatrixXd control_;
  Eigen::MatrixXd rig_;
  Eigen::MatrixXd specimen_;
  Eigen::MatrixXd path_;   // of the targets, where an inertia is taken out: the last tick's
  Eigen::MatrixXd speed_;  // likewise, its difference
  Eigen::MatrixXd measured_;
  Eigen::MatrixXd motion_;  // outputs of the rig after the last tick; not remembered
  Eigen::MatrixXd force_;   // likewise
};

}  // namespace trestle::pretest
