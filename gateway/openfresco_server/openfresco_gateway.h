#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/external_target_source.h"
#include "core/ports/numerical_substructure.h"
#include "gateway/openfresco_server/client_command.h"
#include "gateway/openfresco_server/client_decoder.h"
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
  bool look();
  /// @returns whether the client of the test is there still
  bool linger();
  /// The client of now is one no more.
  void disconnect();

  // Between two ticks of a test.

  /// Reads the client's messages while no request is awaited: before the test runs, and
  /// while it is held.
  /// @returns false if the client has disconnected; disconnect_reason() states how
  bool attend();

  /// @returns whether attend() has read data since the last call that the node has not seen
  /// yet. Call it before the thread that drives the node sleeps. If it returns false, it
  /// acknowledges data that was read and not answered.
  bool take_unread() noexcept {
    if (std::exchange(unread_, false) && stage_ == Stage::kServing) return true;
    port_.acknowledge();
    return false;
  }

  /// Checks whether the awaited client has sent data. Does not wait for a moving rig.
  /// @returns whether something was read
  bool overhears();

  // The integrator node's.

  State next() noexcept override;
  Duration time_to_timeout() const noexcept override {
    return settings_.patience - (clock_.now() - heard_);
  }
  std::string who() const override;
  std::string disconnect_reason() const override { return why_gone_; }
  std::int64_t steps() const noexcept override { return kOpenEnd; }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  /// Returns the notices for the operator of the gateway since the last call, as sentences.
  std::vector<std::string> take_notices();
  std::int64_t commits() const noexcept { return commits_; }
  std::int64_t replies() const noexcept { return replies_; }
  const ClientPort& port() const noexcept { return port_; }

 private:
  // The number of steps that a client will send is unknown.
  static constexpr std::int64_t kOpenEnd = 1'000'000'000'000;

  enum class Stage {
    kNobody,
    kGreeting,  ///< no sizes yet
    kReady,     ///< sizes are agreed, no test has begun: what comes now waits
    kServing,
    kMoving,     ///< a trial was announced; what comes now waits
    kNotFinite,  ///< a trial was; the client knows nothing of it
    kOver,       ///< the client has said so
    kGone,
  };

  void pump();
  bool read();
  void handle(const ClientDecoder::Event& event);
  void vector(int code);
  void trial();
  void answer_matrix(const std::vector<double>& matrix);
  void open_lab();
  void send_reply();
  void end();
  void lose(const std::string& why);
  void note(const std::string& what);
  TimePoint greeting_ends() const noexcept;

  const GatewaySettings settings_;
  ClientPort& port_;
  const Clock& clock_;
  ClientDecoder decoder_;
  ClientCommand motion_;
  Stage stage_ = Stage::kNobody;
  bool testing_ = false;     ///< a test listens: a trial moves something
  bool announced_ = false;   ///< of a target that was not taken yet
  bool unread_ = false;      ///< bytes went into the decoder that pump() has not seen
  bool opened_lab_ = false;  ///< it speaks the lab protocol, and has said open
  TimePoint called_{};
  TimePoint heard_{};
  std::vector<double> reply_;
  std::vector<std::byte> bytes_;
  std::string why_gone_;
  std::vector<std::string> notices_;
  std::int64_t commits_ = 0;
  std::int64_t replies_ = 0;
  int odd_ = 0;  ///< messages that the protocol does not know
  Channels channels_;
};

}  // namespace trestle::openfresco_server
