#include "numerical/substructure/section_record.h"

#include <cstddef>

namespace trestle::substructure {

SectionRecord::SectionRecord(const std::vector<std::string>& names,
                             const std::vector<structure::AssembledMember>& members) {
  std::size_t before = 0;
  for (const structure::AssembledMember& member : members) {
    if (!member.law || member.law->sections() == nullptr) continue;
    if (member.part == 0) before = 0;
    watched_.push_back({member.name, before, member.law});
    before += member.law->sections()->states.size();
  }
  for (const std::string& name : names) {
    std::size_t point = 0;
    for (const structure::AssembledMember& member : members) {
      if (member.name != name || !member.law || member.law->sections() == nullptr) continue;
      members_.push_back(member.law);
      const structure::MemberSections& sections = *member.law->sections();
      for (std::size_t i = 0; i < sections.states.size(); ++i)
        name_channels(name + ".p" + std::to_string(++point) + ".", sections);
    }
  }
}

void SectionRecord::name_channels(const std::string& point,
                                  const structure::MemberSections& sections) {
  channels_.push_back({point + "eps0", "1"});
  if (sections.spatial) {
    channels_.push_back({point + "kappa_z_1_m", "1/m"});
    channels_.push_back({point + "kappa_y_1_m", "1/m"});
    channels_.push_back({point + "N_N", "N"});
    channels_.push_back({point + "Mz_Nm", "N.m"});
    channels_.push_back({point + "My_Nm", "N.m"});
  } else {
    channels_.push_back({point + "kappa_1_m", "1/m"});
    channels_.push_back({point + "N_N", "N"});
    channels_.push_back({point + "M_Nm", "N.m"});
  }
  for (const std::string& fibre : sections.names) {
    channels_.push_back({point + fibre + ".strain", "1"});
    channels_.push_back({point + fibre + ".stress_Pa", "Pa"});
  }
}

void SectionRecord::write(std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const auto& member : members_)
    for (const structure::SectionState& state : member->sections()->states) {
      row[at++] = state.strain;
      row[at++] = state.curvature;
      if (member->sections()->spatial) row[at++] = state.curvature_y;
      row[at++] = state.force;
      row[at++] = state.moment;
      if (member->sections()->spatial) row[at++] = state.moment_y;
      for (const structure::FibreState& fibre : state.named) {
        row[at++] = fibre.strain;
        row[at++] = fibre.stress;
      }
    }
}

std::size_t SectionRecord::count() const noexcept {
  std::size_t softened = 0;
  for (const Watched& part : watched_)
    for (const structure::SectionState& state : part.law->sections()->states)
      softened += state.softened ? 1 : 0;
  return softened;
}

std::vector<std::string> SectionRecord::sentences() const {
  std::vector<std::string> told;
  for (const Watched& part : watched_) {
    std::size_t point = part.before;
    for (const structure::SectionState& state : part.law->sections()->states) {
      ++point;
      if (state.softened)
        told.push_back("section " + part.member + ".p" + std::to_string(point) +
                       " softens: its tangent was negative; curvature concentrates there, "
                       "and the result depends on the number of sections and `parts`");
    }
  }
  return told;
}

}  // namespace trestle::substructure
