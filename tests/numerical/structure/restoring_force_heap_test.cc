#include <gtest/gtest.h>

#include <cmath>

#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/gap_law.h"
#include "numerical/materials/multi_linear_law.h"
#include "tests/support/heap_counter.h"

namespace trestle::structure {
namespace {

void expect_no_heap(materials::RestoringForce& law) {
  double sum = law.advance(0.0);
  const std::size_t before = testing::heap_allocations();
  for (int i = 0; i < 500; ++i) sum += law.advance(0.02 * std::sin(0.1 * i));
  EXPECT_EQ(testing::heap_allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(RestoringForces, LeaveTheHeapAlone) {
  materials::BilinearLaw bilinear({.stiffness = 2e6, .yield_force = 1e4, .hardening = 0.1});
  materials::BoucWenLaw bouc_wen({.stiffness = 2e6, .yield_force = 1e4, .hardening = 0.1});
  expect_no_heap(bilinear);
  expect_no_heap(bouc_wen);
  materials::MultiLinearLaw lines(
      {.points = {{0.005, 1e4}, {0.01, 1.5e4}}, .elastic = false});
  materials::GapLaw gap({.stiffness = 2e6, .gap = 0.01});
  expect_no_heap(lines);
  expect_no_heap(gap);
}

}  // namespace
}  // namespace trestle::structure
