#include <gtest/gtest.h>

#include "tests/studies/identification/beam_example.h"
#include "tests/studies/identification/modal_oracle.h"

namespace trestle::identification {
namespace {

TEST(ModalOracle, IsTheClosedFormUnderAMovingLoad) {
  // Fryba 1999, ch. 1: q_n = 2P/(mL) / (ω² − Ω²) (sin Ωt − Ω/ω sin ωt), Ω = nπv/L.
  const int modes = 5, samples = 40;
  const ModalOracle oracle(modes, car_values(kTyre), false, false);
  const Eigen::VectorXd seen = oracle.midspan(samples, 2000);
  const double load = 1.1e4 * kGravity, pi = std::numbers::pi;
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(samples);
  for (int k = 0; k < samples; ++k) {
    const double t = 1.2 * (k + 1) / samples;
    for (int n = 1; n <= modes; ++n) {
      const double w = oracle.omega()(n - 1), W = n * pi * 25.0 / 30.0;
      expected(k) += 2.0 * load / (5e3 * 30.0) / (w * w - W * W) *
                     (std::sin(W * t) - W / w * std::sin(w * t)) * std::sin(0.5 * n * pi);
    }
  }
  EXPECT_LT((seen - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
}

double error_against(const Eigen::VectorXd& exact, int samples, int substeps) {
  const Girder girder(beam_settings());
  PassageSettings run = passage_settings(25.0, samples / 1.2);
  run.substeps = substeps;
  const VehiclePassage passage(girder, {0.0}, sensors(1, Measures::kDisplacement), run);
  const Eigen::VectorXd seen =
      passage.respond(quarter_car(), car_values(kTyre), even_road(passage), {}, {}).values;
  return (seen.tail(samples) - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff();
}

TEST(VehiclePassage, NearsTheModalSolutionAsStepsBecomeShort) {
  const Eigen::VectorXd exact =
      ModalOracle(12, car_values(kTyre), true, true).midspan(240, 200);
  EXPECT_LT(error_against(exact, 240, 1), 0.004);    // B7, 5 ms
  EXPECT_LT(error_against(exact, 240, 16), 0.0002);  // B7, 0.3125 ms
}

}  // namespace
}  // namespace trestle::identification
