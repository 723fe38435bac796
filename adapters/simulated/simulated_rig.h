#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "adapters/simulated/actuator_model.h"
#include "core/ports/site_adapter.h"
#include "core/ports/specimen_model.h"

namespace trestle {

/// Standard deviations of the noise of a rig's transducers, one per actuator.
struct SensorNoise {
  ActuatorVector displacement;  ///< [m | rad]
  ActuatorVector force;         ///< [N | N·m]
};

/// Actuators, loading frame and specimen that are only computed.
///
/// Moves by reads and by nothing else: the first read of a run finds it at rest at zero,
/// every further one is one tick later, with the last drive held in between. Time that
/// passes moves nothing.
///
/// The loading frame is the matrix T, a = T d: strokes a, interface motion d = T⁺ a,
/// interface forces f = Tᵀ f_a with f_a = T⁺ᵀ f. T is invertible, or has more actuators
/// than DOFs and full column rank: then T⁺ is its pseudo-inverse and the forces are shared
/// by the least sum of squares.
///
/// The specimen feels velocity and acceleration at the end of the tick. Actuators with a
/// servo loop of their own give those of their model. Ideal, delayed and fed-through ones
/// jump with the held drive and have no rate but differences of it: v[n] = (d[n] −
/// d[n−1])/δt and a[n] = (v[n] − v[n−1])/δt are the rates of half a tick and of one tick
/// ago. A damper so gives C (v − δt/2·a), a mass M (a − δt·ȧ), to first order in δt: next
/// to the undivided structure an error of first order, as if the mass were less by C·δt/2.
/// (One-sided differences of higher order would be exact to δt², but double the rate at the
/// highest frequency and triple the acceleration there, at the cost of stability and with
/// the noise of a controller.) So a test that must meet the undivided structure to
/// round-off has a specimen of displacement alone; with damping or mass it meets it to
/// first order in δt.
///
/// Noise is added to what is read and never to what happens. It is a function of the run's
/// seed, of the site's name, of the channel (2·actuator for displacement, one more for
/// force) and of the number of the tick, which the step and the tick in it give:
/// round(now/δt).
class SimulatedRig final : public SiteAdapter {
 public:
  /// @param site  its name: makes its noise its own
  /// @param actuator_from_interface  T, actuators × DOFs, full column rank
  /// @param noise  empty vectors, or one value per actuator
  SimulatedRig(const std::string& site, RigDescription description,
               std::unique_ptr<ActuatorModel> actuators,
               std::unique_ptr<SpecimenModel> specimen,
               const Eigen::MatrixXd& actuator_from_interface, const SensorNoise& noise);

  RigDescription description() const override { return description_; }
  void prepare(const RigRun& run) override;
  AdapterStatus read(TimePoint now, Sensed& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  /// The last drive stays; the actuators come to rest there by themselves.
  void hold() noexcept override {}
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  void advance() noexcept;
  void add_noise(TimePoint now, Sensed& sensed) const noexcept;

  RigDescription description_;
  std::unique_ptr<ActuatorModel> actuators_;
  std::unique_ptr<SpecimenModel> specimen_;
  Eigen::MatrixXd interface_from_actuator_;  // T⁺
  Eigen::MatrixXd force_to_actuator_;        // T⁺ᵀ
  SensorNoise noise_;
  std::uint64_t stream_;

  RigRun run_;
  bool opened_ = false;  // the first read is done
  ActuatorVector drive_;
  Stroke stroke_;
  Sensed sensed_;  // without noise
};

}  // namespace trestle
