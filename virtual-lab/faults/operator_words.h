#pragma once

#include <string>

#include "core/ports/node.h"
#include "core/ports/operated.h"
#include "numerical/node/integrator_settings.h"

namespace trestle {

inline constexpr const char* kOperator = "operator@rehearsal";

/// As `trestle resume` sets a run up that died.
template <typename Settings>
void go_on(Settings& settings) {
  if constexpr (requires { settings.resume; }) settings.resume = true;
}

template <typename Settings = IntegratorSettings>
constexpr bool can_go_on() {
  return requires(Settings settings) {
    settings.resume;
  };
}

template <typename AnyNode>
void stop_by_operator(AnyNode& node) {
  const std::string reason = "the operator asked for a stop";
  if constexpr (requires { node.stop(reason, reason); })
    node.stop(kOperator, reason);
  else
    node.stop(reason);
}

}  // namespace trestle
