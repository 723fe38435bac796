#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>

#include "cli/busy_word.h"
#include "cli/connection_events.h"
#include "cli/exit_code.h"
#include "cli/process_log.h"
#include "cli/rig_guard.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "core/base/lasting_file.h"
#include "core/bus/zmq_transport.h"
#include "core/host/system_clock.h"
#include "core/journal/journal_chunk_source.h"
#include "core/journal/journal_recorder.h"
#include "core/timing/monotonic_clock.h"
#include "core/timing/node_runner.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "gateway/operator/operator_server.h"
#include "site-servers/node/site_node.h"

namespace trestle {
namespace {

// After the last word of a session the bus gets this long to carry it away.
constexpr Duration kFarewell = std::chrono::milliseconds(300);

/// Keeps a site's node running from one session to the next, or until one has ended. A
/// signal never ends a test: it holds the rig, and says so to the integrator
/// (docs/howto/operate-a-test.md).
class Server final : public Node {
 public:
  using Say = std::function<void(const std::string&)>;

  Server(SiteNode& site, const SiteOptions& options, Say say)
      : site_(site), once_(options.once), called_(options.as), say_(std::move(say)) {}

  TimePoint tick(TimePoint now) override {
    follow_signals(now);
    const TimePoint due = site_.tick(now);
    if (once_ && site_.finished()) leave_at_ = std::min(leave_at_, now + kFarewell);
    if (leave_at_ == TimePoint::max()) return due;
    gone_ = now >= leave_at_;
    return std::min(due, leave_at_);
  }
  bool finished() const noexcept override { return gone_; }

 private:
  void follow_signals(TimePoint now) {
    AskedBySignal asked;
    if (StopSignals::take(asked)) {
      const SignalWord word = word_of(asked, called_);
      if (leave_at_ != TimePoint::max()) leave_at_ = now;
      if (stays(asked)) return;
      if (!last_word_ && site_.real_equipment() && site_.comes_to_rest())
        say_(word.reason +
             ": this server ends when the rig has come to rest; ask once more to end it at "
             "once");
      else
        leave(word, now);
      last_word_ = word;
    }
    if (last_word_ && !site_.comes_to_rest()) leave(*last_word_, now);
  }

  /// The first Ctrl-C beside a rig that could break.
  bool stays(const AskedBySignal& asked) {
    using enum SessionState;
    const SessionState state = site_.state();
    const bool moves =
        state == kRunning || state == kHolding || state == kStopping || state == kFault;
    const bool told = told_ && told_at_ == site_.last_step();
    if (asked.number != SIGINT || told || last_word_ || !moves || !site_.in_session() ||
        !site_.real_equipment())
      return false;
    const SignalWord word = word_of(asked, called_);
    site_.hold(word.by, word.from, asked.name());
    told_ = true;
    told_at_ = site_.last_step();
    say_(word.reason + ": the site is " + std::string(name(site_.state())) +
         ", and this server stays with its rig. Resume the test: trestle resume RUN-FOLDER "
         "at the integrator. End the test for good: trestle stop there or here. End this "
         "server: Ctrl-C again; then only the equipment itself holds the rig, and the test "
         "can be resumed when the server is started again");
    return true;
  }

  void leave(const SignalWord& word, TimePoint now) {
    if (leave_at_ != TimePoint::max()) return;
    site_.leave(word.by, word.from,
                "the server of the site was ended (" + word.reason + ")");
    leave_at_ = now + kFarewell;
  }

  SiteNode& site_;
  bool once_;
  std::string called_;
  Say say_;
  bool told_ = false;
  std::int64_t told_at_ = 0;
  std::optional<SignalWord> last_word_;
  TimePoint leave_at_ = TimePoint::max();
  bool gone_ = false;
};

/// Says each change of state once, for the person beside the rig, and what to do next.
class StateReporter {
 public:
  StateReporter(ProcessLog& log, std::string folder)
      : log_(log), folder_(std::move(folder)) {}

  void show(const SiteNode& site) {
    if (site.state() == shown_ && site.test() == test_) return;
    shown_ = site.state();
    test_ = site.test();
    const std::string word(name(shown_));
    std::string line = word + std::string(word.size() < 10 ? 10 - word.size() : 0, ' ');
    line += " " + test_;
    if (!site.reason().empty()) line += "  " + site.reason();
    if (shown_ != SessionState::kFault && shown_ != SessionState::kHolding)
      return log_.say(line);
    log_.warn(line);
    log_.say(
        shown_ == SessionState::kFault
            ? "           the rig is in its safe action; see to the cause, then clear the "
              "fault here: trestle clear " +
                  folder_
            : "           the rig was asked to hold its position (trestle status says "
              "whether it does); the test may go on, or the next begin, from here");
  }

 private:
  ProcessLog& log_;
  std::string folder_;
  SessionState shown_ = SessionState::kOffline;
  std::string test_;
};

// A stop that was asked for waits so long for a function of the rig to come back.
constexpr Duration kPatienceWithRig = std::chrono::seconds(3);

/// The end of a process in which a thread is in a function of the rig that does not come
/// back: nothing that it may use is destroyed. The rig was asked to hold, by another
/// thread.
[[noreturn]] void leave_a_hanging_rig() noexcept {
  static constexpr char kWords[] =
      "trestle: a function of the rig's driver does not come back; the rig was asked to "
      "hold, which nothing confirms; this process ends without giving the rig back: see to "
      "the equipment\n";
  [[maybe_unused]] const auto count = write(STDERR_FILENO, kWords, sizeof kWords - 1);
  std::_Exit(kExitStopped);
}

struct SiteSetup {
  config::SiteFile file;
  SourceMap where;
  std::unique_ptr<SiteSettings> settings;
  std::unique_ptr<SiteAdapter> rig;
  SiteEndpoint endpoint;
};

std::unique_ptr<SiteSetup> set_up_site(const SiteOptions& options) {
  auto setup = std::make_unique<SiteSetup>();
  read_yaml(options.site, options.overrides, setup->file, setup->where);
  ConfigErrorCollector problems(setup->where);
  const config::SiteFile& file = setup->file;
  if (file.listen().empty() == file.integrator().empty())
    problems.attempt([] {
      throw SettingError(
          "site",
          "give the site exactly one of `listen` (the integrator calls in here) "
          "and `integrator` (call the integrator there)");
    });
  problems.attempt([&] { setup->rig = make_rig(file); });
  problems.attempt([&] { setup->endpoint = site_endpoint(file); });
  problems.attempt([&] {
    setup->settings =
        std::make_unique<SiteSettings>(site_settings(file, software_version()));
  });
  if (setup->rig != nullptr && setup->settings != nullptr)
    problems.attempt([&] {
      require_limits(setup->settings->limits, *setup->settings, setup->rig->description(),
                     "");
    });
  problems.throw_if_any();
  const SourceMap* where = &setup->where;
  setup->settings->limit_place = [where](const std::string& field) {
    return where->location("limits." + field);
  };
  return setup;
}

void serve(SiteSetup& setup, const SiteOptions& options, const std::string& folder) {
  const config::SiteFile& file = setup.file;
  // First: nothing else of a folder or an address that another process serves is touched.
  OperatorServer operators({.folder = folder});
  const std::unique_ptr<ZmqTransport> transport = ZmqTransport::for_site(setup.endpoint);
  JournalRecorder recorder({.folder = folder,
                            .name = "",
                            .node = file.site(),
                            .ring_rows = 1 << 15,
                            .max_pages = 0,
                            .facts = {},
                            .max_unsynced_age_s = kMaxUnsyncedAge,
                            .on_durable = [&transport] {
                              transport->wake();
                            }});
  JournalChunkSource records(folder);
  MonotonicClock clock(*transport);
  setup.settings->loop_executor =
      std::make_unique<ControlThread>(control_thread_of(file.control_thread()), clock);
  SystemClockSource system_clock(clock.steady(TimePoint{}));
  if (system_clock.refresh().empty())
    setup.settings->system_clock = [&system_clock] {
      return system_clock.read();
    };
  // The thread that shall end the process may be the one that hangs.
  setup.settings->watch.hangs = [asked = Duration{}](const char*, Duration lasts) mutable {
    if (!StopSignals::asked()) return;
    if (asked == Duration{}) asked = lasts;
    if (lasts - asked > kPatienceWithRig) leave_a_hanging_rig();
  };
  RigGuard guard;
  setup.settings->latched_fault = guard.add(*setup.rig, identity_of(file), folder, folder);
  const std::optional<WithoutLimits> answered_for = setup.settings->without_limits;
  SiteNode site(std::move(*setup.settings), *setup.rig, *transport, {recorder, &records},
                clock);
  ProcessLog log(folder);
  Server node(site, options, [&log](const std::string& line) { log.warn(line); });
  const StopSignals signals(
      [](void* argument) { static_cast<ZmqTransport*>(argument)->wake(); }, transport.get(),
      StopSignals::Scope::kRig);
  log.say(file.listen().empty()
              ? "site " + file.site() + " calls the integrator at " + file.integrator()
              : "site " + file.site() + " listens at " + transport->bound_endpoint());
  log.say("records go to " + folder);
  if (answered_for)
    log.warn("real equipment moves without all of its limits; " + answered_for->by +
             " answers for it: " + answered_for->reason);
  StateReporter line(log, folder);
  BusyWord busy;
  guard.start();
  const auto follow = [&] {
    if (const std::string trouble = guard.follow(0, site); !trouble.empty())
      log.warn(trouble);
    line.show(site);
  };
  NodeRunner({&node}, clock, [&] {
    follow();
    recorder.wait_for_space(kMaxSpaceWait);
    operators.poll(site);
    follow();
    busy.follow(site, *transport);
    record_connection_events(
        transport.get(), recorder, -1, [&log](const ConnectionEvent& notice) {
          notice.warning ? log.warn("bus: " + notice.text) : log.say("bus: " + notice.text);
        });
    return true;
  }).run();
  follow();
  log.say("site " + file.site() + " ends");
  if (site.rig_hangs()) leave_a_hanging_rig();
}

}  // namespace

int site(const SiteOptions& options) {
  const std::unique_ptr<SiteSetup> setup = set_up_site(options);
  const std::string folder =
      options.out.empty() ? "runs/site-" + to_folder_name(setup->file.site()) : options.out;
  try {
    make_folders(folder);
    serve(*setup, options, folder);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
