#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorded_session.h"
#include "core/timing/virtual_clock.h"
#include "numerical/node/run_parts.h"
#include "tests/numerical/node/integrator_bench.h"

namespace trestle::testing {

/// What a node has recorded: facts, and rows of streams by their index.
struct RecordedRun {
  std::map<std::string, std::string> facts;
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> streams;
  std::map<std::string, Channels> channels;
  std::vector<AuditEntry> audits;
};

class FakeRecollection final : public RecordedSession {
 public:
  explicit FakeRecollection(RecordedRun run) : run_(std::move(run)) {}

  std::string fact(const std::string& key) const override {
    const auto found = run_.facts.find(key);
    return found == run_.facts.end() ? std::string() : found->second;
  }
  Channels channels(const std::string& stream) const override {
    const auto found = run_.channels.find(stream);
    return found == run_.channels.end() ? Channels() : found->second;
  }
  std::int64_t last(const std::string& stream) const override {
    const auto found = run_.streams.find(stream);
    return found == run_.streams.end() || found->second.empty()
               ? kNone
               : found->second.rbegin()->first;
  }
  bool row(const std::string& stream, std::int64_t index,
           std::vector<double>& into) override {
    const auto found = run_.streams[stream].find(index);
    if (found == run_.streams[stream].end()) return false;
    into = found->second;
    return true;
  }
  std::optional<State> state() const override { return {}; }
  bool whole() const override { return true; }
  std::vector<std::string> events(const std::string& /*kind*/) const override { return {}; }
  std::vector<AuditEntry> audits() const override { return run_.audits; }

 private:
  RecordedRun run_;
};

/// Keeps a run in memory, and gives it back.
class RecallingRecorder final : public Recorder {
 public:
  std::vector<RowSink*> open(const SessionId& /*session*/, const RecordMetadata& facts,
                             const RecordStreams& streams) override {
    for (const auto& [key, value] : facts) run.facts[key] = value;
    return sinks_of(streams);
  }
  std::vector<RowSink*> resume(const SessionId& /*session*/, const RecordStreams& streams,
                               std::span<const std::int64_t> /*last*/) override {
    return sinks_of(streams);
  }
  std::unique_ptr<RecordedSession> open_session(const SessionId& /*session*/) override {
    if (run.facts.empty()) return nullptr;
    return std::make_unique<FakeRecollection>(run);
  }
  std::optional<SessionId> find_interrupted() override { return std::nullopt; }
  bool is_unfinished(const SessionId& /*session*/) override { return false; }
  void event(std::int64_t /*step*/, const std::string& /*kind*/,
             const std::string& /*text*/) override {}
  void audit(const AuditEntry& /*entry*/) override {}
  std::string audit_digest() const override { return {}; }
  std::uint64_t request_sync() noexcept override { return 0; }
  bool is_durable(std::uint64_t /*ticket*/) const noexcept override { return true; }
  bool keeps_state() const noexcept override { return true; }
  void save_state(std::int64_t /*step*/,
                  std::span<const double> /*state*/) noexcept override {}
  bool wait_for_space(Duration /*at_most*/) override { return true; }
  bool failed() const noexcept override { return false; }
  std::string error_message() const override { return {}; }
  void close() override {}
  std::string closing() const override { return {}; }
  std::size_t room_for_events() const noexcept override { return kUnbounded; }

  RecordedRun run;
  bool loses_rows = false;

 private:
  class Sink final : public RowSink {
   public:
    Sink(RecallingRecorder& recorder, std::string stream)
        : recorder_(recorder), stream_(std::move(stream)) {}
    bool push(const RecordRow& row) noexcept override {
      if (recorder_.loses_rows) return false;
      recorder_.run.streams[stream_][row.index].assign(row.values.begin(),
                                                       row.values.end());
      return true;
    }

   private:
    RecallingRecorder& recorder_;
    std::string stream_;
  };

  std::vector<RowSink*> sinks_of(const RecordStreams& streams) {
    sinks_.clear();
    std::vector<RowSink*> out;
    for (const auto& [name, channels] : streams) {
      run.channels[name] = channels;
      sinks_.push_back(std::make_unique<Sink>(*this, name));
      out.push_back(sinks_.back().get());
    }
    return out;
  }

  std::vector<std::unique_ptr<Sink>> sinks_;
};

/// Each target depends on every bit of all answers before, and a snapshot keeps that.
class RememberingSubstructure final : public NumericalSubstructure {
 public:
  std::int64_t steps() const noexcept override { return 1 << 30; }
  void prepare() override { felt_ = 0.0; }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override {
    for (SiteTarget& request : requests)
      request.target.displacement.setConstant(1e-3 * static_cast<double>(step) +
                                              1e-6 * felt_ +
                                              (step == spoil_at ? spoilt : 0.0));
  }
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override {
    for (const SiteResponse& answer : answers) felt_ = 0.5 * felt_ + answer.force.sum();
    return step != diverges_at;
  }
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override { row[0] = felt_; }
  void snapshot(SnapshotWriter& snapshot) const override { snapshot.add(felt_); }
  void restore(SnapshotReader& snapshot) override { felt_ = snapshot.next(); }

  double felt() const noexcept { return felt_; }
  std::int64_t spoil_at = -5;
  double spoilt = 1.0;
  std::int64_t diverges_at = -5;

 private:
  double felt_ = 0.0;
  Channels channels_{{"roof.x.disp_m", "m"}};
};

/// The parts of a test with two sites, without phases.
struct RunBench {
  explicit RunBench(const integrator_node::IntegratorSettings& with = integrator_settings())
      : settings(with) {
    settings.model = "m";
    for (integrator_node::SitePeer& peer : peers) {
      peer.agreement.layout = peer.expected().layout;
      peer.agreement.actuators = {{"1", DofKind::kTranslation}};
      peer.agreement.contract = "as agreed";
    }
  }

  StepResponse response(std::int64_t step, double force = 1.0) const {
    const ActuatorVector one = ActuatorVector::Ones(1);
    return {settings.session,
            step,
            {},
            InterfaceVector::Ones(1),
            InterfaceVector::Constant(1, force),
            {one, one, one, one}};
  }
  integrator_node::AnswerVerdict accept(std::size_t site, std::int64_t step,
                                        double force = 1.0) {
    return exchange.accept(site, response(step, force), true);
  }
  /// The initial measurements are in, and step 0 may be opened.
  void begin() {
    record.open(peers);
    exchange.begin();
    for (const std::size_t site : {0U, 1U})
      exchange.accept(site, response(kInitialStep, 0.25), false);
    record.begin_ledger(times.zero);
    exchange.close_opening();
  }
  /// One step from its targets to its end. @returns the target
  double run_step(std::int64_t step) {
    exchange.open(step);
    exchange.send();
    for (const std::size_t site : {0U, 1U})
      accept(site, step, 0.1 * static_cast<double>(step) + static_cast<double>(site));
    exchange.close();
    return transport.commands.back().second.target.displacement[0];
  }

  integrator_node::IntegratorSettings settings;
  RememberingSubstructure substructure;
  ScriptedTransport transport;
  RecallingRecorder recorder;
  timing::VirtualClock clock;
  integrator_node::RunTimes times;
  integrator_node::SitePeers peers{settings, transport};
  integrator_node::RunRecorder record{settings, substructure, recorder};
  integrator_node::StepExchange exchange{settings,
                                         {substructure, record, peers, times, clock}};
  integrator_node::Recovery recovery{
      settings, {substructure, recorder, record, peers, exchange, times}};
  integrator_node::Phase phase = integrator_node::Phase::kConnecting;
  integrator_node::RunParts run{settings, phase, peers,    recorder.recording(),
                                record,   times, exchange, recovery};
};

}  // namespace trestle::testing
