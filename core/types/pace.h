#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// Who sets the pace of a test (docs/reference/bus-protocol.md, modes of pace).
enum class Mode {
  kSimulated,      ///< nobody: lock-step
  kPseudoDynamic,  ///< the slowest site
  kContinuous,     ///< time by a scale
  kRealTime,       ///< time
};

/// As the configuration and the bus call it: "pseudo-dynamic".
constexpr const char* name(Mode mode) noexcept {
  switch (mode) {
    case Mode::kSimulated:
      return "simulated";
    case Mode::kPseudoDynamic:
      return "pseudo-dynamic";
    case Mode::kContinuous:
      return "continuous";
    case Mode::kRealTime:
      return "real-time";
  }
  return "?";
}

/// The mode of this name, or nothing.
inline std::optional<Mode> mode_named(std::string_view word) {
  for (const Mode mode :
       {Mode::kSimulated, Mode::kPseudoDynamic, Mode::kContinuous, Mode::kRealTime})
    if (word == name(mode)) return mode;
  return std::nullopt;
}

inline std::vector<std::string> every_mode() {
  return {name(Mode::kSimulated), name(Mode::kPseudoDynamic), name(Mode::kContinuous),
          name(Mode::kRealTime)};
}

/// How steps are paced: what both ends of the bus must know of it. Each mode reads its own.
struct Pace {
  bool virtual_clock = true;
  /// Where clocks are compared: by exchanges, or by the hosts' disciplined system clocks.
  bool system_clock = false;
  /// L: target k acts from session time (k + L)·Δt.
  int latency_steps = 0;

  double scale = 1.0;       ///< continuous: wall time over structure's time, >= 1
  int order = 3;            ///< continuous: of the predictor's polynomial, 1 to 4
  double slow_after = 0.6;  ///< continuous: part of a step without its target
  double hold_at = 0.9;     ///< continuous: part of a step that is never passed without it
  bool ramp_and_hold = false;  ///< continuous: no prediction

  double rate = 5e-3;           ///< pseudo-dynamic: peak of the ramp [m/s]
  double rotation_rate = 5e-3;  ///< pseudo-dynamic [rad/s]
  double settle = 0.1;          ///< pseudo-dynamic [s]
  double average = 0.02;        ///< pseudo-dynamic [s]

  bool operator==(const Pace&) const = default;
};

}  // namespace trestle
