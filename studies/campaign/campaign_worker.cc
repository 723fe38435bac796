#include "studies/campaign/campaign_worker.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <exception>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

namespace trestle::campaign {
namespace {

constexpr std::chrono::milliseconds kPause{1};
// Until a file that rank 0 has written is seen on another machine.
constexpr std::chrono::seconds kFileAppears{10};
constexpr std::chrono::milliseconds kFileLook{100};
// Rank 0 may wait for a disk.
constexpr int kLeaderSilenceTimes = 2;
// Rank 0 writes the tables, and says nothing meanwhile.
constexpr int kTablesSilenceTimes = 60;

std::string host_here() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

bool file_becomes(const std::string& path, const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + kFileAppears;
  while (true) {
    std::ifstream stream(path, std::ios::binary);
    if (stream.is_open() && std::string{std::istreambuf_iterator<char>(stream), {}} == text)
      return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kFileLook);
  }
}

}  // namespace

CampaignWorker::CampaignWorker(cluster::TaskRing& ring, const TeamTimes& times)
    : ring_(ring),
      times_(times),
      heard_(std::chrono::steady_clock::now()),
      signed_(heard_),
      turned_(heard_) {}

CampaignWorker::End CampaignWorker::serve(const RankStudy& study,
                                          const std::function<bool()>& stop_asked) {
  study_ = &study;
  return loop(stop_asked);
}

CampaignWorker::End CampaignWorker::refuse(const std::string& sentence) {
  send_refusal(sentence);
  return loop([] { return false; });
}

CampaignWorker::End CampaignWorker::loop(const std::function<bool()>& stop_asked) {
  while (true) {
    compute();
    while (const auto message = ring_.poll()) {
      heard_ = std::chrono::steady_clock::now();
      hear(message->bytes);
    }
    const auto now = std::chrono::steady_clock::now();
    // This process itself stood still, as a job that is suspended.
    if (now - std::exchange(turned_, now) > times_.silence / 2) heard_ = now;
    if (is_over(now)) {
      pool_.reset();
      return wait_for_end();
    }
    if (now - heard_ > kLeaderSilenceTimes * times_.silence) {
      pool_.reset();
      return End::kLeaderLost;
    }
    if (!stop_said_ && stop_asked()) {
      stop_said_ = true;
      ring_.send(0, RankMessageWriter(MessageKind::kStopAsked).take());
    }
    sign(now);
  }
}

void CampaignWorker::hear(const std::string& message) {
  switch (message_kind(message)) {
    case MessageKind::kIdentity:
      if (study_ != nullptr) compare(read_identity(message));
      return;
    case MessageKind::kLimits:
      if (pool_) pool_->set_target_limits(read_limits(message));
      has_limits_ = true;
      return;
    case MessageKind::kTask:
      asking_ = false;
      if (pool_ && !end_by_) pool_->add(read_task(message));
      return;
    case MessageKind::kStop:
      end_by_ = heard_ + std::chrono::milliseconds(RankMessageReader(message).whole());
      if (pool_) pool_->drop_waiting();
      return;
    default:
      return;
  }
}

void CampaignWorker::compare(const CampaignIdentity& leader) {
  const std::string difference = identity_difference(leader, study_->identity);
  if (!difference.empty())
    return send_refusal("has another campaign than rank 0 (" + difference +
                        "); give all ranks the same program and the same files");
  if (!file_becomes(study_->test_file, study_->test))
    return send_refusal("does not see " + study_->test_file +
                        " as rank 0 has written it; --out must be a folder that all "
                        "machines share");
  pool_ = std::make_unique<RunPool>(study_->plan, study_->test_file, study_->software,
                                    study_->work);
  ring_.send(0, RankMessageWriter(MessageKind::kReady).take());
}

void CampaignWorker::send_refusal(const std::string& sentence) {
  ring_.send(
      0, RankMessageWriter(MessageKind::kRefused).text(sentence).text(host_here()).take());
}

/// Sends what is over, and asks for more while there is something to do.
void CampaignWorker::compute() {
  if (!pool_) {
    std::this_thread::sleep_for(kPause);
    return;
  }
  try {
    for (const FinishedRun& run : pool_->take(kPause)) ring_.send(0, results_.write(run));
  } catch (const std::exception& error) {
    ring_.send(0, RankMessageWriter(MessageKind::kFailed)
                      .whole(pool_->failed_run())
                      .text(error.what())
                      .text(host_here())
                      .take());
    pool_.reset();
    return;
  }
  if (end_by_ || asking_ || !has_limits_ || pool_->waiting() >= pool_->wanted()) return;
  asking_ = true;
  ring_.send(0, RankMessageWriter(MessageKind::kAsk)
                    .whole(static_cast<std::int64_t>(pool_->wanted()))
                    .take());
}

void CampaignWorker::sign(Time now) {
  if (now - signed_ < times_.alive) return;
  signed_ = now;
  ring_.send(0, RankMessageWriter(MessageKind::kAlive).take());
}

/// Rank 0 has ended this rank, and has all that is over.
bool CampaignWorker::is_over(Time now) {
  if (!end_by_) return false;
  if (pool_ && now >= *end_by_) pool_->abandon();
  if (pool_ && !pool_->is_idle()) return false;
  ring_.send(0, RankMessageWriter(MessageKind::kGone).take());
  return true;
}

/// Until rank 0 knows whether all ranks are there.
CampaignWorker::End CampaignWorker::wait_for_end() {
  const auto look = std::chrono::steady_clock::now;
  for (Time heard = look(); look() - heard < kTablesSilenceTimes * times_.silence;) {
    const auto message = ring_.poll();
    if (!message) {
      ring_.all_sent();  // lets the last messages leave
      std::this_thread::sleep_for(kPause);
      continue;
    }
    heard = look();
    if (message_kind(message->bytes) == MessageKind::kEnd)
      return RankMessageReader(message->bytes).whole() != 0 ? End::kDismissed
                                                            : End::kRankMissing;
  }
  return End::kLeaderLost;
}

}  // namespace trestle::campaign
