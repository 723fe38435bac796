#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "numerical/materials/restoring_force.h"

namespace trestle::structure {

/// A part of a section, taken at its centroid.
struct Fibre {
  double y = 0.0;     ///< local y of its centroid [m]
  double z = 0.0;     ///< local z of it [m], in a spatial frame
  double area = 0.0;  ///< [m²], > 0
  int material = 0;   ///< place in the section's materials
};

/// A fibre whose strain and stress can be recorded.
struct NamedFibre {
  std::string name;
  std::size_t fibre = 0;  ///< place in the section
};

/// A section of fibres, each with a stress that is a law of its strain: law(strain) in Pa,
/// tension positive.
struct FibreSection {
  using MakeLaw = std::function<std::unique_ptr<materials::RestoringForce>()>;

  std::vector<Fibre> fibres;
  std::vector<MakeLaw> materials;
  std::vector<NamedFibre> named{};
};

}  // namespace trestle::structure
