#include "numerical/bridge/bridge_substructure.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trestle::bridge {
namespace {

using Eigen::Index;

/// A mass that follows the bridge's own acceleration asks for the scheme that bears it.
ModalScheme scheme_for(const BridgeParts& parts) {
  for (const TrainVehicle& vehicle : parts.vehicles) {
    const Index c = vehicle.settings.contacts;
    if (!vehicle.settings.mass.topLeftCorner(c, c).isZero(0.0))
      return ModalScheme::kAverageAcceleration;
  }
  return ModalScheme::kExact;
}

void add_channels(const std::string& node, Channels& channels) {
  channels.push_back({node + ".y.disp_m", "m"});
  channels.push_back({node + ".y.vel_m_s", "m/s"});
  channels.push_back({node + ".y.acc_m_s2", "m/s^2"});
}

}  // namespace

BridgeSubstructure::BridgeSubstructure(BridgeParts parts)
    : parts_(std::move(parts)),
      substeps_(parts_.vehicles.empty() ? 1 : kSubsteps),
      period_(parts_.time_step / parts_.similitude.time),
      motion_(parts_.modes.frequency, parts_.damping, period_ / substeps_,
              scheme_for(parts_)),
      train_(parts_.contacts, parts_.vehicles, *parts_.modes.shapes, parts_.track.get(),
             parts_.speed, period_ / substeps_),
      is_physical_(parts_.contacts.size(), false),
      previewed_(parts_.contacts.size(), nullptr) {
  for (const std::size_t contact : parts_.physical) is_physical_[contact] = true;
  for (const PreviewCommand& preview : parts_.preview)
    previewed_[preview.contact] = &preview;
  for (const BridgeStation& station : parts_.stations) {
    station_shapes_.push_back(parts_.modes.shapes->room());
    parts_.modes.shapes->at(station.x, station_shapes_.back());
  }
  told_ = Eigen::VectorXd::Zero(static_cast<Index>(parts_.contacts.size()));
  told_before_ = between_ = told_;
  list_channels();
  prepare();
}

void BridgeSubstructure::list_channels() {
  Channels all;
  for (const TrainContact& contact : parts_.contacts) {
    add_channels(contact.node, all);
    all.push_back({contact.node + ".y.force_N", "N"});
    all.push_back({contact.node + ".place_m", "m"});
  }
  for (const TrainVehicle& vehicle : parts_.vehicles)
    for (const std::string& node : vehicle.free_nodes) add_channels(node, all);
  for (const BridgeStation& station : parts_.stations) add_channels(station.node, all);
  row_.resize(all.size());
  const std::vector<std::string>& kept = parts_.recorded;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string node = all[i].name.substr(0, all[i].name.find('.'));
    if (!kept.empty() && std::find(kept.begin(), kept.end(), node) == kept.end()) continue;
    columns_.push_back(i);
    channels_.push_back(all[i]);
  }
}

void BridgeSubstructure::prepare() {
  motion_.reset();
  train_.reset(-parts_.speed * parts_.lead_in);
  told_.setZero();
  told_before_.setZero();
}

void BridgeSubstructure::predict(std::int64_t step,
                                 std::span<SiteTarget> requests) noexcept {
  for (int part = 1; step > 0 && part <= substeps_; ++part) {
    const double share = static_cast<double>(part) / substeps_;
    const double time = (static_cast<double>(step - 1) + share) * period_;
    between_ = told_before_ + share * (told_ - told_before_);
    train_.advance(motion_, parts_.speed * (time - parts_.lead_in), between_);
  }
  told_before_ = told_;
  for (std::size_t site = 0; site < requests.size(); ++site)
    fill(requests[site], parts_.interfaces[site], step);
}

WheelMotion BridgeSubstructure::in_laboratory(const WheelMotion& motion) const noexcept {
  const double length = parts_.similitude.length;
  const double time = parts_.similitude.time;
  return {length * motion.displacement, length / time * motion.velocity,
          length / (time * time) * motion.acceleration};
}

void BridgeSubstructure::fill(SiteTarget& request, const std::vector<std::size_t>& contacts,
                              std::int64_t step) const noexcept {
  const bool forward = !parts_.preview.empty();
  const auto dofs = static_cast<Index>(contacts.size());
  if (forward && request.command_feedforward.size() != dofs) {
    request.feedforward_target = InterfaceMotion::zero(dofs);
    request.command_feedforward = InterfaceVector::Zero(dofs);
  }
  for (Index i = 0; i < dofs; ++i) {
    const std::size_t contact = contacts[static_cast<std::size_t>(i)];
    const WheelMotion y = in_laboratory(train_.motion(contact));
    request.target.displacement[i] = y.displacement;
    request.target.velocity[i] = y.velocity;
    request.target.acceleration[i] = y.acceleration;
    if (!forward || previewed_[contact] == nullptr) continue;
    const TrackPoint r = train_.track(contact);
    const WheelMotion known = in_laboratory(
        {r.height, parts_.speed * r.slope, parts_.speed * parts_.speed * r.curvature});
    request.feedforward_target.displacement[i] = known.displacement;
    request.feedforward_target.velocity[i] = known.velocity;
    request.feedforward_target.acceleration[i] = known.acceleration;
    request.command_feedforward[i] =
        parts_.similitude.length *
        previewed_[contact]->command[static_cast<std::size_t>(step)];
  }
}

bool BridgeSubstructure::correct(std::int64_t /*step*/,
                                 std::span<const SiteResponse> answers) noexcept {
  for (std::size_t site = 0; site < answers.size(); ++site)
    for (std::size_t i = 0; i < parts_.interfaces[site].size(); ++i)
      told_[static_cast<Index>(parts_.interfaces[site][i])] =
          answers[site].force[static_cast<Index>(i)] / parts_.similitude.force;
  return motion_.finite() && std::isfinite(told_.sum());
}

void BridgeSubstructure::record(std::span<double> row) const noexcept {
  fill_row();
  for (std::size_t i = 0; i < columns_.size(); ++i) row[i] = row_[columns_[i]];
}

void BridgeSubstructure::fill_row() const noexcept {
  double* out = row_.data();
  const auto put = [&out](const WheelMotion& motion) {
    *out++ = motion.displacement;
    *out++ = motion.velocity;
    *out++ = motion.acceleration;
  };
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i) {
    put(is_physical_[i] ? in_laboratory(train_.motion(i)) : train_.motion(i));
    *out++ = train_.force(i) * (is_physical_[i] ? parts_.similitude.force : 1.0);
    *out++ = train_.place(i);
  }
  for (std::size_t i = 0; i < parts_.vehicles.size(); ++i) {
    const LinearVehicle& vehicle = train_.vehicle(i);
    const Index dofs = vehicle.free_dofs();
    for (Index dof = 0; dof < dofs; ++dof)
      put({vehicle.state()[dof], vehicle.state()[dofs + dof], vehicle.acceleration()[dof]});
  }
  for (const ShapeValues& shapes : station_shapes_) {
    const Deflection w = motion_.at(shapes, 0.0);
    put({-w.displacement, -w.velocity, -w.acceleration});
  }
}

void BridgeSubstructure::snapshot(SnapshotWriter& snapshot) const {
  motion_.save(snapshot);
  train_.save(snapshot);
  snapshot.add(told_);
  snapshot.add(told_before_);
}

void BridgeSubstructure::restore(SnapshotReader& snapshot) {
  motion_.restore(snapshot);
  train_.restore(snapshot);
  snapshot.fill(told_);
  snapshot.fill(told_before_);
}

}  // namespace trestle::bridge
