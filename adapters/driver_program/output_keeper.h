#pragma once

#include <cstdint>
#include <mutex>

#include "adapters/driver/driver_page.h"
#include "adapters/driver_program/driver_log.h"
#include "adapters/driver_program/hold_keeper.h"

namespace trestle::driver_program {

/// Sets the digital outputs of the rig as the site asks for: a thread that does nothing
/// else, so that an output that hangs neither keeps a hold nor a tick from coming. Opens
/// all of them if the site dies, or is silent for longer than its watchdog.
class OutputKeeper {
 public:
  /// All outlive this.
  OutputKeeper(const trestle_adapter_v1& table, void* rig, driver::DriverPage& page,
               const HoldKeeper& keeper, DriverLog& log)
      : table_(table), rig_(rig), page_(page), keeper_(keeper), log_(log) {}

  /// Never returns. @pre the plug-in has contacts
  [[noreturn]] void run();
  /// One look: sets what the site asks for, or waits a little.
  void look();

  /// Before the rig is closed: nothing is set from now on. On any thread.
  /// @returns false: set_outputs() of the plug-in does not return, and the rig stays open
  bool end();

  /// The site is gone. On any thread.
  void open_all() noexcept;

 private:
  bool site_fell_silent() noexcept;
  void set(std::uint64_t word);

  const trestle_adapter_v1& table_;
  void* rig_;
  driver::DriverPage& page_;
  const HoldKeeper& keeper_;
  DriverLog& log_;
  std::uint32_t seen_ = 0;       // outputs_asked, as they were set last
  std::int64_t opened_for_ = 0;  // silence of the site [ns]
  std::timed_mutex turn_;        // of set_outputs()
  bool ended_ = false;           // by the turn
};

}  // namespace trestle::driver_program
