#include "site-servers/node/equipment_signals.h"

namespace trestle::site_node {

void EquipmentSignals::update() {
  using session::SessionState;
  const SiteSession& session = site_.session;
  SiteSignals signals;
  signals.ready =
      !session.in(SessionState::kFault) && !session.flags().leaving && !site_.loop.hangs();
  const bool driven =
      session.in(SessionState::kRunning) || session.in(SessionState::kStopping);
  signals.running = signals.ready && (driven || service_.under_way());
  if (told_ == signals) return;
  told_ = signals;
  site_.rig.equipment().report(signals);
}

}  // namespace trestle::site_node
