#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "composition/processes/drive_question_file.h"
#include "site-servers/node/fault_latch.h"
#include "site-servers/node/patient_thread.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Writes the fault of a site, and its question to a person, to their files on a thread of
/// its own: a disk that does not return must not keep the node from hearing and speaking.
class FaultKeeper {
 public:
  /// The node waits for the disk once for this time, so that a fault is usually kept before
  /// anybody is told of it.
  static constexpr Duration kPatience = std::chrono::seconds(1);

  /// @param question  empty: the rig is simulated
  /// @param claim     of the rig: kept until nothing is written any more
  FaultKeeper(std::unique_ptr<site_node::FaultLatch> latch,
              std::unique_ptr<DriveQuestionFile> question,
              std::shared_ptr<void> claim = nullptr);
  /// Waits for the disk for kPatience at most.
  ~FaultKeeper();
  FaultKeeper(const FaultKeeper&) = delete;
  FaultKeeper& operator=(const FaultKeeper&) = delete;

  /// The sentence of the fault that was left behind; empty: none.
  /// @pre before follow()
  const std::string& earlier_fault() const noexcept { return files_->latch->reason(); }
  /// @pre before follow()
  std::optional<site_node::ToldDrive> told_drive() const;

  /// Between two ticks: begins to write what has changed.
  /// @returns a sentence, once, where that cannot be done, or takes long; else nothing
  std::string follow(const site_node::SiteNode& site);

  /// The drive that a person stated is in force no longer.
  /// @throws std::runtime_error  where that cannot be kept, or the disk takes too long
  void discard_reply();

 private:
  struct Files {
    bool is_to_follow(session::SessionState state, const std::string& reason,
                      const SiteQuestion& asks) const;

    std::shared_ptr<void> claim;
    std::unique_ptr<site_node::FaultLatch> latch;
    std::unique_ptr<DriveQuestionFile> question;
    std::string problem;  ///< of the last write
    bool failed = false;  ///< it is to be tried again
  };
  std::string take_problem();
  bool begin(const site_node::SiteNode& site, const SiteQuestion& asks);

  std::shared_ptr<Files> files_;  ///< also of a write that hangs
  site_node::PatientThread write_;
  std::string tried_;                             ///< the reason of the last attempt
  std::chrono::steady_clock::time_point next_{};  ///< the same is tried again then
  bool slow_ = false;                             ///< the disk, and it was said
};

}  // namespace trestle::composition
