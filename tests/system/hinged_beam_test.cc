#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/system/lab_run.h"

namespace trestle::hinged_beam_test {
namespace {

// A beam of one part, hinged at both ends, whose supports are shaken across it by a
// constant acceleration A from rest. The ends turn alike and opposite: mL³/60 θ'' + 2EI/L θ
// = −mL²/12 A, which is θ = −5A/(Lω²) (1 − cos ωt) with ω² = 120 EI/(mL⁴). A rotation
// without mass of its own would follow its ends, which stand still.
constexpr double kLength = 6.0;
constexpr double kBending = 9720.0;  // EI [N·m²]
constexpr double kMass = 10.0;       // [kg/m]
constexpr double kAcceleration = 2.0;
constexpr double kStep = 1.0 / 1024.0;

TEST(DoublyHingedBeam, TurnsAtItsEndsAsTheGroundGoesUp) {
  const std::string record = ::testing::TempDir() + "trestle_constant_motion.csv";
  std::ofstream(record) << "0," << kAcceleration << "\n4," << kAcceleration << "\n";
  const testing::LabRun run = testing::run_lab(
      "test: beam\ntime_step: 1/1024 s\nseed: 1\nduration: 2 s\n"
      "excitation: {record: " +
      record +
      ", direction: y}\n"
      "numerical:\n  frame:\n    mass_matrix: consistent\n"
      "    nodes: {a: [0, 0], b: [6, 0], c: [9, 0]}\n"
      "    supports: [{nodes: [a, b], fixed: [x, y, rz]}, {nodes: [c], fixed: [y, rz]}]\n"
      "    sections: {beam: {E: 97.2 MPa, A: 10 m2, I: 1e-4 m4, mass_per_length: 10 "
      "kg/m}}\n"
      "    members: [{from: a, to: b, section: beam, hinges: [from, to], name: beam}]\n"
      "    masses: [{node: c, mass: 1 t}]\n"
      "sites:\n  lab:\n    interface: [c.x]\n    rig:\n"
      "      specimen: {kind: linear, stiffness: [[1e4]]}\n");
  std::filesystem::remove(record);
  ASSERT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  const double square = 120.0 * kBending / (kMass * std::pow(kLength, 4));
  const double half = 5.0 * kAcceleration / (kLength * square);
  const Eigen::VectorXd from = run.row("beam.from.rz.disp_rad");
  const Eigen::VectorXd to = run.row("beam.to.rz.disp_rad");
  ASSERT_GT(from.size(), 2000);
  EXPECT_NEAR(from.cwiseAbs().maxCoeff(), 2.0 * half, 1e-3 * half);
  for (Eigen::Index k = 0; k < from.size(); ++k) {
    const double exact =
        half * (1.0 - std::cos(std::sqrt(square) * kStep * static_cast<double>(k)));
    ASSERT_NEAR(from[k], -exact, 2e-3 * half) << k;
    ASSERT_NEAR(to[k], exact, 2e-3 * half) << k;
  }
}

}  // namespace
}  // namespace trestle::hinged_beam_test
