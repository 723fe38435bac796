#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/disk_wait_status.h"
#include "composition/processes/hybrid_test_nodes.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/interruption.h"
#include "composition/processes/local_rigs.h"
#include "composition/processes/run_display.h"
#include "core/bus/zmq_transport.h"
#include "core/host/line_writer.h"
#include "core/journal/journal_recorder.h"
#include "gateway/operator/operator_server.h"

namespace trestle::composition {

/// The process that runs a test: its nodes, with records, bus, operators, signals and the
/// guard of the rigs that it drives itself.
class IntegratorProcess {
 public:
  struct Settings {
    std::string folder;       ///< of the run; no other process serves it
    std::string person;       ///< name that the person gave; may be empty
    bool unattended = false;  ///< no person asked to resume: real equipment waits for one
  };

  /// @param setup      not run yet; its session is set
  /// @param operators  of the folder
  /// @throws std::runtime_error  a rig is in use or in FAULT, or the bus or the records
  ///         cannot be opened
  IntegratorProcess(HybridTestSetup& setup, operators::OperatorServer& operators,
                    Settings settings);
  /// Waits for the disks of unfinished records, and answers operators meanwhile.
  ~IntegratorProcess() { runs_ = false; }
  IntegratorProcess(const IntegratorProcess&) = delete;
  IntegratorProcess& operator=(const IntegratorProcess&) = delete;

  /// Runs the test, or continues it if its settings say so, until it ends or is left.
  evaluation::RunReport run(RunDisplay& display);
  /// Time of the wall that run() took [s].
  double wall() const noexcept { return wall_; }

 private:
  std::vector<JournalCapacity*> record_sites(journal::JournalRecorder::Settings each);
  journal::JournalRecorder::Settings journal_settings();
  void attend(RunDisplay& display, Interruption& interruption);
  RunProgress progress();
  void answer_behind_disk(const std::string& file, Duration waited, Duration left);

  HybridTestSetup& setup_;
  operators::OperatorServer& operators_;
  Settings settings_;
  host::LineWriter terminal_;  ///< of the recorders, which speak after the display ended
  DiskWaitStatus at_disk_;
  bool runs_ = false;  ///< the nodes are there, and may be asked
  LocalRigs rigs_;
  std::unique_ptr<bus::ZmqTransport> elsewhere_;  ///< null: all sites are in this process
  journal::JournalRecorder recorder_;
  std::vector<JournalCapacity*> journals_;  ///< of the sites here, and the integrator's
  HybridTestNodes nodes_;
  double wall_ = 0.0;
  std::int64_t said_ = 0;  ///< number of the last message to all that was printed
};

}  // namespace trestle::composition
