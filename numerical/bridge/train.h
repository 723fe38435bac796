#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/bridge/linear_vehicle.h"
#include "numerical/bridge/modal_response.h"
#include "numerical/bridge/mode_shapes.h"
#include "numerical/bridge/track_profile.h"

namespace trestle::bridge {

/// One wheel on the track.
struct TrainContact {
  std::string node;             ///< "wheel1"
  double behind = 0.0;          ///< the front of the train [m]
  double weight = 0.0;          ///< static load on the track [N]
  int vehicle = -1;             ///< of the vehicles below; −1: none, its force is given
  Eigen::Index of_vehicle = 0;  ///< which of the vehicle's contacts
};

/// A vehicle that is computed.
struct TrainVehicle {
  LinearVehicleSettings settings;
  std::vector<std::string> free_nodes;  ///< names of its free DOFs
};

/// Motion of a wheel along y = −w + r, positive up.
struct WheelMotion {
  double displacement = 0.0;  ///< [m]
  double velocity = 0.0;      ///< [m/s]
  double acceleration = 0.0;  ///< [m/s²]
};

/// All wheels at their positions at one speed, with the computed vehicles. The forces of
/// these act in the same step: they and the bridge are solved together (dual Schur
/// complement over the wheels on the bridge). After the constructor no call allocates.
class Train {
 public:
  /// @param track   may be null: smooth
  /// @param speed   [m/s]
  /// @param step    of the motion [s]
  Train(std::vector<TrainContact> contacts, const std::vector<TrainVehicle>& vehicles,
        const ModeShapes& shapes, const TrackProfile* track, double speed, double step);

  const std::vector<TrainContact>& contacts() const noexcept { return contacts_; }
  const LinearVehicle& vehicle(std::size_t i) const noexcept { return vehicles_[i]; }

  /// Stands with its front at x on the rigid approach.
  void reset(double front) noexcept;

  /// One step of bridge and train.
  /// @param front  x at its end [m]
  /// @param told   forces of the contacts beside their weight, of a vehicle or not, one per
  ///               contact: added to what is computed [N]
  void advance(ModalResponse& bridge, double front, const Eigen::VectorXd& told) noexcept;

  double place(std::size_t contact) const noexcept {
    return front_ - contacts_[contact].behind;
  }
  const WheelMotion& motion(std::size_t contact) const noexcept {
    return motions_[contact];
  }
  /// On the bridge beside the weight, positive down [N].
  double force(std::size_t contact) const noexcept {
    return forces_[static_cast<Eigen::Index>(contact)];
  }
  TrackPoint track(std::size_t contact) const noexcept {
    return track_ == nullptr ? TrackPoint{} : track_->at(place(contact));
  }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  void find_motions(const ModalResponse& bridge) noexcept;
  void gather(std::size_t vehicle) noexcept;
  void couple(ModalResponse& bridge) noexcept;

  std::vector<TrainContact> contacts_;
  std::vector<LinearVehicle> vehicles_;
  std::vector<std::vector<std::size_t>> wheels_;  // of each vehicle: its contacts
  const ModeShapes& shapes_;
  const TrackProfile* track_;
  double speed_;
  double front_ = 0.0;
  std::vector<ShapeValues> values_;  // per contact
  std::vector<WheelMotion> motions_;
  std::vector<ContactMotion> gathered_;  // per vehicle
  Eigen::VectorXd forces_;
  std::vector<std::size_t> active_;  // contacts of vehicles that are on the bridge
  std::size_t active_count_ = 0;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd right_;
};

}  // namespace trestle::bridge
