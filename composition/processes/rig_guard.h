#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/fault_keeper.h"
#include "composition/processes/rig_place.h"
#include "core/host/crash_handler.h"
#include "core/ports/site_adapter.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Protects the rigs that a process drives, in a site server or in an integrator with local
/// sites. No other process can drive them, their faults outlive the process, and a crash
/// makes them hold.
class RigGuard {
 public:
  /// Adds a rig before its node is made. Real equipment has a place in the host's state
  /// folder; a simulated rig and its fault are in its record.
  /// @param records  folder of the site's record
  /// @param serves   folder of the operators' socket; empty: the rig's place
  /// @throws std::runtime_error  another process or another site of this one drives the
  /// rig,
  ///         or no fault could be kept
  site_node::EarlierLife add(SiteAdapter& rig, const RigIdentity& identity,
                             const std::string& records, const std::string& serves);

  /// When all are added, from the thread that drives them: a crash from now on makes them
  /// hold.
  void start();
  /// Before the rigs go.
  void stop() { last_words_.reset(); }

  /// Called between two ticks: stores the fault that the site of rig `index` has met until
  /// it is cleared, and its question to a person. Waits for the disk for
  /// FaultKeeper::kPatience at most. @returns a sentence, once, if that fails or takes
  /// longer, or if something that an earlier process kept cannot be used; otherwise empty
  std::string follow(std::size_t index, const site_node::SiteNode& site);

  /// All of them are about to move otherwise than by a site's session: no drive that a
  /// person has told is in force any longer.
  /// @throws std::runtime_error  where a reply cannot be set aside
  void discard_told_drives();

  /// Of rig `index`. @pre it is real equipment
  const std::string& place(std::size_t index) const { return rigs_[index].place->folder(); }

 private:
  static void hold_all(void* guard) noexcept;
  void refuse_second(const RigIdentity& identity) const;

  struct Rig {
    SiteAdapter* adapter;
    RigIdentity identity;
    std::shared_ptr<RigPlace> place;  ///< and of a fault that is still written
    std::unique_ptr<FaultKeeper> fault;
    std::string notice{};  ///< of its diary, not returned yet
  };
  std::vector<Rig> rigs_;
  std::unique_ptr<host::CrashHandler> last_words_;
};

}  // namespace trestle::composition
