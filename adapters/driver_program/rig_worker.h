#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/driver/driver_page.h"
#include "adapters/driver_program/drive_guard.h"
#include "adapters/driver_program/driver_log.h"
#include "adapters/driver_program/hold_keeper.h"
#include "adapters/driver_program/output_keeper.h"
#include "adapters/plugin/plugin_reading.h"

namespace trestle::driver_program {

/// Calls the plug-in for the site: one thread, which serves the requests of the page.
/// Passes on no drive that is not finite, is beyond its limits, comes too late, or was
/// overtaken by a hold, the site's or the driver's own. Reading and writing neither
/// allocate, lock nor log.
class RigWorker {
 public:
  /// All outlive this.
  RigWorker(const trestle_adapter_v1& table, void* rig, driver::DriverPage& page,
            HoldKeeper& keeper, DriverLog& log);

  /// The rig is closed only where nothing sets its outputs any more. @pre before run()
  void end_first(OutputKeeper& outputs) noexcept { outputs_ = &outputs; }

  /// Returns after the rig was closed by the site's request.
  void run();

  // --- any thread ---

  /// The function of the plug-in that is under way; null: none.
  const char* function() const noexcept { return function_.load(); }
  /// A site has prepared the rig: it may be away from rest.
  bool prepared() const noexcept { return prepared_.load(); }
  /// Serves nothing from now on.
  void leave() noexcept { leaving_ = true; }

 private:
  struct PassedDrive {
    std::uint32_t asked;  // holds that the site had requested before it
    std::uint32_t holds;  // of the rig before it
  };

  struct HostWishes {
    int priority;
    int cpu;
    bool operator==(const HostWishes&) const = default;
  };

  void serve(const driver::Request& request, std::uint32_t sequence) noexcept;
  void describe() noexcept;
  void prepare(const driver::Request& request);
  void request_host_resources();
  void read(const driver::Request& request) noexcept;
  void read_inputs() noexcept;
  void write(const driver::Request& request) noexcept;
  bool is_behind_its_holds(const driver::Request& request) noexcept;
  bool accepts(const driver::Request& request) noexcept;
  bool refuses(const char* why) noexcept;
  bool held_unknown_to(const driver::Request& request) const noexcept;
  void trip_by_own_hold() noexcept;
  void save(const driver::Request& request) noexcept;
  void restore(const driver::Request& request) noexcept;
  void trip(const char* why) noexcept;
  void explain() noexcept;
  void publish(std::uint32_t sequence) noexcept;

  const trestle_adapter_v1& table_;
  void* rig_;
  driver::DriverPage& page_;
  HoldKeeper& keeper_;
  DriverLog& log_;
  OutputKeeper* outputs_ = nullptr;
  std::uint32_t seen_;         // sequence of the last request
  std::vector<double> state_;  // of the rig, saved or restored last; empty: it has none
  trestle_rig_capabilities is_{};
  std::optional<plugin::PluginReading> reading_;
  driver::Answer answer_;
  DriveGuard guard_;
  std::optional<PassedDrive> passed_;  // the last one of this run
  std::optional<HostWishes> made_;     // of the host, last
  std::string refused_;                // of those, a line each
  std::atomic<const char*> function_{nullptr};
  std::atomic<bool> prepared_{false};
  std::atomic<bool> leaving_{false};
};

}  // namespace trestle::driver_program
