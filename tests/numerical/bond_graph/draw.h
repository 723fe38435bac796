#pragma once

#include <cstdint>
#include <random>

namespace trestle::bond_graph {

/// Numbers that are the same everywhere.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  std::size_t index(std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(engine_() % (high - low + 1));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace trestle::bond_graph
