#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/external_target_source.h"
#include "core/ports/numerical_substructure.h"
#include "gateway/openfresco_server/client_conversation.h"
#include "gateway/openfresco_server/client_port.h"
#include "gateway/openfresco_server/gateway_settings.h"

namespace trestle::openfresco_server {

/// A program of OpenSees or OpenFresco in place of the numerical model: its trial
/// displacements are the targets of the test, and it receives the measured responses of the
/// sites. One step of the test is one command to move: a trial whose displacements differ
/// from those of the last.
///
/// The sequence for a client: look() until it is ready; then a test with this as
/// substructure and source of targets; then linger() until it disconnects; then the next
/// client. The protocol has no error message: after the test has failed, the client
/// receives the last measured values until it disconnects.
///
/// All on one thread. Nothing blocks.
class OpenFrescoGateway final : public NumericalSubstructure, public ExternalTargetSource {
 public:
  /// @param clock  its own times and those of the test
  OpenFrescoGateway(const GatewaySettings& settings, ClientPort& port, const Clock& clock);

  // Between two tests.

  /// @returns whether a client is there and its sizes are agreed: a test may begin
  bool look() { return client_.look(); }
  /// @returns whether the client of the test is there still
  bool linger() { return client_.linger(); }
  /// The client of now is one no more.
  void disconnect() { client_.disconnect(); }

  // Between two ticks of a test.

  /// Reads the client's messages while no request is awaited: before the test runs, and
  /// while it is held.
  /// @returns false if the client has disconnected; disconnect_reason() states how
  bool attend() { return client_.attend(); }

  /// @returns whether attend() has read data since the last call that the node has not seen
  /// yet. Call it before the thread that drives the node sleeps. If it returns false, it
  /// acknowledges data that was read and not answered.
  bool take_unread() noexcept { return client_.take_unread(); }

  /// Checks whether the awaited client has sent data. Does not wait for a moving rig.
  /// @returns whether something was read
  bool overhears() { return client_.overhears(); }

  // The integrator node's.

  State next() noexcept override { return client_.next(); }
  Duration time_to_timeout() const noexcept override { return client_.time_to_timeout(); }
  std::string who() const override { return client_.who(); }
  std::string disconnect_reason() const override { return client_.disconnect_reason(); }
  std::int64_t steps() const noexcept override { return kOpenEnd; }
  void prepare() override { client_.begin_test(); }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  /// Returns the notices for the operator of the gateway since the last call, as sentences.
  std::vector<std::string> take_notices() { return client_.take_notices(); }
  std::int64_t commits() const noexcept { return client_.commits(); }
  std::int64_t replies() const noexcept { return client_.replies(); }
  const ClientPort& port() const noexcept { return port_; }

 private:
  // The number of steps that a client will send is unknown.
  static constexpr std::int64_t kOpenEnd = 1'000'000'000'000;

  const ClientPort& port_;
  ClientConversation client_;
  Channels channels_;
};

}  // namespace trestle::openfresco_server
