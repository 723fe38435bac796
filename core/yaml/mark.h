#pragma once

#include <compare>
#include <cstddef>

namespace trestle::yaml {

/// A place in one of the sources that were read, counted from 1. Line 0: the source as a
/// whole, as an override has no lines.
struct Mark {
  std::size_t source = 0;  ///< index in Problems::sources
  int line = 0;
  int column = 0;

  auto operator<=>(const Mark&) const = default;
};

}  // namespace trestle::yaml
