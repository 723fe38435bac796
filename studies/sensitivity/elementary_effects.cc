#include "studies/sensitivity/elementary_effects.h"

#include <cmath>
#include <limits>

namespace trestle::sensitivity {

std::vector<ElementaryEffects> elementary_effects(const std::vector<ElementaryMove>& moves,
                                                  std::size_t parameters) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> effects(parameters);
  for (const ElementaryMove& move : moves)
    effects[move.parameter].push_back((move.after - move.before) / (move.to - move.from));
  std::vector<ElementaryEffects> measures;
  for (const std::vector<double>& of_one : effects) {
    ElementaryEffects measure{kNone, kNone, kNone};
    if (!of_one.empty()) {
      const auto count = static_cast<double>(of_one.size());
      double sum = 0.0;
      double magnitudes = 0.0;
      for (const double effect : of_one) {
        sum += effect;
        magnitudes += std::abs(effect);
      }
      measure.mean = sum / count;
      measure.mean_absolute = magnitudes / count;
      double squares = 0.0;
      for (const double effect : of_one)
        squares += (effect - measure.mean) * (effect - measure.mean);
      if (of_one.size() > 1) measure.deviation = std::sqrt(squares / (count - 1.0));
    }
    measures.push_back(measure);
  }
  return measures;
}

}  // namespace trestle::sensitivity
