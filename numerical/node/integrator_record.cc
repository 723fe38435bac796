// The part of IntegratorNode that keeps its record, and arms with it.
#include <algorithm>
#include <exception>

#include "core/session/audit_words.h"
#include "core/session/channel_names.h"
#include "numerical/node/integrator_node.h"

namespace trestle {
Recorder::Streams IntegratorNode::make_accounts() {
  const int latency = settings_.pace.latency_steps;
  const int pending = latency + static_cast<int>(rules_.late_rows);
  account_ =
      std::make_unique<StepAccount>(links_, substructure_, settings_.time_step, pending);
  criteria_ = std::make_unique<CriteriaAccount>(
      links_, substructure_.channels(), settings_.responses, settings_.steps, latency,
      settings_.synchronisation,
      rules_.timeless ? CriteriaAccount::Pairing::kOwnAnswer
                      : CriteriaAccount::Pairing::kReadAtIssue);
  std::vector<std::string> names;
  for (const SiteLink& link : links_) names.push_back(link.expected.name);
  ledger_ = std::make_unique<DelayLedger>(names, static_cast<std::size_t>(latency) + 1);
  Channels answers;
  for (const SiteLink& link : links_)
    for (const InterfaceDof& dof : link.layout) {
      const std::string prefix = link.expected.name + "." + dof.name;
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
  for (const SiteLink& link : links_)
    sites += (sites.empty() ? "" : ",") + link.expected.name;
  RecordFacts facts{{"node", "integrator"},
                    {"test", settings_.test},
                    {"mode", name(settings_.mode)},
                    {"software", settings_.software},
                    {"model", settings_.model},
                    {"time_step_s", exact_text(settings_.time_step)},
                    {"sites", sites},
                    {"steps_planned", std::to_string(settings_.steps)}};
  for (const SiteLink& link : links_) {
    facts.emplace_back("actuators." + link.expected.name, text_of(link.actuators));
    facts.emplace_back("contract." + link.expected.name, link.contract);
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
  for (const SiteLink& link : links_) {
    const std::string from = "bus: " + link.expected.name;
    recorder_.audit(audit_configured("integrator", from, link.contract_hash));
    for (const std::string& line : link.tightened)
      recorder_.audit(audit_limit(link.expected.name, from, line));
  }
  const std::string& by = armed_by_.empty() ? settings_.by : armed_by_;
  if (settings_.insecure)
    recorder_.audit(audit_insecure(by.empty() ? "integrator" : by, "test file"));
  if (!settings_.unstable.empty()) {
    recorder_.event(0, "warning", "armed although " + settings_.unstable);
    recorder_.audit(audit_override(by.empty() ? "integrator" : by, "test file",
                                   "arming.allow_unstable", settings_.unstable));
  }
  for (const SiteLink& link : links_)
    if (link.real_equipment && !link.description.hardware_watchdog)
      recorder_.audit(audit_override(
          by.empty() ? "integrator" : by, "test file", "arming.without_hardware_watchdog",
          "nothing stops the rig of " + link.expected.name + " when its server dies"));
  for (const SiteLink& link : links_)
    recorder_.audit(audit_armed(by.empty() ? "integrator" : by,
                                armed_by_.empty() ? "terminal" : "operator channel",
                                link.contract_hash));
  substructure_.prepare();
  barrier_.open(kOpeningStep);
  phase_ = Phase::kOpening;
  for (SiteLink& link : links_) link.arm_sent = now_;
  // The operator took his time; from now on it is the sites that are waited for.
  if (!armed_by_.empty()) deadline_.set(now_, settings_.connect);
  deadline_.limit(now_, longest_wait(settings_.connect));
  for (std::size_t site = 0; site < links_.size(); ++site) {
    transport_.send(static_cast<int>(site), SessionMessage{arm_message(links_[site])});
    links_[site].sent = now_;
  }
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
