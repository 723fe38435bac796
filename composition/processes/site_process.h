#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "composition/processes/busy_reply.h"
#include "composition/processes/disk_wait_status.h"
#include "composition/processes/interruptible_site.h"
#include "composition/processes/node_display.h"
#include "composition/processes/process_log.h"
#include "composition/processes/rig_guard.h"
#include "composition/processes/site_setup.h"
#include "composition/processes/slow_disk_notice.h"
#include "composition/processes/state_reporter.h"
#include "core/bus/zmq_transport.h"
#include "core/host/system_clock.h"
#include "core/journal/journal_chunk_source.h"
#include "core/journal/journal_recorder.h"
#include "core/timing/monotonic_clock.h"
#include "gateway/operator/operator_server.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// The process that serves a laboratory's rig: its node, with records, bus, operators,
/// signals, log and the guard of the rig.
class SiteProcess {
 public:
  struct Settings {
    std::string folder;  ///< of the records
    std::string person;  ///< name that the person gave; may be empty
    bool once = false;   ///< end after one session
    /// Exit code if a function of the rig's driver does not return and the process has to
    /// end around it.
    int exit_code_if_rig_hangs = 1;
    /// Makes what shows the site below its log; may be empty.
    std::function<std::unique_ptr<NodeDisplay>(host::LineWriter& terminal)> display;
  };

  /// @param setup  of load_site()
  /// @throws std::runtime_error  the folder, the address or the rig is in use
  SiteProcess(SiteSetup& setup, const Settings& settings);
  /// Waits for the disk of an unfinished record, and answers operators meanwhile.
  ~SiteProcess() { runs_ = false; }
  SiteProcess(const SiteProcess&) = delete;
  SiteProcess& operator=(const SiteProcess&) = delete;

  /// Serves until a signal ends it, or one session has ended. Does not return if the rig
  /// hangs.
  void run();

 private:
  struct StatedCalibrations {
    session::ContractEntries stated;  ///< facts of the site's file
    SessionId warned{};               ///< the test that was judged by them
  };
  site_node::SiteSettings node_settings(site_node::SiteSettings settings,
                                        int exit_code_if_rig_hangs);
  void announce();
  void follow();
  void warn_of_expired_calibrations();
  void attend();
  void answer_behind_disk(const std::string& file, Duration waited, Duration left);

  SiteSetup& setup_;
  Settings settings_;
  operators::OperatorServer operators_;
  DiskWaitStatus at_disk_;
  bool runs_ = false;  ///< the node is there, and may be asked
  std::unique_ptr<bus::ZmqTransport> transport_;
  ProcessLog log_;  ///< outlives the recorder, which has its last word when it closes
  journal::JournalRecorder recorder_;
  journal::JournalChunkSource records_;
  timing::MonotonicClock clock_;
  host::SystemClockSource system_clock_;
  RigGuard guard_;
  std::optional<site_node::WithoutLimits> answered_for_;
  StatedCalibrations calibrations_;
  site_node::SiteNode site_;
  std::unique_ptr<NodeDisplay> display_;  ///< null: none was asked for
  InterruptibleSite node_;
  StateReporter state_;
  BusyReply busy_;
  SlowDiskNotice slow_disk_;
};

}  // namespace trestle::composition
