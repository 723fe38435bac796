#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "composition/processes/client_session.h"
#include "composition/processes/gateway_setup.h"
#include "composition/processes/idle_gateway_status.h"
#include "composition/processes/process_log.h"
#include "composition/processes/slow_disk_notice.h"
#include "composition/processes/stop_signals.h"
#include "core/timing/monotonic_clock.h"
#include "gateway/openfresco_server/interruptible_transport.h"
#include "gateway/openfresco_server/openfresco_gateway.h"
#include "gateway/operator/operator_server.h"

namespace trestle::composition {

/// The run of one client, as its summary states it.
struct ClientRun {
  std::string folder;  ///< of its record
  SessionId session{};
  double wall = 0.0;  ///< [s]
  evaluation::RunReport report;
};

/// The process that lets OpenSees or OpenFresco drive a test: serves one client after the
/// other, with operators, signals and log.
class GatewayProcess {
 public:
  struct Settings {
    std::string folder;  ///< of the log; holds a folder for each client
    std::string person;  ///< name that the person gave; may be empty
    Duration spin{};     ///< of each wait for the client (InterruptibleTransport::Spin)
    bool once = false;   ///< end after one client
    /// Writes the summary of a client's run.
    std::function<void(const ClientRun&)> summarise;
  };

  /// @throws std::runtime_error  the folder is in use
  GatewayProcess(const GatewaySetup& setup, openfresco_server::ClientPort& port,
                 Settings settings);
  GatewayProcess(const GatewayProcess&) = delete;
  GatewayProcess& operator=(const GatewayProcess&) = delete;

  /// Serves until a signal ends it or, if so set, one client has left.
  /// @returns the result of that client's run; nothing: a signal ended the process
  /// @throws std::runtime_error  a client's record cannot be made
  std::optional<evaluation::RunResult> run();

 private:
  void announce();
  bool await_client();
  evaluation::RunResult serve();
  void drain_client();
  evaluation::RunReport conduct(const std::string& folder, const SessionId& session);
  void attend(ClientSession& test);
  void log_notices();
  void follow(const AskedBySignal& asked, integrator_node::IntegratorNode& integrator);

  const GatewaySetup& setup_;
  openfresco_server::ClientPort& port_;
  Settings settings_;
  ProcessLog log_;
  operators::OperatorServer operators_;
  openfresco_server::InterruptibleTransport bus_to_clients_;
  timing::MonotonicClock clock_;
  openfresco_server::OpenFrescoGateway gateway_;
  IdleGatewayStatus idle_;
  SlowDiskNotice slow_disk_;
  TimePoint people_heard_{};  ///< operators, rigs and bus were looked at
  int clients_ = 0;
  std::int64_t waits_expired_ = 0;
};

/// Opens the port for clients.
/// @param listen     HOST:PORT
/// @param file       of the setup, for messages
/// @param datagrams  the clients use UDP
/// @throws std::runtime_error  the address cannot be used, or is open to the network and
///         the file does not say who may call
std::unique_ptr<openfresco_server::ClientPort> open_client_port(const GatewaySetup& setup,
                                                                const std::string& listen,
                                                                const std::string& file,
                                                                bool datagrams);

}  // namespace trestle::composition
