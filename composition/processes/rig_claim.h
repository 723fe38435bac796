#pragma once

#include <memory>
#include <string>

#include "composition/processes/rig_identity.h"
#include "core/host/host_claim.h"

namespace trestle::composition {

/// The right of this process to open the equipment of a rig, whatever the state folder and
/// the user of others. It comes before the plug-in's open(): many controllers serve their
/// newest caller, and a process that is refused afterwards has already taken a moving rig
/// away from the one that drives it.
class RigClaim {
 public:
  /// A process that only looks whether a plug-in's rig is simulated lets go soon: waited
  /// for at most five seconds. A second claim within this process is granted: RigGuard
  /// refuses two sites with one rig.
  /// @throws std::runtime_error  another process drives the rig
  explicit RigClaim(const RigIdentity& identity);

  const std::string& equipment() const noexcept { return equipment_; }

 private:
  std::string equipment_;
  std::shared_ptr<const host::HostClaim> claim_;  ///< null: the rig is a calculation
};

/// Claims the rig of an adapter, before it is opened.
/// @returns null if the rig is simulated: the file has no adapter, or this process has
///          opened the rig before
/// @throws SettingError  another process drives the rig
std::unique_ptr<RigClaim> claim_rig(const config::SiteFile& file);
/// @param path  of the site in the configuration
std::unique_ptr<RigClaim> claim_rig(const config::Site& site, const std::string& path);

/// Gives the claim back if the rig, open by now, is simulated. The process remembers that:
/// the lanes of a campaign, which open such a rig again and again, keep no other waiting.
void keep_if_real(std::unique_ptr<RigClaim>& claim, bool real_equipment);

/// The sentence of each refusal.
/// @param by  "by process 12 of ada, which serves /lab/records"
std::string driven_already(const RigIdentity& identity, const std::string& by);

}  // namespace trestle::composition
