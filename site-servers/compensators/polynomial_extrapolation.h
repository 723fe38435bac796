#pragma once

#include <vector>

#include "core/math/delay_line.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

struct PolynomialSettings {
  double tick = 0.0;        ///< control tick δt [s], > 0
  PerActuator delay = 0.0;  ///< τ of the transfer system, >= 0 [s]
  int order = 3;            ///< 1 ... 4
};

/// Commands where the target will be one delay from now, by the polynomial through past
/// targets. Horiuchi, Inoue, Konno and Namita (1999),
/// doi:10.1002/(SICI)1096-9845(199910)28:10<1121::AID-EQE858>3.0.CO;2-O
///
/// There the order+1 targets stand one delay apart, which keeps the coefficients small
/// (order 3: 4, −6, 4, −1). Here they stand a whole number of ticks apart, the one next to
/// the delay and at least one; what the delay has besides is in the coefficients, so that
/// any delay is met exactly. Before the first target of a run lies that same target.
class PolynomialExtrapolation final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  PolynomialExtrapolation(int actuators, const PolynomialSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Weights of the targets now, one spacing ago, two spacings ago, ...
  const std::vector<double>& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].coefficients;
  }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    int spacing;  // [ticks]
    std::vector<double> coefficients;
    math::DelayLine targets;
  };

  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
