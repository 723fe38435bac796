#include "observe/geometry/geometry_reader.h"

#include <gtest/gtest.h>

namespace trestle::geometry::geometry_reader_test {
namespace {

TEST(GeometryReader, ReadsAPlanarFrameItsSupportsAndItsSites) {
  const StructureGeometry geometry = read_geometry(R"(
numerical:
  frame:
    nodes: {floor: [0, 3], roof: [0, 6.5], roof_e: [6, 6.5]}
    supports: [{nodes: [floor, roof_e], fixed: [y]}]
    members: [{from: floor, to: roof, section: s}, {from: roof, to: roof_e, section: s}, {from: roof, to: gone}]
    floors: [{nodes: [roof, roof_e], mass: 1, rigid: true}]
sites:
  west:
    interface: [floor.x, floor.rz]
    rig: {specimen: {kind: column, height: 3}}
)");
  EXPECT_EQ(geometry.missing, "");
  EXPECT_FALSE(geometry.spatial);
  ASSERT_EQ(geometry.nodes.size(), 3u);
  EXPECT_EQ(geometry.nodes[1].at, (Place{0.0, 6.5, 0.0}));
  ASSERT_EQ(geometry.members.size(), 2u) << "an end that is nowhere is not drawn";
  ASSERT_EQ(geometry.supports.size(), 2u);
  EXPECT_EQ(geometry.supports[1].node, "roof_e");
  EXPECT_EQ(geometry.supports[1].fixed, std::vector<std::string>{"y"});
  ASSERT_EQ(geometry.specimens.size(), 1u);
  EXPECT_EQ(geometry.specimens[0].height, 3.0);
  EXPECT_EQ(geometry.interface[1].dof, "floor.rz");
  ASSERT_EQ(geometry.ties.size(), 1u);
  EXPECT_EQ(geometry.ties[0].dof + " " + geometry.ties[0].master, "roof_e.x roof.x");
}

TEST(GeometryReader, ReadsAFrameInSpaceItsFloorsAndTheFrameOfASpecimen) {
  const StructureGeometry geometry = read_geometry(R"(
numerical:
  frame:
    nodes: {a: [0, 0, 3], b: [6, 0, 3], c: [6, 4, 3]}
    members: [{from: a, to: b}, {from: b, to: c}]
    diaphragms: {d1: {nodes: [a, b, c], centre: [2, 1]}}
sites:
  corner:
    interface: [d1.x, a.z]
    rig: {specimen: {kind: frame, frame: {nodes: {n0: [0, 0, 0], a: [0, 0, 3]}, members: [{from: n0, to: a}]}}}
)");
  EXPECT_TRUE(geometry.spatial);
  ASSERT_EQ(geometry.rigid.size(), 1u);
  EXPECT_EQ(geometry.rigid[0].at, (Place{2.0, 1.0, 3.0}));
  EXPECT_TRUE(geometry.rigid[0].only_in_plane);
  ASSERT_EQ(geometry.specimens.size(), 1u) << "its frame is drawn once";
  ASSERT_EQ(geometry.specimens[0].nodes.size(), 1u) << "a is of the model";
  EXPECT_EQ(geometry.specimens[0].nodes[0].name, "n0");
  EXPECT_EQ(geometry.specimens[0].members.size(), 1u);
}

TEST(GeometryReader, MakesTheMembersOfARegularFrame) {
  const StructureGeometry geometry = read_geometry(R"(
numerical:
  frame:
    regular: {bays: {count: 2, width: 5}, storeys: {sizes: [4, 3]}, column: c, beam: b, without: [c1.0]}
)");
  EXPECT_EQ(geometry.nodes.size(), 9u);
  EXPECT_EQ(geometry.members.size(), 6u - 1u + 4u);
  EXPECT_EQ(geometry.find("n2.1")->at, (Place{5.0, 7.0, 0.0}));
  EXPECT_EQ(geometry.supports.size(), 3u);
  const StructureGeometry spatial = read_geometry(R"(
numerical:
  frame:
    regular: {bays: {sizes: [6]}, depth: {count: 1, width: 4}, storeys: {count: 1, height: 3}, column: c, beam: b}
)");
  EXPECT_EQ(spatial.nodes.size(), 8u);
  EXPECT_EQ(spatial.members.size(), 8u);
  ASSERT_EQ(spatial.rigid.size(), 1u);
  EXPECT_EQ(spatial.rigid[0].at, (Place{3.0, 2.0, 3.0}));
}

TEST(GeometryReader, DrawsABeamAndStoreysAboveEachOther) {
  const StructureGeometry beam = read_geometry(
      "numerical: {beam: {length: 20, elements: 4, supports: [{nodes: n0, fixed: y}]}}");
  EXPECT_EQ(beam.members.size(), 4u);
  EXPECT_EQ(beam.find("n3")->at, (Place{15.0, 0.0, 0.0}));
  EXPECT_EQ(beam.supports.at(0).fixed, std::vector<std::string>{"y"});
  const StructureGeometry storeys = read_geometry(
      "numerical: {shear_building: {storeys: {first: {mass: 1}, second: {mass: 1, "
      "stiffness: 5}}}}");
  EXPECT_TRUE(storeys.schematic);
  ASSERT_EQ(storeys.members.size(), 1u) << "the first one stands in a laboratory";
  EXPECT_EQ(storeys.members[0].to, "second");
}

TEST(GeometryReader, SaysWhyNothingCanBeDrawn) {
  EXPECT_EQ(read_geometry("numerical: {matrices: {dofs: [a.x]}}").missing,
            "the model is matrices, which state no places");
  EXPECT_EQ(read_geometry("numerical: {bond_graph: {file: g.yaml}}").missing,
            "the model is a bond graph, which states no places");
  EXPECT_EQ(read_geometry("a: [").missing, "effective.yaml cannot be read");
  EXPECT_EQ(read_geometry("test: a").missing, "effective.yaml states no numerical model");
  const StructureGeometry huge = read_geometry(
      "numerical: {frame: {regular: {bays: {count: 900, width: 5}, storeys: {count: 900, "
      "height: 3}, column: c, beam: b}}}");
  EXPECT_NE(huge.missing, "");
}

TEST(GeometryReader, LaysTheGirdersOfABridgeBehindEachOther) {
  const StructureGeometry bridge = read_geometry(R"(
numerical:
  bridge:
    girders: [{spans: [30, 40], section: [g]}, {spans: [20], section: [g], repeat: 2}]
sites: {table: {interface: [wheel.y]}}
)");
  EXPECT_EQ(bridge.missing, "");
  ASSERT_EQ(bridge.girders.size(), 3u);
  EXPECT_EQ(bridge.girders[0],
            (std::vector<std::string>{"abutment", "span1", "pier1", "span2", "pier2"}));
  EXPECT_EQ(bridge.girders[2], (std::vector<std::string>{"pier3", "span4", "abutment2"}));
  EXPECT_EQ(bridge.members.size(), 8u);
  EXPECT_EQ(bridge.find("span2")->at, (Place{50.0, 0.0, 0.0}));
  EXPECT_EQ(bridge.find("abutment2")->at, (Place{110.0, 0.0, 0.0}));
  ASSERT_EQ(bridge.supports.size(), 5u);
  EXPECT_EQ(bridge.supports[1].fixed, (std::vector<std::string>{"x", "y"}));
  const StructureGeometry elastic = read_geometry(R"(
numerical: {bridge: {girders: [{spans: [30, 40], section: [g]}], piers: [{stiffness: 2e9}]}}
)");
  EXPECT_EQ(elastic.supports[1].fixed, std::vector<std::string>{"x"}) << "the record tells";
}

}  // namespace
}  // namespace trestle::geometry::geometry_reader_test
