#include "numerical/substructure/output_record.h"

#include <algorithm>
#include <limits>

namespace trestle::substructure {

OutputRecord::OutputRecord(const OutputSettings& settings,
                           const structure::StructuralModel& structure,
                           const excitation::Excitation& excitation,
                           const SiteEquations& sites)
    : members_(settings.members, structure.members, excitation),
      hinges_(settings.members, structure),
      links_(settings.links, structure.details.links),
      storeys_(settings.storeys, structure.members, excitation),
      supports_(settings.supports, structure, sites),
      sections_(settings.sections, structure.members),
      stride_(settings.stride) {
  for (const Channels* each :
       {&members_.channels(), &hinges_.channels(), &links_.channels(), &storeys_.channels(),
        &supports_.channels(), &sections_.channels()})
    channels_.insert(channels_.end(), each->begin(), each->end());
}

void OutputRecord::write(const StepView& step, std::span<double> row) const noexcept {
  if (step.step % stride_ != 0) {
    std::fill(row.begin(), row.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const auto next = [&row](const Channels& channels) {
    const std::span<double> part = row.first(channels.size());
    row = row.subspan(channels.size());
    return part;
  };
  const Eigen::VectorXd& displacement = step.state.displacement;
  members_.write(displacement, step.excitation, step.step, next(members_.channels()));
  const std::span<double> of_hinges = next(hinges_.channels());
  if (!hinges_.empty()) hinges_.write(displacement, step.springs, step.iterated, of_hinges);
  const std::span<double> of_links = next(links_.channels());
  if (!links_.empty()) links_.write(step, of_links);
  storeys_.write(step, next(storeys_.channels()));
  const std::span<double> of_supports = next(supports_.channels());
  if (!supports_.empty()) supports_.write(step, of_supports);
  sections_.write(next(sections_.channels()));
}

}  // namespace trestle::substructure
