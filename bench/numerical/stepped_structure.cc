#include "bench/numerical/stepped_structure.h"

#include <cmath>
#include <utility>

#include "numerical/integration/constant_average_acceleration.h"
#include "numerical/integration/explicit_newmark.h"
#include "numerical/integration/implicit.h"

namespace trestle::bench {
namespace {

std::unique_ptr<integration::TimeIntegrator> make_scheme(
    const structure::StructuralModel& structure, SteppedStructure::Scheme scheme,
    double time_step) {
  switch (scheme) {
    case SteppedStructure::Scheme::kExplicit:
      return std::make_unique<integration::ExplicitNewmark>(structure, time_step);
    case SteppedStructure::Scheme::kImplicit:
      return std::make_unique<integration::Implicit>(structure, time_step,
                                                     integration::ImplicitSettings{});
    case SteppedStructure::Scheme::kEachIteration:
      return std::make_unique<integration::Implicit>(
          structure, time_step, integration::ImplicitSettings{.sites_iterate = true});
    case SteppedStructure::Scheme::kAverage:
      break;
  }
  return std::make_unique<integration::ConstantAverageAcceleration>(structure, time_step);
}

}  // namespace

SteppedStructure::SteppedStructure(structure::StructuralModel structure, Scheme scheme,
                                   double time_step, int steps)
    : requests_(1), answers_(1) {
  for (int k = 0; k <= steps; ++k)
    ground_.push_back(6.0 * std::sin(5.0 * time_step * k) * std::sin(0.7 * time_step * k));
  auto integrator = make_scheme(structure, scheme, time_step);
  commands_ = integrator->commands();
  excitation::Excitation excitation(
      time_step, steps, structure.base_load.col(structure::kGroundX), ground_, {});
  const int site = 0;
  product_ = std::make_unique<substructure::StructuralSubstructure>(
      substructure::StructuralSubstructureParts{.structure = std::move(structure),
                                                .integrator = std::move(integrator),
                                                .excitation = std::move(excitation),
                                                .interfaces = {{{site}, {site}}},
                                                .undivided = {},
                                                .recorded = {},
                                                .time_step = time_step});
  requests_[0].target = InterfaceMotion::zero(1);
  answers_[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};
  begin();
}

}  // namespace trestle::bench
