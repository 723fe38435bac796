#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "core/math/recursive_least_squares.h"

namespace trestle::bond_graph {

struct IdentificationSettings {
  bool corrects = true;      ///< the virtual junction uses what is identified
  double memory = 2.0;       ///< a measurement's weight falls to 1/e after it [s], > 0
  double excitation = 2e-5;  ///< least rms motion in the worst direction [m], > 0
  double bound = 0.5;        ///< largest relative departure from the file's, in (0, 1)
  double filter = 20.0;      ///< cut-off of the differentiating filter [Hz], > 0
};

/// What a model file says of a transfer system.
struct NominalTransfer {
  double mass = 0.0;       ///< m [kg], > 0
  double damping = 0.0;    ///< c [N·s/m], > 0
  double stiffness = 0.0;  ///< k [N/m], > 0
  double load = 1.0;       ///< beta_hat; 0: the force is no regressor
};

/// One transfer system m x'' = k (x_d − x) − c x' − load F_P, identified while it moves. In
///
///     x_d − x = a x'' + b x' + g F_P,   a = m/k, b = c/k, g = load/k
///
/// a, b and g are found by recursive least squares (math::RecursiveLeastSquares), each as
/// its ratio to the file's, s = 1. All signals pass the same filter w² / (p + w)², p the
/// derivative, which gives x' and x'' without a difference (Young, Automatica 17 (1981),
/// 23-39); the command is held over a step, motion and force go on straight lines, so that
/// the filter's step is exact. Forgetting λ = exp(−Δt/memory); P begins, and is limited, at
/// (bound/excitation)² I.
///
/// Excitation: the smallest eigenvalue of the weighted mean of φ φᵀ over the memory, φ the
/// regressors times the file's numbers [m], is at least excitation². While it is not,
/// nothing is learned; one sinusoid alone is never enough for all three. What the junction
/// uses stays within 1 ± bound and follows with a time constant of memory/10, so that no
/// step enters the command. Nothing allocates after the constructor.
class TransferIdentifier {
 public:
  using Ratios = Eigen::Vector3d;  ///< of a, b, g

  TransferIdentifier(const NominalTransfer& nominal, double time_step,
                     const IdentificationSettings& settings);

  /// At rest at a displacement [m], under a force [N].
  void begin(double displacement, double force) noexcept;
  /// A step. @param command  held over it [m] @param displacement, force  at its end
  void add(double command, double displacement, double force) noexcept;

  /// Within the bounds.
  const Ratios& identified() const noexcept { return identified_; }
  const Ratios& used() const noexcept { return used_; }
  /// Root of the smallest eigenvalue [m].
  double excitation() const noexcept { return excitation_; }
  bool frozen() const noexcept { return excitation_ < settings_.excitation; }

  /// What is to be added to a command x_d = z + a v' + b v + g F_P of the file's numbers
  /// for those that are used [m].
  double correction(double command, double displacement, double velocity,
                    double force) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  /// A filtered signal and its derivative.
  using Filtered = Eigen::Vector2d;

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void filter(Filtered& state, double before, double after) const noexcept;
  void measure_excitation(const Ratios& regressor) noexcept;
  void learn(const Ratios& regressor, double output) noexcept;

  IdentificationSettings settings_;
  Ratios nominal_;  // a, b, g of the file
  double forgetting_;
  double following_;  // part of a difference that `used` makes good in a step
  double cut_off_;    // w [rad/s]
  Eigen::Matrix2d transition_;
  Eigen::Vector2d from_before_, from_after_;

  Filtered command_, motion_, force_;
  double last_motion_ = 0.0;
  double last_force_ = 0.0;
  math::RecursiveLeastSquares estimator_;  // of two ratios without load, else of three
  Eigen::VectorXd row_;
  Ratios identified_, used_;
  Eigen::Matrix3d information_;  // mean of φ φᵀ [m²]
  double excitation_ = 0.0;
};

}  // namespace trestle::bond_graph
