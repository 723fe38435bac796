#pragma once

#include <functional>
#include <optional>
#include <string>

#include "composition/processes/stop_signals.h"
#include "core/ports/node.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Runs a site's node from one session to the next, or until one has ended. A signal never
/// ends a test: it holds the rig and informs the integrator (docs/howto/operate-a-test.md).
class InterruptibleSite final : public Node {
 public:
  using Say = std::function<void(const std::string&)>;

  /// @param person  name that the person gave; may be empty
  /// @param once    end after one session
  /// @param say     receives the sentences for the person at the site
  InterruptibleSite(site_node::SiteNode& site, std::string person, bool once, Say say);

  TimePoint tick(TimePoint now) override;
  bool finished() const noexcept override { return gone_; }

 private:
  void follow_signals(TimePoint now);
  bool stays(const AskedBySignal& asked);
  void leave(const SignalWord& word, TimePoint now);

  site_node::SiteNode& site_;
  std::string person_;
  bool once_;
  Say say_;
  bool told_ = false;  // what a second Ctrl-C means
  std::optional<SignalWord> last_word_;
  TimePoint leave_at_ = TimePoint::max();
  bool gone_ = false;
};

}  // namespace trestle::composition
