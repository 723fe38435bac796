// The part of IntegratorNode that keeps its record, and arms with it.
#include <algorithm>
#include <exception>

#include "core/session/audit_words.h"
#include "core/session/channel_names.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
Recorder::Streams IntegratorNode::make_accounts() {
  std::vector<AccountedSite> sites;
  for (const SitePeer& peer : peers_)
    sites.push_back({peer.name(), peer.agreement.layout, peer.agreement.actuators,
                     peer.expected().noise});
  const int latency = settings_.pace.latency_steps;
  const int pending = latency + static_cast<int>(rules_.late_rows);
  account_ =
      std::make_unique<StepAccount>(sites, substructure_, settings_.time_step, pending);
  criteria_ = std::make_unique<CriteriaAccount>(
      sites, substructure_.channels(), settings_.responses, settings_.steps, latency,
      settings_.synchronisation,
      rules_.timeless ? CriteriaAccount::Pairing::kOwnAnswer
                      : CriteriaAccount::Pairing::kReadAtIssue);
  std::vector<std::string> names;
  for (const SitePeer& peer : peers_) names.push_back(peer.name());
  ledger_ = std::make_unique<DelayLedger>(names, static_cast<std::size_t>(latency) + 1);
  Channels answers;
  for (const SitePeer& peer : peers_)
    for (const InterfaceDof& dof : peer.agreement.layout) {
      const std::string prefix = peer.name() + "." + dof.name;
      if (dof.role == DofRole::kControlled)
        answers.push_back(motion_channel(prefix, "measured", dof.kind));
      answers.push_back(force_channel(prefix, dof.kind));
    }
  answer_row_.assign(answers.size(), 0.0);
  Recorder::Streams streams{{"intent", account_->intent_channels()},
                            {"result", account_->result_channels()},
                            {"opening", account_->opening_channels()},
                            {"answer", answers}};
  // Lock-step under the virtual clock takes no time that could be accounted for.
  const bool timed = rules_.timed_loop || !settings_.pace.virtual_clock;
  if (timed) streams.emplace_back("ledger", ledger_->channels());
  return streams;
}

void IntegratorNode::record_into(const std::vector<StepSink*>& sinks) {
  resumed_intent_.follow(*sinks[0], recorded_);
  resumed_result_.follow(*sinks[1], written_);
  account_->record_into(resumed_intent_, resumed_result_);
  opening_sink_ = sinks[2];
  answer_sink_ = sinks[3];
  ledger_sink_ = sinks.size() > 4 ? sinks[4] : nullptr;
  recording_ = true;
}

void IntegratorNode::open_record() {
  const Recorder::Streams streams = make_accounts();
  std::string sites;
  for (const SitePeer& peer : peers_) sites += (sites.empty() ? "" : ",") + peer.name();
  RecordFacts facts{{"node", "integrator"},
                    {"test", settings_.test},
                    {"mode", name(settings_.mode)},
                    {"software", settings_.software},
                    {"model", settings_.model},
                    {"time_step_s", exact_text(settings_.time_step)},
                    {"sites", sites},
                    {"steps_planned", std::to_string(settings_.steps)}};
  for (const SitePeer& peer : peers_) {
    facts.emplace_back("actuators." + peer.name(), text_of(peer.agreement.actuators));
    facts.emplace_back("contract." + peer.name(), peer.agreement.contract);
  }
  record_into(recorder_.open(settings_.session, facts, streams));
}

void IntegratorNode::arm() {
  if (const std::string why = refusal_to_arm(); !why.empty())
    return end(RunResult::kRefused, why);
  if (settings_.resume) return take_up_record();
  try {
    open_record();
  } catch (const std::exception& error) {
    return end(RunResult::kStopped,
               std::string("the record cannot be kept: ") + error.what());
  }
  for (const SitePeer& peer : peers_) {
    const std::string from = "bus: " + peer.name();
    recorder_.audit(audit_configured("integrator", from, peer.agreement.contract_hash));
    for (const std::string& line : peer.agreement.tightened)
      recorder_.audit(audit_limit(peer.name(), from, line));
  }
  const std::string& by = armed_by_.empty() ? settings_.by : armed_by_;
  if (settings_.insecure)
    recorder_.audit(audit_insecure(by.empty() ? "integrator" : by, "test file"));
  if (!settings_.unstable.empty()) {
    recorder_.event(0, "warning", "armed although " + settings_.unstable);
    recorder_.audit(audit_override(by.empty() ? "integrator" : by, "test file",
                                   "arming.allow_unstable", settings_.unstable));
  }
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog)
      recorder_.audit(audit_override(
          by.empty() ? "integrator" : by, "test file", "arming.without_hardware_watchdog",
          "nothing stops the rig of " + peer.name() + " when its server dies"));
  for (const SitePeer& peer : peers_)
    recorder_.audit(audit_armed(by.empty() ? "integrator" : by,
                                armed_by_.empty() ? "terminal" : "operator channel",
                                peer.agreement.contract_hash));
  substructure_.prepare();
  barrier_.open(kOpeningStep);
  phase_ = Phase::kOpening;
  for (SitePeer& peer : peers_) peer.ordered(now_);
  // The operator took his time; from now on it is the sites that are waited for.
  if (!armed_by_.empty()) deadline_.set(now_, settings_.connect);
  deadline_.limit(now_, longest_wait(settings_.connect));
  for (SitePeer& peer : peers_) peer.send(arm_message(peer), now_);
}

/// What is used now is what a replay will use.
bool IntegratorNode::keep_answers() noexcept {
  double* out = answer_row_.data();
  for (const SiteAnswer& answer : barrier_.answers()) {
    for (Eigen::Index i = 0; i < answer.measured.size(); ++i) {
      *out++ = answer.measured[i];
      *out++ = answer.force[i];
    }
    for (Eigen::Index i = answer.measured.size(); i < answer.force.size(); ++i)
      *out++ = answer.force[i];
  }
  return answer_sink_->push({step_, answer_row_});
}

void IntegratorNode::fail_record() {
  fail(RunResult::kStopped,
       recorder_.failed() ? recorder_.failure()
                          : "the record lost a row at step " + std::to_string(step_) +
                                "; it came too fast",
       "integrator", Fault{FaultKind::kJournal, -1, 0.0, 0.0});
}

}  // namespace trestle
