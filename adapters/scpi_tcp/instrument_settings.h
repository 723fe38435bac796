#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "adapters/scpi_tcp/drive_line.h"
#include "adapters/scpi_tcp/line_pattern.h"

namespace trestle::scpi_tcp {

/// A line that is sent, and the answer that must come; without one no answer comes.
struct Command {
  std::string send;  ///< without the end of the line; empty: not given
  std::optional<LinePattern> answer{};
};

/// A command that moves actuators.
struct MoveCommand {
  DriveLine send;
  std::optional<LinePattern> answer{};
};

/// How a number of a line becomes one in SI: (x scale + offset) unit.
struct NumberScale {
  double scale = 1.0;
  double offset = 0.0;                                    ///< in `unit`
  double unit = 1.0;                                      ///< to SI
  double low = -std::numeric_limits<double>::infinity();  ///< range, in `unit`
  double high = std::numeric_limits<double>::infinity();
  std::string unit_name{};

  double in_unit(double number) const noexcept { return number * scale + offset; }
  /// The number of the line that means this value in SI.
  double number_of(double value) const noexcept { return (value / unit - offset) / scale; }
  /// @param value  in `unit`; a number that is none is outside
  bool contains(double value) const noexcept { return value >= low && value <= high; }
};

enum class ChannelKind : std::uint8_t {
  kDisplacement,
  kForce,
  kVelocity,
  kAcceleration,
  kReaction,
  kAuxiliary
};

/// A number that comes in.
struct Channel {
  ChannelKind kind = ChannelKind::kAuxiliary;
  std::uint32_t index = 0;  ///< of the actuator, reaction or auxiliary channel, from 0
  NumberScale scale{};
  bool rotates = false;  ///< of an actuator: its unit is one of angle
  std::string name{};
};

/// A question, and the channels that its answer fills.
struct Query {
  std::string path;  ///< of the setting
  std::string send;
  LinePattern answer;
  static constexpr std::size_t kSkipped = static_cast<std::size_t>(-1);
  std::vector<std::size_t> channels{};  ///< index of the channel of each place
};

/// The `settings:` of a site whose adapter is scpi_tcp.
struct InstrumentSettings {
  std::string server;           ///< HOST:PORT
  std::string line_end = "\n";  ///< of lines that are sent and that come
  double connect = 0.0;         ///< longest wait for the connection, and until ready [s]
  double answer = 0.0;          ///< longest wait for an answer [s]
  double poll = 0.0;            ///< rounds of queries per second [Hz]
  double rate = 0.0;            ///< most ticks per second [Hz]
  double stale = 0.0;           ///< a reading older than this is no fresh measurement [s]
  /// The instrument holds by itself when no line came for so long [s]; 0: it does not.
  double watchdog = 0.0;
  std::optional<LinePattern> error{};  ///< an answer of this form is an error
  Command status{};                    ///< asked in each round; its answer means ready
  std::vector<Command> start{};        ///< before a run, in this order
  Command hold{};
  Command stop{};
  std::vector<MoveCommand> move{};
  std::vector<Query> queries{};
  std::vector<Channel> channels{};
  std::vector<NumberScale> drives{};  ///< one per actuator

  std::uint32_t count(ChannelKind kind) const noexcept;
  const Channel* find(ChannelKind kind, std::uint32_t index) const noexcept;
};

/// @throws std::runtime_error  `path: sentence`
InstrumentSettings instrument_settings(const char* settings);

}  // namespace trestle::scpi_tcp
