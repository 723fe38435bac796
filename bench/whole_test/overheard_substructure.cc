#include "bench/whole_test/overheard_substructure.h"

namespace trestle::bench {

OverheardSubstructure::OverheardSubstructure(NumericalSubstructure& inner, Talk& talk)
    : inner_(inner), talk_(talk) {}

void OverheardSubstructure::predict(std::int64_t step,
                                    std::span<SiteRequest> requests) noexcept {
  inner_.predict(step, requests);
  talk_.requests.push_back(requests[0]);
}

bool OverheardSubstructure::correct(std::int64_t step,
                                    std::span<const SiteAnswer> answers) noexcept {
  talk_.answers.push_back(answers[0]);
  return inner_.correct(step, answers);
}

}  // namespace trestle::bench
