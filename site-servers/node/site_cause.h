#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/base/time.h"

namespace trestle::site_node {

/// Why a site holds: names and numbers. site_text.h makes the sentence.
struct SiteCause {
  /// The integrator sent Halt.
  struct Halted {
    std::string node = {};  ///< that met the cause
    std::string reason = {};
  };
  struct Silence {
    Duration lasted{};
    double watchdog = 0.0;  ///< [s]
    Duration away{};        ///< as IntegratorPeer::away()
  };
  /// The integrator has ended the test, and had been silent before.
  struct SilentBeforeEnd {};
  struct IntegratorRestarted {};
  struct SiteRestarted {
    std::int64_t last_step = 0;
  };
  struct HeldByPerson {
    std::string by = {};
    std::string reason = {};
  };
  struct StoppedByPerson {
    std::string by = {};
    std::string reason = {};
  };
  /// The process ends; a sentence that was made there.
  struct ServerEnded {
    std::string reason = {};
  };

  std::variant<Halted, Silence, SilentBeforeEnd, IntegratorRestarted, SiteRestarted,
               HeldByPerson, StoppedByPerson, ServerEnded>
      why;
};

}  // namespace trestle::site_node
