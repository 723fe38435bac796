#include "observe/web/watched_record.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/base/shell_word.h"
#include "core/types/record_names.h"
#include "observe/geometry/geometry_reader.h"
#include "observe/live/note_author.h"

namespace trestle::web {
namespace {

constexpr double kBetweenRefreshes = 1.0;    // of files and databases [s]
constexpr double kGraceOfEnd = 1.5;          // without an answer [s]
constexpr double kQuietAfter = 1.0;          // without a step [s]
constexpr std::size_t kMostEvents = 10'000;  // in memory
constexpr std::size_t kMostGaps = 1000;
constexpr std::size_t kBytesPerStream = 12U << 20U;
constexpr double kWholeHistory = 1e9;  // [s]; bounded by the follower

void take_higher(std::vector<live::LimitUsage::Uses>& into,
                 const std::vector<live::ActuatorView>& actuators) {
  if (into.size() != actuators.size()) {
    into.clear();
    for (const live::ActuatorView& each : actuators) into.push_back(each.used);
    return;
  }
  for (std::size_t i = 0; i < actuators.size(); ++i)
    for (std::size_t kind = 0; kind < live::kLimitKinds; ++kind) {
      const live::UsedLimit& used = actuators[i].used[kind];
      // A value that is not known is NaN, and no number is above it.
      if (std::isnan(into[i][kind].value) || used.value > into[i][kind].value)
        into[i][kind] = used;
    }
}

}  // namespace

WatchedRecord::WatchedRecord(std::string folder)
    : folder_(std::move(folder)), test_({.folder = folder_, .history_s = kWholeHistory}) {}

void WatchedRecord::look(double now, NodeAnswer answer) {
  now_ = now;
  if (answer.status || view().ended || view().held) {
    unanswered_since_.reset();
  } else if (answer_.status) {
    // A process that ends is gone before the end of its record has been read.
    if (!unanswered_since_) unanswered_since_ = now;
    if (now - *unanswered_since_ < kGraceOfEnd) answer = answer_;
  }
  answer_ = std::move(answer);
  test_.look(now, answer_.status ? &*answer_.status : nullptr);
  try {
    follow_journal();
  } catch (const std::runtime_error&) {
    // The view tells the same problem in words; the next look tries again.
  }
  keep_highest();
}

void WatchedRecord::follow_journal() {
  if (!refreshed_ || now_ - *refreshed_ >= kBetweenRefreshes) {
    refreshed_ = now_;
    const std::string path = test_.journal();
    if (path.empty()) return;
    if (journal_ == nullptr || journal_->path() != path) {
      journal_ = std::make_unique<journal::JournalFollower>(path);
      stores_.clear();
      ledger_.reset();
      events_.clear();
      taken_.clear();
      notes_.clear();
      faults_ = 0;
      audit_ = {};
      session_.clear();
    }
    if (!journal_->refresh()) return;
    const std::string session = journal_->meta(meta_key::kSession).value_or("");
    if (session != session_) stores_.clear(), ledger_.reset(), geometry_.reset();
    session_ = session;
    if (!ledger_) ledger_.emplace(journal_->path());
    take_events();
  }
  if (journal_ == nullptr) return;
  if (ledger_) ledger_->look(now_);
  for (const auto& [stream, store] : stores_) {
    const std::int64_t before = store->newest().value_or(-1);
    const journal::JournalFollower::Taken taken = journal_->follow(
        stream, [&store = *store](const RecordRow& row) { store.add(row); });
    if (taken.skipped > 0 && gaps_.size() < kMostGaps)
      gaps_.push_back({stream, before + 1, taken.skipped});
  }
}

void WatchedRecord::take_events() {
  // They are kept if the audit cannot be read at this instant.
  for (journal::JournalEvent& event : journal_->take_events())
    taken_.push_back(std::move(event));
  // Arming and notes are events, too.
  if (taken_.empty() && !audit_.arming.by.empty() && !audit_.settles) return;
  audit_.settles = !taken_.empty();
  const std::vector<journal::AuditRecord> audit =
      journal::JournalReader(journal_->path()).audit();
  audit_.arming = live::recorded_arming(audit);
  audit_.acts = live::recorded_acts(audit);
  for (journal::JournalEvent& event : std::exchange(taken_, {})) {
    if (event.kind == "fault") ++faults_;
    std::string who;
    if (event.kind == "note")
      who = live::note_author(audit, event.text, notes_[event.text]++);
    events_.push_back({++last_event_, std::move(event), std::move(who)});
  }
  if (events_.size() > kMostEvents)
    events_.erase(events_.begin(), events_.end() - kMostEvents);
}

RowStore* WatchedRecord::rows(const std::string& stream) {
  if (const auto found = stores_.find(stream); found != stores_.end())
    return found->second.get();
  if (journal_ == nullptr || !journal_->has_stream(stream)) return nullptr;
  auto store = std::make_unique<RowStore>(
      journal_->path(), stream, journal_->channels(stream).size(), kBytesPerStream);
  const std::int64_t newest = journal_->newest_index(stream).value_or(-1);
  const std::int64_t first =
      std::max<std::int64_t>(newest - static_cast<std::int64_t>(store->room()) + 1, 0);
  store->begin_at(first);
  journal_->start(stream, first);
  journal_->follow(stream, [&](const RecordRow& row) { store->add(row); });
  return stores_.emplace(stream, std::move(store)).first->second.get();
}

void WatchedRecord::keep_highest() {
  take_higher(highest_, view().actuators);
  take_higher(since_taken_, view().actuators);
}

std::vector<live::LimitUsage::Uses> WatchedRecord::take_highest() {
  std::vector<live::LimitUsage::Uses> taken = std::exchange(since_taken_, {});
  take_higher(since_taken_, view().actuators);
  return taken;
}

std::string WatchedRecord::state() const {
  const live::TestView& test = view();
  if (test.served) return test.status.state;
  if (test.test.empty()) return "NO TEST";
  if (!answer_.why.empty()) return "NOT KNOWN";  // a process serves it, and tells nothing
  if (test.held) return "HELD";
  if (!test.ended) return "CUT OFF";
  // A test that failed before its first step may not know how many were planned.
  return test.steps_done > 0 && test.steps_done >= test.steps_planned ? "COMPLETE"
                                                                      : "STOPPED";
}

std::string WatchedRecord::why() const {
  const live::TestView& test = view();
  if (!test.problem.empty()) return "The record cannot be read: " + test.problem;
  if (test.served || !answer_.why.empty()) return answer_.why;
  if (test.held) return test.held->sentence();
  if (state() == "CUT OFF") return "No process serves this test, and its record has no end";
  return {};
}

std::string WatchedRecord::help() const {
  if (view().served) return answer_.help;
  if (state() == "HELD") return view().held->help();
  // Sites are resumed by their integrator.
  const bool of_a_run = std::filesystem::exists(folder_ + "/effective.yaml");
  return of_a_run && state() == "CUT OFF"
             ? "It can be resumed: trestle resume " + shell_word(folder_)
             : std::string();
}

const geometry::StructureGeometry& WatchedRecord::geometry() {
  if (geometry_) return *geometry_;
  std::ifstream file(folder_ + "/effective.yaml", std::ios::binary);
  if (file) {
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    geometry_ = geometry::read_geometry(text);
  } else {
    geometry_.emplace().missing = view().node == kIntegratorNode
                                      ? "the record has no effective.yaml beside it"
                                      : "the model is at the integrator, not at this site";
  }
  return *geometry_;
}

const std::vector<live::SiteAccounts>& WatchedRecord::accounts() const noexcept {
  static const std::vector<live::SiteAccounts> none;
  return ledger_ ? ledger_->sites() : none;
}

std::optional<std::uint64_t> WatchedRecord::missed() const noexcept {
  return ledger_ ? ledger_->missed() : std::nullopt;
}

bool WatchedRecord::is_quiet() const noexcept {
  return !view().served || view().stands_still >= kQuietAfter;
}

std::map<std::string, std::int64_t> WatchedRecord::rows_behind() const {
  std::map<std::string, std::int64_t> behind;
  if (journal_ == nullptr) return behind;
  try {
    const journal::JournalReader reader(journal_->path());
    for (const auto& [stream, store] : stores_)
      behind[stream] = std::max<std::int64_t>(
          store->newest().value_or(-1) - reader.newest_index(stream).value_or(-1), 0);
  } catch (const std::runtime_error&) {
    behind.clear();
  }
  return behind;
}

}  // namespace trestle::web
