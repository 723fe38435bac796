#include "hydraulics.h"

#include <algorithm>
#include <cmath>

namespace equipment {

double Ram::specimen(double place) {
  const double soft = is.specimen_hardening * is.specimen_stiffness;
  const double hard = is.specimen_stiffness - soft;
  double elastic = hard * (place - plastic_);
  const double most = (1.0 - is.specimen_hardening) * is.specimen_yield;
  if (std::abs(elastic) > most) {
    elastic = std::copysign(most, elastic);
    plastic_ = place - elastic / hard;
  }
  return elastic + soft * place;
}

void Ram::advance(double drive, double dt) {
  constexpr double kTwoPi = 6.283185307179586;
  drift_ += is.drift * dt;
  double error = is.static_gain * drive - displacement();
  error =
      std::abs(error) <= is.dead_band ? 0.0 : error - std::copysign(is.dead_band, error);
  const double asked =
      shut_ ? 0.0 : std::clamp(is.servo_gain * error / is.fastest, -1.0, 1.0);

  const double omega = kTwoPi * is.valve_frequency;
  valve_speed_ += dt * (omega * omega * (asked - valve_) -
                        2.0 * is.valve_damping * omega * valve_speed_);
  valve_ += dt * valve_speed_;

  const double load = valve_ > 0.0 ? oil_force_ : -oil_force_;
  const double flow =
      valve_ * is.fastest * std::sqrt(std::clamp(1.0 - load / is.strongest, 0.0, 2.0));
  // A shut valve does not leak: the ram stays.
  const double leak = shut_ ? 0.0 : is.leakage * oil_force_ / is.oil_stiffness;
  oil_force_ += dt * is.oil_stiffness * (flow - speed_ - leak);
  oil_force_ = std::clamp(oil_force_, -is.strongest, is.strongest);

  const double friction = is.coulomb * std::tanh(speed_ / 1e-3) + is.viscous * speed_;
  speed_ += dt * (oil_force_ - friction - specimen_force_) / is.piston_mass;
  place_ += dt * speed_;
  specimen_force_ = specimen(place_);
}

}  // namespace equipment
