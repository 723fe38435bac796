#include "studies/design/random_design.h"

namespace trestle::design {

RandomDesign::RandomDesign(std::uint64_t seed,
                           const std::vector<NamedDistribution>& parameters)
    : seed_(seed) {
  for (const NamedDistribution& parameter : parameters)
    streams_.push_back({stream_id(parameter.name), parameter.spread});
}

std::vector<double> RandomDesign::values(std::int64_t run) const {
  std::vector<double> values;
  values.reserve(streams_.size());
  for (const Stream& stream : streams_)
    values.push_back(draw(stream.spread, {.seed = seed_,
                                          .stream = stream.id,
                                          .channel = 0,
                                          .index = static_cast<std::uint64_t>(run)}));
  return values;
}

}  // namespace trestle::design
