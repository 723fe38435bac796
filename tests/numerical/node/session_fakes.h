#pragma once

#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/ports/recorder.h"
#include "core/ports/transport.h"

namespace trestle::testing {

/// A transport that stores every sent message and returns the messages that the test has
/// put in.
class ScriptedTransport final : public Transport {
 public:
  bool send(int peer, const StepCommand& message) noexcept override {
    commands.emplace_back(peer, message);
    return true;
  }
  bool send(int /*peer*/, const StepResponse& message) noexcept override {
    responses.push_back(message);
    return true;
  }
  bool send(int peer, const SessionMessage& message) override {
    sessions.emplace_back(peer, message);
    return true;
  }
  bool receive(ReceivedMessage& into) override {
    if (waiting.empty()) return false;
    into = waiting.front();
    waiting.pop_front();
    return true;
  }
  void lock_peer(bool keep) noexcept override { kept = keep; }
  void wait(Duration /*timeout*/) noexcept override {}

  void arrives(int peer, const SessionMessage& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kSession;
    incoming.peer = peer;
    incoming.session = message;
    waiting.push_back(incoming);
  }
  void arrives(int peer, const StepCommand& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kStepCommand;
    incoming.peer = peer;
    incoming.command = message;
    waiting.push_back(incoming);
  }
  void arrives(int peer, const StepResponse& message) {
    ReceivedMessage incoming;
    incoming.kind = ReceivedMessage::Kind::kStepResponse;
    incoming.peer = peer;
    incoming.response = message;
    waiting.push_back(incoming);
  }

  /// How many of this kind went out to this peer.
  template <typename Message>
  int sent(int peer) const {
    int count = 0;
    for (const auto& [to, message] : sessions)
      if (to == peer && std::holds_alternative<Message>(message)) ++count;
    return count;
  }
  /// Returns the last message of this kind to any site. @throws if there was none
  template <typename Message>
  const Message& last() const {
    for (auto each = sessions.rbegin(); each != sessions.rend(); ++each)
      if (const auto* found = std::get_if<Message>(&each->second)) return *found;
    throw std::runtime_error("no such message was sent");
  }

  std::vector<std::pair<int, StepCommand>> commands;
  std::vector<StepResponse> responses;
  std::vector<std::pair<int, SessionMessage>> sessions;
  std::deque<ReceivedMessage> waiting;
  bool kept = false;
};

/// Keeps rows in memory on request, and fails on request.
class FakeRecorder final : public Recorder {
 public:
  explicit FakeRecorder(bool keep = true) : keep_(keep) {}

  std::vector<RowSink*> open(const SessionId& /*session*/, const RecordMetadata& /*facts*/,
                             const RecordStreams& streams) override {
    if (!refuses.empty()) throw std::runtime_error(refuses);
    sinks.clear();
    names_.clear();
    for (const auto& stream : streams) names_.push_back(stream.first);
    std::vector<RowSink*> out;
    for (std::size_t i = 0; i < streams.size(); ++i) sinks.emplace_back(*this);
    for (Sink& sink : sinks) out.push_back(&sink);
    ++opened;
    return out;
  }
  std::vector<RowSink*> resume(const SessionId& /*session*/,
                               const RecordStreams& /*streams*/,
                               std::span<const std::int64_t> /*last*/) override {
    throw std::runtime_error("this record cannot be resumed");
  }
  std::unique_ptr<RecordedSession> open_session(const SessionId& /*session*/) override {
    if (!readable) return nullptr;
    return std::make_unique<Rows>(*this);
  }
  std::optional<SessionId> find_interrupted() override { return std::nullopt; }
  bool is_unfinished(const SessionId& /*session*/) override { return false; }
  void event(std::int64_t /*step*/, const std::string& kind,
             const std::string& text) override {
    events.push_back(kind + ": " + text);
  }
  std::size_t room_for_events() const noexcept override { return room; }
  bool keeps_state() const noexcept override { return !forgets_state; }
  void save_state(std::int64_t /*step*/,
                  std::span<const double> /*state*/) noexcept override {}
  void audit(const AuditEntry& entry) override { audits.push_back(entry); }
  std::string audit_digest() const override { return {}; }
  std::uint64_t request_sync() noexcept override { return ++secure_asked; }
  bool is_durable(std::uint64_t ticket) const noexcept override { return ticket <= safe; }
  bool wait_for_space(Duration /*at_most*/) override { return !broken; }
  bool failed() const noexcept override { return broken; }
  std::string error_message() const override { return "the disk is full"; }
  void close() override { ++closed; }
  std::string closing() const override { return closed > 0 ? behind : std::string(); }

  class Sink final : public RowSink {
   public:
    explicit Sink(FakeRecorder& recorder) : recorder_(recorder) {}
    bool push(const RecordRow& row) noexcept override {
      if (recorder_.loses_rows || loses) return false;
      ++pushed;
      if (recorder_.keep_)
        rows.emplace_back(row.index,
                          std::vector<double>(row.values.begin(), row.values.end()));
      return true;
    }
    int pushed = 0;
    bool loses = false;  ///< the rows of this stream
    std::vector<std::pair<std::int64_t, std::vector<double>>> rows;

   private:
    FakeRecorder& recorder_;
  };

  /// The rows that are kept.
  class Rows final : public RecordedSession {
   public:
    explicit Rows(const FakeRecorder& recorder) : recorder_(recorder) {}
    std::string fact(const std::string& /*key*/) const override { return {}; }
    Channels channels(const std::string& /*stream*/) const override { return {}; }
    std::int64_t last(const std::string& /*stream*/) const override { return kNone; }
    bool row(const std::string& stream, std::int64_t index,
             std::vector<double>& into) override {
      for (std::size_t i = 0; i < recorder_.names_.size(); ++i)
        for (const auto& [at, values] : recorder_.sinks[i].rows)
          if (recorder_.names_[i] == stream && at == index) {
            into = values;
            return true;
          }
      return false;
    }
    std::optional<State> state() const override { return std::nullopt; }
    bool whole() const override { return true; }
    std::vector<std::string> events(const std::string& /*kind*/) const override {
      return {};
    }
    std::vector<AuditEntry> audits() const override { return {}; }

   private:
    const FakeRecorder& recorder_;
  };

  std::deque<Sink> sinks;  ///< in the order of the streams
  std::vector<std::string> events;
  std::vector<AuditEntry> audits;
  std::string refuses;
  std::string behind;  ///< after close(): the file that the disk has not taken yet
  bool broken = false;
  bool loses_rows = false;
  bool readable = false;  ///< open_session() finds the record
  bool forgets_state = false;
  std::size_t room = std::numeric_limits<std::size_t>::max();  ///< for events
  std::uint64_t secure_asked = 0;
  std::uint64_t safe = std::numeric_limits<std::uint64_t>::max();  ///< tickets up to here
  int opened = 0;
  int closed = 0;

 private:
  bool keep_;
  std::vector<std::string> names_;  // of the streams
};

/// Says what the test has put in.
class FakeNotices final : public ModelNotices {
 public:
  std::size_t count() const noexcept override { return said.size(); }
  std::vector<std::string> sentences() const override { return said; }

  std::vector<std::string> said;
};

/// Asks every DOF of every site for the same smooth motion, and for a little of what the
/// sites felt, so that every bit of an answer matters.
class FakeSubstructure final : public NumericalSubstructure {
 public:
  std::int64_t steps() const noexcept override { return 1 << 30; }
  void prepare() override { felt_ = 0.0; }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override {
    const double x = 1e-3 * std::sin(0.1 * static_cast<double>(step)) - 1e-12 * felt_;
    for (SiteTarget& request : requests)
      request.target.displacement.setConstant(step == spoil_at ? spoilt : x);
  }
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override {
    for (const SiteResponse& answer : answers) felt_ += answer.force.sum();
    return step != diverges_at;
  }
  ExcessiveResidual excessive_residual() const noexcept override { return excess; }
  const ModelNotices* notices() const noexcept override { return &notices_of_model; }
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override { row[0] = felt_; }
  void snapshot(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

  std::int64_t spoil_at = -5;
  double spoilt = 0.0;
  std::int64_t diverges_at = -5;
  ExcessiveResidual excess;  // because of which it does
  FakeNotices notices_of_model;

 private:
  double felt_ = 0.0;
  Channels channels_{{"roof.x.disp_m", "m"}};
};

}  // namespace trestle::testing
