#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adapters/driver/driver_process.h"
#include "adapters/driver/driver_settings.h"
#include "adapters/driver/known_holds.h"
#include "adapters/driver/protection.h"
#include "adapters/plugin/fault_message.h"
#include "adapters/plugin/open_plugin.h"

namespace trestle::driver {

/// What came of the last save(), which returns no status.
enum class StateSaved {
  kKnown,      ///< there is nothing to tell
  kUntold,     ///< there was no answer: the next tick is the fault
  kCorrupted,  ///< and each tick until a run is prepared, or a state restored
};

/// A rig whose plug-in runs in a driver process: the plug-in's functions, as the site calls
/// them. Each is a request over the shared page, with a deadline. If the driver does not
/// answer in time, the function returns TRIPPED and the driver is asked to hold; it never
/// waits longer. read(), write() and hold() neither allocate, lock nor log; hold() is
/// allowed in a signal handler. If the driver has ended or hangs, prepare() ends it by
/// force and starts another, for at most 60 s; a hold meanwhile gives that up.
///
/// Trusts nothing on the page: an answer counts if its sequence, its status, its length and
/// its digest fit together, a state if its own digest does, and PluginRig checks their
/// values as those of any plug-in.
///
/// A hold that the driver made by itself, as its watchdog does, is a fault of the next
/// write(): no drive follows it before this site has held, too, or prepares a run.
class DriverProxy final : public plugin::OpenPlugin {
 public:
  /// Takes up or starts the driver, and opens the rig (DriverProcess).
  DriverProxy(const DriverSettings& settings, const std::string& path);

  const trestle_adapter_v1& table() const noexcept override;
  /// The functions of a rig in a driver process; each receives a DriverProxy. open: null.
  static const trestle_adapter_v1& functions(bool keeps_state) noexcept;
  void* rig() const noexcept override { return const_cast<DriverProxy*>(this); }
  bool responds() const noexcept override {
    return responds_.load(std::memory_order_relaxed);
  }
  std::vector<std::string> host_refusals() const override;

  pid_t driver() const noexcept { return process_->number(); }
  DriverPage& page() noexcept { return *page_.load(); }

 private:
  struct Functions;  // of the table
  struct CallUnderWay {
    std::int64_t begun_ns = 0;
    const char* function = nullptr;  // that has not returned yet
  };
  /// Of a driver in place of a lost one.
  struct DriverStart {
    std::atomic<bool> under_way{false};
    std::atomic<bool> given_up{false};  // a hold came meanwhile
  };

  void describe(trestle_rig_capabilities& capabilities);
  void describe_channel(std::uint32_t what, std::uint32_t index, trestle_channel& channel);
  trestle_adapter_status prepare(const trestle_run& run, char* why, std::uint32_t why_size);
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) noexcept;
  trestle_adapter_status write(const double* drive) noexcept;
  void hold() noexcept;
  void stop() noexcept;
  std::uint32_t save(double* state, std::uint32_t room) noexcept;
  trestle_adapter_status restore(const double* state, std::uint32_t count) noexcept;
  void diagnose(char* text, std::uint32_t text_size) const noexcept;
  void close() noexcept;

  void adopt() noexcept;
  void replace_lost_driver();
  bool is_lost() noexcept;
  void set_times(double tick_ns) noexcept;
  bool exchange(const Request& request, const char* function,
                std::int64_t patience_ns) noexcept;
  bool is_free() noexcept;
  bool await_answer(std::int64_t deadline_ns) noexcept;
  bool take_answer() noexcept;
  bool lose(const char* function) noexcept;
  bool holds_in_time() noexcept;
  void take_numbers(trestle_sensed& sensed) const noexcept;

  DriverSettings settings_;
  std::string path_;  // of the adapter in the configuration
  std::unique_ptr<DriverProcess> process_;
  // Ended by force. Another thread may still ask for a hold on a page of theirs.
  std::vector<std::unique_ptr<DriverProcess>> lost_;
  std::atomic<DriverPage*> page_;
  trestle_rig_capabilities is_{};
  bool keeps_state_;
  bool prepared_ = false;
  StateSaved saved_ = StateSaved::kKnown;
  DriverStart start_;
  std::int64_t patience_ns_;  // with a read or a write
  Protection protection_;
  std::uint32_t sequence_;
  CallUnderWay call_;                           // the last request
  std::atomic<std::int64_t> hold_asked_ns_{0};  // the first hold that is not done; 0: none
  KnownHolds holds_;
  std::atomic<bool> responds_{true};
  Answer answer_;                               // the last one
  std::array<char, kTextLength> said_ready_{};  // by a rig that was made ready, of itself
  plugin::FaultMessage note_;
};

}  // namespace trestle::driver
