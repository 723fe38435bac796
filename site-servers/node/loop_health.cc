#include "site-servers/node/loop_health.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::site_node {
namespace {

constexpr double kWindow = 1.0;  // [s]
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// A reader that is overtaken this many times reports no transducer state this time.
constexpr int kAttempts = 4;

}  // namespace

LoopHealth::LoopHealth(const RigLimits& limits, double tick, std::size_t reactions,
                       std::size_t extra)
    : axes_(limits.size()),
      ticks_per_second_(1.0 / tick),
      last_(ActuatorVector::Zero(static_cast<Eigen::Index>(limits.size()))),
      before_(last_),
      ticks_per_block_(std::max(std::round(kWindow / kBlocks / tick), 1.0)),
      mean_(2 * limits.size() + reactions),
      deviation_(mean_.size()),
      extra_(extra) {
  for (std::size_t i = 0; i < limits.size(); ++i) axes_[i].limits = limits[i];
  for (Block& block : blocks_) {
    block.mean.assign(mean_.size(), 0.0);
    block.squares.assign(mean_.size(), 0.0);
  }
  forget();
}

void LoopHealth::rest(const ActuatorVector& drive) noexcept {
  if (drive.size() != last_.size()) return;
  last_ = before_ = drive;
}

void LoopHealth::used(std::size_t actuator, Kind kind, double value,
                      double limit) noexcept {
  const double part = std::abs(value) / limit;
  std::atomic<double>& most = axes_[actuator].used[kind];
  // A reader in between has taken the one before, which was less.
  if (part > most.load(std::memory_order_relaxed))
    most.store(part, std::memory_order_relaxed);
}

void LoopHealth::driven(const ActuatorVector& drive) noexcept {
  if (drive.size() != last_.size()) return;
  for (Eigen::Index i = 0; i < drive.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const ActuatorLimits& limits = axes_[at].limits;
    used(at, kDisplacement, drive[i], limits.displacement);
    used(at, kRate, (drive[i] - last_[i]) * ticks_per_second_, limits.rate);
    used(at, kAcceleration,
         (drive[i] - 2.0 * last_[i] + before_[i]) * ticks_per_second_ * ticks_per_second_,
         limits.acceleration);
  }
  before_ = last_;
  last_ = drive;
}

void LoopHealth::sensed(const Measurement& sensed, const safety::EnergyErrorMonitor& energy,
                        std::span<const double> extra) noexcept {
  const std::size_t actuators = axes_.size();
  for (std::size_t i = 0; i < actuators; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const ActuatorLimits& limits = axes_[i].limits;
    used(i, kForce, sensed.force[at], limits.force);
    used(i, kTracking, last_[at] - sensed.displacement[at], limits.tracking_error);
    if (std::isfinite(limits.energy_error))
      used(i, kEnergy, energy.error(at), limits.energy_error);
  }
  read(sensed, extra);
}

void LoopHealth::read(const Measurement& sensed, std::span<const double> extra) noexcept {
  const std::size_t actuators = axes_.size();
  Block& block = blocks_[block_];
  block.count += 1.0;
  for (std::size_t i = 0; i < actuators; ++i) {
    add(i, sensed.displacement[static_cast<Eigen::Index>(i)]);
    add(actuators + i, sensed.force[static_cast<Eigen::Index>(i)]);
  }
  const auto reactions = std::min(mean_.size() - 2 * actuators,
                                  static_cast<std::size_t>(sensed.force_only.size()));
  for (std::size_t i = 0; i < reactions; ++i)
    add(2 * actuators + i, sensed.force_only[static_cast<Eigen::Index>(i)]);
  for (std::size_t i = 0; i < std::min(extra.size(), extra_.size()); ++i)
    extra_[i].store(extra[i], std::memory_order_relaxed);
  if (block.count < ticks_per_block_) return;
  publish();
  block_ = (block_ + 1) % kBlocks;
  Block& next = blocks_[block_];
  next.count = 0.0;
  std::fill(next.mean.begin(), next.mean.end(), 0.0);
  std::fill(next.squares.begin(), next.squares.end(), 0.0);
}

void LoopHealth::forget() noexcept {
  known_.store(false, std::memory_order_relaxed);
  for (std::atomic<double>& value : extra_)
    value.store(kUnknown, std::memory_order_relaxed);
  for (Block& block : blocks_) {
    block.count = 0.0;
    std::fill(block.mean.begin(), block.mean.end(), 0.0);
    std::fill(block.squares.begin(), block.squares.end(), 0.0);
  }
}

/// After Welford: no difference of large numbers. @pre the block's count has this one
void LoopHealth::add(std::size_t transducer, double value) noexcept {
  Block& block = blocks_[block_];
  const double off = value - block.mean[transducer];
  block.mean[transducer] += off / block.count;
  block.squares[transducer] += off * (value - block.mean[transducer]);
}

/// Combines all blocks, after Chan.
void LoopHealth::publish() noexcept {
  version_.fetch_add(1, std::memory_order_acq_rel);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (const Block& block : blocks_) {
      if (block.count == 0.0) continue;
      const double all = count + block.count;
      const double off = block.mean[i] - mean;
      squares += block.squares[i] + off * off * count * block.count / all;
      mean += off * block.count / all;
      count = all;
    }
    mean_[i].store(mean, std::memory_order_relaxed);
    deviation_[i].store(count > 1.0 ? std::sqrt(squares / (count - 1.0)) : 0.0,
                        std::memory_order_relaxed);
  }
  version_.fetch_add(1, std::memory_order_acq_rel);
  known_.store(true, std::memory_order_release);
}

void LoopHealth::take(Health& into) noexcept {
  into.used.clear();
  for (Axis& axis : axes_) {
    const auto most = [&axis](Kind kind) {
      return axis.used[kind].exchange(0.0, std::memory_order_relaxed);
    };
    into.used.push_back({most(kDisplacement), most(kRate), most(kAcceleration),
                         most(kForce), most(kTracking), most(kEnergy)});
  }
  const auto copy = [](const std::vector<std::atomic<double>>& from,
                       std::vector<double>& to) {
    to.clear();
    for (const std::atomic<double>& value : from)
      to.push_back(value.load(std::memory_order_relaxed));
  };
  for (int attempt = 0;; ++attempt) {
    const unsigned before = version_.load(std::memory_order_acquire);
    copy(mean_, into.mean);
    copy(deviation_, into.deviation);
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool whole =
        before % 2 == 0 && version_.load(std::memory_order_relaxed) == before;
    if (whole && before != 0 && known_.load(std::memory_order_relaxed)) break;
    if (!whole && attempt < kAttempts) continue;
    into.mean.clear();  // no second is over yet, or it changed all the time
    into.deviation.clear();
    break;
  }
  copy(extra_, into.auxiliary);
}

}  // namespace trestle::site_node
