#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "studies/design/unit_points.h"

namespace trestle::design {

/// The Sobol' sequence with the direction numbers of Joe and Kuo (2008).
class SobolPoints final : public UnitPoints {
 public:
  static constexpr std::size_t kMaxDimensions = 3667;

  /// @param seed      of the scrambling
  /// @param scramble  nested uniform scrambling (Owen 1995): unbiased, and still a net;
  ///                  else the sequence as it is, without its point 0, which is the corner
  /// @pre 1 <= dimensions <= kMaxDimensions
  SobolPoints(std::uint64_t seed, std::size_t dimensions, bool scramble);
  ~SobolPoints() override;

  std::vector<double> point(std::int64_t index) const override;

 private:
  struct Engine;

  std::uint64_t seed_;
  bool scramble_;
  std::unique_ptr<const Engine> engine_;
};

}  // namespace trestle::design
