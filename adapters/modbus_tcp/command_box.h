#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "adapters/modbus_tcp/seqlock_numbers.h"
#include "adapters/modbus_tcp/wake_signal.h"

namespace trestle::modbus_tcp {

/// What the PLC shall do now.
enum class Order : std::uint8_t {
  kUnknown,  ///< was not told yet
  kHold,
  kFollow,  ///< the newest command
  kStop
};

/// The newest command and the holds, from the thread of the ticks to the thread that talks
/// with the PLC. A command is in force if no hold came since the write() that gave it
/// began. hold() and stop() come from any thread or signal handler. Nothing here blocks,
/// allocates or locks.
class CommandBox {
 public:
  /// @param words  of all command registers
  /// @param wake  raised by each hold; must outlive the box
  CommandBox(std::size_t words, WakeSignal& wake) : words_(words), wake_(wake) {}

  /// Number of holds so far.
  unsigned holds() const noexcept { return holds_.load(std::memory_order_seq_cst); }
  void hold() noexcept;
  /// A hold with the word for stop, until the next command or run.
  void stop() noexcept;
  /// No command is in force in a new run.
  void begin_run() noexcept;

  /// Of the thread of the ticks. @param holds  when its write() began
  /// @returns false if a hold came since: the command is not in force
  bool give(std::span<const std::uint16_t> words, unsigned holds) noexcept;

  Order order() const noexcept;
  /// Copies the newest command.
  /// @returns false if none is in force
  bool take(std::span<std::uint16_t> words) const noexcept;

 private:
  SeqLockNumbers<std::uint16_t, unsigned> words_;  // its stamp is the number of holds
  WakeSignal& wake_;
  std::atomic<unsigned> holds_{1};
  std::atomic<unsigned> stopped_at_{0};  // number of the hold that was a stop; 0: none
};

}  // namespace trestle::modbus_tcp
