#include "numerical/node/step_repetition.h"

#include <algorithm>
#include <cstring>

namespace trestle::integrator_node {
namespace {

bool same_bits(const InterfaceVector& a, const InterfaceVector& b) noexcept {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(),
                     static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace

void StepRepetition::clear() {
  for (Site& site : sites_) site = {};
}

void StepRepetition::add(std::size_t site, const StepCommand& command,
                         const SiteResponse& answer) {
  sites_[site].commands.push_back(command);
  sites_[site].answers.push_back(answer);
}

bool StepRepetition::owes(std::size_t site) const noexcept {
  return sites_[site].done < sites_[site].commands.size();
}

bool StepRepetition::anybody_owes() const noexcept {
  return std::any_of(sites_.begin(), sites_.end(),
                     [](const Site& site) { return site.done < site.commands.size(); });
}

const StepCommand& StepRepetition::next(std::size_t site) const noexcept {
  return sites_[site].commands[sites_[site].done];
}

StepRepetition::Verdict StepRepetition::accept(std::size_t index,
                                               const StepResponse& response) noexcept {
  Site& site = sites_[index];
  if (response.step != site.commands[site.done].step) return Verdict::kIgnored;
  const SiteResponse& answer = site.answers[site.done];
  if (!same_bits(answer.measured, response.measured) ||
      !same_bits(answer.force, response.force))
    return Verdict::kDiffers;
  ++site.done;
  return Verdict::kRepeated;
}

}  // namespace trestle::integrator_node
