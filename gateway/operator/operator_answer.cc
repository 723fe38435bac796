#include "gateway/operator/operator_answer.h"

#include <chrono>

#include "core/base/utc_text.h"
#include "gateway/operator/status_text.h"

namespace trestle::operators {
namespace {

std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return utc_text(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::string follow(OperatorInterface& node, const OperatorRequest& request,
                   const std::string& by) {
  switch (request.verb) {
    case OperatorVerb::kArm:
      return node.arm(by);
    case OperatorVerb::kHold:
      return node.hold(by, request.reason);
    case OperatorVerb::kResume:
      return node.resume(by);
    case OperatorVerb::kStop:
      return node.stop(by, request.reason);
    case OperatorVerb::kClear:
      return node.clear_from(by, request.drive);
    case OperatorVerb::kNote:
    case OperatorVerb::kSay:
      return node.note(by, request.note);
    case OperatorVerb::kRig:
      return node.command_rig(by, request.rig);
    case OperatorVerb::kConfirm:
      return node.confirm(by, request.reason, utc_now());
    case OperatorVerb::kWaive:
      return node.waive(by, request.item, request.reason, utc_now());
    case OperatorVerb::kStatus:
    case OperatorVerb::kWhy:
      break;
  }
  return {};
}

bool is_question(OperatorVerb verb) {
  return verb == OperatorVerb::kStatus || verb == OperatorVerb::kWhy;
}

/// The rig, or a read of it, or a site in FAULT decides whether the command was followed.
bool has_later_outcome(const OperatorRequest& request) {
  return request.verb == OperatorVerb::kClear || request.verb == OperatorVerb::kResume ||
         (request.verb == OperatorVerb::kRig &&
          request.rig.action != RigRequest::Action::kContinue &&
          request.rig.action != RigRequest::Action::kEnd);
}

std::string told_of_rig(const NodeStatus& standing, const OperatorRequest& request,
                        const std::string& by) {
  std::string text = standing.node + " was told rig " +
                     std::string(name(request.rig.action)) + " by " + by;
  if (!standing.commanded) return text;
  const RigReport& rig = *standing.commanded;
  return text + "; " + (rig.outcome.empty() ? "the rig " + rig.state : rig.outcome);
}

std::string told(const NodeStatus& standing, const OperatorRequest& request,
                 const std::string& by) {
  if (request.verb == OperatorVerb::kNote)
    return "noted by " + by + " in the record of " + standing.node + ": " +
           request.note.text;
  if (request.verb == OperatorVerb::kSay)
    return "said to all by " + by + ": " + request.note.text;
  if (request.verb == OperatorVerb::kRig) return told_of_rig(standing, request, by);
  if (request.verb == OperatorVerb::kConfirm)
    return "confirmed by " + by + ": " + request.reason;
  if (request.verb == OperatorVerb::kWaive)
    return "waived by " + by + ": " + request.item + " (" + request.reason + ")";
  const bool one_of_two =
      standing.arming &&
      static_cast<int>(standing.arming->armed_by.size()) < standing.arming->words;
  if (request.verb == OperatorVerb::kArm && one_of_two)
    return by + " armed; nothing moves before a second person arms, too: trestle arm";
  if (request.verb == OperatorVerb::kResume && one_of_two)
    return by +
           " resumed; nothing moves before a second person resumes, too: trestle resume";
  std::string text =
      standing.node + " was told to " + std::string(name(request.verb)) + " by " + by;
  if (!request.reason.empty()) text += " (" + request.reason + ")";
  return text + "; it is " + format_brief_status(standing);
}

}  // namespace

OperatorReply execute_request(OperatorInterface& node, const OperatorRequest& request,
                              const std::string& by) {
  OperatorReply answer = reply_to(node, request, by, follow(node, request, by));
  answer.later =
      answer.refusal.empty() && has_later_outcome(request) && node.command_under_way();
  return answer;
}

OperatorReply reply_to(const OperatorInterface& node, const OperatorRequest& request,
                       const std::string& by, const std::string& outcome) {
  OperatorReply answer;
  answer.refusal = outcome;
  answer.standing = node.status();
  if (request.verb == OperatorVerb::kWhy) answer.why = why(*answer.standing);
  if (answer.refusal.empty() && !is_question(request.verb))
    answer.said = told(*answer.standing, request, by);
  return answer;
}

}  // namespace trestle::operators
