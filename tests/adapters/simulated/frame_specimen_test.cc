#include "adapters/simulated/frame_specimen.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "adapters/simulated/column_specimen.h"
#include "composition/numerical/frame_factory.h"
#include "composition/rigs/specimen_factory.h"
#include "core/base/setting_error.h"
#include "core/types/motion.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/frame_assembly.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/rig.pb.h"

namespace trestle::simulated::frame_specimen_test {
namespace {

std::unique_ptr<SpecimenModel> make(const std::string& text, int dofs) {
  config::Specimen message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return composition::make_specimen(message, dofs, 0, "specimen");
}

std::string problem(const std::string& text, int dofs) {
  try {
    make(text, dofs);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

InterfaceVector one(double value) {
  return InterfaceVector::Constant(1, value);
}

const std::string kColumn =
    "nodes {name: 'foot'} nodes {name: 'top' y: 3}"
    "supports {nodes: 'foot' fixed: [DOF_X, DOF_Y, DOF_RZ]}"
    "sections {name: 's' E: 210e9 A: 78.1e-4 I: 5696e-8}"
    "members {from: 'foot' to: 'top' section: 's'}";

const ColumnSettings kColumnSettings{.dofs = 1,
                                     .elastic_modulus = 210e9,
                                     .area = 78.1e-4,
                                     .second_moment = 5696e-8,
                                     .height = 3.0};

std::string column_frame(int dofs) {
  const std::string interface = dofs == 1   ? "interface: 'top.x'"
                                : dofs == 2 ? "interface: ['top.x', 'top.rz']"
                                            : "interface: ['top.x', 'top.y', 'top.rz']";
  return "frame {frame {" + kColumn + "} " + interface + "}";
}

TEST(FrameSpecimen, AnElasticColumnIsTheColumnSpecimenToRoundOff) {
  for (const int dofs : {1, 2, 3}) {
    ColumnSettings settings = kColumnSettings;
    settings.dofs = dofs;
    ColumnSpecimen column(settings, nullptr, nullptr);
    const auto frame = make(column_frame(dofs), dofs);
    frame->prepare(0.001);
    // A handful of operations on entries of the stiffness' size, one solve with [x] alone.
    EXPECT_TRUE(frame->initial_stiffness().isApprox(column.initial_stiffness(), 1e-14))
        << dofs;
    InterfaceVector motion(dofs);
    for (int i = 0; i < dofs; ++i) motion(i) = 1e-2 / (i + 1);
    const InterfaceVector rest = InterfaceVector::Zero(dofs);
    EXPECT_TRUE(frame->advance(motion, rest, rest)
                    .isApprox(column.advance(motion, rest, rest), 1e-13))
        << dofs;
    EXPECT_TRUE(frame->mass().isZero(0.0));
    EXPECT_TRUE(frame->damping().isZero(0.0));
  }
}

constexpr double kMass = 2.0;           // [kg]
constexpr double kSpring = 800.0;       // [N/m]
constexpr double kDamper = 6.0;         // [N·s/m]
constexpr double kInterfaceMass = 0.5;  // [kg]

/// A mass that hangs on the interface by a spring and a damper, and on nothing else.
std::string hanging_mass(const std::string& law) {
  return "frame {frame {nodes {name: 'a'} nodes {name: 'm' x: 1}"
         "supports {nodes: ['a', 'm'] fixed: [DOF_Y, DOF_RZ]}"
         "masses {node: 'm' mass: 2} masses {node: 'a' mass: 0.5}"
         "springs {node: 'a' to: 'm' dof: DOF_X damping: 6 law {" +
         law + "}}} interface: 'a.x'}";
}

const std::string kLinear = "linear {stiffness: 800}";
const std::string kHysteretic = "bouc_wen {stiffness: 800 yield_force: 20 hardening: 0.1}";

struct Harmonic {
  double omega;
  InterfaceMotion at(double t) const {
    return {one(std::sin(omega * t)), one(omega * std::cos(omega * t)),
            one(-omega * omega * std::sin(omega * t))};
  }
};

InterfaceVector go_to(SpecimenModel& specimen, const InterfaceMotion& motion) {
  return specimen.advance(motion.displacement, motion.velocity, motion.acceleration);
}

TEST(FrameSpecimen, AHangingMassAnswersAsTheClosedForm) {
  // Dynamic stiffness at the interface: f/u = Z(iω) − M_b ω² with
  // Z = (k + iωc)(−ω²m)/(k + iωc − ω²m).
  constexpr double kPeriod = 1e-3;
  const Harmonic motion{.omega = 15.0};  // natural: 20 rad/s
  const auto specimen = make(hanging_mass(kLinear), 1);
  specimen->prepare(kPeriod);
  const std::complex<double> link(kSpring, motion.omega * kDamper);
  const double inertia = -motion.omega * motion.omega * kMass;
  const std::complex<double> Z =
      link * inertia / (link + inertia) - motion.omega * motion.omega * kInterfaceMass;
  double worst = 0.0;
  for (int n = 1; n <= 20000; ++n) {
    const double t = n * kPeriod;
    const double force = go_to(*specimen, motion.at(t))(0);
    if (n < 16000) continue;  // the start has died away by exp(−24)
    worst =
        std::fmax(worst, std::abs(force - (Z * std::polar(1.0, motion.omega * t)).imag()));
  }
  // Average acceleration stretches the period by (ωδt)²/12, here 3e-5 at the natural one;
  // near resonance the amplitude answers with 1/|1 − (ω/ω₀)²| of it.
  EXPECT_LT(worst, 2e-4 * std::abs(Z));
  EXPECT_GT(std::abs(Z), 500.0);
}

TEST(FrameSpecimen, SwingsFreelyWithItsOwnFrequency) {
  constexpr double kPeriod = 1e-3;
  std::string text = hanging_mass(kLinear);
  text.replace(text.find("damping: 6"), 10, "damping: 0");
  const auto specimen = make(text, 1);
  specimen->prepare(kPeriod);
  InterfaceMotion held = InterfaceMotion::zero(1);
  held.displacement = one(0.01);  // jumps there, and stays
  double last = go_to(*specimen, held)(0);
  double first_crossing = 0.0;
  double last_crossing = 0.0;
  int crossings = 0;
  for (int n = 2; n <= 10000; ++n) {
    const double force = go_to(*specimen, held)(0);
    if (last < 0.0 && force >= 0.0) {
      last_crossing = (n - force / (force - last)) * kPeriod;
      if (crossings++ == 0) first_crossing = last_crossing;
    }
    last = force;
  }
  ASSERT_GT(crossings, 20);
  // tan(ω_h δt/2) = ω δt/2 for average acceleration.
  const double omega = std::sqrt(kSpring / kMass);
  const double expected = 2.0 / kPeriod * std::atan(0.5 * omega * kPeriod);
  const double found = 2.0 * M_PI * (crossings - 1) / (last_crossing - first_crossing);
  // Crossings by a straight line miss by at most ω²δt³/8 each.
  EXPECT_NEAR(found, expected, 1e-6 * expected);
}

TEST(FrameSpecimen, FeelsTheCondensedMassAndDampingWhenItMovesSlowly) {
  const auto specimen = make(hanging_mass(kLinear), 1);
  EXPECT_NEAR(specimen->mass()(0, 0), kMass + kInterfaceMass, 1e-14);
  EXPECT_NEAR(specimen->damping()(0, 0), 0.0, 1e-13);
  EXPECT_NEAR(specimen->initial_stiffness()(0, 0), 0.0, 1e-11);
}

TEST(FrameSpecimen, InnerDofsWithoutMassDoNotRing) {
  // The rotation at the top has no mass and a spring that a ringing prediction, and nothing
  // else, would make yield: below that the column is static at every tick.
  const auto frame = make("frame {frame {" + kColumn +
                              "springs {node: 'top' dof: DOF_RZ law {bilinear {"
                              "  stiffness: 1e6 yield_force: 2e6}}}} interface: 'top.x'}",
                          1);
  frame->prepare(0.001);
  const double K = frame->initial_stiffness()(0, 0);
  for (int n = 1; n <= 1000; ++n) {
    const InterfaceMotion motion = Harmonic{.omega = 60.0}.at(1e-3 * n);
    const double expected = K * motion.displacement(0);
    ASSERT_NEAR(go_to(*frame, motion)(0), expected, 1e-13 * K);
  }
}

TEST(FrameSpecimen, AnInnerSpringYieldsByItsLaw) {
  // Slowly: what passes the spring is what the mass' inertia needs, nearly nothing; so the
  // mass is grounded here and the spring must give all.
  const auto specimen = make(
      "frame {frame {nodes {name: 'a'} nodes {name: 'm' x: 1}"
      "supports {nodes: ['a', 'm'] fixed: [DOF_Y, DOF_RZ]} masses {node: 'm' mass: 2}"
      "springs {node: 'a' to: 'm' dof: DOF_X law {bilinear {stiffness: 800 "
      "  yield_force: 20 hardening: 0}}}"
      "springs {node: 'm' dof: DOF_X damping: 400 law {linear {stiffness: 1e5}}}}"
      "interface: 'a.x'}",
      1);
  specimen->prepare(1e-3);
  double force = 0.0;
  for (int n = 1; n <= 4000; ++n) {
    InterfaceMotion motion = InterfaceMotion::zero(1);
    motion.displacement = one(1e-4 * n);
    force = go_to(*specimen, motion)(0);
  }
  EXPECT_NEAR(force, 20.0, 1e-6);
}

// A shaft on a hinge, pushed at its tip: two springs in series.
constexpr double kLength = 8.0;                        // [m]
constexpr double kRigidity = 30e9 * 0.0245;            // EI [N·m²]
constexpr double kHinge = 60.0 * kRigidity / kLength;  // [N·m/rad]
constexpr double kHingeHardening = 0.003;
constexpr double kYieldMoment = 2600e3;  // [N·m]

std::string shaft_on_a_hinge() {
  const auto number = [](double value) {
    return std::to_string(value);
  };
  return "frame {frame {nodes {name: 'b'} nodes {name: 't' y: " + number(kLength) +
         "} supports {nodes: 'b' fixed: [DOF_X, DOF_Y, DOF_RZ]}"
         "supports {nodes: 't' fixed: DOF_Y}"
         "sections {name: 's' E: 30e9 A: 0.785 I: 0.0245}"
         "members {from: 'b' to: 't' section: 's' plastic {from {rz {bilinear "
         "{stiffness: " +
         number(kHinge) + " yield_force: " + number(kYieldMoment) +
         " hardening: " + number(kHingeHardening) + "}}}}}} interface: 't.x'}";
}

TEST(FrameSpecimen, AHingeWithoutMassYieldsAtEachTickAsTheClosedForm) {
  const double shaft = 3.0 * kRigidity / std::pow(kLength, 3);
  const auto series = [shaft](double hinge) {
    return 1.0 / (1.0 / shaft + kLength * kLength / hinge);
  };
  const double stiffness = series(kHinge);
  const double yield_force = kYieldMoment / kLength;
  materials::BilinearLaw law({.stiffness = stiffness,
                              .yield_force = yield_force,
                              .hardening = series(kHingeHardening * kHinge) / stiffness});
  for (const double ticks : {20.0, 200.0}) {  // of one period of the motion
    const auto specimen = make(shaft_on_a_hinge(), 1);
    specimen->prepare(0.005);
    law.reset();
    double peak = 0.0;
    double worst = 0.0;
    for (int n = 1; n <= 5 * static_cast<int>(ticks); ++n) {
      InterfaceMotion motion = InterfaceMotion::zero(1);
      // Grows, so that the loops differ.
      motion.displacement = one(yield_force / stiffness * (2.0 + n / ticks) *
                                std::sin(2.0 * M_PI * n / ticks));
      const double expected = law.advance(motion.displacement(0));
      worst = std::fmax(worst, std::abs(go_to(*specimen, motion)(0) - expected));
      peak = std::fmax(peak, std::abs(expected));
    }
    EXPECT_GT(peak, 1.02 * yield_force);
    EXPECT_LT(worst, 1e-9 * peak) << ticks;
  }
}

/// A column of two members with masses, a hinge at the foot of each; the middle is inner.
std::string frame_with_hinges(const std::string& law) {
  const std::string hinge = "plastic {from {rz {" + law + "}}}";
  return "nodes {name: 'b'} nodes {name: 'c' y: 4} nodes {name: 't' y: 8}"
         "supports {nodes: 'b' fixed: [DOF_X, DOF_Y, DOF_RZ]}"
         "supports {nodes: ['c', 't'] fixed: DOF_Y}"
         "sections {name: 's' E: 30e9 A: 0.785 I: 0.0245}"
         "members {name: 'low' from: 'b' to: 'c' section: 's' " +
         hinge + "} members {name: 'high' from: 'c' to: 't' section: 's' " + hinge +
         "} masses {node: 'c' mass: 8e3} masses {node: 't' mass: 3e3}";
}

const std::string kHingeLaws[] = {
    "bilinear {stiffness: 5.5e9 yield_force: 2.6e6 hardening: 0.003}",
    "bilinear {stiffness: 5.5e9 yield_force: 2.6e6 hardening: 0}",
    "bouc_wen {stiffness: 5.5e9 yield_force: 2.6e6 hardening: 0.01 n: 2}",
    "multi_linear {points {displacement: 4e-4 force: 2e6}"
    "              points {displacement: 2e-3 force: 3e6}"
    "              points {displacement: 2e-2 force: 3.1e6}}",
    "gap {stiffness: 5.5e9 gap: 2e-3}"};

InterfaceMotion swing(double t) {
  const double omega = 9.0;
  const double size = 0.15;
  return {one(size * std::pow(std::sin(omega * t), 3)),
          one(size * 3.0 * omega * std::pow(std::sin(omega * t), 2) * std::cos(omega * t)),
          one(size * 3.0 * omega * omega *
              (2.0 * std::sin(omega * t) - 3.0 * std::pow(std::sin(omega * t), 3)))};
}

TEST(FrameSpecimen, TheInnerForcesAreInBalanceAfterEachTick) {
  for (const std::string& law : kHingeLaws) {
    config::Frame frame;
    // A gap alone would leave the column a mechanism.
    std::string beside;
    if (law.starts_with("gap"))
      beside =
          "springs {node: 'c' dof: DOF_X law {linear {stiffness: 1e7}}}"
          "springs {node: 'c' dof: DOF_RZ law {linear {stiffness: 1e7}}}"
          "springs {node: 't' dof: DOF_RZ law {linear {stiffness: 1e7}}}";
    const std::string text = frame_with_hinges(law) + beside;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &frame));
    const structure::StructuralModel model =
        structure::assemble(composition::frame_model(frame, "frame"));
    const int interface = model.equation("t.x");
    const auto specimen = make("frame {frame {" + text + "} interface: 't.x'}", 1);
    specimen->prepare(0.01);
    const Eigen::Index n = model.equations;
    double worst = 0.0;
    double peak = 0.0;
    for (int tick = 1; tick <= 150; ++tick) {
      peak = std::fmax(peak, std::abs(go_to(*specimen, swing(0.01 * tick))(0)));
      SnapshotWriter state;
      specimen->save(state);  // the interface first
      Eigen::MatrixXd motion(n, 3);
      for (Eigen::Index j = 0; j < 3; ++j)
        for (Eigen::Index i = 0; i < n; ++i) {
          const Eigen::Index row = i == interface ? 0 : (i < interface ? i + 1 : i);
          motion(i, j) = state.values()[static_cast<std::size_t>(j * n + row)];
        }
      Eigen::VectorXd force = model.stiffness * motion.col(0);
      force += model.damping * motion.col(1) + model.mass * motion.col(2);
      for (const structure::NonlinearSpring& spring : model.springs)
        structure::add_force(
            spring.elongation,
            spring.law->advance(structure::motion_of(spring.elongation, motion.col(0))),
            force);
      force[interface] = 0.0;
      worst = std::fmax(worst, force.cwiseAbs().maxCoeff());
    }
    EXPECT_GT(peak, 1e5) << law;
    EXPECT_LT(worst, 1e-9 * peak) << law;
  }
}

TEST(FrameSpecimen, AnInnerMassBesideHingesConvergesWithTheSquareOfTheTick) {
  const auto forces = [](int parts) {
    const auto specimen = make(
        "frame {frame {" + frame_with_hinges(kHingeLaws[2]) + "} interface: 't.x'}", 1);
    const double period = 2e-3 / parts;
    specimen->prepare(period);
    std::vector<double> found;
    for (int n = 1; n <= 600 * parts; ++n) {
      const double force = go_to(*specimen, swing(n * period))(0);
      if (n % parts == 0) found.push_back(force);
    }
    return found;
  };
  const auto apart = [](const std::vector<double>& one, const std::vector<double>& other) {
    double sum = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) sum += std::pow(one[i] - other[i], 2);
    return std::sqrt(sum);
  };
  const std::vector<double> coarse = forces(1);
  const std::vector<double> medium = forces(2);
  const std::vector<double> fine = forces(4);
  EXPECT_NEAR(apart(coarse, medium) / apart(medium, fine), 4.0, 0.6);
}

TEST(FrameSpecimen, GoesOnFromASnapshotBitForBit) {
  const auto original = make(hanging_mass(kHysteretic), 1);
  const auto copy = make(hanging_mass(kHysteretic), 1);
  original->prepare(1e-3);
  copy->prepare(1e-3);
  const Harmonic motion{.omega = 15.0};
  for (int n = 1; n <= 300; ++n) go_to(*original, motion.at(1e-3 * n));
  SnapshotWriter writer;
  original->save(writer);
  SnapshotReader reader(writer.values());
  copy->restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 301; n <= 900; ++n)
    ASSERT_EQ(go_to(*original, motion.at(1e-3 * n)), go_to(*copy, motion.at(1e-3 * n)));
}

TEST(FrameSpecimen, PrepareBringsItBackToRest) {
  const auto specimen = make(hanging_mass(kHysteretic), 1);
  const Harmonic motion{.omega = 15.0};
  specimen->prepare(1e-3);
  const InterfaceVector first = go_to(*specimen, motion.at(1e-3));
  for (int n = 2; n <= 300; ++n) go_to(*specimen, motion.at(1e-3 * n));
  specimen->prepare(1e-3);
  EXPECT_EQ(go_to(*specimen, motion.at(1e-3)), first);
}

TEST(FrameSpecimen, WhatCannotBeIsTold) {
  const auto with_interface = [](const std::string& interface) {
    return "frame {frame {" + kColumn + "} " + interface + "}";
  };
  EXPECT_EQ(problem(with_interface("interface: 'tip.x'"), 1),
            "specimen.interface[0]: the frame has no DOF `tip.x`; did you mean `top.x`?");
  EXPECT_EQ(problem(with_interface("interface: 'foot.x'"), 1),
            "specimen.interface[0]: foot.x is fixed by a support of the frame; the rig "
            "must be free to move it");
  EXPECT_EQ(problem(with_interface("interface: ['top.x', 'top.x']"), 2),
            "specimen.interface[1]: top.x is an interface DOF already, by this name or by "
            "that of a node on the same rigid floor");
  EXPECT_EQ(problem(with_interface("interface: 'top.x'"), 2),
            "specimen.interface: names 1 DOFs; the site has 2 interface DOFs");
  EXPECT_EQ(problem("frame {frame {" + kColumn +
                        "nodes {name: 'loose' x: 5 y: 1}"
                        "supports {nodes: 'loose' fixed: [DOF_Y, DOF_RZ]}}"
                        "interface: 'top.x'}",
                    1),
            "specimen.frame: while the rig holds the interface, nothing holds x: loose can "
            "move sideways (mechanism)");
  EXPECT_EQ(problem("frame {frame {" + kColumn +
                        "damping {rayleigh {stiffness_factor: 0.001 "
                        "stiffness: RAYLEIGH_STIFFNESS_TANGENT}}} interface: 'top.x'}",
                    1),
            "specimen.frame.damping.rayleigh.stiffness: is tangent, which is for the "
            "numerical part with kind: implicit; of a specimen take initial or elastic");
  std::string many;
  for (int i = 0; i < 60; ++i) many += "nodes {name: 'n" + std::to_string(i) + "'}";
  EXPECT_EQ(problem("frame {frame {" + kColumn + many + "} interface: 'top.x'}", 1),
            "specimen.frame: has 183 free DOFs; a specimen that is integrated with the "
            "control tick may have 150");
}

}  // namespace
}  // namespace trestle::simulated::frame_specimen_test
