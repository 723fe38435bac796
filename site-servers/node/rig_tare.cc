#include "site-servers/node/rig_tare.h"

#include "core/session/channel_names.h"

namespace trestle::site_node {

session::ContractEntries tare_entries(const RigTare& tare) {
  session::ContractEntries entries;
  for (const TareOffset& each : tare.offsets)
    entries.emplace_back("tare." + each.channel, session::format_exact(each.value) + " " +
                                                     each.unit + ", " + each.at);
  return entries;
}

}  // namespace trestle::site_node
