#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"
#include "studies/rehearsal/process_lifetime.h"
#include "studies/rehearsal/simulated_disk.h"

namespace trestle::rehearsal {

/// Writes the record of one process of a node to a SimulatedDisk.
class MemoryRecorder final : public Recorder {
 public:
  /// @param life  of the node; null: it is not killed
  explicit MemoryRecorder(SimulatedDisk& store, ProcessLifetime* life = nullptr);
  ~MemoryRecorder() override;

  /// Told of every event, for a story.
  using Listener = std::function<void(const std::string& kind, const std::string& text)>;
  void tell(Listener listener) { listener_ = std::move(listener); }

  std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                             const RecordStreams& streams) override;
  std::vector<RowSink*> resume(const SessionId& session, const RecordStreams& streams,
                               std::span<const std::int64_t> last) override;
  std::unique_ptr<RecordedSession> open_session(const SessionId& session) override;
  std::optional<SessionId> find_interrupted() override;
  bool is_unfinished(const SessionId& session) override;

  bool keeps_state() const noexcept override { return true; }
  void save_state(std::int64_t step, std::span<const double> state) noexcept override;
  std::uint64_t request_sync() noexcept override;
  bool is_durable(std::uint64_t ticket) const noexcept override;

  void event(std::int64_t step, const std::string& kind, const std::string& text) override;
  void audit(const AuditEntry& entry) override;
  std::string audit_digest() const override;
  bool wait_for_space(Duration /*at_most*/) override { return !failed(); }
  bool failed() const noexcept override { return failed_; }
  std::string error_message() const override;
  void close() override;
  std::string closing() const override { return {}; }
  std::size_t room_for_events() const noexcept override { return kUnbounded; }

 private:
  class Sink;

  bool lives() noexcept { return life_ == nullptr || life_->call(); }
  std::uint64_t take(std::size_t bytes) noexcept;
  std::vector<RowSink*> make_sinks();

  SimulatedDisk& store_;
  ProcessLifetime* life_;
  MemorySession* session_ = nullptr;  // open
  MemorySession nowhere_;             // what a dead node writes to
  std::vector<std::unique_ptr<Sink>> sinks_;
  bool failed_ = false;
  Listener listener_;
};

}  // namespace trestle::rehearsal
