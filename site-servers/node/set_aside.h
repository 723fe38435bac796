#pragma once

#include <string>

#include "core/types/rig_report.h"
#include "site-servers/node/rig_diary.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// By a person's command, ends a test that was cut off and whose integrator does not come
/// back: it cannot be resumed any longer, and the rig may be moved. Its record stays whole,
/// and is ended with the person in its audit; the diary of the rig has the act before.
/// @param diary   of the rig
/// @param report  receives the outcome
/// @returns one sentence: why not, and nothing changed; empty: done
/// @pre no session is live, and nothing else acts on the rig
std::string set_test_aside(const SiteParts& site, RigDiary& diary, const std::string& by,
                           RigReport& report);

/// The commands that end a test that was cut off here: a clause. The site does not know
/// whether the test has ended at its integrator.
/// @param site  its name
std::string way_to_end(const InterruptedSession& past, const std::string& site);
/// The end of such a clause: "; if it has ended there, ...".
std::string if_ended_there(const std::string& site);

}  // namespace trestle::site_node
