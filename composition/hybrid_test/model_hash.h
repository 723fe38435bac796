#pragma once

#include <string>

#include "proto/config/test.pb.h"

namespace trestle::composition {

/// Names what the numerical side of a test computes: its model with the integrator, the
/// excitation with the content of its record, time step, duration and seed, the interface
/// of each site and what the test says of the specimen there (damping and integrators are
/// made from it), and the reference; with a preview also the sites' transfer systems and
/// controllers. Files count by their content, wherever they lie. Not
/// the mode, nor deadlines, limits, compensators, or what is recorded.
///
/// A test is resumed only with the hash that it began with.
/// @returns SHA-256, 64 hexadecimal digits
/// @throws SettingError if a file that the test names cannot be read
std::string model_hash(const config::Test& test);

}  // namespace trestle::composition
