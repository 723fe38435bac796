#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "adapters/driver/driver_settings.h"
#include "adapters/driver/life_sign.h"
#include "adapters/driver/shared_page.h"
#include "core/base/file_descriptor.h"

namespace trestle::driver {

/// A site's connection to the driver process of its rig.
class DriverProcess {
 public:
  /// Takes up the driver that holds this rig since an earlier site died; if there is none,
  /// starts one. A driver that has another plug-in or other settings is ended first.
  /// Blocks for as long as the plug-in needs to open its rig, at most 60 s.
  /// @param path      of the adapter in the configuration
  /// @param given_up  another thread sets it to end the wait within 20 ms; null: none does
  /// @throws SettingError        the plug-in cannot be loaded, or refuses its settings
  /// @throws std::runtime_error  no driver can be had: why, and what to do
  DriverProcess(const DriverSettings& settings, const std::string& path,
                const std::atomic<bool>* given_up = nullptr);
  /// Leaves the driver to itself: it holds, and waits for the next site.
  ~DriverProcess();
  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;

  DriverPage& page() noexcept { return shared_->page(); }
  pid_t number() const noexcept { return process_; }
  /// The driver was there before this site.
  bool taken_up() const noexcept { return child_ == 0; }

  /// Whether the driver has ended. Neither blocks nor allocates.
  bool ended() const noexcept;
  /// Returns how a driver ended that this process started, as waitpid() tells; otherwise
  /// -1. Neither blocks nor allocates.
  int end_status() const noexcept;
  /// Waits for the end of the driver, at most so long; then asks it to end (SIGTERM).
  void end(int patience_ms) noexcept;
  /// Ends the driver by force (SIGKILL), whatever it does: it passes on nothing afterwards.
  /// The page stays. Blocks for a few seconds at most.
  /// @throws std::runtime_error  the kernel keeps it: what hangs is in there
  void fence();

 private:
  bool greet(const DriverSettings& settings, const std::string& path,
             const std::atomic<bool>* given_up);
  void await_opening(const std::string& file, const std::atomic<bool>* given_up);
  void start(const DriverSettings& settings);

  FileDescriptor socket_;
  pid_t process_ = 0;
  pid_t child_ = 0;  // that this process started, and waits for; 0: none
  std::unique_ptr<SharedPage> shared_;
  std::unique_ptr<LifeSign> life_;
};

/// Returns the file of the program `trestle-driver`: beside the plug-ins that come with the
/// program.
/// @throws std::runtime_error  it is missing
std::string driver_program();

/// Ends a driver that holds a rig for a site that has died, because another process takes
/// the rig over by itself. @returns whether there was one
/// @throws std::runtime_error  a site drives the rig, or the driver does not end
bool end_orphan(const DriverSettings& settings);

}  // namespace trestle::driver
