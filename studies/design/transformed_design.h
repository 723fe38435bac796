#pragma once

#include <memory>
#include <vector>

#include "studies/design/parameter_distribution.h"
#include "studies/design/sample_design.h"
#include "studies/design/unit_points.h"

namespace trestle::design {

/// Points of the unit cube as probabilities: each coordinate goes through the inverse of
/// its parameter's distribution. Run 1 is point 0.
class TransformedDesign final : public SampleDesign {
 public:
  /// @pre the points have as many coordinates as there are distributions
  TransformedDesign(std::shared_ptr<const UnitPoints> points,
                    std::vector<ParameterDistribution> spreads);

  std::vector<double> values(std::int64_t run) const override;

 private:
  std::shared_ptr<const UnitPoints> points_;
  std::vector<ParameterDistribution> spreads_;
};

}  // namespace trestle::design
