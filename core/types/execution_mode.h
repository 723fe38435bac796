#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// What sets the pace of a test (docs/explanation/execution-modes.md).
enum class ExecutionMode {
  kSimulated,      ///< lock-step
  kPseudoDynamic,  ///< the slowest site
  kContinuous,     ///< time by a scale
  kRealTime,       ///< time
};

/// As the configuration and the bus call it: "pseudo-dynamic".
constexpr const char* name(ExecutionMode mode) noexcept {
  switch (mode) {
    case ExecutionMode::kSimulated:
      return "simulated";
    case ExecutionMode::kPseudoDynamic:
      return "pseudo-dynamic";
    case ExecutionMode::kContinuous:
      return "continuous";
    case ExecutionMode::kRealTime:
      return "real-time";
  }
  return "?";
}

/// The mode of this name, or nothing.
inline std::optional<ExecutionMode> parse_execution_mode(std::string_view word) {
  for (const ExecutionMode mode : {ExecutionMode::kSimulated, ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous, ExecutionMode::kRealTime})
    if (word == name(mode)) return mode;
  return std::nullopt;
}

inline std::vector<std::string> all_execution_modes() {
  return {name(ExecutionMode::kSimulated), name(ExecutionMode::kPseudoDynamic),
          name(ExecutionMode::kContinuous), name(ExecutionMode::kRealTime)};
}

/// How steps are paced: what both ends of the bus must know of it. Each mode reads its own.
struct PacingSettings {
  bool virtual_clock = true;
  /// How clocks are compared: by exchanges, or by the hosts' synchronised system clocks.
  bool system_clock = false;
  /// L: target k acts from session time (k + L)·Δt.
  int latency_steps = 0;

  double scale = 1.0;            ///< continuous: wall time over structure's time, >= 1
  int order = 3;                 ///< continuous: of the predictor's polynomial, 1 to 4
  double slow_down_after = 0.6;  ///< continuous: part of a step without its target
  double hold_after = 0.9;  ///< continuous: part of a step that is never passed without it
  bool ramp_and_hold = false;  ///< continuous: no prediction

  double rate = 5e-3;           ///< pseudo-dynamic: peak of the ramp [m/s]
  double rotation_rate = 5e-3;  ///< pseudo-dynamic [rad/s]
  double settle = 0.1;          ///< pseudo-dynamic [s]
  double average = 0.02;        ///< pseudo-dynamic [s]

  bool operator==(const PacingSettings&) const = default;
};

}  // namespace trestle
