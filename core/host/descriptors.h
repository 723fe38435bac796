#pragma once

#include <cstddef>

namespace trestle::host {

/// Lets the process open as many files and connections as the host allows, up to `wanted`.
/// @returns how many it may open now
std::size_t raise_descriptor_limit(std::size_t wanted = 8192) noexcept;

}  // namespace trestle::host
