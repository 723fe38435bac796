#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/design/parameter_distribution.h"
#include "studies/design/sample_design.h"

namespace trestle::design {

/// A parameter as a random design knows it.
struct NamedDistribution {
  std::string name;
  ParameterDistribution spread;
};

/// Every run by itself: a value depends on the seed, the number of the run and the name of
/// its parameter, whatever else is drawn.
class RandomDesign final : public SampleDesign {
 public:
  RandomDesign(std::uint64_t seed, const std::vector<NamedDistribution>& parameters);

  std::vector<double> values(std::int64_t run) const override;

 private:
  struct Stream {
    std::uint64_t id;
    ParameterDistribution spread;
  };

  std::uint64_t seed_;
  std::vector<Stream> streams_;
};

}  // namespace trestle::design
