#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/simulated/actuator_model.h"
#include "adapters/simulated/displacement_observer.h"
#include "adapters/simulated/sensor_dropout.h"
#include "core/base/random.h"
#include "core/math/park_miller_generator.h"
#include "core/ports/loading_frame.h"
#include "core/ports/site_adapter.h"
#include "core/ports/specimen_model.h"

namespace trestle::simulated {

/// Standard deviations of the noise of a rig's transducers, one per actuator.
struct SensorNoise {
  ActuatorVector displacement;  ///< [m | rad]
  ActuatorVector force;         ///< [N | N·m]
  /// Published sequences in place of the product's own noise of the displacement; empty:
  /// none, or one entry per actuator. Every read takes one value of each.
  std::vector<std::optional<math::ParkMillerGenerator>> sequences = {};
};

/// The input of the specimen of a simulated rig.
enum class SpecimenInput : std::uint8_t {
  kTrueDisplacement,  ///< position of the actuators
  /// The readings of the displacement transducers, noise included, from the initial
  /// measurement on: as if no load cell is used and a force is computed. Rates remain those
  /// of the actuators.
  kMeasuredDisplacement,
};

/// What a simulated rig is made of.
struct SimulatedRigParts {
  std::unique_ptr<ActuatorModel> actuators;
  /// Of the frame's DOFs, and of as many force-only ones as the description has reactions.
  std::unique_ptr<SpecimenModel> specimen;
  std::unique_ptr<const LoadingFrame> frame;
  SensorNoise noise = {};  ///< empty vectors, or one value per actuator
  SpecimenInput input = SpecimenInput::kTrueDisplacement;
  /// With kMeasuredDisplacement: the specimen feels its estimate of the strokes in place of
  /// what the transducers read.
  std::optional<DisplacementObserver> estimator = std::nullopt;
  std::optional<SensorDropout> dropout = std::nullopt;  ///< of its transducers
};

/// Actuators, loading frame and specimen that are only computed.
///
/// Moves by reads and by nothing else: the first read of a run finds it at rest at zero,
/// every further one is one tick later, with the last drive held in between. Time that
/// passes moves nothing.
///
/// The loading frame turns strokes into the motion of the controlled interface DOFs and the
/// specimen's forces there into those of the actuators, at the strokes that the specimen
/// feels. Force-only DOFs stand still; the specimen's forces there are the reactions.
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
/// round(now/δt). A published sequence has a state instead, which snapshots keep.
class SimulatedRig final : public SiteAdapter {
 public:
  /// @param site  its name, which selects its noise
  SimulatedRig(const std::string& site, RigDescription description,
               SimulatedRigParts parts);

  RigDescription description() const override { return description_; }
  void prepare(const RigRun& run) override;
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  /// The last drive stays; the actuators come to rest by themselves.
  void hold() noexcept override {}
  /// Returns the accelerations of the specimen, without noise.
  std::span<const double> accelerations() const noexcept override {
    return {acceleration_.data(), static_cast<std::size_t>(acceleration_.size())};
  }
  /// To be looked at: what it is made of.
  const ActuatorModel& actuators() const noexcept { return *actuators_; }
  const SpecimenModel& specimen() const noexcept { return *specimen_; }
  const LoadingFrame& frame() const noexcept { return *frame_; }
  const SensorNoise& noise() const noexcept { return noise_; }
  SpecimenInput specimen_input() const noexcept { return feels_; }
  bool has_estimator() const noexcept { return estimator_.has_value(); }
  bool has_dropout() const noexcept { return dropout_.has_value(); }
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  ActuatorVector estimated(const ActuatorVector& read) noexcept;
  void load_specimen(const ActuatorMotion& felt) noexcept;
  RandomKey place_of(TimePoint now) const noexcept;
  void add_displacement_noise(RandomKey place, ActuatorVector& displacement) noexcept;
  void add_force_noise(RandomKey place, ActuatorVector& force) const noexcept;

  RigDescription description_;
  std::unique_ptr<ActuatorModel> actuators_;
  std::unique_ptr<SpecimenModel> specimen_;
  std::unique_ptr<const LoadingFrame> frame_;
  SensorNoise noise_;
  SpecimenInput feels_;
  std::optional<DisplacementObserver> estimator_;
  std::optional<SensorDropout> dropout_;
  std::uint64_t stream_;

  RigRun run_;
  bool opened_ = false;  // the first read is done
  ActuatorVector drive_;
  ActuatorMotion stroke_;
  ActuatorVector force_;          // without noise
  InterfaceVector reaction_;      // of the specimen at the force-only DOFs
  InterfaceVector acceleration_;  // of the controlled DOFs, by the last read
  std::vector<std::optional<math::ParkMillerGenerator>> sequences_;  // their current state
};

}  // namespace trestle::simulated
