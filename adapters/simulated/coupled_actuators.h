#pragma once

#include <memory>
#include <vector>

#include "adapters/simulated/specimen_dynamics.h"
#include "core/base/snapshot.h"
#include "core/math/state_space.h"

namespace trestle::simulated {

/// m x'' = k (drive − x) − c x' − load·F − friction·tanh(x'/friction_speed).
struct LoadedTransferSettings {
  double mass = 1.0;                  ///< [kg], > 0
  double stiffness = 1.0;             ///< [N/m], > 0
  double damping = 0.0;               ///< [N·s/m]
  double load = 1.0;                  ///< part of the specimen's force that it feels
  double friction = 0.0;              ///< [N]
  double friction_speed = 2e-3;       ///< [m/s], > 0
  double initial_displacement = 0.0;  ///< where a run begins [m]
  double initial_velocity = 0.0;      ///< [m/s]
};

/// Transfer systems and the specimen that they move and that loads them: actuators with
/// their position servos as masses on springs to their drives, as Gawthrop, Wallace and
/// Wagg (2005) identify them. Integrated together by the classic Runge–Kutta rule, the
/// drives held over a tick.
class CoupledActuators {
 public:
  /// @param transfers  one per port of the specimen
  /// @param substeps   per tick, >= 1
  CoupledActuators(const std::vector<LoadedTransferSettings>& transfers,
                   std::unique_ptr<SpecimenDynamics> specimen, int substeps);

  Eigen::Index ports() const noexcept { return ports_; }
  /// Displacements, velocities, then the specimen's own states.
  Eigen::Index states() const noexcept { return x_.size(); }
  int substeps() const noexcept { return substeps_; }

  /// Back to where a run begins, at zero but for initial states; from now on in ticks of
  /// `tick` [s].
  void prepare(double tick);

  /// @param drive  of every port, held over the tick [m]
  /// @returns false if the specimen has no answer
  bool advance(const Eigen::VectorXd& drive) noexcept;

  /// Computes the motion of one tick with a drive. Nothing moves.
  bool predict(const Eigen::VectorXd& drive, Eigen::VectorXd& displacement,
               Eigen::VectorXd& force) noexcept;

  /// x' of a state, and the force that its specimen needs.
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& drive,
                Eigen::VectorXd& rate, Eigen::VectorXd& force) noexcept;

  /// Near rest, without friction, which has no linear form: from the drives to
  /// displacements, then forces.
  math::StateSpace linearise();

  /// The specimen alone near rest, moved by the velocities of its ports: states are its
  /// own, then the displacements; outputs displacements, then forces.
  math::StateSpace specimen_form();
  bool has_friction() const noexcept;

  auto displacement() const noexcept { return x_.head(ports_); }
  auto velocity() const noexcept { return x_.segment(ports_, ports_); }
  const Eigen::VectorXd& force() const noexcept { return force_; }  ///< +K·d [N]

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  bool step(double h, const Eigen::VectorXd& drive) noexcept;
  void begin() noexcept;

  std::vector<LoadedTransferSettings> transfers_;
  std::unique_ptr<SpecimenDynamics> specimen_;
  int substeps_;
  Eigen::Index ports_;
  double tick_ = 0.0;
  Eigen::VectorXd x_;
  Eigen::VectorXd force_;
  // Room.
  Eigen::VectorXd kept_, rate_, sum_, stage_, own_, own_rate_, at_, speed_, stage_force_;
};

}  // namespace trestle::simulated
