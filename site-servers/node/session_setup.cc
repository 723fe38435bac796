#include "site-servers/node/session_setup.h"

#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/session/audit_actions.h"
#include "core/session/session_contract.h"
#include "core/types/session_id_text.h"
#include "site-servers/checks/startup_checks.h"
#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/limit_merge.h"
#include "site-servers/node/rig_tare.h"
#include "site-servers/node/set_aside.h"
#include "site-servers/node/site_description.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

std::string SessionSetup::refusal_of(const Configure& message) const {
  const SiteSession& session = site_.session;
  if (session.in(session::SessionState::kFault))
    return site_text::refused_in_fault(session.reason());
  // A simulated rig breaks nothing when a test whose integrator went away is given up.
  const bool may_drop = !site_.rig.real() && (session.in(session::SessionState::kHolding) ||
                                              session.in(session::SessionState::kArmed));
  if (session.active() && !may_drop)
    return site_text::busy_in_test(session, site_.agreed) +
           (session.live() && session.silent()
                ? site_text::integrator_silent(site_.settings.name)
                : std::string());
  if (site_.loop.checking())
    return "it looks at its rig (start-up checks) for test " + site_.agreed.configure.test +
           "; ask again when that is over";
  if (std::string why = rig_is_kept(); !why.empty()) return why;
  return refusal_of_test(message, site_.settings, site_.rig.description(),
                         site_.rig.guard().accelerations().size());
}

/// After a restart, as in the process before it: real equipment stays where a test that was
/// cut off has left it, until a person resumes that test or ends it.
std::string SessionSetup::rig_is_kept() const {
  const std::optional<InterruptedSession>& past = site_.session.interrupted();
  // Without a diary of the rig no command could end it here.
  if (!past || !past->aimed() || !site_.rig.real() || !site_.settings.earlier.diary)
    return {};
  return "a test was cut off here at step " + std::to_string(past->at_step()) +
         ", and the rig is kept for it; before another test begins, " +
         way_to_end(*past, site_.settings.name);
}

bool SessionSetup::sets_up(const Configure& message) const {
  return (!site_.loop.exists() || message.session != site_.agreed.configure.session) &&
         refusal_of(message).empty();
}

void SessionSetup::configure(const Configure& message) {
  if (site_.loop.exists() && message.session == site_.agreed.configure.session) {
    // The same again: the same answer, and nothing is set up twice.
    if (site_.session.live() && site_.session.is_current(message.session))
      site_.peer.say(site_.agreed.configured);
    return;
  }
  const std::string why = refusal_of(message);
  if (!why.empty()) return site_.notes.refuse(why);
  try {
    begin(message);
  } catch (const std::exception& error) {
    site_.session.end();  // also one that was agreed on, and whose loop does not begin
    site_.loop.finish();
    site_.loop.drop();
    site_.record.close();
    site_.session.set_reason(error.what());
    site_.notes.refuse(site_.session.reason());
  }
}

void SessionSetup::begin(const Configure& message) {
  agree(message);
  // Whether the start-up checks fit the limits that hold is told now, not at the arming.
  if (site_.settings.start_checks.any())
    static_cast<void>(checks::StartupChecks(site_.settings.start_checks,
                                            site_.agreed.configured.limits,
                                            site_.agreed.actuators, site_.agreed.tick()));
  SiteSession& session = site_.session;
  const std::optional<InterruptedSession> left =
      std::exchange(session.interrupted(), std::nullopt);
  site_.record.open(message, record_schema(), site_.agreed.configured.contract,
                    site_.settings.software);
  make_loop();
  site_.position.executed = kInitialStep;
  site_.position.ticks = 0;
  session.set_reason({});
  session.begin();
  session.move(session::SessionState::kConfigured);
  // For the person who asks later what moved the rig before.
  if (left && left->aimed())
    site_.note("state", "CONFIGURED beside a test that was cut off at step " +
                            std::to_string(left->at_step()) +
                            " and not set aside: its record is " + to_hex(left->session));
  audit();
  site_.peer.say(site_.agreed.configured);
  parts_.arming.begin_readings();
}

void SessionSetup::audit() const {
  const SiteSettings& settings = site_.settings;
  const AgreedTest& agreed = site_.agreed;
  SiteRecorder& record = site_.record;
  record.audit(
      session::audit_configured("integrator", "bus: integrator", agreed.contract_hash));
  if (settings.insecure) record.audit(session::audit_insecure(settings.name, "site file"));
  for (const std::string& line : agreed.configured.tightened_limits)
    record.audit(session::audit_limit(settings.name, "site file", line));
  const std::string missing = missing_limits(agreed.configured.limits, agreed.actuators);
  if (site_.rig.real() && settings.without_limits && !missing.empty())
    record.audit(session::audit_override(settings.without_limits->by, "site file",
                                         "arming.without_limits",
                                         missing + "; " + settings.without_limits->reason));
  parts_.service.hand_over();
}

void SessionSetup::agree(const Configure& message) {
  AgreedTest& agreed = site_.agreed;
  const ControlChainFactory& chain = *site_.settings.control_chain;
  site_.session.connect_again();
  site_.session.end();
  site_.loop.finish();
  parts_.steps.close();  // of a held test that another one takes the site from
  site_.record.close();
  site_.loop.drop();
  agreed.configure = message;
  agreed.rules = rules_named(message.mode);
  site_.position.ticks = 0;
  site_.peer.comparison().restart();
  site_.peer.comparison().use_system_clocks(message.pace.system_clock);
  std::vector<std::string> tightened;
  RigLimits limits = agree_on_limits(message, tightened);
  const int count = static_cast<int>(agreed.actuators.size());
  compensator_ = chain.make_compensator(message.compensator, count, agreed.tick());
  controller_ = chain.make_controller(message.controller, count, agreed.tick());
  parts_.readiness.prepare();
  agreed.configured = {message.session,
                       agreed.layout,
                       agreed.actuators,
                       std::move(limits),
                       std::move(tightened),
                       {},
                       site_.rig.description().extra,
                       site_.settings.start_checks.checklist,
                       rest_bounds()};
  session::ContractEntries stated = site_.settings.stated;
  for (auto& entry : tare_entries(site_.rig.tare())) stated.push_back(std::move(entry));
  agreed.configured.contract = session::contract_text(
      describe_site(site_.settings, site_.rig.description()), message, agreed.configured,
      {chain.format_compensator(message.compensator),
       chain.format_controller(message.controller), std::move(stated)});
  agreed.contract_hash = session::contract_hash(agreed.configured.contract);
  parts_.arming.reset();
  site_.session.flags().left_held = false;
}

/// Those of the start-up checks, on displacements, then on forces.
std::vector<double> SessionSetup::rest_bounds() const {
  std::vector<double> bounds;
  const std::size_t actuators = site_.agreed.actuators.size();
  for (const std::vector<double>* each : {&site_.settings.start_checks.zero_displacement,
                                          &site_.settings.start_checks.zero_force})
    for (std::size_t i = 0; i < actuators; ++i)
      bounds.push_back(i < each->size() ? (*each)[i]
                                        : std::numeric_limits<double>::infinity());
  return bounds;
}

/// The tighter ones of both ends.
RigLimits SessionSetup::agree_on_limits(const Configure& message,
                                        std::vector<std::string>& tightened) {
  const SiteSettings& settings = site_.settings;
  AgreedTest& agreed = site_.agreed;
  agreed.actuators = describe_actuators(site_.rig.description().actuators, message.layout,
                                        *settings.loading_frame);
  agreed.layout = merge_limits(message.layout, apply_site_limits(settings, message.layout),
                               &tightened, settings.limit_place);
  RigLimits limits = merge_limits(message.limits, settings.limits, &tightened,
                                  kinds_of(agreed.actuators), settings.limit_place);
  limits.resize(agreed.actuators.size());
  if (site_.rig.real())
    if (const std::string why =
            refusal_without_limits(limits, agreed.actuators, settings.without_limits);
        !why.empty())
      throw std::runtime_error(why);
  limit_rates_to_actuators(limits, *settings.loading_frame, agreed.layout);
  return limits;
}

void SessionSetup::make_loop() {
  site_.loop.make(std::move(compensator_), std::move(controller_));
  parts_.steps.begin();
}

void SessionSetup::abandon(const std::string& why) {
  site_.loop.finish();
  site_.loop.drop();
  site_.session.set_reason(why);
  site_.notes.refuse(why);
}

SiteSchema SessionSetup::record_schema() const {
  const AgreedTest& agreed = site_.agreed;
  Channels extra = site_.rig.description().extra;
  if (site_.settings.ticks.coefficients)
    for (const ActuatorDescription& actuator : agreed.actuators)
      for (const Channel& each : compensator_->coefficient_channels())
        extra.push_back({actuator.name + "." + each.name, each.unit});
  SiteSchema schema(site_.settings.name, agreed.layout, agreed.actuators, extra);
  if (site_.rig.real()) schema.add_drives(agreed.actuators);
  return schema;
}

}  // namespace trestle::site_node
