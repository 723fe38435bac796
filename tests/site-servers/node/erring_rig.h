#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/ports/site_adapter.h"

namespace trestle::testing {

/// Real equipment of one actuator that outlives the site: its servo loop settles at 0.8 of
/// the drive. It writes down how far each drive is from the one that was in force, and may
/// be moved by its own means, report its drive, and hang in a function.
class ErringRig final : public SiteAdapter {
 public:
  static constexpr double kServo = 0.8;

  RigDescription description() const override {
    return {{{"1", DofKind::kTranslation}}, real, true, 0.0};
  }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    hang_in(hangs_in_read);
    ++reads;
    if (stopped) return AdapterStatus::kTripped;
    if (cut) {
      if (++stale_ > most_stale) return AdapterStatus::kLate;
      sensed = last_;
      return AdapterStatus::kOk;
    }
    stale_ = 0;
    reported_ = drive;
    sensed.displacement.setConstant(1, servo * drive);
    sensed.force.setConstant(1, stiffness * servo * drive);
    last_ = sensed;
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& wanted) noexcept override {
    const int before = holds;
    hang_in(hangs_in_write);
    // As the contract has it: a write that a hold overtook moves nothing.
    if (holds != before || cut || stopped) return AdapterStatus::kOk;
    const double way = std::abs(wanted[0] - drive);
    if (way > jump) jump = way;
    highest = std::max(highest.load(), wanted[0]);
    lowest = std::min(lowest.load(), wanted[0]);
    drive = wanted[0];
    ++writes;
    held_last = false;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {
    ++holds;
    held_last = true;
  }
  std::span<const double> drive_in_force() const noexcept override {
    return reports ? std::span<const double>(&reported_, 1) : std::span<const double>();
  }
  int stale_reads() const noexcept override { return stale_; }
  ActiveInterlock active_interlock() const noexcept override { return interlock; }
  void report(SiteSignals signals) noexcept override { told = signals; }
  bool release() override {
    released = offers_release;
    return offers_release;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  /// As everything that saves nothing and would take something back.
  void restore(SnapshotReader& snapshot) override { snapshot.next(); }

  /// By its own servo controller.
  void moved_to(double place) noexcept { drive = place; }
  /// Its emergency stop is pressed: its controller takes another drive.
  void stop(double takes) noexcept {
    stopped = true;
    drive = takes;
  }

  bool real = true;
  ActiveInterlock interlock;  ///< as of each read
  SiteSignals told;           ///< last
  bool offers_release = true;
  std::atomic<bool> released{false};  ///< of its pressure
  double stiffness = 1e6;
  double servo = kServo;             ///< settles at so much of its drive
  std::atomic<double> drive{0.0};    ///< in force
  std::atomic<double> jump{0.0};     ///< the largest of one write
  std::atomic<double> highest{0.0};  ///< drive since it was set last
  std::atomic<double> lowest{0.0};   ///< the same
  std::atomic<bool> reports{false};
  std::atomic<bool> stopped{false};  ///< its own protection acts: it trips
  std::atomic<bool> cut{
      false};           ///< nothing comes from it, and nothing arrives, without an error
  int most_stale = 20;  ///< reads that may return an older measurement
  std::atomic<int> reads{0};
  std::atomic<int> writes{0};
  std::atomic<int> holds{0};
  std::atomic<bool> held_last{false};  ///< nothing was written since
  std::atomic<bool> hangs_in_read{false};
  std::atomic<bool> hangs_in_write{false};
  std::atomic<bool> inside{false};  ///< it hangs

 private:
  void hang_in(const std::atomic<bool>& here) noexcept {
    if (!here) return;
    inside = true;
    while (here) std::this_thread::sleep_for(std::chrono::microseconds(200));
    inside = false;
  }

  double reported_ = 0.0;
  int stale_ = 0;
  Measurement last_;
};

}  // namespace trestle::testing
