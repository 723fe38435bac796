#include <gtest/gtest.h>

#include "tests/composition/hybrid_test/lab_bench.h"
#include "tests/support/heap_counter.h"

namespace trestle::composition {
namespace {

TEST(SessionOfALab, LeavesTheHeapAloneWhileItSteps) {
  testing::Lab lab(testing::lab_settings(1000), /*keep=*/false);
  lab.run_until(20);
  const std::size_t before = testing::heap_allocations();
  lab.run_until(900);
  const std::size_t after = testing::heap_allocations();
  EXPECT_EQ(lab.integrator->steps_done(), 900);
  EXPECT_EQ(after - before, 0U);
}

}  // namespace
}  // namespace trestle::composition
