#include "numerical/node/recorded_stop.h"

#include <optional>

#include "core/session/stop_on_record.h"

namespace trestle::integrator_node {

std::string recorded_stop(const std::vector<AuditEntry>& audit) {
  const std::optional<AuditEntry> stop = session::stop_on_record(audit);
  if (!stop) return {};
  return "stopped by " + stop->who + (stop->text.empty() ? "" : ": " + stop->text);
}

}  // namespace trestle::integrator_node
