#include "composition/processes/site_process.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "composition/hybrid_test/pacing_factory.h"
#include "composition/processes/connection_events.h"
#include "composition/processes/stop_signals.h"
#include "composition/sites/calibration_factory.h"
#include "core/host/line_writer.h"
#include "core/timing/node_runner.h"

namespace trestle::composition {
namespace {

constexpr std::size_t kSiteRingRows = 1 << 15;
// If a person asked for the end, a function of the rig has this long to return.
constexpr Duration kPatienceWithRig = std::chrono::seconds(3);

/// Ends a process in which a thread is in a function of the rig that does not return:
/// nothing that it may use is destroyed. The rig was asked to hold, by another thread.
[[noreturn]] void leave_a_hanging_rig(int exit_code) noexcept {
  static constexpr auto kWords =
      "trestle: a function of the rig's driver does not come back; the rig was asked to "
      "hold, which nothing confirms; this process ends without giving the rig back: see to "
      "the equipment\n";
  host::write_last_words(STDERR_FILENO, kWords);
  std::_Exit(exit_code);
}

}  // namespace

// The operators' socket comes first: nothing else of a folder or an address that another
// process serves is touched.
SiteProcess::SiteProcess(SiteSetup& setup, const Settings& settings)
    : setup_(setup),
      settings_(settings),
      operators_({.folder = settings.folder}),
      at_disk_(
          "this process ends; the rest of the record is in the ring file beside it, and "
          "the next site server brings it in"),
      transport_(bus::ZmqTransport::for_site(setup.endpoint)),
      log_(settings.folder),
      recorder_({.folder = settings.folder,
                 .name = "",
                 .node = setup.file.site(),
                 .ring_rows = kSiteRingRows,
                 .max_pages = 0,
                 .facts = {},
                 .max_unsynced_age_s = journal::kMaxUnsyncedAge,
                 .on_durable = [this] { transport_->wake(); },
                 .closes_in_background = true,
                 .say = [this](const std::string& line) { log_.warn(line); },
                 .while_waiting =
                     [this](const std::string& file, Duration waited, Duration left) {
                       answer_behind_disk(file, waited, left);
                     }}),
      records_(settings.folder),
      clock_(*transport_),
      system_clock_(clock_.steady(TimePoint{})),
      answered_for_(setup.settings->without_limits),
      calibrations_{setup.settings->stated},
      site_(node_settings(std::move(*setup.settings), settings.exit_code_if_rig_hangs),
            *setup.rig, *transport_,
            site_node::SiteNode::Records{recorder_.recording(), &records_}, clock_),
      display_(settings.display ? settings.display(log_.terminal()) : nullptr),
      node_(site_, settings.person, settings.once,
            [this](const std::string& line) { log_.warn(line); }),
      state_(log_, settings.folder) {}

/// Those of the file, completed by what only this process knows.
site_node::SiteSettings SiteProcess::node_settings(site_node::SiteSettings settings,
                                                   int exit_code_if_rig_hangs) {
  const config::SiteFile& file = setup_.file;
  settings.loop_executor = std::make_unique<site_node::ControlThread>(
      control_thread_of(file.control_thread()), clock_);
  if (system_clock_.refresh().empty())
    settings.system_clock = [this] {
      return system_clock_.read();
    };
  // The thread that shall end the process may be the one that hangs.
  settings.watch.hangs = [asked = Duration{}, exit_code_if_rig_hangs](
                             const char*, Duration so_long) mutable {
    if (!StopSignals::asked()) return;
    if (asked == Duration{}) asked = so_long;
    if (so_long - asked > kPatienceWithRig) leave_a_hanging_rig(exit_code_if_rig_hangs);
  };
  settings.earlier =
      guard_.add(*setup_.rig, identity_of(file), settings_.folder, settings_.folder);
  return settings;
}

void SiteProcess::announce() {
  const config::SiteFile& file = setup_.file;
  log_.say(file.listen().empty()
               ? "site " + file.site() + " calls the integrator at " + file.integrator()
               : "site " + file.site() + " listens at " + transport_->bound_endpoint());
  log_.say("records go to " + settings_.folder);
  if (answered_for_)
    log_.warn("real equipment moves without all of its limits; " + answered_for_->by +
              " answers for it: " + answered_for_->reason);
  warn_of_expired_calibrations();
}

/// Keeps a fault, and logs the state.
void SiteProcess::follow() {
  if (const std::string trouble = guard_.follow(0, site_); !trouble.empty())
    log_.warn(trouble);
  state_.show(site_);
  // A server may serve for months; each test is judged on its own day, before it is armed.
  if (site_.state() != session::SessionState::kConfigured ||
      site_.session() == calibrations_.warned)
    return;
  calibrations_.warned = site_.session();
  warn_of_expired_calibrations();
}

void SiteProcess::warn_of_expired_calibrations() {
  for (const std::string& sentence :
       session::expired_today(setup_.file.site(), calibrations_.stated))
    log_.warn(sentence);
}

/// Between two ticks.
void SiteProcess::attend() {
  follow();
  // The node serves its other messages meanwhile.
  if (const std::string line = slow_disk_.due(recorder_.closing(), clock_.now());
      !line.empty())
    log_.warn(line);
  recorder_.wait_for_space(journal::kMaxSpaceWait);
  operators_.poll(site_);
  follow();
  busy_.follow(site_, *transport_);
  record_connection_events(
      transport_.get(), recorder_, -1, [this](const bus::ConnectionEvent& event) {
        event.warning ? log_.warn("bus: " + event.text) : log_.say("bus: " + event.text);
      });
  state_.show_said(site_, clock_.now());
  if (display_ != nullptr && display_->due()) display_->show(site_.status());
}

/// In a wait of the journal: the node takes no command.
void SiteProcess::answer_behind_disk(const std::string& file, Duration waited,
                                     Duration left) {
  if (runs_) at_disk_.keep(site_.status());
  at_disk_.wait_for(file, waited, left);
  operators_.poll(at_disk_);
}

void SiteProcess::run() {
  const StopSignals signals(
      [](void* argument) { static_cast<bus::ZmqTransport*>(argument)->wake(); },
      transport_.get(), StopSignals::Scope::kRig);
  announce();
  guard_.start();
  runs_ = true;
  timing::NodeRunner({&node_}, clock_, [this] {
    attend();
    return true;
  }).run();
  follow();
  at_disk_.keep(site_.status());
  runs_ = false;
  log_.say("site " + setup_.file.site() + " ends");
  if (site_.rig_hangs()) leave_a_hanging_rig(settings_.exit_code_if_rig_hangs);
}

}  // namespace trestle::composition
