#include "numerical/substructure/link_record.h"

#include <algorithm>

namespace trestle::substructure {

LinkRecord::LinkRecord(const std::vector<std::string>& names,
                       const std::vector<structure::LinkDirection>& links) {
  for (const structure::LinkDirection& link : links) {
    if (std::find(names.begin(), names.end(), link.link) == names.end()) continue;
    links_.push_back(link);
    const std::string name = link.link + "." + link.direction;
    const bool turns = link.kind == DofKind::kRotation;
    channels_.push_back({name + (turns ? ".link_rad" : ".link_m"), turns ? "rad" : "m"});
    channels_.push_back({name + (turns ? ".link_Nm" : ".link_N"), turns ? "N.m" : "N"});
  }
}

void LinkRecord::write(const StepView& step, std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const structure::LinkDirection& link : links_) {
    const double deformation =
        structure::motion_of(link.deformation, step.state.displacement);
    row[at++] = deformation;
    if (link.spring >= 0)
      row[at++] = step.springs.force(static_cast<std::size_t>(link.spring),
                                     step.state.displacement, step.iterated);
    else
      row[at++] =
          link.stiffness * deformation +
          link.damping * structure::motion_of(link.deformation, step.state.velocity);
  }
}

}  // namespace trestle::substructure
