#include "core/evaluation/frequency_domain_index.h"

#include <cmath>
#include <numbers>

namespace trestle::evaluation {

FrequencyDomainIndex frequency_index(const SignalPairSpectrum& pair, double period) {
  std::complex<double> cross = 0.0;
  double power = 0.0;
  double moment = 0.0;
  for (std::size_t m = 1; m < pair.target().size(); ++m) {
    const double here = std::norm(pair.target()[m]);
    cross += pair.measured()[m] * std::conj(pair.target()[m]);
    power += here;
    moment += here * static_cast<double>(m);
  }
  FrequencyDomainIndex index;
  if (!(power > 0.0)) return index;
  index.amplitude = std::abs(cross) / power;
  index.frequency = moment / power / (static_cast<double>(pair.length()) * period);
  index.delay = -std::arg(cross) / (2.0 * std::numbers::pi * index.frequency);
  return index;
}

}  // namespace trestle::evaluation
