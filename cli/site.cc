#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>

#include "cli/bus_notices.h"
#include "cli/exit_code.h"
#include "cli/fault_latch.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/site_log.h"
#include "cli/verbs.h"
#include "core/bus/zmq_transport.h"
#include "core/config/setting_problems.h"
#include "core/config/yaml_reader.h"
#include "core/files/lasting_file.h"
#include "core/host/last_words.h"
#include "core/host/system_clock.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/journal_source.h"
#include "core/timing/lockstep_runner.h"
#include "core/timing/wall_clock.h"
#include "gateway/operator/operator_server.h"
#include "site-servers/node/site_node.h"
#include "virtual-lab/lab_catalog.h"
#include "virtual-lab/pace_catalog.h"
#include "virtual-lab/security_catalog.h"

namespace trestle {
namespace {

// After the last word of a session the bus gets this long to carry it away.
constexpr Duration kFarewell = std::chrono::milliseconds(300);

/// Keeps a site's node running from one session to the next, or until one has ended. Asked
/// to leave in mid-run it first holds the rig and says so to the integrator.
class Server final : public Node {
 public:
  Server(SiteNode& site, bool once) : site_(site), once_(once) {}

  TimePoint tick(TimePoint now) override {
    const bool asked = StopSignals::asked();
    if (asked && leave_at_ == TimePoint::max())
      site_.stop("the person at the site asked for a stop");
    const TimePoint due = site_.tick(now);
    if (!asked && !(once_ && site_.finished())) return due;
    if (leave_at_ == TimePoint::max()) leave_at_ = now + kFarewell;
    gone_ = now >= leave_at_;
    return std::min(due, leave_at_);
  }
  bool finished() const noexcept override { return gone_; }

 private:
  SiteNode& site_;
  bool once_;
  TimePoint leave_at_ = TimePoint::max();
  bool gone_ = false;
};

/// Says each change of state once, for the person beside the rig, and what to do next.
class StateLine {
 public:
  StateLine(SiteLog& log, std::string folder) : log_(log), folder_(std::move(folder)) {}

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
            : "           the rig holds its position; the test may go on, or the next "
              "begin, "
              "from here");
  }

 private:
  SiteLog& log_;
  std::string folder_;
  SessionState shown_ = SessionState::kOffline;
  std::string test_;
};

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
  SettingProblems problems(setup->where);
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
                            .durable_age_s = kPowerLossAge,
                            .secured = [&transport] {
                              transport->wake();
                            }});
  JournalSource records(folder);
  WallClock clock(*transport);
  setup.settings->driver =
      std::make_unique<ControlThread>(control_thread_of(file.control_thread()), clock);
  SystemClockSource system_clock(clock.steady(TimePoint{}));
  if (system_clock.refresh().empty())
    setup.settings->system_clock = [&system_clock] {
      return system_clock.read();
    };
  FaultLatch latch(folder);
  setup.settings->latched_fault = latch.reason();
  SiteNode site(std::move(*setup.settings), *setup.rig, *transport, recorder, &records,
                clock);
  Server node(site, options.once);
  const StopSignals signals(
      [](void* argument) { static_cast<ZmqTransport*>(argument)->wake(); },
      transport.get());
  SiteLog log(folder);
  log.say(file.listen().empty()
              ? "site " + file.site() + " calls the integrator at " + file.integrator()
              : "site " + file.site() + " listens at " + transport->bound_endpoint());
  log.say("records go to " + folder);
  StateLine line(log, folder);
  // A broken program still tells the rig to stay where it is.
  const LastWords last_words(
      [](void* rig) noexcept { static_cast<SiteAdapter*>(rig)->hold(); }, setup.rig.get());
  const auto follow = [&] {
    if (const std::string trouble = latch.follow(site); !trouble.empty()) log.warn(trouble);
    line.show(site);
  };
  LockstepRunner({&node}, clock, [&] {
    follow();
    recorder.make_room(kLongestWaitForRoom);
    operators.poll(site);
    follow();
    tell_notices(transport.get(), recorder, -1, [&log](const BusNotice& notice) {
      notice.warning ? log.warn("bus: " + notice.text) : log.say("bus: " + notice.text);
    });
    return true;
  }).run();
  follow();
  log.say("site " + file.site() + " ends");
}

}  // namespace

int site(const SiteOptions& options) {
  const std::unique_ptr<SiteSetup> setup = set_up_site(options);
  const std::string folder =
      options.out.empty() ? "runs/site-" + folder_name(setup->file.site()) : options.out;
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
