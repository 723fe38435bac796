#pragma once

#include <string>

#include "adapters/udp_target/frame_layout.h"
#include "adapters/udp_target/frame_seal.h"

namespace trestle::udp_target {

/// The `settings:` of a site whose adapter is udp_target.
struct TargetSettings {
  std::string target;    ///< HOST:PORT of the real-time target
  std::string from;      ///< HOST:PORT that its frames come from; usually `target`
  std::string listen;    ///< HOST:PORT where its frames come in
  double rate = 0.0;     ///< most ticks per second [Hz]
  double stale = 0.0;    ///< a frame older than this is no fresh measurement [s]
  double connect = 0.0;  ///< patience with the first frame before a run [s]
  /// The target stops by itself when no frame came for so long [s]; 0: it does not. While
  /// its echo shows that our frames do not arrive; this time is tolerated, or 50 ms.
  double watchdog = 0.0;
  FrameLayout send;
  FrameLayout receive;
  std::uint32_t actuators = 0;
  FrameSeal seal{};  ///< of every frame, either way
};

/// How long the target may go without our frames before it stops [s]: its watchdog, or
/// 50 ms.
double echo_patience(const TargetSettings& settings) noexcept;

/// @throws std::runtime_error  `path: sentence`
TargetSettings target_settings(const char* settings);

}  // namespace trestle::udp_target
