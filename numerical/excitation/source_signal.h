#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trestle::excitation {

/// What a source of a model is given as.
enum class SourceQuantity : std::uint8_t { kDisplacement, kVelocity, kForce };

/// What one source gives over time: of one quantity, SI, from time 0 on. Before that a
/// displacement stands where it begins, and the others are zero.
struct SourceSignal {
  std::string source;
  SourceQuantity quantity = SourceQuantity::kDisplacement;
  std::function<double(double)> at;  ///< of the time [s] >= 0; set-up only
  double duration = 0.0;             ///< until nothing new comes [s]; 0: for ever
};

/// The flow (velocity) or effort (force) of one source, step by step. A displacement enters
/// as its difference quotients, so that the model ends where the displacement does.
class SampledSource {
 public:
  /// A source that gives nothing.
  SampledSource() = default;
  /// @param steps  that are looked up, 0 ... steps
  SampledSource(const SourceSignal& signal, double time_step, std::int64_t steps);

  /// Mean over the step from k·Δt on [m/s | N]; before and behind the samples the value at
  /// rest.
  double step_mean(std::int64_t k) const noexcept { return value(mean_, k); }
  /// At k·Δt [m/s | N]: of a displacement the central difference.
  double at(std::int64_t k) const noexcept { return value(at_, k); }

 private:
  static double value(const std::vector<double>& values, std::int64_t k) noexcept {
    if (k < -1 || k + 1 >= static_cast<std::int64_t>(values.size())) return 0.0;
    return values[static_cast<std::size_t>(k + 1)];
  }

  std::vector<double> mean_;  // of k = −1, 0, ...
  std::vector<double> at_;
};

/// The signal of this source, sampled; one that gives nothing where there is none.
SampledSource sampled(const std::vector<SourceSignal>& signals, const std::string& source,
                      double time_step, std::int64_t steps);

}  // namespace trestle::excitation
