#include "core/math/low_pass.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace trestle::math {

LowPass::LowPass(int order, double corner, double period) {
  assert(order >= 1 && corner > 0.0 && corner * period < 0.5);
  const double k = std::tan(std::numbers::pi * corner * period);
  step_.sections.setZero(Step::kNumbers, (order + 1) / 2);
  for (int pair = 0; pair < order / 2; ++pair) {
    // 1/(s² + 2ζs + 1), the poles counted from those that ring most.
    const double damping = std::sin(std::numbers::pi * (2 * pair + 1) / (2.0 * order));
    const double scale = 1.0 / (1.0 + 2.0 * damping * k + k * k);
    const double b = k * k * scale;
    step_.sections.col(pair).head<Step::kFirst>() << b, 2.0 * b, b,
        2.0 * (k * k - 1.0) * scale, (1.0 - 2.0 * damping * k + k * k) * scale;
  }
  if (order % 2 == 0) return;
  const double b = k / (1.0 + k);
  step_.sections.col(order / 2).head<Step::kFirst>() << b, b, 0.0, (k - 1.0) / (k + 1.0),
      0.0;
}

void LowPass::reset() noexcept {
  for (auto it : step_.sections.colwise()) it[Step::kFirst] = it[Step::kSecond] = 0.0;
}

void LowPass::settle(double input) noexcept {
  for (auto it : step_.sections.colwise()) {
    it[Step::kFirst] = (1.0 - it[Step::kB0]) * input;
    it[Step::kSecond] = (it[Step::kB2] - it[Step::kA2]) * input;
  }
}

double LowPass::preview(double input) const noexcept {
  for (const auto it : step_.sections.colwise())
    input = it[Step::kB0] * input + it[Step::kFirst];
  return input;
}

double LowPass::feedthrough() const noexcept {
  double gain = 1.0;
  for (const auto it : step_.sections.colwise()) gain *= it[Step::kB0];
  return gain;
}

template <typename Self, typename Archive>
void LowPass::visit(Self& self, Archive& archive) {
  for (Eigen::Index i = 0; i < self.step_.sections.cols(); ++i)
    archive(self.step_.sections(Step::kFirst, i), self.step_.sections(Step::kSecond, i));
}

void LowPass::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void LowPass::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::math
