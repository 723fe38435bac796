#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/ports/compensator.h"

namespace trestle::config {
class Compensator;
}  // namespace trestle::config

namespace trestle::composition {

/// Makes the compensator of a configuration; without a kind the schema's default.
/// @param tick  control tick δt [s], > 0
std::unique_ptr<Compensator> make_compensator(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path);
/// @param bytes  the serialised message, as in Configure
std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                              double tick, const std::string& path);

}  // namespace trestle::composition
