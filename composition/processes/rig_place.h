#pragma once

#include <optional>
#include <string>
#include <vector>

#include "composition/processes/rig_claim.h"
#include "composition/processes/rig_identity.h"

namespace trestle::composition {

/// The place of a rig in this host's state folder: the lock of the process that drives it,
/// and its latched fault. While this object exists, no other process of this host drives
/// the rig, whatever its state folder.
class RigPlace {
 public:
  /// @param serves  folder of the operators' socket; empty: the place itself
  /// @throws std::runtime_error  another process drives the rig, or there can be no place
  RigPlace(const RigIdentity& identity, const std::string& serves);
  ~RigPlace();
  RigPlace(const RigPlace&) = delete;
  RigPlace& operator=(const RigPlace&) = delete;

  const std::string& folder() const noexcept { return folder_; }

 private:
  std::string folder_;
  RigClaim claim_;
  int lock_ = -1;
};

/// A rig that was driven on this host, from its place in the state folder.
struct KnownRig {
  std::string folder;  ///< its place
  std::string rig;
  std::string serves;  ///< folder of the operators' socket
  std::string fault;   ///< not yet cleared; empty: none
};

/// Returns the rig that was driven last.
/// @param where  the site's name, or the folder of its records
std::optional<KnownRig> known_rig(const std::string& where);

/// Returns the places of all rigs that were driven for it, sorted: a twin has a separate
/// one. @param where  as above
std::vector<std::string> places_of_rigs(const std::string& where);

/// Returns, of those in a fault that is not yet cleared, the one that was driven last: the
/// twin of a site, which has a separate place, does not hide the fault of its real rig.
std::optional<KnownRig> rig_in_fault(const std::string& where);

/// Clears the fault of a rig that no process drives, and records in the file `history` who
/// did.
/// @param drive  in force, as the person states; empty: not stated
/// @returns why not, or empty
/// @throws std::runtime_error  a process drives the rig, or the place cannot be written
std::string clear_fault(const KnownRig& rig, const std::string& by,
                        const std::string& drive);

}  // namespace trestle::composition
