#pragma once

#include <string>
#include <vector>

#include "numerical/node/operator_commands.h"
#include "numerical/node/phase.h"
#include "numerical/node/run_cause.h"
#include "numerical/node/run_parts.h"

/// All sentences of the integrator node.
namespace trestle::integrator_node::run_text {

/// "RUNNING": more phases than one have the same name.
const char* name(Phase phase) noexcept;
/// Returns what happens when the present wait expires.
const char* consequence(const RunParts& run) noexcept;

/// Why the test holds or ends; empty if it is complete.
std::string sentence(const RunCause::Why& why, const std::vector<SiteSpecification>& sites);
/// @param why  the test ends, or cannot continue
std::string sentence(CommandRefusal refusal, Phase phase, const std::string& why);

/// "answer of site east (tcp://lab-east:7001), ...", or empty.
std::string waits(const std::vector<SiteWait>& waits,
                  const std::vector<SiteSpecification>& sites);
/// Returns the known bounds of the clocks, if they are too large; otherwise empty.
std::string clocks(const RunParts& run);
/// "the word to go on (trestle resume) ...".
/// @param persons  ", of two persons"; empty: one is enough
std::string word_to_continue(const SitePeers& peers, const std::string& persons);
/// What is left to the operator if a site refused a target.
std::string word_to_end();
/// Where this process cannot go on: first comes its end.
/// @param why  no_return()
/// What helps where a site has no record of the session.
std::string record_to_bring_back(const std::string& site);
/// What comes when a site is back for which a person's resume waits.
std::string resume_waits(const std::string& by);
std::string word_to_end_process(const RunParts& run);
/// During a hold: whether all rigs hold, by the last reports of their sites: "holds",
/// "asked to hold"; empty if no hold was requested, or if a site does not report it.
std::string rigs(const RunParts& run);
/// The same as a clause; may be empty.
std::string how_held(const RunParts& run);
/// Rigs that hold after the end, as no person ended the test; or empty.
std::string rigs_kept_held(const SitePeers& peers);
/// Sites that did not bring their rig to its safe position, as they were started again; or
/// empty. @param can_resume  a resume ends the test at these sites
std::string sites_started_again(const SitePeers& peers, bool can_resume);
/// What a person does with a site in FAULT.
std::string fault_to_clear(const std::string& site);
/// The same for a site that has ended the test.
std::string over_in_fault(const std::string& site, bool alone);
/// Sites that are in FAULT, one sentence each.
std::vector<std::string> sites_in_fault(const SitePeers& peers);

/// Why real equipment is not armed, or empty: an unstable loop may be rehearsed, but not
/// with it.
std::string refusal_to_arm(const RunParts& run);
/// Formats the refusal of a site that has no record to resume from.
std::string without_record(const SiteSpecification& site);
/// A site was told to stop, by an integrator that died then or by a person there: no resume
/// continues the test. @param alone  no other site with a server may still
/// hold its rig
std::string over_at_site(const std::string& site, std::int64_t last_step, bool alone);
/// What a person does where not all sites were heard when the test ended; empty: they were.
std::string sites_to_stop(const SitePeers& peers);
std::string busy_site(const SiteSpecification& site, const Busy& busy);
/// This process cannot continue. @param why  a sentence
std::string no_return(const RunParts& run, const std::string& why);
/// A person requested to continue, and the clock offsets are not known.
std::string cannot_continue(const std::string& by, const std::string& clocks);
std::string row_lost_at_end();
/// A disk has not taken the end of a record in time.
/// @param disk    "the disk of runs/frame/journal.db"
/// @param waited  [s]
std::string disk_overdue(const std::string& disk, double waited);

}  // namespace trestle::integrator_node::run_text
