#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/drive_question_file.h"
#include "composition/processes/rig_place.h"
#include "core/host/crash_handler.h"
#include "core/ports/site_adapter.h"
#include "site-servers/node/fault_latch.h"
#include "site-servers/node/site_node.h"

namespace trestle {

/// What a process keeps around the rigs that it drives, be it a site server or an
/// integrator with sites of its own: no other process drives them, their faults outlive the
/// process, and a crash tells them to hold.
class RigGuard {
 public:
  /// Before its node is made. Real equipment has a place in the host's state; a simulated
  /// rig lives in its record, and so does its fault.
  /// @param records  folder of the site's record
  /// @param serves   folder of the operators' socket; empty: the rig's place
  /// @throws std::runtime_error  another process drives the rig, or no fault could be kept
  EarlierLife add(SiteAdapter& rig, const RigIdentity& identity, const std::string& records,
                  const std::string& serves);

  /// When all are added, from the thread that drives them: a crash from now on makes them
  /// hold.
  void start();
  /// Before the rigs go.
  void stop() { last_words_.reset(); }

  /// Between two ticks: keeps the fault that the site of rig `index` has met until it is
  /// cleared, and what it asks a person. @returns a sentence, once, where it cannot be
  /// kept; else nothing
  std::string follow(std::size_t index, const SiteNode& site);

  /// Of rig `index`. @pre it is real equipment
  const std::string& place(std::size_t index) const { return rigs_[index].place->folder(); }

 private:
  static void hold_all(void* guard) noexcept;

  struct Rig {
    SiteAdapter* adapter;
    std::unique_ptr<RigPlace> place;
    std::unique_ptr<FaultLatch> latch;
    std::unique_ptr<DriveQuestionFile> question;  ///< null: it is simulated
  };
  std::vector<Rig> rigs_;
  std::unique_ptr<CrashHandler> last_words_;
};

}  // namespace trestle
