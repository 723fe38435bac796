#pragma once

#include <stdexcept>

#include "core/ports/recorder.h"

namespace trestle::journal {

/// A record that stores nothing, for runs of which only the report is needed. It never
/// makes a caller wait and returns no data.
class NullRecorder final : public Recorder {
 public:
  std::vector<RowSink*> open(const SessionId& /*session*/, const RecordMetadata& /*facts*/,
                             const RecordStreams& streams) override {
    return std::vector<RowSink*>(streams.size(), &nowhere_);
  }
  std::vector<RowSink*> resume(const SessionId& /*session*/,
                               const RecordStreams& /*streams*/,
                               std::span<const std::int64_t> /*last*/) override {
    throw std::runtime_error("this record cannot be resumed");
  }
  std::unique_ptr<RecordedSession> open_session(const SessionId& /*session*/) override {
    return nullptr;
  }
  std::optional<SessionId> find_interrupted() override { return std::nullopt; }
  bool is_unfinished(const SessionId& /*session*/) override { return false; }
  void close() override {}
  std::string closing() const override { return {}; }

  void event(std::int64_t /*step*/, const std::string& /*kind*/,
             const std::string& /*text*/) override {}
  void audit(const AuditEntry& /*entry*/) override {}
  std::size_t room_for_events() const noexcept override { return kUnbounded; }
  std::string audit_digest() const override { return {}; }

  std::uint64_t request_sync() noexcept override { return 0; }
  bool is_durable(std::uint64_t /*ticket*/) const noexcept override { return true; }
  bool failed() const noexcept override { return false; }
  std::string error_message() const override { return {}; }

  bool keeps_state() const noexcept override { return false; }
  void save_state(std::int64_t /*step*/,
                  std::span<const double> /*state*/) noexcept override {}

  bool wait_for_space(Duration /*at_most*/) override { return true; }

 private:
  struct NullSink final : RowSink {
    bool push(const RecordRow& /*row*/) noexcept override { return true; }
  };

  NullSink nowhere_;
};

}  // namespace trestle::journal
