#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "composition/processes/gateway_setup.h"
#include "composition/processes/hybrid_test_nodes.h"
#include "composition/processes/local_rigs.h"
#include "core/bus/zmq_transport.h"
#include "core/journal/journal_recorder.h"
#include "gateway/openfresco_server/interruptible_transport.h"
#include "gateway/openfresco_server/openfresco_gateway.h"

namespace trestle::composition {

/// The test of one client of a gateway: the nodes, their records, and the bus to the sites
/// in other processes.
class ClientSession {
 public:
  struct Settings {
    std::string folder;  ///< of this client's record
    SessionId session{};
    std::string person;  ///< name that the person gave; may be empty
    Duration spin{};     ///< of each wait for the client (InterruptibleTransport::Spin)
    /// See journal::JournalRecorder::Settings; may be empty.
    std::function<void(const std::string& file, Duration waited, Duration left)>
        while_waiting = {};
  };

  /// @param gateway  its client is ready
  /// @throws std::runtime_error  a rig is in use or in FAULT, or the bus or the records
  ///         cannot be opened
  ClientSession(const GatewaySetup& setup, openfresco_server::OpenFrescoGateway& gateway,
                const Settings& settings);
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  /// Runs the test until it ends. @param between  called between two ticks
  evaluation::RunReport run(const std::function<void()>& between);

  void wait_for_space();
  /// Returns the file whose end the disk has not taken yet; empty: none.
  std::string closing() const;
  HybridTestNodes& nodes() noexcept { return nodes_; }
  LocalRigs& rigs() noexcept { return rigs_; }
  /// Null: all sites are in this process.
  bus::ZmqTransport* elsewhere() noexcept { return elsewhere_.get(); }
  RunLog& log() noexcept { return *recorder_; }
  /// Waits for the client or the sites that ended without a message.
  std::int64_t waits_expired() const noexcept { return bus_.expired(); }

 private:
  std::unique_ptr<journal::JournalRecorder> recorder_of(const std::string& file,
                                                        const std::string& node) const;
  std::vector<LocalSite> recorded_sites(const GatewaySetup& setup);

  openfresco_server::OpenFrescoGateway& gateway_;
  Settings settings_;
  std::unique_ptr<journal::JournalRecorder> recorder_;
  std::vector<journal::JournalRecorder*>
      journals_;                  ///< the integrator's, and of the sites here
  std::vector<LocalSite> sites_;  ///< moved into the nodes
  std::unique_ptr<bus::ZmqTransport> elsewhere_;
  openfresco_server::InterruptibleTransport bus_;
  LocalRigs rigs_;
  HybridTestNodes nodes_;
};

}  // namespace trestle::composition
