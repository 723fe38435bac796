#include "studies/identification/girder.h"

#include <algorithm>

#include "numerical/bridge/finite_element_modes.h"
#include "numerical/structure/damping.h"

namespace trestle::identification {

Girder::Girder(const GirderSettings& settings)
    : shortest_span_(settings.girders.spans.front().front().length),
      modes_(
          bridge::finite_element_modes(settings.girders, settings.elements_per_span, 0)) {
  nodes_.push_back(0.0);
  for (const bridge::GirderSpan& span : settings.girders.spans.front()) {
    for (int e = 1; e <= settings.elements_per_span; ++e)
      nodes_.push_back(length_ + span.length * e / settings.elements_per_span);
    length_ += span.length;
    shortest_span_ = std::min(shortest_span_, span.length);
  }
  damping_ = Eigen::VectorXd::Zero(mode_count());
  if (settings.damping_ratio == 0.0) return;
  const structure::RayleighFactors factors =
      structure::rayleigh_factors({settings.damping_ratio, settings.damping_ratio},
                                  {frequencies()(0), frequencies()(1)});
  damping_ = factors.mass + factors.stiffness * frequencies().array().square();
}

Eigen::VectorXd Girder::shapes(double x, int order) const {
  bridge::ShapeValues here = modes_.shapes->room();
  modes_.shapes->at(x, here);
  const Eigen::VectorXd& values = order == 0   ? here.value
                                  : order == 1 ? here.slope
                                               : here.curvature;
  Eigen::VectorXd all = Eigen::VectorXd::Zero(mode_count());
  all.segment(here.first, here.count) = values.head(here.count);
  return all;
}

}  // namespace trestle::identification
