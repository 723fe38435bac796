#include "bench/whole_test/overheard_substructure.h"

namespace trestle::bench {
namespace {

void append(std::vector<double>& to, const InterfaceVector& values) {
  to.insert(to.end(), values.begin(), values.end());
}

const double* read_values(const double* from, Eigen::Index count, InterfaceVector& into) {
  into = Eigen::Map<const Eigen::VectorXd>(from, count);
  return from + count;
}

}  // namespace

void Talk::add(const InterfaceMotion& target) {
  controlled_ = target.displacement.size();
  for (const InterfaceVector* values :
       {&target.displacement, &target.velocity, &target.acceleration})
    append(targets_, *values);
  ++steps_;
}

void Talk::add(const SiteResponse& answer) {
  forces_ = answer.force.size();
  append(answers_, answer.measured);
  append(answers_, answer.force);
}

void Talk::read(std::int64_t step, InterfaceMotion& target) const noexcept {
  const double* from = targets_.data() + step * 3 * controlled_;
  for (InterfaceVector* values :
       {&target.displacement, &target.velocity, &target.acceleration})
    from = read_values(from, controlled_, *values);
}

void Talk::read(std::int64_t step, SiteResponse& answer) const noexcept {
  const double* from = answers_.data() + (step + 1) * (controlled_ + forces_);
  from = read_values(from, controlled_, answer.measured);
  read_values(from, forces_, answer.force);
}

OverheardSubstructure::OverheardSubstructure(NumericalSubstructure& inner, Talk& talk)
    : inner_(inner), talk_(talk) {}

void OverheardSubstructure::predict(std::int64_t step,
                                    std::span<SiteTarget> requests) noexcept {
  inner_.predict(step, requests);
  talk_.add(requests[0].target);
}

bool OverheardSubstructure::correct(std::int64_t step,
                                    std::span<const SiteResponse> answers) noexcept {
  talk_.add(answers[0]);
  return inner_.correct(step, answers);
}

}  // namespace trestle::bench
