#include "gateway/operator/operator_server.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "core/host/person.h"
#include "gateway/operator/operator_answer.h"
#include "gateway/operator/operator_json.h"

namespace trestle::operators {
namespace {

TimePoint monotonic() {
  return TimePoint(std::chrono::duration_cast<Duration>(
      std::chrono::steady_clock::now().time_since_epoch()));
}

std::string refusal(std::string reason) {
  OperatorReply answer;
  answer.refusal = std::move(reason);
  return write_answer(answer);
}

/// It lets equipment move, or changes what is known of it.
bool needs_person(const OperatorRequest& request) {
  return request.verb == OperatorVerb::kArm || request.verb == OperatorVerb::kConfirm ||
         request.verb == OperatorVerb::kWaive ||
         (request.verb == OperatorVerb::kRig && request.rig.acts() &&
          request.rig.action != RigRequest::Action::kEnd);
}

}  // namespace

bool is_operator(uid_t user, uid_t owner) noexcept {
  return user == owner || user == 0;
}

OperatorServer::OperatorServer(Settings settings)
    : settings_(std::move(settings)), socket_(settings_.folder), owner_(geteuid()) {
  if (!settings_.login)
    settings_.login = [](pid_t process) {
      return host::login_of(process);
    };
  // Before anything moves: those that will probably be asked for.
  name_of(owner_);
  name_of(0);
  if (const std::optional<uid_t> login = settings_.login(getpid())) name_of(*login);
  if (!settings_.clock) settings_.clock = monotonic;
  next_look_ = settings_.clock();
  callers_.reserve(settings_.callers);
}

void OperatorServer::poll(OperatorInterface& node) noexcept {
  try {
    const TimePoint now = settings_.clock();
    if (now < next_look_) return;
    next_look_ = now + settings_.poll_interval;
    look(node, now);
  } catch (const std::exception&) {
    callers_.clear();  // they see that they are not answered
  }
}

void OperatorServer::look(OperatorInterface& node, TimePoint now) {
  admit(now);
  if (callers_.empty()) return;
  for (Caller& caller : callers_) caller.connection.move_bytes(now);
  answer_later(node, now);
  serve_one(node, now);
  std::erase_if(callers_, [&](const Caller& caller) {
    return (caller.connection.done() && !caller.waits) ||
           now - caller.connection.active() > settings_.patience;
  });
}

void OperatorServer::admit(TimePoint now) {
  FileDescriptor socket = socket_.accept();
  if (!socket) return;
  const std::optional<uid_t> user = peer_user(socket);
  const std::optional<uid_t> login = settings_.login(process_behind(socket));
  OperatorConnection connection(std::move(socket), now);
  if (!user || !is_operator(*user, owner_))
    return connection.answer_and_end(
        refusal("only the user who runs this program, and root, may ask it"), now);
  if (callers_.size() >= settings_.callers)
    return connection.answer_and_end(
        refusal(std::to_string(settings_.callers) + " are asking already; try again later"),
        now);
  callers_.push_back({std::move(connection), *user, login});
}

void OperatorServer::serve_one(OperatorInterface& node, TimePoint now) {
  for (std::size_t tried = 0; tried < callers_.size(); ++tried) {
    Caller& caller = callers_[next_caller_++ % callers_.size()];
    if (caller.waits) continue;  // answers keep the order of requests
    if (const std::optional<std::string> line = caller.connection.next_line()) {
      if (std::optional<std::string> answer = answer_to(node, *line, caller))
        caller.connection.answer(std::move(*answer), now);
      return;
    }
    if (caller.connection.too_long())
      return caller.connection.answer_and_end(
          refusal("a request has at most " + std::to_string(kLongestRequest) + " bytes"),
          now);
  }
}

/// A node has at most one command whose outcome comes later.
void OperatorServer::answer_later(OperatorInterface& node, TimePoint now) {
  const auto caller = std::find_if(callers_.begin(), callers_.end(),
                                   [](const Caller& one) { return one.waits.has_value(); });
  if (caller == callers_.end()) return;
  const std::optional<std::string> outcome = node.take_outcome();
  if (!outcome) return;
  const Waiting asked = *std::exchange(caller->waits, std::nullopt);
  caller->connection.answer(write_answer(reply_to(node, asked.request, asked.by, *outcome)),
                            now);
}

const std::string& OperatorServer::name_of(uid_t user) {
  const auto found = names_.find(user);
  return found != names_.end()
             ? found->second
             : names_.emplace(user, host::account_name(user)).first->second;
}

std::optional<std::string> OperatorServer::answer_to(OperatorInterface& node,
                                                     const std::string& line,
                                                     Caller& caller) {
  const Result<OperatorRequest> request = read_request(line);
  if (!request) return refusal(request.error().detail);
  const host::Person who = host::person(
      name_of(caller.user), caller.login ? name_of(*caller.login) : std::string(),
      request.value().as);
  if (needs_person(request.value()) && !who.known)
    return refusal(
        "the kernel knows no login behind this command (a container, or a service), and "
        "the audit would not know who " +
        std::string(request.value().verb == OperatorVerb::kRig
                        ? "commanded the rig; say who you are: trestle rig"
                        : "armed; say who you are: trestle arm") +
        " ... --as NAME");
  try {
    const OperatorReply reply = execute_request(node, request.value(), who.text);
    if (!reply.later) return write_answer(reply);
    caller.waits = Waiting{request.value(), who.text};
    return std::nullopt;
  } catch (const std::exception& error) {
    return refusal(std::string("the program failed at this (") + error.what() + ")");
  }
}

}  // namespace trestle::operators
