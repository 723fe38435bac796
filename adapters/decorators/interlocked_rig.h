#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/site_adapter.h"

namespace trestle::decorators {

/// A digital input of a rig that stops it, as a site's file maps it.
struct MappedInput {
  std::string name;            ///< of the input
  bool active_closed = false;  ///< the level that stops the rig: closed, or open
  InterlockReaction reaction = InterlockReaction::kHold;
};

/// A digital output that tells the rig's equipment what its site does.
struct MappedOutput {
  std::string name;           ///< of the output
  bool running = false;       ///< tells that a test runs; false: that the site is ready
  bool active_closed = true;  ///< closed while that is so; false: open
};

/// The digital inputs and outputs of a site's file.
struct MappedContacts {
  std::vector<MappedInput> inputs;
  std::vector<MappedOutput> outputs;

  bool empty() const noexcept { return inputs.empty() && outputs.empty(); }
};

/// A rig whose digital inputs stop it, and whose outputs tell its equipment what the site
/// does. After each read it compares the inputs with their active levels; an input that was
/// not read in this tick is active. The site reacts in the same tick, before it writes.
///
/// The reading itself is the rig's, bit for bit: who drives looks at active_interlock(),
/// too.
class InterlockedRig final : public SiteAdapter {
 public:
  /// @param path  of the site's keys in the configuration, with its dot; may be empty
  /// @throws SettingError  the rig has no such input or output
  InterlockedRig(std::unique_ptr<SiteAdapter> rig, MappedContacts contacts,
                 const std::string& path);

  RigDescription description() const override { return rig_->description(); }
  void prepare(const RigRun& run) override;
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    return rig_->write(drive);
  }
  void hold() noexcept override { rig_->hold(); }
  /// A sentence about the active interlock; without one the rig's own words.
  std::string diagnostic_message() const override;
  std::span<const double> auxiliary_channels() const noexcept override {
    return rig_->auxiliary_channels();
  }
  std::span<const double> drive_in_force() const noexcept override {
    return rig_->drive_in_force();
  }
  int stale_reads() const noexcept override { return rig_->stale_reads(); }
  bool taken_over() const noexcept override { return rig_->taken_over(); }
  bool responds() const noexcept override { return rig_->responds(); }
  std::vector<std::string> host_refusals() const override { return rig_->host_refusals(); }
  std::span<const double> accelerations() const noexcept override {
    return rig_->accelerations();
  }
  void save(SnapshotWriter& snapshot) const override { rig_->save(snapshot); }
  void restore(SnapshotReader& snapshot) override { rig_->restore(snapshot); }
  bool release() override { return rig_->release(); }
  ActiveInterlock active_interlock() const noexcept override;
  void set_outputs(std::uint32_t closed) noexcept override { rig_->set_outputs(closed); }
  void report(SiteSignals signals) noexcept override;

 private:
  enum class Level : std::uint8_t { kOpen, kClosed, kNotKnown };
  struct Input {
    MappedInput is;
    std::size_t channel;  // among auxiliary_channels()
    bool by_itself;       // as fresh as it says, whatever the measurement is
  };
  struct Output {
    MappedOutput is;
    std::uint32_t bit;
  };

  Level level_of(const Input& input, std::span<const double> channels) const noexcept;

  std::unique_ptr<SiteAdapter> rig_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  // The index of the active interlock and its level, for diagnostic_message(); negative:
  // none.
  std::atomic<int> active_{-1};
  std::atomic<Level> level_{Level::kOpen};
  std::atomic<std::uint32_t> told_{0};
};

}  // namespace trestle::decorators
