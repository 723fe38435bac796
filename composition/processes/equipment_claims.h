#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "core/host/host_claim.h"

namespace trestle::composition {

/// What this process holds of the host's equipment, and what it found to be no equipment.
/// The host gives a claim to a process, not to an object: all who use one rig here share
/// it, and the last one gives it back. Any thread may call.
class EquipmentClaims {
 public:
  static EquipmentClaims& of_this_process();

  /// Takes the equipment, or shares it. @returns a claim with `other` if another process
  /// holds it
  /// @throws std::runtime_error  as HostClaim
  std::shared_ptr<const host::HostClaim> take(const std::string& equipment);

  void note_simulated(const std::string& equipment);
  bool is_simulated(const std::string& equipment) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const host::HostClaim>> held_;
  std::set<std::string> simulated_;
};

}  // namespace trestle::composition
