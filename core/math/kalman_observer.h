#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "core/math/plant_model.h"

namespace trestle::math {

/// The steady-state Kalman filter of a sampled plant, in turns once per tick:
///
///   correct(y[k]):  x̂[k] = x⁻[k] + L (y[k] − C x⁻[k])   the estimate with this tick's
///   reading predict(u[k]):  x⁻[k+1] = A x̂[k] + B u[k]           and where the held drive
///   will take it
///
/// Sized in the constructor; no turn touches the heap.
class KalmanObserver {
 public:
  /// From rest.
  /// @param path  of the plant's settings
  /// @throws SettingError as kalman_gain()
  KalmanObserver(const PlantModel& plant, const std::string& path);

  /// Back to rest: all zero.
  void reset() noexcept;

  /// From a known state: x⁻ is what it is from now on.
  void start(const Eigen::Ref<const Eigen::VectorXd>& state) noexcept;

  void correct(const Eigen::Ref<const Eigen::VectorXd>& measured) noexcept;
  void predict(const Eigen::Ref<const Eigen::VectorXd>& drive) noexcept;

  const Eigen::VectorXd& estimate() const noexcept { return estimate_; }      ///< x̂
  const Eigen::VectorXd& correction() const noexcept { return correction_; }  ///< x̂ − x⁻
  const Eigen::VectorXd& displacement() const noexcept { return displacement_; }  ///< C x̂

  const Eigen::MatrixXd& forward() const noexcept { return forward_; }  ///< A
  const Eigen::MatrixXd& entry() const noexcept { return entry_; }      ///< B
  const Eigen::MatrixXd& reading() const noexcept { return reading_; }  ///< C
  const Eigen::MatrixXd& gain() const noexcept { return gain_; }        ///< L

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  Eigen::MatrixXd forward_;  // A
  Eigen::MatrixXd entry_;    // B
  Eigen::MatrixXd reading_;  // C
  Eigen::MatrixXd gain_;     // L
  Eigen::VectorXd prediction_;
  Eigen::VectorXd estimate_;
  Eigen::VectorXd correction_;
  Eigen::VectorXd innovation_;
  Eigen::VectorXd displacement_;
};

}  // namespace trestle::math
