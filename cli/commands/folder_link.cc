#include "cli/commands/folder_link.h"

#include <chrono>
#include <exception>
#include <utility>

#include "cli/commands/note_writer.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/status_text.h"

namespace trestle::cli {
namespace {

constexpr auto kBetweenAsking = std::chrono::milliseconds(250);
constexpr Duration kPatienceForStatus = std::chrono::seconds(1);
constexpr Duration kPatienceForCommand = std::chrono::seconds(5);
constexpr std::size_t kMostCommands = 16;

}  // namespace

FolderLink::FolderLink(std::string folder, std::string person)
    : folder_(std::move(folder)), person_(std::move(person)) {
  ask();
  thread_ = std::thread([this] { serve(); });
}

FolderLink::~FolderLink() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

web::NodeAnswer FolderLink::newest() {
  const std::lock_guard lock(mutex_);
  wanted_ = true;
  return answer_;
}

void FolderLink::command(const web::PageCommand& command) {
  const std::lock_guard lock(mutex_);
  if (commands_.size() >= kMostCommands) {
    outcomes_.push_back({command.client, command.verb, "too many commands at once"});
    return;
  }
  commands_.push_back(command);
  woken_.notify_all();
}

std::vector<web::CommandOutcome> FolderLink::take_outcomes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcomes_, {});
}

void FolderLink::serve() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    while (!commands_.empty()) {
      const web::PageCommand command = std::move(commands_.front());
      commands_.pop_front();
      lock.unlock();
      std::string problem = give(command);
      lock.lock();
      outcomes_.push_back({command.client, command.verb, std::move(problem)});
    }
    if (std::exchange(wanted_, false)) {
      lock.unlock();
      ask();
      lock.lock();
    }
    woken_.wait_for(lock, kBetweenAsking, [this] { return ends_ || !commands_.empty(); });
  }
}

void FolderLink::ask() {
  const Result<std::string> line = operators::send_operator_request(
      folder_, {.verb = operators::OperatorVerb::kStatus, .reason = {}},
      kPatienceForStatus);
  const std::lock_guard lock(mutex_);
  if (!line) {
    // A process that is busy has not gone away.
    if (line.error().code == ErrorCode::kTimedOut && answer_.status) return;
    answer_ = {};
    if (line.error().code == ErrorCode::kRefused) answer_.why = line.error().detail;
    return;
  }
  const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
  if (!reply || !reply.value().standing) return;
  const NodeStatus& status = *reply.value().standing;
  answer_ = {status, operators::why(status).front(),
             operators::next_command(status, folder_)};
}

std::string FolderLink::give(const web::PageCommand& command) const {
  if (command.verb == "note") return give_note(command);
  if (command.verb != "hold" && command.verb != "stop")
    return "`" + command.verb + "` cannot be given from a page";
  const Result<std::string> line = operators::send_operator_request(
      folder_,
      {.verb = command.verb == "hold" ? operators::OperatorVerb::kHold
                                      : operators::OperatorVerb::kStop,
       .reason = command.text,
       .as = command.person.empty() ? person_ : command.person},
      kPatienceForCommand);
  if (!line) return line.error().detail;
  const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
  return reply ? reply.value().refusal : reply.error().detail;
}

std::string FolderLink::give_note(const web::PageCommand& command) const {
  Note note{.text = command.text};
  try {
    if (command.time >= 0.0)
      note.step = step_at(folder_, command.time, kPatienceForCommand);
  } catch (const std::exception& error) {
    return error.what();
  }
  return write_note(folder_, note, command.person.empty() ? person_ : command.person,
                    kPatienceForCommand)
      .problem;
}

}  // namespace trestle::cli
