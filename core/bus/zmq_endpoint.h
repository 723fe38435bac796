#pragma once

#include <string>
#include <string_view>

#include "core/bus/zmq_transport.h"

namespace trestle::bus {

inline constexpr std::size_t kLongestName = 255;  // ZMQ's bound of a routing id

/// @throws std::runtime_error if names, addresses or keys do not make an end of a bus:
///         which one, and why
void check_endpoint(const IntegratorEndpoint& endpoint);
void check_endpoint(const SiteEndpoint& endpoint);

/// Returns `name~` and 128 random bits: a unique socket id that cannot be guessed.
std::string unique_id(const std::string& name);
/// The name in such an id.
std::string_view name_in(std::string_view id) noexcept;

}  // namespace trestle::bus
