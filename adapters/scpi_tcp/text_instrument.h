#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "adapters/plugin/fault_message.h"
#include "adapters/plugin/site_adapter_abi.h"
#include "adapters/scpi_tcp/instrument_link.h"
#include "adapters/scpi_tcp/instrument_settings.h"
#include "adapters/scpi_tcp/newest_values.h"

namespace trestle::scpi_tcp {

/// A rig behind an instrument that speaks lines of text over TCP. Does what
/// site_adapter_abi.h says of each function; always real equipment.
///
/// A thread of the rig speaks: it asks all queries at the poll rate, and sends the newest
/// drive when the instrument has answered. Ticks exchange numbers with that thread and
/// never wait for it. A hold sends its line itself, beside that thread. After any fault of
/// the conversation the thread sends the line of a hold and no other until the next
/// prepare(), which connects again.
class TextInstrument {
 public:
  /// Does not connect. @throws std::runtime_error  the address is unknown
  explicit TextInstrument(InstrumentSettings settings);
  ~TextInstrument();
  TextInstrument(const TextInstrument&) = delete;
  TextInstrument& operator=(const TextInstrument&) = delete;

  const InstrumentSettings& settings() const noexcept { return settings_; }
  void describe(trestle_rig_capabilities& is) const noexcept { describe(settings_, is); }
  /// What the settings say of the rig; it need not be opened.
  static void describe(const InstrumentSettings& settings,
                       trestle_rig_capabilities& is) noexcept;

  /// Waits until the instrument is ready and has answered each query; hold() on another
  /// thread ends the wait. @throws std::runtime_error  it does not, and why
  void prepare();
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) noexcept;
  trestle_adapter_status write(const double* drive) noexcept;
  void hold() noexcept;
  void stop() noexcept;
  void diagnose(char* text, std::uint32_t size) const noexcept;

 private:
  enum class State : std::uint8_t {
    kUnprepared,
    kUp,      ///< it answers
    kTripped  ///< it does not, or says that it is not well
  };

  // Of the thread.
  void run() noexcept;
  void start_over();
  void await_ready();
  void take_turn();
  void send_newest_drive();
  void skip_earlier_drives();
  /// @param drives  between two queries the newest drive is sent
  void ask_all(bool drives);
  void ask(const Query& query);
  void fall(const char* why) noexcept;
  bool is_held_since(unsigned holds) const noexcept {
    return holds_.load(std::memory_order_seq_cst) != holds;
  }
  bool is_up() const noexcept {
    return state_.load(std::memory_order_acquire) == State::kUp;
  }
  bool check_range(const double* drive) noexcept;

  const InstrumentSettings settings_;
  InstrumentLink link_;

  // From the ticks to the thread, and back.
  NewestValues drives_;
  NewestValues readings_;
  std::atomic<unsigned> holds_{0};
  std::atomic<State> state_{State::kUnprepared};
  std::atomic<unsigned> asked_{0};  // preparations
  std::atomic<unsigned> done_{0};
  plugin::FaultMessage fault_;    // of the thread
  plugin::FaultMessage refusal_;  // of the ticks

  // Of the ticks alone.
  std::vector<double> reading_;
  std::uint64_t writes_ = 0;

  // Of the thread alone.
  std::uint64_t taken_writes_ = 0;
  std::int64_t next_round_ns_ = 0;
  std::uint64_t rounds_ = 0;
  std::vector<double> values_;

  std::atomic<bool> leaving_{false};
  std::thread thread_;
};

}  // namespace trestle::scpi_tcp
