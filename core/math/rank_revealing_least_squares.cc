#include "core/math/rank_revealing_least_squares.h"

#include <cassert>

namespace trestle::math {

NormalVector solve_rank_deficient(NormalMatrix A, NormalVector b,
                                  double tolerance) noexcept {
  assert(A.rows() == b.size() && A.cols() == b.size());
  solve_rank_deficient(static_cast<int>(b.size()), A.data(), b.data(), tolerance);
  return b;
}

}  // namespace trestle::math
