// Members of fibres in space, against the numbers of two independent programs in a plane.
#include <cmath>

#include "core/base/setting_error.h"
#include "numerical/integration/static_newton.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::spatial_fibres_test {
namespace {

using testing::Histories;
using testing::read_test;
using testing::structure_of;

constexpr double kAgreement = 1e-9;  // of the peak

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// The column of fibres_test.cc, upright in space. Its local z is global x, its local y
/// points to −y.
struct Column {
  std::string section =
      "shapes: [{kind: rectangle, material: concrete, b: 0.4 m, h: 0.4 m, layers: 16, "
      "columns: 16, name: core}]";
  std::string bars =
      "[{material: bars, y: 0.15 m, z: 0.15 m, area: 471 mm2, name: corner}, {material: "
      "bars, y: -0.15 m, z: 0.15 m, area: 471 mm2}, {material: bars, y: 0.15 m, z: -0.15 "
      "m, "
      "area: 471 mm2}, {material: bars, y: -0.15 m, z: -0.15 m, area: 471 mm2}]";
  std::string beside = "G: 12 GPa, J: 0.0036, ";
  std::string geometry = "linear";
  std::string integrator = "{kind: implicit, iterations: 12}";
  std::string excitation = "";
  std::string more = "";

  std::string text() const {
    return R"(
test: column
time_step: 5 ms
duration: 1 s
numerical:
  frame:
    geometry: )" +
           geometry + R"(
    nodes: {foot: [0, 0, 0], top: [0, 0, 3]}
    supports: [{nodes: foot, fixed: all}]
    materials:
      concrete: {kind: concrete, fc: 30 MPa, strain: 0.002, fu: 6 MPa, ultimate_strain: 0.006}
      bars: {kind: steel, E: 200 GPa, fy: 420 MPa, b: 0.01}
    sections: {s: {)" +
           beside + "fibres: {" + section + ", bars: " + bars + R"(}}}
    members: [{name: m, from: foot, to: top, section: s, parts: 4}]
    masses: [{node: top, mass: 20 t, rotational_inertia: 300}]
    damping: {rayleigh: {mass_factor: 0.5}}
  integrator: )" +
           integrator + R"(
excitation:
  loads:
    weight: {nodes: {top: {z: -400 kN}}}
)" + excitation +
           "  gravity: {from: none, loads: weight}\n" + more;
  }
};

std::string skew_push() {
  return "    push: {nodes: {top: {x: 40 kN, y: -25 kN}}, history: {sine: {"
         "frequency: 1 Hz}}}\n";
}

// The same bars and layers along either of its axes: the anchors of the planar column.
TEST(SpatialFibres, CantileverIsPushedAlongBothAxesAsTwoProgramsSay) {
  const std::vector<double> anchors{36428.482317,   -36441.8334299, 55024.0174077,
                                    -55025.7771099, 71806.6972017,  -72090.1782193,
                                    73487.2156834,  -21525.2248116};
  const std::vector<double> turns{10, -10, 20, -20, 40, -40, 60, 0};
  for (const char* along : {"top.x", "top.y"}) {
    SCOPED_TRACE(along);
    const structure::StructuralModel structure = structure_of(read_test(Column{}.text()));
    const int pushed = structure.equation(along);
    const int down = structure.equation("top.z");
    Eigen::VectorXd weight = Eigen::VectorXd::Zero(structure.equations);
    Eigen::VectorXd push = weight;
    weight[down] = -400e3;
    push[pushed] = 1.0;
    integration::StaticNewton newton(structure);
    for (int i = 1; i <= 10; ++i) newton.reach(0.1 * i * weight, 0.1 * i);
    EXPECT_NEAR(newton.displacement()[down], -0.000236110987355, 1e-9 * 0.000236);
    double force = 0.0;
    double at = 0.0;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const int steps = static_cast<int>(std::lround(std::abs(turns[i] - at) / 0.5));
      for (int k = 1; k <= steps; ++k)
        newton.push(weight, push, pushed, 1e-3 * (at + (turns[i] - at) * k / steps), force);
      at = turns[i];
      EXPECT_NEAR(force, anchors[i], kAgreement * 73638.0) << turns[i];
    }
  }
}

TEST(SpatialFibres, VibratesUnderGravityAsTwoProgramsSay) {
  composition::NumericalReport report;
  composition::make_numerical(
      read_test(replaced(Column{}.text(), ", rotational_inertia: 300", "")), {}, &report);
  for (const std::size_t mode : {std::size_t{0}, std::size_t{1}})
    EXPECT_NEAR(std::pow(2.0 * M_PI / report.periods.at(mode), 2), 387.329559774,
                kAgreement * 387.0);
}

// Two directions at once: the balance of energies closes, and the recorded section is that
// of plane strains.
TEST(SpatialFibres, BiaxialMotionKeepsItsEnergyAndPlaneStrains) {
  for (const char* geometry : {"linear", "corotational"}) {
    const Histories run(read_test(Column{
        .geometry = geometry,
        .excitation = skew_push(),
        .more = "recording: {nodes: top, energies: true, sections: all, members: all}\n"}
                                      .text()));
    EXPECT_LT(std::abs(run.last("energy.balance")), 1e-9) << geometry;
    const double eps = run.last("m.p1.eps0");
    const double kappa_z = run.last("m.p1.kappa_z_1_m");
    const double kappa_y = run.last("m.p1.kappa_y_1_m");
    EXPECT_GT(std::abs(run.peak("m.p1.kappa_y_1_m")), 1e-3);
    EXPECT_GT(std::abs(run.peak("m.p1.kappa_z_1_m")), 1e-3);
    EXPECT_NEAR(run.last("m.p1.corner.strain"), eps - 0.15 * kappa_z + 0.15 * kappa_y,
                1e-15);
    const double edge = 0.2 * 15.0 / 16.0;
    EXPECT_NEAR(run.last("m.p1.core.low.strain"), eps + edge * kappa_z - edge * kappa_y,
                1e-15);
    // The moment of the first section is, nearly, that of the member's end.
    const double most = std::abs(run.peak("m.p1.My_Nm"));
    EXPECT_NEAR(run.peak("m.from.My_Nm"), -run.peak("m.p1.My_Nm"), 0.1 * most);
  }
}

TEST(SpatialFibres, GoesOnFromASnapshot) {
  for (const char* geometry : {"linear", "p-delta", "corotational"}) {
    const config::Test test =
        read_test(Column{.geometry = geometry,
                         .integrator = "implicit",
                         .excitation = skew_push(),
                         .more = "recording: {nodes: top, sections: all, members: all}\n"}
                      .text());
    const auto whole = composition::make_numerical(test, {}, nullptr);
    const auto resumed = composition::make_numerical(test, {}, nullptr);
    std::vector<double> row(whole->channels().size());
    std::vector<double> other(row.size());
    whole->correct(-1, {});
    for (std::int64_t k = 0; k < whole->steps(); ++k) {
      whole->predict(k, {});
      ASSERT_TRUE(whole->correct(k, {}));
      if (k == 90) {
        SnapshotWriter snapshot;
        whole->snapshot(snapshot);
        SnapshotReader reader(snapshot.values());
        resumed->restore(reader);
        EXPECT_TRUE(reader.at_end());
      } else if (k > 90) {
        resumed->predict(k, {});
        ASSERT_TRUE(resumed->correct(k, {}));
      }
      if (k < 90) continue;
      whole->record(row);
      resumed->record(other);
      ASSERT_EQ(row, other) << geometry << " " << k;
    }
  }
}

TEST(SpatialFibres, TellsWhatIsWrong) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      composition::make_numerical(read_test(text), {}, nullptr);
    } catch (const SettingError& error) {
      return error.problems().front().path + ": " + error.problems().front().what;
    }
    return "none";
  };
  EXPECT_EQ(complaint(Column{.beside = "G: 12 GPa, "}.text()),
            "numerical.frame.sections[0]: J is missing; a spatial section of fibres must "
            "have it, since its torsion is elastic");
  EXPECT_EQ(
      complaint(Column{.beside = "G: 12 GPa, J: 0.0036, Iy: 0.002, "}.text()),
      "numerical.frame.sections[0].Iy: is of an elastic section; this one has fibres: "
      "leave one of them out");
  // Fibres on one line resist no bending about it.
  EXPECT_EQ(complaint(Column{.section = "shapes: [{kind: rectangle, material: concrete, b: "
                                        "0.4 m, h: 0.4 m, columns: 1}]",
                             .bars = "[{material: bars, y: 0.1 m, area: 471 mm2}]"}
                          .text()),
            "numerical.frame.sections[0].fibres: lie on a line, which they cannot be bent "
            "about; give shapes more columns or layers, or bars beside it");
  std::string planar = Column{}.text();
  planar = replaced(planar, "[0, 0, 0]", "[0, 0]");
  planar = replaced(planar, "[0, 0, 3]", "[0, 3]");
  EXPECT_EQ(
      complaint(replaced(planar, "z: -400 kN", "y: -400 kN")),
      "numerical.frame.sections[0].fibres.shapes[0].rectangle.columns: is of a spatial "
      "frame; this one is planar");
}

}  // namespace
}  // namespace trestle::substructure::spatial_fibres_test
