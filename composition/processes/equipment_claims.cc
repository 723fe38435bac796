#include "composition/processes/equipment_claims.h"

#include "composition/rigs/plugin_identity.h"

namespace trestle::composition {

EquipmentClaims& EquipmentClaims::of_this_process() {
  static EquipmentClaims claims;
  return claims;
}

std::shared_ptr<const host::HostClaim> EquipmentClaims::take(const std::string& equipment) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const host::HostClaim>& held = held_[equipment];
  if (auto claim = held.lock()) return claim;
  auto claim =
      std::make_shared<const host::HostClaim>("trestle-rig" + rig_digits(equipment));
  if (!claim->other()) held = claim;
  return claim;
}

void EquipmentClaims::note_simulated(const std::string& equipment) {
  const std::lock_guard lock(mutex_);
  simulated_.insert(equipment);
}

bool EquipmentClaims::is_simulated(const std::string& equipment) const {
  const std::lock_guard lock(mutex_);
  return simulated_.count(equipment) != 0;
}

}  // namespace trestle::composition
