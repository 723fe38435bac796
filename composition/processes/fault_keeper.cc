#include "composition/processes/fault_keeper.h"

#include <stdexcept>
#include <system_error>
#include <utility>

namespace trestle::composition {
namespace {

constexpr auto kBetweenAttempts = std::chrono::seconds(1);

void join_words(std::string& text, const std::string& more) {
  text += (text.empty() || more.empty() ? "" : "; ") + more;
}

}  // namespace

bool FaultKeeper::Files::is_to_follow(session::SessionState state,
                                      const std::string& reason,
                                      const SiteQuestion& asks) const {
  return latch->is_to_follow(state, reason) || (question && question->is_to_follow(asks));
}

FaultKeeper::FaultKeeper(std::unique_ptr<site_node::FaultLatch> latch,
                         std::unique_ptr<DriveQuestionFile> question,
                         std::shared_ptr<void> claim)
    : files_(std::make_shared<Files>(
          Files{std::move(claim), std::move(latch), std::move(question), {}, false})) {}

FaultKeeper::~FaultKeeper() {
  write_.join(kPatience);
}

std::optional<site_node::ToldDrive> FaultKeeper::told_drive() const {
  return files_->question ? files_->question->told() : std::nullopt;
}

std::string FaultKeeper::follow(const site_node::SiteNode& site) {
  if (!write_.join(Duration::zero())) return {};
  std::string problem = take_problem();
  const SiteQuestion asks = files_->question ? site_question(site) : SiteQuestion{};
  const bool again = site.reason() == tried_;
  if (!files_->is_to_follow(site.state(), site.reason(), asks) ||
      (again && std::chrono::steady_clock::now() < next_))
    return problem;
  tried_ = site.reason();
  if (!begin(site, asks)) {
    if (!again)
      join_words(
          problem,
          files_->latch->path() +
              ": this host gives no thread to write the fault; it is latched only as "
              "long as this program runs");
    return problem;
  }
  if (write_.join(kPatience)) {
    join_words(problem, take_problem());
  } else if (!std::exchange(slow_, true)) {
    join_words(problem,
               files_->latch->path() +
                   ": the disk has not taken the fault for 1 s; the site continues "
                   "to serve, and a program that is started again finds the "
                   "fault only when the disk has taken it");
  }
  return problem;
}

/// @returns false: the host gives no thread
bool FaultKeeper::begin(const site_node::SiteNode& site, const SiteQuestion& asks) {
  try {
    write_.begin([files = files_, asks, state = site.state(), reason = site.reason()] {
      files->problem = files->latch->follow(state, reason);
      if (files->question) join_words(files->problem, files->question->follow(asks));
      files->failed = files->is_to_follow(state, reason, asks);
    });
    return true;
  } catch (const std::system_error&) {
    next_ = std::chrono::steady_clock::now() + kBetweenAttempts;
    return false;
  }
}

void FaultKeeper::discard_reply() {
  if (!write_.join(kPatience))
    throw std::runtime_error(files_->latch->path() +
                             ": the disk has not taken the fault yet; see to the disk");
  if (files_->question) files_->question->discard_reply();
}

/// @pre no write is under way
std::string FaultKeeper::take_problem() {
  if (std::exchange(files_->failed, false))
    next_ = std::chrono::steady_clock::now() + kBetweenAttempts;
  return std::exchange(files_->problem, {});
}

}  // namespace trestle::composition
