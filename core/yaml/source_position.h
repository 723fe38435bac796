#pragma once

#include <compare>
#include <cstddef>

namespace trestle::yaml {

/// A place in one of the sources that were read, counted from 1. Line 0: the source as a
/// whole, as an override has no lines.
struct SourcePosition {
  std::size_t source = 0;  ///< index in Diagnostics::sources
  int line = 0;
  int column = 0;

  auto operator<=>(const SourcePosition&) const = default;
};

}  // namespace trestle::yaml
