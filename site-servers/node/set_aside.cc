#include "site-servers/node/set_aside.h"

#include <exception>

#include "core/session/audit_actions.h"
#include "core/types/session_id_text.h"

namespace trestle::site_node {
std::string way_to_end(const InterruptedSession& past, const std::string& site) {
  return "resume it where it is conducted (trestle resume RUN-FOLDER)" +
         (past.stopped ? ", which ends it: it was stopped by " + past.stopped->who
                       : ", and end it there (trestle stop RUN-FOLDER)") +
         if_ended_there(site);
}

std::string if_ended_there(const std::string& site) {
  return "; if it has ended there, its integrator or a record is lost, or its resume is "
         "refused for good: trestle rig set-aside " +
         site + ", then trestle rig home " + site + " --rate ... --force ...";
}

std::string set_test_aside(const SiteParts& site, RigDiary& diary, const std::string& by,
                           RigReport& report) {
  std::optional<InterruptedSession>& past = site.session.interrupted();
  if (!past) return "no test was cut off here; there is nothing to set aside";
  const std::string test = "the test of session " + to_hex(past->session) +
                           ", cut off at step " + std::to_string(past->at_step());
  try {
    // What the next process and the next record tell of the rig, whatever becomes of this.
    diary.keep(
        session::audit_rig(by, session::kOperatorChannel, test + ": to be set aside"));
    site.record.set_aside(
        past->session,
        session::audit_stopped(by, session::kOperatorChannel, session::kSetAside));
  } catch (const std::exception& error) {
    return test + ", is not set aside: " + error.what();
  }
  // Motions and the next test begin from it: from the measured position they would begin
  // with a step of the servo's offset. A drive that is known already is a later one.
  if (past->drive && (past->told || !site.loop.stood())) site.loop.set_stood(past->drive);
  past.reset();
  site.session.set_reason({});
  report = {.action = "set-aside",
            .by = by,
            .state = "over",
            .done = true,
            .outcome = test + ", is set aside: it cannot be resumed any longer"};
  return {};
}

}  // namespace trestle::site_node
