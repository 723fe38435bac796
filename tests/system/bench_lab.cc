#include "tests/system/bench_lab.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <memory>
#include <optional>

#include "composition/processes/hybrid_test_setup.h"
#include "core/bus/memory_network.h"
#include "core/timing/virtual_clock.h"
#include "tests/composition/hybrid_test/lab_bench.h"

namespace trestle::testing {
namespace {

/// Lets time pass inside of what is called.
class Passing {
 public:
  explicit Passing(timing::VirtualClock& clock) : clock_(clock) {}
  template <typename Function, typename... Arguments>
  void pass(const Function& takes, const Arguments&... arguments) const {
    if (!takes) return;
    const Duration duration = takes(arguments...);
    if (duration > Duration::zero()) clock_.advance_to(clock_.now() + duration);
  }

 private:
  timing::VirtualClock& clock_;
};

class SlowSubstructure final : public NumericalSubstructure {
 public:
  SlowSubstructure(NumericalSubstructure& inner, const Disturbances& slow, Passing passing)
      : inner_(inner), slow_(slow), passing_(passing) {}
  std::int64_t steps() const noexcept override { return inner_.steps(); }
  void prepare() override { inner_.prepare(); }
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override {
    passing_.pass(slow_.predict, step);
    inner_.predict(step, requests);
  }
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override {
    if (step >= 0) passing_.pass(slow_.correct, step);
    return inner_.correct(step, answers);
  }
  const Channels& channels() const noexcept override { return inner_.channels(); }
  void record(std::span<double> row) const noexcept override { inner_.record(row); }
  void snapshot(SnapshotWriter& writer) const override { inner_.snapshot(writer); }
  void restore(SnapshotReader& reader) override { inner_.restore(reader); }

 private:
  NumericalSubstructure& inner_;
  const Disturbances& slow_;
  Passing passing_;
};

class SlowRig final : public SiteAdapter {
 public:
  SlowRig(SiteAdapter& inner, std::size_t site, const Disturbances& slow, Passing passing)
      : inner_(inner), site_(site), slow_(slow), passing_(passing) {}
  RigDescription description() const override { return inner_.description(); }
  void prepare(const RigRun& run) override { inner_.prepare(run); }
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override {
    passing_.pass(slow_.read, site_, reads_++);
    return inner_.read(now, sensed);
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    passing_.pass(slow_.write, site_, writes_++);
    return inner_.write(drive);
  }
  void hold() noexcept override { inner_.hold(); }
  void save(SnapshotWriter& writer) const override { inner_.save(writer); }
  void restore(SnapshotReader& reader) override { inner_.restore(reader); }

 private:
  SiteAdapter& inner_;
  std::size_t site_;
  const Disturbances& slow_;
  Passing passing_;
  std::int64_t reads_ = 0;
  std::int64_t writes_ = 0;
};

/// Keeps all streams, and delays a row on request.
class BenchRecorder final : public Recorder {
 public:
  BenchRecorder(std::string prefix, const Disturbances& slow, Passing passing)
      : prefix_(std::move(prefix)), slow_(slow), passing_(passing) {}

  std::vector<RowSink*> open(const SessionId& /*session*/, const RecordMetadata& /*facts*/,
                             const RecordStreams& streams) override {
    std::vector<RowSink*> out;
    for (const auto& [name, channels] : streams) {
      sinks.emplace_back(*this, name, channels);
      out.push_back(&sinks.back());
    }
    return out;
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
  void event(std::int64_t /*step*/, const std::string& kind,
             const std::string& text) override {
    events.push_back(kind + ": " + text);
  }
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

  struct Sink final : RowSink {
    Sink(BenchRecorder& its, std::string called, Channels columns)
        : recorder(its), name(std::move(called)), channels(std::move(columns)) {}
    bool push(const RecordRow& row) noexcept override {
      recorder.passing_.pass(recorder.slow_.record, recorder.prefix_ + name, row.index);
      steps.push_back(row.index);
      values.insert(values.end(), row.values.begin(), row.values.end());
      return true;
    }
    BenchRecorder& recorder;
    std::string name;
    Channels channels;
    std::vector<std::int64_t> steps;
    std::vector<double> values;
  };

  std::deque<Sink> sinks;
  std::vector<std::string> events;

 private:
  std::string prefix_;
  const Disturbances& slow_;
  Passing passing_;
};

/// The lab's clock, a constant time ahead.
class AheadClock final : public Clock {
 public:
  AheadClock(timing::VirtualClock& clock, Duration ahead) : clock_(clock), ahead_(ahead) {}
  TimePoint now() const noexcept override { return clock_.now() + ahead_; }
  void advance_to(TimePoint until) noexcept override { clock_.advance_to(until - ahead_); }

 private:
  timing::VirtualClock& clock_;
  Duration ahead_;
};

/// Notes when session time begins.
class StartWatch final : public Transport {
 public:
  explicit StartWatch(Transport& inner) : inner_(inner) {}
  bool send(int peer, const StepCommand& message) noexcept override {
    return inner_.send(peer, message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return inner_.send(peer, message);
  }
  bool send(int peer, const SessionMessage& message) override {
    if (const auto* start = std::get_if<Start>(&message)) zero = start->at;
    return inner_.send(peer, message);
  }
  bool receive(ReceivedMessage& into) override { return inner_.receive(into); }
  void lock_peer(bool keep) noexcept override { inner_.lock_peer(keep); }
  void wait(Duration timeout) noexcept override { inner_.wait(timeout); }

  std::optional<TimePoint> zero;  ///< on the integrator's clock

 private:
  Transport& inner_;
};

/// A site in a process that stalls occasionally, with a separate clock.
class SiteProcess final : public Node {
 public:
  SiteProcess(Node& node, std::size_t site, const Disturbances& disturbances,
              const StartWatch& start)
      : node_(node), site_(site), disturbances_(disturbances), start_(start) {}
  TimePoint tick(TimePoint now) override {
    for (const Disturbances::Stall& stall : disturbances_.stalls) {
      if (stall.site != site_ || !start_.zero) continue;
      const TimePoint from = *start_.zero + stall.from;
      if (now >= from && now < from + stall.length) return from + stall.length;
    }
    const Duration ahead = disturbances_.clock_ahead;
    const TimePoint due = node_.tick(now + ahead);
    return due == TimePoint::max() ? due : due - ahead;
  }
  bool finished() const noexcept override { return node_.finished(); }

 private:
  Node& node_;
  std::size_t site_;
  const Disturbances& disturbances_;
  const StartWatch& start_;
};

/// Keeps virtual time from jumping past a message that is on its way.
class Arrivals final : public Node {
 public:
  explicit Arrivals(const bus::MemoryNetwork& network) : network_(network) {}
  TimePoint tick(TimePoint now) override { return network_.next_delivery(now); }
  bool finished() const noexcept override { return false; }

 private:
  const bus::MemoryNetwork& network_;
};

/// A test set up and disturbed, on one thread and the virtual clock.
class BenchLab {
 public:
  BenchLab(composition::HybridTestSetup& setup, const Disturbances& disturbances)
      : passing_(clock_),
        site_clock_(clock_, disturbances.clock_ahead),
        network_(static_cast<int>(setup.sites_here.size())),
        substructure_(*setup.substructure, disturbances, passing_),
        recorder_("", disturbances, passing_),
        end_(network_.integrator(), disturbances.loss, 97 * disturbances.seed),
        start_(end_) {
    const auto end = [&](Transport& inner, unsigned number) -> Transport& {
      return ends_.emplace_back(inner, disturbances.loss, 97 * disturbances.seed + number);
    };
    for (std::size_t i = 0; i < setup.sites_here.size(); ++i) {
      composition::LocalSite& site = setup.sites_here[i];
      const int number = static_cast<int>(i);
      if (site.link) network_.link(number, *site.link, clock_);
      site.settings.shares_clock = disturbances.clock_ahead == Duration::zero();
      setup.integrator.sites[i].shares_clock = site.settings.shares_clock;
      BenchRecorder& records =
          site_recorders_.emplace_back(site.settings.name + ".", disturbances, passing_);
      SlowRig& rig = rigs_.emplace_back(*site.rig, i, disturbances, passing_);
      nodes_.push_back(std::make_unique<site_node::SiteNode>(
          std::move(site.settings), rig, end(network_.site(number), 1 + unsigned(i)),
          site_node::SiteNode::Records{records.recording()}, site_clock_));
      processes_.emplace_back(*nodes_.back(), i, disturbances, start_);
    }
    if (disturbances.ledger_in_lockstep) setup.integrator.pace.virtual_clock = false;
    integrator_ = std::make_unique<integrator_node::IntegratorNode>(
        setup.integrator, substructure_, start_, recorder_.recording(), clock_);
  }

  void run() {
    Arrivals arrivals(network_);
    std::vector<Node*> nodes{integrator_.get()};
    for (SiteProcess& process : processes_) nodes.push_back(&process);
    nodes.push_back(&arrivals);
    timing::NodeRunner(nodes, clock_, [] { return true; }).run();
  }

  const integrator_node::IntegratorNode& integrator() const { return *integrator_; }
  const BenchRecorder& recorder() const { return recorder_; }

 private:
  timing::VirtualClock clock_;
  Passing passing_;
  AheadClock site_clock_;
  bus::MemoryNetwork network_;
  SlowSubstructure substructure_;
  BenchRecorder recorder_;
  LossyTransport end_;
  StartWatch start_;
  std::deque<LossyTransport> ends_;  ///< of the sites
  std::deque<BenchRecorder> site_recorders_;
  std::deque<SlowRig> rigs_;
  std::vector<std::unique_ptr<site_node::SiteNode>> nodes_;
  std::deque<SiteProcess> processes_;
  std::unique_ptr<integrator_node::IntegratorNode> integrator_;
};

BenchRun::Stream stream(const BenchRecorder::Sink& sink) {
  const auto rows = static_cast<Eigen::Index>(sink.channels.size());
  const auto columns = static_cast<Eigen::Index>(sink.steps.size());
  return {sink.channels, sink.steps,
          Eigen::Map<const Eigen::MatrixXd>(sink.values.data(), rows, columns)};
}

/// All of a site in one step: from each stamp to the next that is known.
void expect_whole_steps(const BenchRun::Stream& ledger, bool one_clock) {
  constexpr Eigen::Index kColumns = 13;
  for (Eigen::Index step = 0; step < ledger.values.cols(); ++step)
    for (Eigen::Index site = 0; site < ledger.values.rows(); site += kColumns) {
      const Eigen::VectorXd stamps = ledger.values.col(step).segment(site, kColumns - 1);
      double sum = 0.0;
      double last = stamps[0];
      for (const double stamp : stamps) {
        if (std::isnan(stamp)) continue;
        sum += stamp - last;
        EXPECT_TRUE(!one_clock || stamp >= last) << "step " << step;
        last = stamp;
      }
      // Whole nanoseconds, in doubles: exactly.
      EXPECT_EQ(sum, stamps[kColumns - 2] - stamps[0]) << "step " << step;
    }
}

}  // namespace

Eigen::VectorXd BenchRun::stamp(const std::string& site, const std::string& stamp) const {
  const auto found = streams.find("ledger");
  if (found == streams.end()) {
    ADD_FAILURE() << "there is no ledger";
    return {};
  }
  const Stream& ledger = found->second;
  const std::string name = site + "." + stamp + "_ns";
  for (std::size_t i = 0; i < ledger.channels.size(); ++i)
    if (ledger.channels[i].name == name)
      return ledger.values.row(static_cast<Eigen::Index>(i));
  ADD_FAILURE() << "no column " << name;
  return Eigen::VectorXd::Zero(ledger.values.cols());
}

BenchRun run_bench(const std::string& yaml, const std::vector<std::string>& overrides,
                   const Disturbances& disturbances) {
  BenchRun run;
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up_lab(yaml, overrides);
  if (setup == nullptr) return run;
  BenchLab lab(*setup, disturbances);
  lab.run();
  run.report = lab.integrator().report();
  run.events = lab.recorder().events;
  for (const BenchRecorder::Sink& sink : lab.recorder().sinks)
    run.streams[sink.name] = stream(sink);
  if (const auto ledger = run.streams.find("ledger"); ledger != run.streams.end())
    expect_whole_steps(ledger->second, disturbances.clock_ahead == Duration::zero());
  run.channels = run.streams["result"].channels;
  run.results = run.streams["result"].values;
  return run;
}

}  // namespace trestle::testing
