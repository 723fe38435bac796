#include "studies/identification/vehicle_passage.h"

#include <gtest/gtest.h>

#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

Eigen::MatrixXd central_differences(const VehiclePassage& passage,
                                    const VehicleModel& vehicle,
                                    const Eigen::VectorXd& values, const RoadInput& road) {
  Eigen::MatrixXd slopes(passage.value_count(), values.size());
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    const double h = 1e-4 * values(j);
    Eigen::VectorXd up = values, down = values;
    up(j) += h;
    down(j) -= h;
    slopes.col(j) = (passage.respond(vehicle, up, road, {}, {}).values -
                     passage.respond(vehicle, down, road, {}, {}).values) /
                    (2.0 * h);
  }
  return slopes;
}

TEST(VehiclePassage, SensitivitiesAreThoseOfCentralDifferences) {
  const Girder girder(beam_settings());
  for (const Measures measures : {Measures::kDisplacement, Measures::kVelocity,
                                  Measures::kAcceleration, Measures::kStrain}) {
    const VehiclePassage passage(girder, {0.0}, sensors(3, measures), passage_settings());
    const VehicleModel car = quarter_car();
    const RoadInput road = even_road(passage);
    const Response response =
        passage.respond(car, car_values(kTyre), road, {0, 1, 2, 3, 4}, {});
    const Eigen::MatrixXd expected =
        central_differences(passage, car, car_values(kTyre), road);
    for (Eigen::Index j = 0; j < 5; ++j)
      EXPECT_LT((response.sensitivities.col(j) - expected.col(j)).norm(),
                1e-5 * expected.col(j).norm())
          << "parameter " << j;
  }
}

TEST(VehiclePassage, SensitivitiesOfAHalfCarOnARoughRoadAreThoseOfCentralDifferences) {
  GirderSettings settings = girder_settings({25.0, 30.0, 25.0});
  settings.girders.piers[1].stiffness = settings.girders.piers[2].stiffness = 2e9;
  const Girder girder(settings);
  VehicleModel car = half_car(2.0, 2.5);
  // Tyres that damp, so that the contact's velocity is in play.
  for (const Eigen::Index axle : {0, 1}) {
    VehicleElement damper = car.elements[static_cast<std::size_t>(8 + axle)];
    damper.quantity = VehicleQuantity::kDamping;
    car.elements.push_back(damper);
  }
  PassageSettings run = passage_settings(20.0, 200.0, 84.5);
  run.approach = 3.0;
  run.substeps = 2;
  const VehiclePassage passage(girder, car.axle_offsets,
                               sensors(4, Measures::kVelocity, 80.0), run);
  const RoadInput road = waves_under(
      passage, [](double x) { return 3e-3 * std::sin(0.7 * x); },
      [](double x) { return 2.1e-3 * std::cos(0.7 * x); });
  Eigen::VectorXd values(12);
  values << 1.5e4, 3e4, 7e2, 9e2, 1.5e5, 1.8e5, 4e3, 5e3, 9e5, 1.1e6, 2e3, 3e3;
  std::vector<Eigen::Index> all(12);
  for (std::size_t i = 0; i < 12; ++i) all[i] = static_cast<Eigen::Index>(i);
  const Response response = passage.respond(car, values, road, all, {});
  const Eigen::MatrixXd expected = central_differences(passage, car, values, road);
  for (Eigen::Index j = 0; j < 12; ++j)
    EXPECT_LT((response.sensitivities.col(j) - expected.col(j)).norm(),
              1e-5 * expected.col(j).norm())
        << "parameter " << j;
}

TEST(VehiclePassage, RespondsLinearlyToTheRoad) {
  const Girder girder(beam_settings());
  const VehiclePassage passage(girder, {0.0}, sensors(1, Measures::kDisplacement),
                               passage_settings());
  const RoadInput shape = waves_under(
      passage, [](double x) { return std::sin(2.0 * x + 0.3); },
      [](double x) { return 2.0 * std::cos(2.0 * x + 0.3); });
  const RoadInput even = even_road(passage);
  const Response base =
      passage.respond(quarter_car(), car_values(kTyre), even, {}, {shape});
  const Response rough = passage.respond(quarter_car(), car_values(kTyre), shape, {}, {});
  const Eigen::VectorXd difference = rough.values - base.values;
  EXPECT_LT((difference - base.sensitivities.col(0)).norm(), 1e-9 * difference.norm());
}

}  // namespace
}  // namespace trestle::identification
