#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/ports/site_adapter.h"
#include "core/timing/wall_clock.h"

namespace trestle {

/// A rig whose ticks take the time that they stand for, whoever ticks it: read() waits
/// until it is due. Real equipment needs that where nobody else keeps the time. Not for a
/// control thread.
class TimedRig final : public SiteAdapter {
 public:
  explicit TimedRig(std::unique_ptr<SiteAdapter> rig) : rig_(std::move(rig)) {}

  RigDescription description() const override { return rig_->description(); }
  void prepare(const RigRun& run) override {
    rig_->prepare({run.tick, run.seed, /*timed=*/true});
    tick_ = Duration{std::llround(run.tick * 1e9)};
    due_ = clock_.now();
  }
  AdapterStatus read(TimePoint now, Sensed& sensed) noexcept override {
    while (clock_.now() < due_) clock_.pass(due_);
    due_ = std::max(due_, clock_.now() - tick_) + tick_;
    return rig_->read(now, sensed);
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    return rig_->write(drive);
  }
  void hold() noexcept override { rig_->hold(); }
  std::string diagnosis() const override { return rig_->diagnosis(); }
  std::span<const double> extra() const noexcept override { return rig_->extra(); }
  std::span<const double> drive_in_force() const noexcept override {
    return rig_->drive_in_force();
  }
  void save(SnapshotWriter& snapshot) const override { rig_->save(snapshot); }
  void restore(SnapshotReader& snapshot) override { rig_->restore(snapshot); }

 private:
  std::unique_ptr<SiteAdapter> rig_;
  WallClock clock_;
  Duration tick_{};
  TimePoint due_{};
};

}  // namespace trestle
