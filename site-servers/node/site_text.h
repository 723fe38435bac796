#pragma once

#include <cstdint>
#include <string>

#include "core/types/fault.h"
#include "core/types/message.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/site_cause.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/step_refusal.h"

/// The sentences of a site's node: of causes, faults, refusals, and of what a person must
/// do.
namespace trestle::site_node::site_text {

/// Why the site holds.
std::string sentence(const SiteCause& cause, const AgreedTest& agreed);
/// A fault that trips the site, with the place of the laboratory's limit if it was met.
/// @param away  of silence: as IntegratorPeer::away()
std::string sentence(const Fault& fault, const SiteSettings& settings,
                     const AgreedTest& agreed, Duration away);
/// " at step 12, t = 0.120 s".
std::string at_step(std::int64_t step, const AgreedTest& agreed);

/// Why a step is not taken.
std::string sentence(const StepRefusal& refusal, const AgreedTest& agreed,
                     const SiteSession& session);
/// The target of a step is refused: nothing has moved, and the test cannot go on.
std::string refused_target(const Fault& fault, std::int64_t step,
                           const SiteSettings& settings, const AgreedTest& agreed);
/// Steps that were due while a real-time test did not go on, from the first to the last.
std::string executed_after_all(std::int64_t first, std::int64_t last);

/// Integrator and site speak different versions of the protocol.
std::string other_protocol(const Welcome& welcome, const SiteSettings& settings);
/// The session's state allows no other test now.
std::string busy_in_test(const SiteSession& session, const AgreedTest& agreed);
/// Behind busy_in_test(): what a person can do about such a test.
std::string integrator_silent(const std::string& site);
std::string refused_in_fault(const std::string& reason);
/// A Resume arrived in another state than HOLDING.
std::string cannot_resume(const SiteSession& session);
/// A resume of a session whose record this site does not have.
/// @param missing  as of RecordStore::missing()
std::string no_record(const std::string& missing);
/// The integrator has ended the test, and a held rig stays.
std::string left_held(const std::string& held, const std::string& why_ended,
                      const std::string& site);

/// A person's command to the rig is under way. @param doing  as of RigService
std::string rig_commanded(const std::string& doing);

/// A person's command does not fit the session's state.
std::string nothing_to_hold(const SiteSession& session);
std::string nothing_to_clear(const SiteSession& session);

/// Returns what a person must do about a latched fault.
/// @param silent  the rig's driver hangs, or has ended
/// @param asks    the site requests the drive in force from a person
std::string remedy(const Fault& fault, const SiteSettings& settings, bool silent,
                   bool asks);
/// The record has failed, which only another process of this site mends: added to the
/// fault.
std::string record_failed(const SiteSettings& settings);
/// The same where a person clears the fault. @param why  of the record: one sentence
std::string not_cleared_without_record(const SiteSettings& settings,
                                       const std::string& why);
/// The same as what a person must do.
std::string remedy_of_record(const SiteSettings& settings);
/// A person clears the fault while the safe action moves the rig.
std::string moves_still(const std::string& why);
/// A person clears the fault, and the rig has not been read yet.
/// @param within  so long the site has waited for it; zero: another command waits
std::string not_read_yet(const std::string& site, Duration within);
/// A person has cleared the fault, and its cause is still there.
std::string still_in_fault(const std::string& why, const std::string& remedy);

}  // namespace trestle::site_node::site_text
