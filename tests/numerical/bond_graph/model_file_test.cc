#include <gtest/gtest.h>

#include "core/yaml/config_error.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/drawing.h"
#include "tests/numerical/bond_graph/expect_matrix.h"
#include "tests/numerical/bond_graph/model_files.h"
#include "tests/numerical/bond_graph/sample_chains.h"
#include "tests/numerical/bond_graph/sample_graphs.h"

namespace trestle::bond_graph {
namespace {

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> list;
  for (const Element& element : graph.elements()) list.push_back(element.name);
  return list;
}

void expect_same(const math::StateSpace& one, const math::StateSpace& other) {
  expect_matrix(one.A, other.A, 0.0);
  expect_matrix(one.B, other.B, 0.0);
  expect_matrix(one.C, other.C, 0.0);
  expect_matrix(one.D, other.D, 0.0);
}

TEST(BondGraphFile, TheExampleOfThreeMassesIsThatOfThePaper) {
  ChainSettings settings;
  settings.masses[2].spring = polynomial({0, -1, 0, 1});
  const Substructuring wanted = substructure(chain(settings));
  const Substructuring found = substructure(example_model("three_masses.yaml"));
  expect_same(*found.augmented.system.linear, *wanted.augmented.system.linear);
  EXPECT_FALSE(found.physical.linear.has_value());
  EXPECT_EQ(found.whole.states.size(), 6u);
  EXPECT_EQ(found.whole.outputs.back(), "mass3/m.f");
}

TEST(BondGraphFile, TheExampleOfTwoPortsIsThatOfThePaper) {
  const Substructuring wanted = substructure(two_ports({}));
  const Substructuring found = substructure(example_model("two_ports.yaml"));
  expect_same(*found.augmented.system.linear, *wanted.augmented.system.linear);
  EXPECT_EQ(found.augmented.ports[1].bond, "port2");
}

TEST(BondGraphFile, TakesUnitsAndNamesOfNumbers) {
  const GraphModel model = model_of(
      "bond_graph: test\nparams: {heavy: 2 t, soft: 3}\n"
      "components:\n  F: Se\n  j: 1\n  m: {type: I, m: heavy}\n  k: {type: C, k: 4 kN/mm}\n"
      "  c: {type: R, c: soft}\n"
      "bonds: [[F, j], [j, m], [j, k], [j, c]]\n");
  EXPECT_EQ(model.graph.element(2).value, 2000.0);
  EXPECT_EQ(model.graph.element(3).value, 4e6);
  EXPECT_EQ(model.graph.element(4).value, 3.0);
  EXPECT_FALSE(model.has_partition);
}

TEST(BondGraphFile, WritesOutTemplatesInsideTemplates) {
  const GraphModel model = model_of(
      "bond_graph: test\n"
      "templates:\n"
      "  Bar: {params: [k], ports: {L: z, R: z}, components: {z: 0, k: {type: C, k: k}}, "
      "bonds: [[z, k]]}\n"
      "  Storey: {params: [m, stiff], ports: {below: bar.L, above: v}, components: {bar: "
      "{type: "
      "Bar, k: stiff}, v: 1, m: {type: I, m: m}}, bonds: [[bar.R, v], [v, m]]}\n"
      "components: {ground: Sf, one: {type: Storey, m: 3, stiff: 70}, two: {type: Storey, "
      "m: 5, "
      "stiff: 80}}\n"
      "bonds: [[ground, one.below], [one.above, two.below]]\n");
  EXPECT_EQ(names(model.graph),
            (std::vector<std::string>{"ground", "one/bar/z", "one/bar/k", "one/v", "one/m",
                                      "two/bar/z", "two/bar/k", "two/v", "two/m"}));
  EXPECT_EQ(model.graph.element(6).value, 80.0);
  EXPECT_EQ(model.graph.bonds().back().name, "one.above -> two.below");
}

TEST(BondGraphFile, GivesLawsOfEveryKind) {
  const GraphModel model = model_of(
      "bond_graph: test\ncomponents:\n  F: Se\n  j: 1\n"
      "  a: {type: C, law: {bilinear: {first: 10, second: 2, knee: 10 cm}}}\n"
      "  b: {type: C, law: {hysteresis: {kind: bilinear, stiffness: 5 kN/m, yield_force: 1 "
      "kN}}}\n"
      "  c: {type: R, law: {table: [[-1, -1], [0, 0], [1, 3]]}}\n"
      "  m: {type: I, law: {poly: [0, 1, 0, 0.1]}}\n"
      "bonds: [[F, j], [j, a], [j, b], [j, c], [j, m]]\n");
  EXPECT_DOUBLE_EQ(model.graph.element(2).law()->value(0.3), 1.4);
  EXPECT_DOUBLE_EQ(model.graph.element(2).law()->value(-0.3), -1.4);
  EXPECT_DOUBLE_EQ(model.graph.element(3).law()->value(0.5), 1000.0);
  EXPECT_DOUBLE_EQ(model.graph.element(4).law()->value(2.0), 6.0);
  EXPECT_DOUBLE_EQ(model.graph.element(5).law()->value(1.0), 1.1);
  const GraphSystem system = make_system(model.graph, analyse(model.graph, {}), {});
  EXPECT_FALSE(system.linear.has_value());
}

TEST(BondGraphFile, TakesTransferSystemsInThreeForms) {
  const std::string head =
      "bond_graph: test\ncomponents: {r: Sf, z: 0, k: {type: C, k: 50}, v: 1, m: {type: I, "
      "m: 2}, "
      "s: 0, ks: {type: C, k: 7}, w: Sf}\n"
      "bonds: [[r, z], [z, k], [z, v], [v, m], [v, s, port], [s, ks], [w, s]]\n"
      "physical: [s, ks, w]\n";
  const Substructuring numbers = substructure(
      model_of(head + "transfer: {T: {m: 2 kg, c: 3, k: 40, load: 0, delay: 4 ms}}\n"));
  EXPECT_EQ(numbers.augmented.transfers[0].load, 0.0);
  EXPECT_EQ(numbers.augmented.transfers[0].delay, 0.004);
  EXPECT_NEAR(numbers.augmented.transfers[0].stiffness, 40.0, 1e-12);
  const Substructuring graph = substructure(
      model_of(head + "transfer: {T: {load: 0, components: {F: Se, v: 1, k: {type: C, k: "
                      "40}, m: {type: I, m: 2}, "
                      "c: {type: R, c: 3}}, bonds: [[F, v], [v, m], [v, k], [v, c]]}}\n"));
  const Substructuring matrices = substructure(model_of(
      head +
      "transfer: {T: {load: 0, state_space: {A: {rows: [[0, 0.5], [-40, -1.5]]}, B: {rows: "
      "[[0], [1]]}, C: {rows: [[0, 0.5]]}}}}\n"));
  expect_same(*graph.augmented.system.linear, *numbers.augmented.system.linear);
  expect_same(*matrices.augmented.system.linear, *numbers.augmented.system.linear);
}

TEST(BondGraphFile, IntegratesTheWantedMotionWhereTheTransferSystemHasNoSpring) {
  const Substructuring test = substructure(
      model_of("bond_graph: test\ncomponents: {r: Sf, z: 0, k: {type: C, k: 50}, v: 1, m: "
               "{type: I, m: 2}, "
               "s: 0, ks: {type: C, k: 7}, w: Sf}\n"
               "bonds: [[r, z], [z, k], [z, v], [v, m], [v, s, port], [s, ks], [w, s]]\n"
               "physical: [s, ks, w]\ntransfer: {T: {m: 2 kg, c: 3}}\n"));
  EXPECT_EQ(test.augmented.system.states.back(), "port.z");
  EXPECT_EQ(test.augmented.transfer_states, 0);
  EXPECT_TRUE(std::isnan(test.augmented.transfers[0].stiffness));
  const math::StateSpace& system = *test.augmented.system.linear;
  expect_matrix(test.augmented.displacement, system.C.bottomRows(1), 0.0);
  expect_matrix(system.A.bottomRows(1), system.C.row(1), 0.0);
}

TEST(BondGraphFile, IsDrawnWithItsStrokesAndItsCut) {
  const std::string text = drawing(example_model("two_ports.yaml"));
  EXPECT_NE(text.find("\"v1\" -> \"mn1\" [arrowhead=teelvee, arrowtail=none]"),
            std::string::npos);
  EXPECT_NE(
      text.find("\"v1\" -> \"spring1/force\" [arrowhead=lvee, arrowtail=tee, color=red"),
      std::string::npos);
  EXPECT_NE(text.find("cluster_spring1"), std::string::npos);
}

TEST(BondGraphFile, TakesOverridesOfNumbers) {
  yaml::SourceMap where;
  const GraphModel model = read_graph_model(
      std::string(TRESTLE_SOURCE_DIR) + "/examples/bond_graph/three_masses.yaml",
      {"components.mass2.m=3 kg"}, where);
  EXPECT_EQ(model.graph.element(model.graph.find("mass2/m")).value, 3.0);
}

}  // namespace
}  // namespace trestle::bond_graph
