#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "adapters/scpi_tcp/instrument_settings.h"
#include "adapters/scpi_tcp/line_socket.h"

namespace trestle::scpi_tcp {

/// The instrument answered, but not as it must.
class WrongAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The conversation with the instrument: one line out, its answer in. One thread speaks;
/// hold() and stop() send their lines beside it from any thread or signal handler, and the
/// speaking thread takes their answers out of the others. A line that does not fit, no
/// answer in time, or an endless line ends the conversation by an exception, because from
/// then on answers cannot be matched with questions.
class InstrumentLink {
 public:
  /// @param settings  must outlive the link
  /// @throws std::runtime_error  the address is unknown
  explicit InstrumentLink(const InstrumentSettings& settings);

  // Of the speaking thread. Waits are bounded by the settings and end after abandon(). Each
  // throws std::runtime_error with the reason: "answers `A?` with `x`; must be `{value}`".

  /// Connects again.
  void open();
  /// Sends a line.
  void say(const std::string& line);
  /// Waits for the answer to a line. @throws WrongAnswer
  /// @param numbers  one for each place of the pattern
  void hear_answer(const std::string& line, const LinePattern& answer,
                   std::span<double> numbers);
  /// The same of a command; without a pattern no answer comes.
  void hear_answer(const std::string& line, const std::optional<LinePattern>& answer) {
    if (answer) hear_answer(line, *answer, {});
  }
  /// Waits for the answers to lines of hold() and stop().
  void hear_urgent_answers();
  /// Waits until this time for a wake(), and refuses lines that came unasked.
  void idle(std::int64_t until_ns);
  /// Ends the conversation; the connection stays, so that hold() reaches the instrument.
  void fall_silent() noexcept { open_ = false; }
  /// Says the end to the instrument.
  void leave() noexcept;

  // Any thread, signal handlers too; neither waits nor allocates.

  void hold() noexcept { send_urgent(kHold); }
  void stop() noexcept { send_urgent(kStop); }
  void wake() const noexcept { socket_.wake(); }
  /// Ends the waits of the speaking thread, until resume().
  void abandon() noexcept;
  void resume() noexcept { abandoned_.store(false); }

 private:
  enum Urgent : std::uint8_t { kHold, kStop };

  void send_urgent(Urgent which) noexcept;
  /// Waits for a line. @returns false: none came until this time
  bool hear(std::string_view& line, std::int64_t until_ns);
  bool take_urgent_answer(std::string_view line) noexcept;
  void refuse_error(std::string_view line, const std::string& asked) const;
  void refuse_unasked(std::string_view line);
  std::int64_t patience_ns() const noexcept;

  const InstrumentSettings& settings_;
  LineSocket socket_;
  const std::array<const Command*, 2> commands_;
  const std::array<std::string, 2> lines_;  // with their ends
  std::array<std::atomic<int>, 2> due_{};   // answers to lines of hold() and stop()
  std::atomic<bool> abandoned_{false};
  bool open_ = false;  // of the speaking thread
};

}  // namespace trestle::scpi_tcp
