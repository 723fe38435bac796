#include "numerical/structure/beam_model.h"

namespace trestle::structure {

FrameModel beam_model(const BeamSettings& settings) {
  FrameModel model;
  model.mass_matrix = settings.mass_matrix;
  // The area is never felt: x is fixed everywhere.
  model.sections.push_back({.elastic_modulus = settings.elastic_modulus,
                            .area = 1.0,
                            .second_moment = settings.second_moment,
                            .mass_per_length = settings.mass_per_length});
  for (int i = 0; i <= settings.elements; ++i) {
    const double x = settings.length * i / settings.elements;
    model.nodes.push_back({.name = "n" + std::to_string(i),
                           .x = x,
                           .y = 0.0,
                           .fixed = {true, false, false},
                           .has_rotational_dof = false});
    if (i > 0) model.members.push_back({.from = i - 1, .to = i});
  }
  return model;
}

}  // namespace trestle::structure
