#include "site-servers/node/equipment_signals.h"

namespace trestle::site_node {

void EquipmentSignals::update() {
  using session::SessionState;
  const SiteSession& session = site_.session;
  const bool leaving = session.flags().leaving;
  SiteSignals signals;
  signals.ready = !session.in(SessionState::kFault) && !leaving && !site_.loop.hangs();
  // A site in FAULT moves its rig by its safe action, and one that is armed by its checks.
  const bool acts = session.in(SessionState::kFault) && session.live() &&
                    !session.clearing() && !site_.loop.at_rest();
  const bool driven = session.in(SessionState::kRunning) && !leaving;
  signals.running = driven || session.in(SessionState::kStopping) || acts ||
                    site_.loop.checking() || service_.under_way();
  if (told_ == signals) return;
  told_ = signals;
  site_.rig.equipment().report(signals);
}

}  // namespace trestle::site_node
