#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"
#include "studies/rehearsal/lifeline.h"
#include "studies/rehearsal/memory_store.h"

namespace trestle {

/// How one life of a node keeps its record on a MemoryStore.
class MemoryRecord final : public Recorder {
 public:
  /// @param life  of the node; null: it is not killed
  explicit MemoryRecord(MemoryStore& store, Lifeline* life = nullptr);
  ~MemoryRecord() override;

  /// Told of every event, for a story.
  using Listener = std::function<void(const std::string& kind, const std::string& text)>;
  void tell(Listener listener) { listener_ = std::move(listener); }

  std::vector<StepSink*> open(const SessionId& session, const RecordFacts& facts,
                              const Streams& streams) override;
  std::vector<StepSink*> reopen(const SessionId& session, const Streams& streams,
                                std::span<const std::int64_t> last) override;
  std::unique_ptr<Recollection> recall(const SessionId& session) override;
  std::optional<SessionId> unfinished() override;
  bool is_unfinished(const SessionId& session) override;

  void keep_state(std::int64_t step, std::span<const double> state) noexcept override;
  std::uint64_t secure() noexcept override;
  bool secured(std::uint64_t ticket) const noexcept override;

  void event(std::int64_t step, const std::string& kind, const std::string& text) override;
  void audit(const AuditEntry& entry) override;
  std::string audit_digest() const override;
  bool make_room(Duration /*at_most*/) override { return !failed(); }
  bool failed() const noexcept override { return failed_; }
  std::string failure() const override;
  void close() override;

 private:
  class Sink;

  bool lives() noexcept { return life_ == nullptr || life_->call(); }
  std::uint64_t take(std::size_t bytes) noexcept;
  std::vector<StepSink*> make_sinks();

  MemoryStore& store_;
  Lifeline* life_;
  MemorySession* session_ = nullptr;  // open
  MemorySession nowhere_;             // what a dead node writes to
  std::vector<std::unique_ptr<Sink>> sinks_;
  bool failed_ = false;
  Listener listener_;
};

}  // namespace trestle
