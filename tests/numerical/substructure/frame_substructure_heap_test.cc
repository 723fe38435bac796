#include <gtest/gtest.h>

#include "numerical/materials/bilinear_law.h"
#include "numerical/substructure/substructure_with_reference.h"
#include "tests/numerical/substructure/divided_frame.h"
#include "tests/support/heap_counter.h"

namespace trestle::substructure {
namespace {

/// Everything a step may have to do: a site, a spring, modal and sparse damping.
structure::StructuralModel full_structure() {
  structure::StructuralModel structure = testing::divided();
  structure.modal_damping.weighted_modes = Eigen::MatrixXd::Identity(4, 2);
  structure.modal_damping.coefficient = Eigen::Vector2d(100.0, 50.0);
  structure::NonlinearSpring spring;
  spring.elongation = structure::between(3, -1);
  spring.law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
      .stiffness = 2.0e6, .yield_force = 2.0e3, .hardening = 0.05});
  structure.springs.push_back(std::move(spring));
  return structure;
}

TEST(StructuralSubstructure, StepLeavesTheHeapAlone) {
  for (const testing::Scheme& scheme : testing::all_and_last_step()) {
    const auto structure = testing::substructure(full_structure(), scheme, true);
    testing::LinearSite site;
    std::vector<double> row(structure->channels().size());
    const std::size_t before = testing::heap_allocations();
    for (std::int64_t k = 0; k < 100; ++k) {
      site.step(*structure, k);
      structure->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << scheme.name;
  }
}

TEST(SubstructureWithReference, StepLeavesTheHeapAlone) {
  const testing::Scheme scheme = testing::last_step_scheme();
  SubstructureWithReference both(
      testing::substructure(full_structure(), scheme, true),
      testing::substructure(testing::assembled(), scheme, false));
  testing::LinearSite site;
  std::vector<double> row(both.channels().size());
  const std::size_t before = testing::heap_allocations();
  for (std::int64_t k = 0; k < 100; ++k) {
    both.predict(k, site.requests());
    both.correct(k, site.answers());
    both.record(row);
  }
  EXPECT_EQ(testing::heap_allocations(), before);
}

TEST(HeapCounter, SeesAnAllocation) {
  const std::size_t before = testing::heap_allocations();
  const Eigen::VectorXd on_the_heap = Eigen::VectorXd::Ones(100);
  EXPECT_GT(testing::heap_allocations(), before) << on_the_heap.size();
}

}  // namespace
}  // namespace trestle::substructure
