#include "site-servers/node/site_status.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/types/session_id_text.h"
#include "site-servers/node/set_aside.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// Each step waits for the disk for a moment [s].
constexpr double kSlowDisk = 1.0;
constexpr const char* kNothingMoves = "nothing moves before";

}  // namespace

NodeStatus SiteStatus::status() const {
  const Configure& configure = site_.agreed.configure;
  NodeStatus now;
  now.node = site_.settings.name;
  now.test = configure.test;
  if (configure.session != SessionId{}) now.session = to_hex(configure.session);
  now.state = session::name(site_.session.state());
  now.reason = site_.session.reason();
  now.step = site_.position.executed;
  now.steps = configure.steps_planned;
  now.time_step = configure.time_step;
  PeerStatus integrator{
      .name = "integrator", .where = {}, .state = "OFFLINE", .step = -1, .heard = -1.0};
  if (site_.session.live()) {
    integrator.state = site_.session.silent() ? "SILENT" : "CONNECTED";
    integrator.heard = seconds(site_.peer.silence());
  }
  now.peers.push_back(integrator);
  now.waits.push_back(wait());
  if (site_.session.told_to_rest()) now.rig = parts_.rig.word();
  if (parts_.service.acts_safely()) now.rig = "moves";
  if (RigReport report = parts_.service.report();
      !report.action.empty() || !report.zero.empty())
    now.commanded = std::move(report);
  now.said = parts_.heartbeats.said();
  return now;
}

std::string SiteStatus::remedy() const {
  if (std::string awaited = parts_.release.awaited(); !awaited.empty()) return awaited;
  if (site_.record.failed()) return site_text::remedy_of_record(site_.settings);
  return site_text::remedy(site_.session.halt().fault, site_.settings,
                           site_.loop.hangs() || !site_.rig.driver_responds(),
                           parts_.question.open());
}

/// The one thing that happens next, or that the site waits for.
PendingWait SiteStatus::wait() const {
  const SiteSession& session = site_.session;
  const std::string held = std::string_view(parts_.rig.word()) == "asked to hold"
                               ? "the rig was asked to hold, and nothing confirms it yet"
                               : "the rig holds";
  const double since = waits_since();
  if (parts_.service.under_way())
    return {"its rig", "the end of a command: " + parts_.service.doing(), since, kNoLimit,
            "no test begins before"};
  if (session.clearing())
    return {"its rig", "one read, with which the fault is cleared", since, kNoLimit,
            kNothingMoves};
  if (session.in(session::SessionState::kFault) && !site_.loop.at_rest())
    return {"its rig", "the end of its safe action, which moves it", since, kNoLimit,
            "the fault is not cleared before; the emergency stop ends the motion at once"};
  if (session.in(session::SessionState::kFault))
    return {"a person at the site", remedy(), since, kNoLimit, kNothingMoves};
  if (std::optional<PendingWait> disk = disk_wait()) return *std::move(disk);
  if (parts_.readiness.under_way())
    return {"its rig", "it to get ready for test " + parts_.readiness.test(), since,
            kNoLimit, kNothingMoves};
  if (session.flags().left_held && session.in(session::SessionState::kHolding))
    return {"a person at the site",
            "the word to bring the rig to its safe position (trestle stop)", since,
            kNoLimit, held};
  const auto& past = session.interrupted();
  if (!session.live() && past && past->stopped)
    return {"the integrator",
            "a resume of the test, which ends it: " +
                site_text::sentence(
                    {SiteCause::StoppedByPerson{past->stopped->who, past->stopped->text}},
                    site_.agreed) +
                if_ended_there(site_.settings.name),
            since, kNoLimit, kNothingMoves};
  if (!session.live() && past && past->aimed() && site_.rig.real())
    return {"the integrator",
            "a word from it about the test that was cut off at step " +
                std::to_string(past->at_step()) +
                "; the rig is kept for it: " + way_to_end(*past, site_.settings.name),
            since, kNoLimit, "it moves only when the test is resumed, or set aside"};
  if (!session.conversing())
    return {
        "the integrator", "a word from it",
        session.live() ? seconds(site_.peer.silence()) : since, kNoLimit,
        session.live() ? held + ", and trestle stop ends the test here" : kNothingMoves};
  return wait_in_session(held);
}

PendingWait SiteStatus::wait_in_session(const std::string& held) const {
  const SiteSession& session = site_.session;
  const StepPosition& position = site_.position;
  const double since = waits_since();
  const double left = site_.agreed.configure.watchdog - seconds(site_.peer.silence());
  if (!parts_.end.asked().empty() && session.in(session::SessionState::kHolding))
    return {"the integrator", "the end of the test: " + parts_.end.asked(), since, left,
            position.aimed ? "this site ends it, and its rig moves to its safe position"
                           : "this site ends it, and its rig stays where it is"};
  if (session.in(session::SessionState::kHolding))
    return {"the integrator", "its word to go on or to stop", since, kNoLimit, held};
  if (!session.in(session::SessionState::kRunning))
    return {"the integrator", "the next word of the session", since, left,
            "the test is given up here"};
  const std::string step = "step " + std::to_string(position.executed + 1);
  if (position.accepted > position.executed)
    return {"its rig", step + ", which is under way", since, left,
            "the site holds by itself where the integrator says nothing"};
  return {"the integrator", step, since, left, "the site holds by itself"};
}

std::optional<PendingWait> SiteStatus::disk_wait() const {
  if (!site_.session.in(session::SessionState::kRunning)) return parts_.end.disk_wait();
  const double since = waits_since();
  if (!parts_.steps.waits_for_disk() || since < kSlowDisk) return std::nullopt;
  const StepPosition& position = site_.position;
  return PendingWait{"the disk of the record of site " + site_.settings.name,
                     "step " +
                         std::to_string(std::max(position.accepted, position.executed)) +
                         " to be safe there, before it is driven or answered",
                     since, site_.agreed.configure.watchdog - seconds(site_.peer.silence()),
                     "the site holds by itself where the integrator says nothing"};
}

bool SiteStatus::is_noted() const noexcept {
  return site_.session.in(state_) && site_.position.executed == step_;
}

/// The age of the integrator's last message is another time.
void SiteStatus::note_wait() noexcept {
  if (is_noted()) return;
  state_ = site_.session.state();
  step_ = site_.position.executed;
  since_ = site_.peer.now();
}

double SiteStatus::waits_since() const noexcept {
  // After an operator's command no tick has noted it yet.
  return is_noted() ? seconds(site_.peer.now() - since_) : 0.0;
}

}  // namespace trestle::site_node
