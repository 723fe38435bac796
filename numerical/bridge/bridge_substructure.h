#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "numerical/bridge/girders.h"
#include "numerical/bridge/train.h"

namespace trestle::bridge {

/// A quantity of the laboratory over that of the prototype.
struct Similitude {
  double length = 1.0;
  double force = 1.0;
  double time = 1.0;
};

/// A place of the bridge whose deflection is recorded.
struct BridgeStation {
  std::string node;  ///< "span1"
  double x = 0.0;    ///< [m]
};

/// The part of one site's target that is known in advance, step by step.
struct PreviewCommand {
  std::size_t contact = 0;
  std::vector<double> command;  ///< one per step [m], the prototype's
};

/// The parts of a BridgeSubstructure, in the size of the prototype; the time step is that
/// of the laboratory.
struct BridgeParts {
  BridgeModes modes;
  Eigen::VectorXd damping;  ///< ζ of each mode
  std::vector<TrainContact> contacts;
  std::vector<TrainVehicle> vehicles;
  std::unique_ptr<const TrackProfile> track;  ///< null: smooth
  double speed = 0.0;                         ///< [m/s]
  double lead_in = 0.0;                       ///< [s]
  Similitude similitude;
  /// For each site: the contacts that are its interface DOFs. Empty: the undivided
  /// structure.
  std::vector<std::vector<std::size_t>> interfaces;
  std::vector<std::size_t> physical;  ///< contacts that are, or would be, in laboratories
  std::vector<PreviewCommand> preview;
  std::vector<BridgeStation> stations;
  std::vector<std::string> recorded;  ///< nodes; empty: all
  std::int64_t steps = 0;
  double time_step = 0.0;  ///< Δt, the laboratory's [s]
};

/// A bridge with vehicles that move over it at one speed. Interface DOFs are wheels, y up:
///
///   y = −w + r(x),   y' = −w' + v r_x,   y'' = −w'' + v² r_xx
///
/// with the derivatives of w under the moving wheel, exact for the bridge's modes. A site
/// answers the force beside the weight that its wheel needs, +M·y'' of a mass: what presses
/// on the bridge. State k comes with the forces that were read at k·Δt, the answers to step
/// k−1, and is then the target of step k.
///
/// Vehicles that are computed are solved together with the bridge, in kSubsteps parts of a
/// step; so is the whole undivided structure.
class BridgeSubstructure final : public NumericalSubstructure {
 public:
  static constexpr int kSubsteps = 8;

  explicit BridgeSubstructure(BridgeParts parts);

  std::int64_t steps() const noexcept override { return parts_.steps; }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  /// Between correct(k) and predict(k + 1) only.
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  void fill(SiteTarget& request, const std::vector<std::size_t>& contacts,
            std::int64_t step) const noexcept;
  WheelMotion in_laboratory(const WheelMotion& motion) const noexcept;
  void list_channels();
  void fill_row() const noexcept;

  BridgeParts parts_;
  int substeps_;
  double period_;  // Δt of the prototype [s]
  ModalResponse motion_;
  Train train_;
  std::vector<bool> is_physical_;                 // per contact
  std::vector<const PreviewCommand*> previewed_;  // per contact
  std::vector<ShapeValues> station_shapes_;
  Eigen::VectorXd told_, told_before_, between_;  // forces per contact, the prototype's [N]
  Channels channels_;
  std::vector<std::size_t> columns_;  // of the channels, in a row of everything
  mutable std::vector<double> row_;
};

}  // namespace trestle::bridge
