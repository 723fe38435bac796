#include "core/record/used_response_columns.h"

#include "core/session/channel_names.h"

namespace trestle::record {

UsedResponseColumns::UsedResponseColumns(const std::string& site,
                                         const InterfaceLayout& layout, std::size_t first)
    : channels_(first) {
  Eigen::Index motion = 0;
  Eigen::Index force = 0;
  for (const InterfaceDof& dof : layout) {
    const std::string prefix = site + "." + dof.name;
    if (dof.role == DofRole::kControlled)
      responses_.add<&SiteResponse::measured>(
          channels_.add(session::motion_channel(prefix, "measured", dof.kind)), motion++);
    responses_.add<&SiteResponse::force>(
        channels_.add(session::force_channel(prefix, dof.kind)), force++);
  }
}

}  // namespace trestle::record
