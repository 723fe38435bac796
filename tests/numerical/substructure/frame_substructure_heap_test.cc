#include <gtest/gtest.h>

#include "numerical/materials/bilinear_law.h"
#include "numerical/substructure/substructure_with_reference.h"
#include "tests/numerical/substructure/divided_frame.h"
#include "tests/numerical/substructure/structure_from_yaml.h"
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

/// A frame with every law of links, each beyond its yield force or gap.
std::string with_links(const std::string& excitation, const std::string& recording) {
  return R"(
test: links
time_step: 5 ms
duration: 1 s
numerical:
  integrator: {kind: implicit, iterations: 4}
  frame:
    nodes: {a: [0, 0], b: [6, 0], c: [0, 3], d: [6, 3]}
    supports: [{nodes: [a, b], fixed: all}]
    sections: {s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4, mass_per_length: 200 kg/m}}
    members:
      - {name: ac, from: a, to: c, section: s, plastic: {from: {rz: {kind: bilinear, stiffness: rigid, yield_force: 20 kN.m}}}}
      - {name: bd, from: b, to: d, section: s}
      - {name: cd, from: c, to: d, section: s}
    masses: [{node: c, mass: 20 t, rotational_inertia: 100 kg.m2}, {node: d, mass: 20 t}]
    damping: {rayleigh: {mass_factor: 0.1, stiffness_factor: 0.0001}}
    links:
      - {name: fluid, from: a, to: d, axis: along, law: {kind: viscous, coefficient: 10e3, exponent: 0.3}}
      - {name: braced, from: b, to: c, axis: along, law: {kind: viscous, coefficient: 10e3, exponent: 0.5, stiffness: 9 MN/m}}
      - {name: stop, from: a, to: c, dofs: x, law: {kind: gap, stiffness: 1 MN/m, gap: 1 mm, damping: 5 kN.s/m}}
      - {name: worn, from: a, to: c, dofs: x, law: {kind: bouc-wen, stiffness: 4 MN/m, yield_force: 5 kN, degrading: {strength: 0.1}, pinching: {level: 0.5, rate: 0.2}}}
      - {name: bearing, from: c, to: d, dofs: [x, y], law: {kind: friction-pendulum, radius: 1 m, friction: 0.05, stiffness: 1 MN/m, weight: 10 kN, geometry: exact}}
      - {name: plain, from: a, to: c, dofs: y, law: {kind: viscous, coefficient: 1e3, exponent: 1}}
excitation: )" +
         excitation + "\nrecording: " + recording + "\n";
}

TEST(FrameOutputs, StepAndRecordLeaveTheHeapAlone) {
  const std::string file =
      ::testing::TempDir() + "/heap_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 6\n0.7, -8\n1, 4\n";
  const std::string outputs = "members: all, links: all, reactions: all, energies: true";
  std::string moving = with_links("{supports: [{nodes: b, dof: y, motion: " + file + "}]}",
                                  "{" + outputs + "}");
  // A link with a law may not begin where a support moves.
  const std::size_t braced = moving.find("      - {name: braced");
  moving.erase(braced, moving.find('\n', braced) + 1 - braced);
  for (const std::string& text :
       {with_links(
            "{motions: [{record: " + file + "}]}",
            "{" + outputs + ", storeys: {s: {nodes_above: [c, d], nodes_below: [a, b]}}}"),
        moving}) {
    const auto numerical =
        composition::make_numerical(testing::read_test(text), {}, nullptr);
    std::vector<double> row(numerical->channels().size());
    numerical->correct(-1, {});
    const std::size_t before = testing::heap_allocations();
    bool finite = true;
    for (std::int64_t k = 0; k < numerical->steps(); ++k) {
      numerical->predict(k, {});
      finite = numerical->correct(k, {}) && finite;
      numerical->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << text;
    EXPECT_TRUE(finite);
  }
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

TEST(TwinUpdating, StepLeavesTheHeapAlone) {
  composition::NumericalParts parts;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  parts.experimental.push_back(
      {"lab", {"ground.x"}, Eigen::MatrixXd::Constant(1, 1, 30e6), none, none});
  const auto numerical = composition::make_numerical(testing::read_test(R"(
test: twins
time_step: 2 ms
duration: 1 s
excitation: {record: synthetic, synthetic: {duration: 1 s, ground_frequency: 2 Hz}}
numerical:
  shear_building:
    storeys:
      ground: {mass: 20 t}
      top: {mass: 20 t, law: {kind: bouc-wen, stiffness: 30 kN/mm, yield_force: 150 kN, hardening: 5 %}}
  integrator: {kind: kr-alpha, rho_infinity: 0.9}
sites: {lab: {interface: [ground.x]}}
updating:
  damper:
    site: lab
    twins: [top]
    law: {stiffness: 30 kN/mm, yield_force: 150 kN, hardening: 5 %}
    force_noise: 300 N
)"),
                                                     std::move(parts), nullptr);
  numerical->prepare();
  std::vector<SiteTarget> request(1);
  request[0].target = InterfaceMotion::zero(1);
  std::vector<SiteResponse> answer(1);
  answer[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};
  std::vector<double> row(numerical->channels().size());
  numerical->correct(-1, answer);
  const std::size_t before = testing::heap_allocations();
  for (std::int64_t k = 0; k < 400; ++k) {
    numerical->predict(k, request);
    answer[0].measured = request[0].target.displacement;
    answer[0].force = 26e6 * request[0].target.displacement;
    numerical->correct(k, answer);
    numerical->record(row);
  }
  EXPECT_EQ(testing::heap_allocations(), before);
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

// A tangent is factored three times in each step.
TEST(StructuralSubstructure, StepWithFibresAndTurningChordsLeavesTheHeapAlone) {
  for (const std::string integrator : {"implicit", "explicit-newmark"}) {
    const auto structure = composition::make_numerical(testing::read_test(R"(
test: heap
time_step: 0.05 ms
duration: 0.1 s
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0], b: [0, 3], c: [4, 3]}
    supports: [{nodes: a, fixed: all}, {nodes: c, fixed: [y]}]
    materials:
      concrete: {kind: concrete, fc: 30 MPa, strain: 0.002, fu: 6 MPa, ultimate_strain: 0.006}
      bars: {kind: menegotto-pinto, E: 200 GPa, fy: 420 MPa, b: 0.01}
    sections:
      pier:
        fibres:
          shapes: [{kind: rectangle, material: concrete, b: 0.4 m, h: 0.4 m}]
          bars: [{material: bars, y: 0.15 m, area: 942 mm2}, {material: bars, y: -0.15 m, area: 942 mm2}]
      deck: {E: 30 GPa, A: 0.1, I: 0.01}
    members:
      - {name: pier, from: a, to: b, section: pier}
      - {name: deck, from: b, to: c, section: deck}
    masses: [{node: b, mass: 20 t, rotational_inertia: 1000}, {node: c, mass: 20 t, rotational_inertia: 1000}]
    damping: {rayleigh: {mass_factor: 0.5}}
  integrator: )" + integrator + R"(
excitation:
  loads: {push: {nodes: {b: {x: 100 kN, y: -400 kN}}, history: {ramp: 0.05 s}}}
recording: {nodes: [b, c], members: all, sections: all, reactions: all, energies: true}
)"),
                                                       {}, nullptr);
    std::vector<double> row(structure->channels().size());
    structure->correct(-1, {});
    structure->predict(0, {});
    structure->correct(0, {});
    const std::size_t before = testing::heap_allocations();
    bool finite = true;
    for (std::int64_t k = 1; k < 100; ++k) {
      structure->predict(k, {});
      finite = structure->correct(k, {}) && finite;
      structure->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << integrator;
    EXPECT_TRUE(finite) << integrator;
  }
}

// A command at each iteration, by Newton's method of the hinge alone and, with fibres, of
// the whole frame.
TEST(EachIteration, CommandLeavesTheHeapAlone) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  for (const bool fibres : {false, true}) {
    composition::NumericalParts parts;
    parts.experimental.push_back(
        {"lab", {"c.x"}, Eigen::MatrixXd::Constant(1, 1, 2e6), none, none});
    const auto numerical =
        composition::make_numerical(testing::read_test(std::string(R"(
test: commands
time_step: 2 ms
duration: 1 s
numerical:
  integrator: {kind: implicit, sites: each-iteration, iterations: 4}
  frame:
    nodes: {a: [0, 0], b: [0, 3], c: [4, 3], d: [4, 0]}
    supports: [{nodes: [a, d], fixed: all}]
)") +
                                                       (fibres ? R"(
    materials: {plates: {kind: menegotto-pinto, E: 200 GPa, fy: 250 MPa, b: 0.01}}
    sections:
      pier: {fibres: {shapes: [{kind: rectangle, material: plates, name: core, b: 0.1 m, h: 0.2 m}]}}
      s: {E: 200 GPa, A: 0.01, I: 1e-4}
)"
                                                               : R"(
    sections: {pier: {E: 200 GPa, A: 0.02, I: 6.7e-5}, s: {E: 200 GPa, A: 0.01, I: 1e-4}}
)") +
                                                       R"(
    members:
      - {name: pier, from: a, to: b, section: pier}
      - {name: deck, from: b, to: c, section: s}
      - {name: column, from: d, to: c, section: s, plastic: {from: {rz: {kind: bilinear, stiffness: 300 MN.m/rad, yield_force: 50 kN.m}}}}
    masses: [{node: b, mass: 20 t, rotational_inertia: 1000}, {node: c, mass: 20 t, rotational_inertia: 1000}]
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0.0002}}
excitation:
  loads: {push: {nodes: {c: {x: 200 kN, y: -100 kN}}, history: {ramp: 0.1 s}}}
recording: {nodes: [b, c], members: all, )" + (fibres ? "sections: all, " : "") +
                                                       "reactions: all, energies: true}\n"),
                                    std::move(parts), nullptr);
    std::vector<SiteTarget> request(1);
    request[0].target = InterfaceMotion::zero(1);
    std::vector<SiteResponse> answer(1);
    answer[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};
    std::vector<double> row(numerical->channels().size());
    numerical->correct(-1, answer);
    const std::size_t before = testing::heap_allocations();
    bool finite = true;
    for (std::int64_t k = 0; k < 400; ++k) {
      numerical->predict(k, request);
      answer[0].measured = request[0].target.displacement;
      answer[0].force = 1.7e6 * request[0].target.displacement;
      finite = numerical->correct(k, answer) && finite;
      numerical->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << fibres;
    EXPECT_TRUE(finite) << fibres;
  }
}

// Damping on the tangents of members and springs, by Newton's method of the whole
// structure, and of springs alone.
TEST(StructuralSubstructure, StepWithDampingOnTheTangentLeavesTheHeapAlone) {
  for (const std::string section : {"{fibres: {bars: [{material: bars, y: 0.1 m, area: 5 "
                                    "cm2}, {material: bars, y: -0.1 "
                                    "m, area: 5 cm2}]}}",
                                    "{E: 210 GPa, A: 10 cm2, I: 1000 cm4}"}) {
    const bool fibres = section.find("fibres") != std::string::npos;
    const auto structure = composition::make_numerical(
        testing::read_test(
            R"(
test: heap
time_step: 1 ms
duration: 0.2 s
numerical:
  frame:
    nodes: {a: [0, 0], b: [1, 0], c: [2, 0]}
    supports: [{nodes: a, fixed: all}, {nodes: [b, c], fixed: [y, rz]}]
)" +
            std::string(
                fibres ? "    materials: {bars: {kind: steel, E: 1.8 GPa, fy: 12 MPa, b: "
                         "0.1}}\n"
                       : "") +
            R"(
    sections: {s: )" +
            section + R"(}
    members: [{name: m, from: a, to: b, section: s}]
    springs: [{node: c, dof: x, law: {kind: bilinear, stiffness: 1.8 MN/m, yield_force: 12 kN}}]
    masses: [{node: b, mass: 20 t}, {node: c, mass: 20 t}]
    damping: {rayleigh: {stiffness_factor: 0.01, stiffness: tangent}}
  integrator: implicit
excitation: {initial: {nodes: {b: {vx: 1 m/s}, c: {vx: 1 m/s}}}}
recording: {reactions: all, energies: true}
)"),
        {}, nullptr);
    std::vector<double> row(structure->channels().size());
    structure->correct(-1, {});
    structure->predict(0, {});
    structure->correct(0, {});
    const std::size_t before = testing::heap_allocations();
    bool finite = true;
    for (std::int64_t k = 1; k < 100; ++k) {
      structure->predict(k, {});
      finite = structure->correct(k, {}) && finite;
      structure->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << section;
    EXPECT_TRUE(finite) << section;
  }
}

TEST(StructuralSubstructure, StepWithChordsThatTurnInSpaceLeavesTheHeapAlone) {
  for (const std::string integrator : {"implicit", "explicit-newmark"}) {
    const auto structure = composition::make_numerical(testing::read_test(R"(
test: heap
time_step: 0.05 ms
duration: 0.1 s
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0, 0], b: [0, 0, 3], c: [4, 1, 3]}
    supports: [{nodes: a, fixed: all}]
    materials: {plates: {kind: menegotto-pinto, E: 200 GPa, fy: 420 MPa, b: 0.01}}
    sections:
      s: {E: 200 GPa, A: 0.01, Iy: 1e-4, Iz: 6e-5, J: 8e-5}
      f:
        G: 80 GPa
        J: 8e-5
        fibres: {shapes: [{kind: i-section, material: plates, b: 0.2 m, h: 0.2 m, flange: 15 mm, web: 10 mm}]}
    members:
      - {name: pier, from: a, to: b, section: f}
      - {name: deck, from: b, to: c, section: s}
    masses: [{node: b, mass: 20 t, rotational_inertia: 1000}, {node: c, mass: 20 t, rotational_inertia: 1000}]
    damping: {rayleigh: {mass_factor: 0.5}}
  integrator: )" + integrator + R"(
excitation:
  loads: {push: {nodes: {c: {x: 100 kN, y: -400 kN, z: -80 kN}}, history: {ramp: 0.05 s}}}
recording: {nodes: [b, c], members: all, reactions: all, energies: true}
)"),
                                                       {}, nullptr);
    std::vector<double> row(structure->channels().size());
    structure->correct(-1, {});
    structure->predict(0, {});
    structure->correct(0, {});
    const std::size_t before = testing::heap_allocations();
    bool finite = true;
    for (std::int64_t k = 1; k < 100; ++k) {
      structure->predict(k, {});
      finite = structure->correct(k, {}) && finite;
      structure->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << integrator;
    EXPECT_TRUE(finite) << integrator;
  }
}

TEST(HeapCounter, SeesAnAllocation) {
  const std::size_t before = testing::heap_allocations();
  const Eigen::VectorXd on_the_heap = Eigen::VectorXd::Ones(100);
  EXPECT_GT(testing::heap_allocations(), before) << on_the_heap.size();
}

}  // namespace
}  // namespace trestle::substructure
