#include "numerical/structure/mechanism_check.h"

#include <gtest/gtest.h>

#include "composition/numerical/frame_factory.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/beam_model.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::diagnosis_test {
namespace {

/// A tower of `storeys` one-bay storeys whose feet stand on nothing but what is fixed.
FrameModel tower(int storeys, std::array<bool, kNodeDofs> fixed) {
  FrameModel model;
  model.sections.push_back(testing::section());
  for (int j = 0; j <= storeys; ++j)
    for (int i = 0; i < 2; ++i) {
      model.nodes.push_back(
          testing::node((i == 0 ? "w" : "e") + std::to_string(j), 6.0 * i, 3.0 * j));
      if (j == 0) model.nodes.back().fixed = fixed;
      const int here = 2 * j + i;
      if (j > 0) model.members.push_back({.from = here - 2, .to = here});
      if (i > 0) model.members.push_back({.from = here - 1, .to = here});
    }
  return model;
}

TEST(Diagnosis, SoundFrameHasNoMechanism) {
  EXPECT_TRUE(mechanisms(assemble(testing::portal(3.0, 6.0))).empty());
  EXPECT_TRUE(mechanisms(assemble(tower(120, testing::kClamped))).empty());
}

TEST(Diagnosis, FrameWithNothingBelowMovesUpAndDownTogether) {
  const auto found = mechanisms(assemble(tower(1, {true, false, true})));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(describe(found[0], true),
            "nothing holds y: w0, e0, w1 and e1 can move up and down together, even with "
            "the specimens attached (mechanism)");
}

TEST(Diagnosis, FindsTheSameInATallFrameWithoutListingAll) {
  const StructuralModel structure = assemble(tower(120, {true, false, true}));
  ASSERT_GT(structure.equations, 300);
  const auto found = mechanisms(structure);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), 242U);
  EXPECT_EQ(describe(found[0], false),
            "nothing holds y: w0, e0, w1, e1, w2, e2 and 236 more can move up and down "
            "together (mechanism)");
}

TEST(Diagnosis, FreeFrameHasThreeRigidMotions) {
  EXPECT_EQ(mechanisms(assemble(tower(1, {}))).size(), 3U);
  EXPECT_EQ(mechanisms(assemble(tower(120, {}))).size(), 3U);
}

TEST(Diagnosis, LooseRotationIsNamedAlone) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.nodes.push_back(testing::node("pin", 3.0, 3.0));
  model.nodes.back().fixed = {true, true, false};
  const auto found = mechanisms(assemble(std::move(model)));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], Mechanism{"pin.rz"});
  EXPECT_EQ(describe(found[0], false), "nothing holds rz: pin can turn (mechanism)");
}

TEST(Diagnosis, IndependentMechanismsAreToldApart) {
  FrameModel model = testing::portal(3.0, 6.0);
  for (const char* name : {"a", "b"}) {
    model.nodes.push_back(testing::node(name, 1.0, 1.0));
    model.nodes.back().fixed = {false, true, true};
  }
  const auto found = mechanisms(assemble(std::move(model)));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].size() + found[1].size(), 2U);
}

TEST(Diagnosis, SpringOrSpecimenHoldsWhatTheFrameDoesNot) {
  FrameModel model = tower(1, {true, false, true});
  FrameSpring spring;
  spring.node = 0;
  spring.dof = NodeDof::kY;
  spring.law = std::make_unique<materials::BilinearLaw>(
      materials::BilinearLawSettings{.stiffness = 1e6, .yield_force = 1e3});
  model.springs.push_back(std::move(spring));
  EXPECT_TRUE(mechanisms(assemble(std::move(model))).empty());

  StructuralModel structure = assemble(tower(1, {true, false, true}));
  const int y = structure.equation("w0.y");
  structure.experimental_stiffness.coeffRef(y, y) = 1e6;
  EXPECT_TRUE(mechanisms(structure).empty());
}

TEST(Diagnosis, SlenderBeamIsNoMechanism) {
  FrameModel model = beam_model({.length = 100.0,
                                 .elements = 1000,
                                 .elastic_modulus = testing::kModulus,
                                 .second_moment = testing::kSecondMoment,
                                 .mass_per_length = 1.0});
  model.nodes.front().fixed[1] = true;
  FrameModel loose = beam_model({.length = 100.0,
                                 .elements = 1000,
                                 .elastic_modulus = testing::kModulus,
                                 .second_moment = testing::kSecondMoment,
                                 .mass_per_length = 1.0});
  loose.nodes.front().fixed[1] = true;
  model.nodes.back().fixed[1] = true;
  EXPECT_TRUE(mechanisms(assemble(std::move(model))).empty());
  EXPECT_EQ(mechanisms(assemble(std::move(loose))).size(), 1U);
}

TEST(Diagnosis, NamesDofsWithoutMass) {
  FrameModel model = testing::portal(3.0, 6.0);
  model.masses.push_back({.node = 2, .mass = 1e3});
  model.masses.push_back({.node = 3, .mass = 1e3, .rotational_inertia = 10.0});
  const StructuralModel structure = assemble(std::move(model));
  EXPECT_EQ(massless_dofs(structure, structure.mass), std::vector<std::string>{"top_w.rz"});
  EXPECT_TRUE(negative_mass_dofs(structure, structure.mass).empty());
  EXPECT_EQ(negative_mass_dofs(structure, -structure.mass).size(), 5U);
}

}  // namespace
}  // namespace trestle::structure::diagnosis_test
