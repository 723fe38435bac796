#pragma once

#include <vector>

#include "studies/design/sample_design.h"

namespace trestle::design {

/// Values that were drawn elsewhere, one row per run.
class TabulatedDesign final : public SampleDesign {
 public:
  explicit TabulatedDesign(std::vector<std::vector<double>> rows);

  /// @pre run <= rows
  std::vector<double> values(std::int64_t run) const override;

 private:
  std::vector<std::vector<double>> rows_;
};

}  // namespace trestle::design
