#include "numerical/bridge/girders.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "composition/numerical/bridge/bridge_summary.h"
#include "numerical/bridge/finite_element_modes.h"

namespace trestle::bridge::girders_test {
namespace {

constexpr double kPi = std::numbers::pi;

Girders simple(const GirderSpan& span, std::size_t count) {
  return {std::vector<std::vector<GirderSpan>>(count, {span}),
          std::vector<PierSettings>(count + 1)};
}

struct PublishedSection {
  double EI, m, f1, f2, static_mm;
};
constexpr PublishedSection kPublished[] = {
    {34.5e9 * 11.8140, 2500.0 * 8.5709, 6.69029, 26.7611, 0.176493},
    {34.5e9 * 8.9376, 2500.0 * 7.7855, 6.10558, 24.4223, 0.233293},
    {34.5e9 * 8.0732, 2500.0 * 7.7253, 5.82539, 23.3015, 0.258272}};

TEST(Girders, HaveThePublishedFrequenciesAndDeflections) {
  for (const PublishedSection& section : kPublished) {
    const Girders bridge = simple({32.0, section.EI, section.m}, 7);
    const BridgeModes modes = sine_modes(bridge, 5);
    ASSERT_EQ(modes.frequency.size(), 35);
    // Six digits are published.
    EXPECT_NEAR(modes.frequency[0] / (2.0 * kPi), section.f1, 1e-6 * section.f1);
    EXPECT_NEAR(modes.frequency[31] / (2.0 * kPi), section.f2, 2e-6 * section.f2);
    const double deflection = 105374.1 * composition::static_deflection(bridge, 3.5 * 32.0);
    EXPECT_NEAR(1e3 * deflection, section.static_mm, 3e-6 * section.static_mm);
    // P L³/(48 EI): elements are exact at their nodes.
    EXPECT_NEAR(deflection, 105374.1 * std::pow(32.0, 3) / (48.0 * section.EI),
                1e-9 * deflection);
  }
}

TEST(Girders, OfElementsHaveThePublishedFrequencies) {
  const BridgeModes modes = finite_element_modes(simple({30.0, 2.5e10, 5e3}, 1), 12, 0);
  ASSERT_EQ(modes.frequency.size(), 24);
  EXPECT_NEAR(modes.frequency[0] / (2.0 * kPi), 3.902688, 1e-6);
  EXPECT_NEAR(modes.frequency[1] / (2.0 * kPi), 15.611508, 2e-6);
  EXPECT_NEAR(modes.frequency[2] / (2.0 * kPi), 35.133194, 4e-6);
}

TEST(Girders, OfElementsHaveTheShapesOfSines) {
  const Girders bridge = simple({32.0, 4e11, 2e4}, 2);
  const BridgeModes sines = sine_modes(bridge, 2);
  const BridgeModes cubes = finite_element_modes(bridge, 24, 2);
  ShapeValues a = sines.shapes->room();
  ShapeValues b = cubes.shapes->room();
  for (const double x : {0.0, 5.3, 31.0, 33.0, 48.7, 64.0}) {
    sines.shapes->at(x, a);
    cubes.shapes->at(x, b);
    ASSERT_EQ(a.first, b.first) << x;
    for (Eigen::Index n = 0; n < 2; ++n) {
      const double sign = [&] {
        ShapeValues c = sines.shapes->room(), d = cubes.shapes->room();
        const double quarter = (x < 32.0 ? 0.0 : 32.0) + 8.0;
        sines.shapes->at(quarter, c);
        cubes.shapes->at(quarter, d);
        return c.value[n] * d.value[n] > 0.0 ? 1.0 : -1.0;
      }();
      const double size = std::sqrt(2.0 / (2e4 * 32.0));
      const double wave = static_cast<double>(n + 1) * kPi / 32.0;
      // Cubics through a wave of kh = π/12 and half of that.
      EXPECT_NEAR(sign * b.value[n], a.value[n], 1e-4 * size);
      EXPECT_NEAR(sign * b.slope[n], a.slope[n], 1e-3 * size * wave);
      EXPECT_NEAR(sign * b.curvature[n], a.curvature[n], 1e-2 * size * wave * wave);
    }
  }
}

TEST(Girders, AreZeroOnTheApproaches) {
  const Girders bridge = simple({32.0, 4e11, 2e4}, 2);
  for (const BridgeModes& modes :
       {sine_modes(bridge, 3), finite_element_modes(bridge, 4, 0)}) {
    ShapeValues shapes = modes.shapes->room();
    for (const double x : {-1.0, 64.001, std::nan("")}) {
      modes.shapes->at(x, shapes);
      EXPECT_EQ(shapes.count, 0) << x;
    }
  }
}

// Two equal spans: antisymmetric modes are those of one span, symmetric ones those of a
// span clamped at the pier, βL = 3.926602 (Blevins 1979, table 8-1).
TEST(Girders, ContinuousOverAPierHaveItsFrequencies) {
  const GirderSpan span{32.0, 4e11, 2e4};
  const BridgeModes modes =
      finite_element_modes({{{span, span}}, std::vector<PierSettings>(3)}, 12, 0);
  const double unit = std::sqrt(span.stiffness / span.mass) / (32.0 * 32.0);
  EXPECT_NEAR(modes.frequency[0], kPi * kPi * unit, 2e-5 * modes.frequency[0]);
  EXPECT_NEAR(modes.frequency[1], 3.926602 * 3.926602 * unit, 5e-5 * modes.frequency[1]);
}

TEST(Girders, OnAStiffSpringStandAsOnARigidPier) {
  const GirderSpan span{32.0, 4e11, 2e4};
  std::vector<PierSettings> rigid(3);
  std::vector<PierSettings> stiff(3);
  stiff[1].stiffness = 1e14;
  // As a joint and as the middle of one girder.
  for (const auto& spans : {std::vector<std::vector<GirderSpan>>{{span}, {span}},
                            std::vector<std::vector<GirderSpan>>{{span, span}}}) {
    BridgeModes held = finite_element_modes({spans, rigid}, 6, 0);
    const BridgeModes sprung = finite_element_modes({spans, stiff}, 6, 0);
    std::sort(held.frequency.begin(), held.frequency.end());
    for (Eigen::Index n = 0; n < 6; ++n)
      EXPECT_NEAR(sprung.frequency[n], held.frequency[n], 1e-4 * held.frequency[n]);
  }
}

// A force on the joint of two girders moves nothing but the pier: F/k.
TEST(Girders, JointGoesDownWithItsPier) {
  Girders bridge = simple({32.0, 4e11, 2e4}, 2);
  bridge.piers[1] = {2e9, 1e5};
  EXPECT_NEAR(composition::static_deflection(bridge, 32.0), 1.0 / 2e9, 1e-9 / 2e9);
}

}  // namespace
}  // namespace trestle::bridge::girders_test
