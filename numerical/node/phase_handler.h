#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/types/message.h"
#include "numerical/node/run_cause.h"
#include "numerical/node/run_parts.h"

namespace trestle::integrator_node {

/// The request of a phase to the coordinator.
struct PhaseChange {
  Trigger trigger = Trigger::kNone;
  std::optional<RunCause> cause = {};  ///< of a hold, a failure or an end
  Phase from = Phase::kConnecting;     ///< the coordinator says it on entering
};

/// Handles one phase of a test, or a few related ones. A handler knows no other handler: it
/// returns a trigger, and the table in phase.h determines the next phase.
///
/// A phase overrides the messages that it handles and ignores the others. `site` is an
/// index in the test. Thread: the node's.
class PhaseHandler {
 public:
  virtual ~PhaseHandler() = default;
  PhaseHandler(const PhaseHandler&) = delete;
  PhaseHandler& operator=(const PhaseHandler&) = delete;

  /// The phase begins. @param change  how it came to that
  virtual PhaseChange enter(const PhaseChange& change) = 0;
  /// Does what can be done by now.
  virtual PhaseChange advance() = 0;
  /// The deadline has passed.
  virtual PhaseChange expired() = 0;

  /// Returns the message that the phase still awaits from this site.
  virtual Awaited awaited(std::size_t site) const noexcept = 0;
  /// Repeats the message that the site has not answered. @returns false: no message is open
  virtual bool resend(std::size_t site) = 0;
  /// Returns true if advance() has more work, without any event.
  virtual bool busy() const noexcept { return false; }
  /// Returns when advance() has work without any event; max: unknown.
  virtual TimePoint due() const noexcept { return TimePoint::max(); }

  // Messages of this session, and those by which a site requests one.
  virtual PhaseChange hello(std::size_t /*site*/, const Hello& /*hello*/) { return {}; }
  virtual PhaseChange configured(std::size_t /*site*/, const Configured& /*message*/) {
    return {};
  }
  virtual PhaseChange armed(std::size_t /*site*/, const Armed& /*message*/) { return {}; }
  /// @param cause  with a SiteRefused
  virtual PhaseChange refused(std::size_t /*site*/, RunCause /*cause*/) { return {}; }
  virtual PhaseChange busy_elsewhere(std::size_t /*site*/, const Busy& /*busy*/) {
    return {};
  }
  virtual PhaseChange heard(std::size_t /*site*/, const Heartbeat& /*beat*/) { return {}; }
  virtual PhaseChange resumed(std::size_t /*site*/, const Resumed& /*message*/) {
    return {};
  }
  virtual PhaseChange stopped(std::size_t /*site*/, const Stopped& /*message*/) {
    return {};
  }
  virtual PhaseChange answered(std::size_t /*site*/, const StepResponse& /*response*/) {
    return {};
  }

  /// No site owes the phase anything.
  bool is_idle() const noexcept;
  /// All that the sites owe.
  std::vector<SiteWait> waits() const;
  void update_pending_waits() noexcept;

 protected:
  explicit PhaseHandler(const RunParts& run) : run_(run) {}

  const RunParts& run() const noexcept { return run_; }
  SitePeer& peer(std::size_t site) const noexcept { return run_.peers[site]; }

  /// Stops waiting for silent sites: they still get Halt and Stop, but no second wait.
  void give_up_silent_sites() noexcept;
  /// That is a failure. @param step  whose answers are missing
  PhaseChange overdue(std::optional<std::int64_t> step, Duration waited);
  /// They count as away, and the others hold until they are back. @param step  as above
  PhaseChange hold_for_silent_sites(std::optional<std::int64_t> step);
  /// An answer to the initial measurement or to a step.
  PhaseChange accept(std::size_t site, const StepResponse& response);
  /// The digest of a site's audit, as it came. Empty: it has none.
  void audit_digest(std::size_t site, const std::string& digest);

 private:
  RunParts run_;
};

}  // namespace trestle::integrator_node
