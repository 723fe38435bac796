#pragma once

#include <cstdint>
#include <vector>

namespace trestle::design {

/// Which values the parameters of a study have in each run.
class SampleDesign {
 public:
  virtual ~SampleDesign() = default;

  /// One value per parameter, a factor or in SI, in their order. They depend on the run
  /// alone.
  /// @param run  from 1; the nominal test, run 0, is of no design
  virtual std::vector<double> values(std::int64_t run) const = 0;
};

}  // namespace trestle::design
