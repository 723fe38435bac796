#include "studies/design/transformed_design.h"

#include <utility>

namespace trestle::design {

TransformedDesign::TransformedDesign(std::shared_ptr<const UnitPoints> points,
                                     std::vector<ParameterDistribution> spreads)
    : points_(std::move(points)), spreads_(std::move(spreads)) {}

std::vector<double> TransformedDesign::values(std::int64_t run) const {
  std::vector<double> values = points_->point(run - 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = quantile(spreads_[i], values[i]);
  return values;
}

}  // namespace trestle::design
