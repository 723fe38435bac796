#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "adapters/modbus_tcp/command_box.h"
#include "adapters/modbus_tcp/plc_connection.h"
#include "adapters/modbus_tcp/plc_settings.h"
#include "adapters/modbus_tcp/register_table.h"
#include "adapters/modbus_tcp/seqlock_numbers.h"
#include "adapters/modbus_tcp/wake_signal.h"
#include "adapters/plugin/fault_message.h"

namespace trestle::modbus_tcp {

/// Talks with the PLC on a separate thread, because libmodbus waits for each answer. In
/// every period of `poll`: the order and the newest command, if they changed, the
/// heartbeat, and all readings. An order to hold does not wait for the period; it goes out
/// after the request that is under way.
///
/// The first fault drops the command and remains until the next request_run(): the PLC is
/// told to hold, and read. A lost connection is called again every second, and holds, too.
class PlcThread {
 public:
  /// Begins to talk with the first request_run(). All must outlive the thread.
  PlcThread(const PlcSettings& settings, CommandBox& commands, WakeSignal& wake);
  /// Tells the PLC to hold, if a command is in force, and ends the thread.
  ~PlcThread();
  PlcThread(const PlcThread&) = delete;
  PlcThread& operator=(const PlcThread&) = delete;

  // From other threads.

  /// Requests a connection, if none exists, and a reading; clears the fault.
  /// @returns number of the request
  unsigned request_run() noexcept;
  /// Whether the thread has done the request of this number.
  bool is_done(unsigned request) const noexcept;
  /// Longest time that a request takes, and that the thread takes to end [s].
  double patience() const noexcept;

  bool is_connected() const noexcept { return connected_.load(); }
  bool is_faulty() const noexcept { return faulty_.load(); }
  const plugin::FaultMessage& fault() const noexcept { return fault_; }
  /// What the PLC was told last.
  Order told() const noexcept { return told_.load(); }
  std::uint64_t polls() const noexcept { return polls_.load(std::memory_order_relaxed); }
  /// Of the newest readings; in the order of the table. Their stamp is the monotonic time
  /// before their first request; 0: none.
  const SeqLockNumbers<double, std::int64_t>& readings() const noexcept {
    return readings_;
  }
  /// A thread reads or writes the rig: while a command is in force, the heartbeat needs it.
  void tick() noexcept;

 private:
  void run() noexcept;
  void serve(bool is_due);
  void call_plc();
  void tell(Order order);
  void tell_hold();
  void send_command();
  void beat();
  void poll();
  void take(std::int64_t at_ns);
  [[noreturn]] void refuse_value(std::size_t index, double value) const;
  void fail(const std::string& why) noexcept;

  const PlcSettings& settings_;
  CommandBox& commands_;
  WakeSignal& wake_;
  const RegisterTable command_table_;
  const RegisterTable table_;
  PlcConnection connection_;
  SeqLockNumbers<double, std::int64_t> readings_;
  plugin::FaultMessage fault_;

  struct Shared {
    std::atomic<unsigned> asked{0};
    std::atomic<unsigned> done{0};
    std::atomic<std::int64_t> ticked_at_ns{0};
    std::atomic<bool> leaving{false};
  } shared_;
  std::atomic<bool> connected_{false};
  std::atomic<bool> faulty_{false};
  std::atomic<Order> told_{Order::kUnknown};
  std::atomic<std::uint64_t> polls_{0};

  // Of the thread only.
  struct Own {
    std::vector<std::uint16_t> command{};
    std::vector<std::uint16_t> sent{};  // empty: the PLC's command is not known
    std::vector<std::uint16_t> words{};
    std::vector<double> values{};
    std::int64_t call_at_ns = 0;  // no call of a lost PLC before it
    std::uint16_t beats = 0;
  } own_;
  std::thread thread_;
};

}  // namespace trestle::modbus_tcp
