#include "studies/campaign/campaign_team.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "studies/campaign/run_failure.h"

namespace trestle::campaign {
namespace {

using SteadyClock = std::chrono::steady_clock;

// A task is work for so long, so that messages cost little where runs are short.
constexpr double kTaskTime = 0.5;  // [s]
constexpr std::chrono::milliseconds kBetweenLooks{1};
constexpr std::chrono::milliseconds kLeastForGoodbye{10'000};
constexpr std::chrono::milliseconds kLastMessagesLeave{2'000};

}  // namespace

CampaignTeam::CampaignTeam(cluster::TaskRing& ring, const TeamTimes& times,
                           std::function<void(const std::string&)> say)
    : ring_(ring),
      times_(times),
      say_(std::move(say)),
      others_(static_cast<std::size_t>(ring.size())),
      hand_out_(ring.size(), times.silence, SteadyClock::now()),
      signed_(SteadyClock::now()),
      looked_(signed_) {}

void CampaignTeam::greet(const CampaignIdentity& identity) {
  send_to_all(identity_message(identity));
}

bool CampaignTeam::is_assembled() const {
  return std::all_of(others_.begin() + 1, others_.end(),
                     [](const Other& other) { return other.ready || other.given_up; });
}

void CampaignTeam::begin(const std::vector<double>& target_limits,
                         const std::vector<std::int64_t>& runs, double run_time) {
  send_to_all(limits_message(target_limits));
  hand_out_.expect(std::chrono::duration_cast<cluster::HandOut::Span>(
      std::chrono::duration<double>(run_time)));
  hand_out_.add(runs);
}

std::vector<std::int64_t> CampaignTeam::next_here(std::size_t most) {
  return hand_out_.next(0, most, SteadyClock::now());
}

void CampaignTeam::done_here(const FinishedRun& run) {
  hand_out_.done(0, run.run, SteadyClock::now());
  wall_ += run.wall;
  ++count_;
}

std::vector<FinishedRun> CampaignTeam::listen() {
  std::vector<FinishedRun> over;
  if (is_alone()) return over;
  while (const auto message = ring_.poll()) hear(*message, over);
  const auto now = SteadyClock::now();
  if (now - std::exchange(looked_, now) > times_.silence / 2) hand_out_.forgive(now);
  for (const int rank : hand_out_.give_up(now)) {
    others_[static_cast<std::size_t>(rank)].given_up = true;
    if (say_ && !stopped_)
      say_("rank " + std::to_string(rank) +
           " is silent, or does not end its runs; others do them");
  }
  if (!stopped_) hand_out();
  if (now - signed_ >= times_.alive) {
    signed_ = now;
    send_to_all(RankMessageWriter(MessageKind::kAlive).take());
  }
  return over;
}

void CampaignTeam::hear(const cluster::RingMessage& message,
                        std::vector<FinishedRun>& over) {
  Other& from = others_[static_cast<std::size_t>(message.from)];
  const std::string rank = "rank " + std::to_string(message.from);
  hand_out_.heard(message.from, SteadyClock::now());
  from.given_up = false;
  RankMessageReader reader(message.bytes);
  switch (message_kind(message.bytes)) {
    case MessageKind::kReady:
      from.ready = true;
      return;
    case MessageKind::kAsk:
      from.asks = static_cast<std::size_t>(std::max<std::int64_t>(reader.whole(), 1));
      return;
    case MessageKind::kResult:
      over.push_back(from.results.read(message.bytes));
      hand_out_.done(message.from, over.back().run, SteadyClock::now());
      wall_ += over.back().wall;
      ++count_;
      return;
    case MessageKind::kStopAsked:
      stop_asked_ = true;
      return;
    case MessageKind::kGone:
      from.gone = true;
      return;
    case MessageKind::kRefused: {
      const std::string sentence = reader.text();
      throw std::runtime_error(rank + " on " + reader.text() + ": " + sentence);
    }
    case MessageKind::kFailed: {
      const std::string run = std::to_string(reader.whole());
      const std::string sentence = reader.text();
      throw RunFailure("run " + run + " failed on " + reader.text() + " (" + rank +
                       "): " + sentence);
    }
    default:
      return;
  }
}

void CampaignTeam::hand_out() {
  for (std::size_t rank = 1; rank < others_.size(); ++rank) {
    Other& other = others_[rank];
    if (other.asks == 0 || other.gone || other.given_up || hand_out_.left() == 0) continue;
    const int to = static_cast<int>(rank);
    ring_.send(to,
               task_message(hand_out_.next(to, task_size(other.asks), SteadyClock::now())));
    other.asks = 0;
  }
}

/// Runs that together take kTaskTime; near the end fewer, so that all ranks end together.
std::size_t CampaignTeam::task_size(std::size_t jobs) const {
  const double run = count_ > 0.0 ? std::max(wall_ / count_, 1e-4) : kTaskTime;
  const auto wanted =
      static_cast<std::size_t>(std::max(kTaskTime / run, 1.0) * static_cast<double>(jobs));
  const std::size_t fair = hand_out_.left() / (2 * others_.size());
  return std::max<std::size_t>(1, std::min(wanted, fair));
}

void CampaignTeam::send_to_all(const std::string& message) {
  for (std::size_t rank = 1; rank < others_.size(); ++rank)
    if (!others_[rank].gone) ring_.send(static_cast<int>(rank), message);
}

void CampaignTeam::stop(std::chrono::milliseconds grace) {
  if (std::exchange(stopped_, true)) return;
  send_to_all(RankMessageWriter(MessageKind::kStop).whole(grace.count()).take());
}

bool CampaignTeam::all_gone() const {
  return std::all_of(others_.begin() + 1, others_.end(),
                     [](const Other& other) { return other.gone; });
}

bool CampaignTeam::dismiss() {
  stop(std::chrono::milliseconds{0});
  const auto end = SteadyClock::now() + std::max(times_.grace, kLeastForGoodbye);
  const auto is_waited_for = [](const Other& other) {
    return !other.gone && !other.given_up;
  };
  while ((std::any_of(others_.begin() + 1, others_.end(), is_waited_for) ||
          !ring_.all_sent()) &&
         SteadyClock::now() < end) {
    try {
      listen();  // the first one that refused or failed was told already
    } catch (const std::exception&) {
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  const bool in_order = all_gone();
  const std::string farewell =
      RankMessageWriter(MessageKind::kEnd).whole(in_order ? 1 : 0).take();
  for (std::size_t rank = 1; rank < others_.size(); ++rank)
    ring_.send(static_cast<int>(rank), farewell);
  const auto sent_by = SteadyClock::now() + kLastMessagesLeave;
  while (!ring_.all_sent() && SteadyClock::now() < sent_by)
    std::this_thread::sleep_for(kBetweenLooks);
  if (in_order) ring_.close();
  return in_order;
}

}  // namespace trestle::campaign
