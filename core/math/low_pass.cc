#include "core/math/low_pass.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace trestle::math {
namespace {

// A memory that fades towards zero stops there: numbers below the normal ones are slow.
constexpr double kNothing = 1e-200;

double settled(double state) noexcept {
  return std::abs(state) < kNothing ? 0.0 : state;
}

}  // namespace

LowPass::LowPass(int order, double corner, double period) {
  assert(order >= 1 && corner > 0.0 && corner * period < 0.5);
  const double k = std::tan(std::numbers::pi * corner * period);
  for (int pair = 0; pair < order / 2; ++pair) {
    // 1/(s² + 2ζs + 1), the poles counted from those that ring most.
    const double damping = std::sin(std::numbers::pi * (2 * pair + 1) / (2.0 * order));
    const double scale = 1.0 / (1.0 + 2.0 * damping * k + k * k);
    const double b = k * k * scale;
    sections_.push_back({.b0 = b,
                         .b1 = 2.0 * b,
                         .b2 = b,
                         .a1 = 2.0 * (k * k - 1.0) * scale,
                         .a2 = (1.0 - 2.0 * damping * k + k * k) * scale});
  }
  if (order % 2 == 0) return;
  const double b = k / (1.0 + k);
  sections_.push_back(
      {.b0 = b, .b1 = b, .b2 = 0.0, .a1 = (k - 1.0) / (k + 1.0), .a2 = 0.0});
}

void LowPass::reset() noexcept {
  for (Section& section : sections_) section.first = section.second = 0.0;
}

void LowPass::settle(double input) noexcept {
  for (Section& it : sections_) {
    it.first = (1.0 - it.b0) * input;
    it.second = (it.b2 - it.a2) * input;
  }
}

double LowPass::advance(double input) noexcept {
  for (Section& it : sections_) {
    const double output = it.b0 * input + it.first;
    it.first = settled(it.b1 * input - it.a1 * output + it.second);
    it.second = settled(it.b2 * input - it.a2 * output);
    input = output;
  }
  return input;
}

double LowPass::preview(double input) const noexcept {
  for (const Section& it : sections_) input = it.b0 * input + it.first;
  return input;
}

double LowPass::feedthrough() const noexcept {
  double gain = 1.0;
  for (const Section& it : sections_) gain *= it.b0;
  return gain;
}

template <typename Self, typename Archive>
void LowPass::visit(Self& self, Archive& archive) {
  for (auto& it : self.sections_) {
    archive(it.first, it.second);
  }
}

void LowPass::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void LowPass::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::math
