#pragma once

#include <vector>

#include "adapters/simulated/actuator_model.h"

namespace trestle::simulated {

struct PureDelaySettings {
  double delay = 0.0;  ///< τ >= 0 [s]
  double gain = 1.0;
};

/// One actuator that follows its drive with a delay: y(t) = gain · d(t − τ), where d is the
/// straight line through the drives, zero before the first one. A delay of whole ticks
/// gives the drives themselves; between ticks the two neighbours are weighted, so that a
/// drive of constant rate is delayed exactly. Without delay and with gain 1: the ideal
/// actuator.
///
/// Velocity and acceleration are backward differences: v[n] = (y[n] − y[n−1])/δt,
/// a[n] = (v[n] − v[n−1])/δt.
class PureDelay final : public ActuatorModel {
 public:
  explicit PureDelay(const PureDelaySettings& settings) : settings_(settings) {}

  int actuators() const noexcept override { return 1; }
  void prepare(double tick) override;
  void advance(const ActuatorVector& drive, ActuatorMotion& stroke) noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  PureDelaySettings settings_;
  double tick_ = 0.0;
  double weight_of_earlier_ = 0.0;  // φ of τ = (m + φ) δt
  std::vector<double> drives_;      // ring of the last m + 2
  std::size_t newest_ = 0;
  double displacement_ = 0.0;
  double velocity_ = 0.0;
};

}  // namespace trestle::simulated
