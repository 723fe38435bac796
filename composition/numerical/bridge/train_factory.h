#pragma once

#include <string>
#include <vector>

#include "composition/numerical/bridge/bridge_factory.h"
#include "numerical/bridge/bridge_substructure.h"

namespace trestle::composition {

/// All wheels and all vehicles of a test.
struct NamedTrain {
  std::vector<bridge::TrainContact> contacts;
  std::vector<bridge::TrainVehicle> vehicles;
  std::vector<std::size_t> physical;  ///< contacts in laboratories
  /// For each site, in the order of the test: the contacts that are its interface DOFs.
  std::vector<std::vector<std::size_t>> interfaces;
  double length = 0.0;  ///< from the first wheel to the last [m]
};

/// @param solution  undivided: the sites' specimens are vehicles, too
/// @throws SettingError with all problems
NamedTrain make_train(const config::Test& test, BridgeSolution solution);

bridge::Similitude similitude_of(const config::Test& test);

}  // namespace trestle::composition
