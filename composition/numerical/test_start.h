#pragma once

#include <cstdint>

namespace trestle::composition {

/// Which refusals a test meets. An interrupted run continues with the test that it began
/// with, as its contract wants: nobody can change it any more, so what only later releases
/// refuse must pass.
enum class TestStart : std::uint8_t {
  kNew,      ///< all of them
  kResumed,  ///< without those of keys that have no effect, of names and of a road's gaps
};

}  // namespace trestle::composition
