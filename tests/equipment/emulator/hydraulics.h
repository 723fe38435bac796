#pragma once

namespace equipment {

/// Of one servo-hydraulic ram and what it moves. SI.
struct RamSettings {
  double servo_gain = 40.0;  ///< of the position loop [1/s]
  double static_gain = 1.0;  ///< where it settles, as a part of the drive; 0.8: 20 % off
  double dead_band = 0.0;    ///< errors up to this move nothing [m]
  double drift = 0.0;        ///< of the displacement transducer [m/s]
  double valve_frequency = 90.0;  ///< [Hz]
  double valve_damping = 0.8;
  double fastest = 0.5;              ///< piston with the valve open, no load [m/s]
  double strongest = 60e3;           ///< force saturation [N]
  double piston_mass = 300.0;        ///< [kg]
  double oil_stiffness = 6e7;        ///< [N/m]
  double leakage = 40.0;             ///< of the pressure [1/s]
  double viscous = 8e3;              ///< [N s/m]
  double coulomb = 300.0;            ///< [N]
  double specimen_stiffness = 4e4;   ///< [N/m]
  double specimen_yield = 1e9;       ///< [N]
  double specimen_hardening = 0.05;  ///< stiffness behind the yield, as a part
};

/// Digital position loop, second-order valve, oil column, piston with friction, a specimen
/// that may yield.
class Ram {
 public:
  explicit Ram(RamSettings settings) : is(settings) {}

  /// Valve shut, whatever the drive.
  void block(bool shut) { shut_ = shut; }
  void advance(double drive, double dt);

  double displacement() const { return place_ + drift_; }  ///< as the transducer says
  double place() const { return place_; }
  double speed() const { return speed_; }
  double force() const { return specimen_force_; }  ///< as the load cell says, +k d

  RamSettings is;

 private:
  double specimen(double place);

  bool shut_ = false;
  double valve_ = 0.0, valve_speed_ = 0.0;
  double oil_force_ = 0.0;
  double place_ = 0.0, speed_ = 0.0;
  double plastic_ = 0.0;  ///< where the specimen's elastic part begins [m]
  double specimen_force_ = 0.0;
  double drift_ = 0.0;
};

}  // namespace equipment
