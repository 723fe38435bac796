#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "core/types/limits.h"
#include "core/types/message.h"
#include "core/types/motion.h"
#include "site-servers/safety/energy_error_monitor.h"

namespace trestle::site_node {

/// Passes the largest utilisation of a rig's limits and the state of its transducers from
/// the control thread to the thread that reports them. Neither thread waits for the other;
/// no maximum is lost between two readings.
class LoopHealth {
 public:
  /// @param limits     one per actuator
  /// @param tick       control tick δt [s], > 0
  /// @param reactions  load cells besides
  /// @param extra      channels besides
  LoopHealth(const RigLimits& limits, double tick, std::size_t reactions,
             std::size_t extra);

  // --- the control thread ---

  /// The loop begins, or was at rest: the rate of the drive is zero.
  void rest(const ActuatorVector& drive) noexcept;
  void driven(const ActuatorVector& drive) noexcept;
  void sensed(const Measurement& sensed, const safety::EnergyErrorMonitor& energy,
              std::span<const double> extra) noexcept;
  /// Of a rig that nothing drives yet: what its transducers read, and no utilisation.
  void read(const Measurement& sensed, std::span<const double> extra) noexcept;
  /// The rig is not read, or cannot be: what it read before is not reported any longer, and
  /// its extra channels are no numbers.
  void forget() noexcept;

  // --- another thread, always the same ---

  /// The most since the last call, and what the transducers did in the last second.
  void take(Health& into) noexcept;

 private:
  enum Kind { kDisplacement, kRate, kAcceleration, kForce, kTracking, kEnergy, kKinds };

  static constexpr int kBlocks = 10;
  struct Block {
    double count = 0.0;
    std::vector<double> mean;
    std::vector<double> squares;  // of the deviations from it
  };
  struct Axis {
    ActuatorLimits limits;
    std::array<std::atomic<double>, kKinds> used{};
  };

  void used(std::size_t actuator, Kind kind, double value, double limit) noexcept;
  void add(std::size_t transducer, double value) noexcept;
  void publish() noexcept;

  std::vector<Axis> axes_;
  double ticks_per_second_;
  ActuatorVector last_;    // drive
  ActuatorVector before_;  // that
  double ticks_per_block_;
  std::array<Block, kBlocks> blocks_;
  std::size_t block_ = 0;  // that is filled
  // Version of a sequence lock.
  std::atomic<unsigned> version_{0};
  std::atomic<bool> known_{false};  // the values behind it are of the last second
  std::vector<std::atomic<double>> mean_;
  std::vector<std::atomic<double>> deviation_;
  std::vector<std::atomic<double>> extra_;
};

}  // namespace trestle::site_node
