#pragma once

#include <string>

namespace trestle::config {
class ActuatorController;
class Compensator;
}  // namespace trestle::config

namespace trestle::composition {

/// The message as it goes to a site, which cannot see the integrator's files: matrices as
/// rows, and what a warm start learns from its record in place of the record.
/// @param site  its name, with which the columns of the record begin
config::Compensator inline_files(config::Compensator message, const std::string& site,
                                 double tick, const std::string& path);

/// The message as it goes to a site, which cannot see the integrator's files: the matrices
/// of its plant as rows.
config::ActuatorController inline_files(config::ActuatorController message,
                                        const std::string& path);

}  // namespace trestle::composition
