#pragma once

#include <cstddef>
#include <vector>

namespace trestle::sensitivity {

/// What one parameter does to a result as it moves over its whole range of probability.
struct ElementaryEffects {
  double mean = 0.0;           ///< μ
  double mean_absolute = 0.0;  ///< μ*: of effects that differ in sign, too
  double deviation = 0.0;      ///< σ, of a sample (n − 1): not linear, or with others
};

/// One move of one parameter.
struct ElementaryMove {
  std::size_t parameter = 0;
  double from = 0.0;  ///< coordinate in the unit cube
  double to = 0.0;
  double before = 0.0;  ///< the result
  double after = 0.0;
};

/// Measures of Morris (1991), μ* of Campolongo et al. (2007); NaN where a parameter has no
/// move, σ where it has only one.
std::vector<ElementaryEffects> elementary_effects(const std::vector<ElementaryMove>& moves,
                                                  std::size_t parameters);

}  // namespace trestle::sensitivity
