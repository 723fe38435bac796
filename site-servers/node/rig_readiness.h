#pragma once

#include <memory>
#include <optional>
#include <string>

#include "site-servers/node/rig_preparation.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Prepares the rig for a test. Real equipment may need time, or may not answer at all: the
/// preparation runs on a separate thread, while the node serves its messages. The Configure
/// that requested it is handled when it is done.
class RigReadiness {
 public:
  RigReadiness(const SiteParts& site, SiteHeartbeats& heartbeats)
      : site_(site), heartbeats_(heartbeats) {}

  /// Returns true while the preparation runs.
  bool under_way() const noexcept { return preparation_ != nullptr; }
  /// Begins, or refuses, if the rig must get ready for this message first.
  /// @param sets_up  the message sets the rig up again, if nothing speaks against it
  /// @returns whether the message may be handled now
  bool is_ready_for(const Configure& message, bool sets_up);
  /// The message may be handled now: it is ready for no other.
  void begin_handling(const Configure& message) { ready_for_ = message.session; }
  void end_handling() noexcept { ready_for_.reset(); }

  /// @pre under_way()
  /// @param due  when to look again
  /// @returns the message that it was for, once that is done; nothing: it is not, or the
  /// test was given up
  std::optional<Configure> poll(TimePoint& due);

  /// Before a test is set up: waits for a rig that does not wait for equipment.
  /// @throws std::runtime_error  the rig cannot run
  void prepare();
  /// Returns the first reading of the rig; reads it if necessary.
  const RigFound& found();

  /// The integrator has ended the test before the rig was ready.
  void give_up(const SessionId& session) noexcept;
  /// Ends the preparation by a person's command; informs the integrator why no test begins.
  /// @returns whether the rig was getting ready
  bool give_up(const std::string& why);
  /// Returns the test for which the rig is prepared. @pre under_way()
  const std::string& test() const noexcept { return awaited_->test; }

 private:
  void begin(const Configure& message);

  SiteParts site_;
  SiteHeartbeats& heartbeats_;
  std::unique_ptr<RigPreparation> preparation_;  // under way
  std::optional<Configure> awaited_;             // the message that it is for
  std::optional<SessionId> ready_for_;           // it is done, and this is handled now
  std::string problem_;                          // of the last one
  std::optional<RigFound> found_;                // by the same
  bool given_up_ = false;                        // the test that it is for
};

}  // namespace trestle::site_node
