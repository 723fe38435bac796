#include "observe/live/test_follower.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/base/journal_names.h"
#include "core/base/number_text.h"
#include "core/base/twin_notice.h"
#include "core/types/execution_mode.h"
#include "core/types/record_names.h"
#include "observe/live/agreed_actuators.h"

namespace trestle::live {
namespace {

// Between two looks at files and databases; rows are read at every look [s].
constexpr double kBetweenRefreshes = 1.0;
constexpr std::size_t kEvents = 32;
// More rows than these are not read of the past.
constexpr std::int64_t kMaxHistory = 60'000;
constexpr double kShortestPiece = 0.01;  // of a trace [s]

std::vector<std::string> words_between_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

double fact_as_number(const std::optional<std::string>& text) {
  return text ? parse_number(*text).value_or(0.0) : 0.0;
}

/// The journal of a site's folder that was begun last: by its number, as they are counted.
std::string newest_journal(const std::string& folder) {
  std::string newest;
  double highest = -1.0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".db") continue;
    try {
      const double number = fact_as_number(
          journal::JournalReader(entry.path().string()).meta(meta_key::kNumber));
      if (number <= highest) continue;
      highest = number;
      newest = entry.path().string();
    } catch (const std::runtime_error&) {
      continue;  // no journal, or one that is just begun
    }
  }
  return newest;
}

}  // namespace

TestFollower::TestFollower(Settings settings) : settings_(std::move(settings)) {
  view_.folder = settings_.folder;
}

const TestView& TestFollower::look(double now, const NodeStatus* status) {
  try {
    view_.problem.clear();
    if (!refreshed_ || now - *refreshed_ >= kBetweenRefreshes || !is_set_up_) {
      refreshed_ = now;
      refresh(status);
    }
    if (is_set_up_) {
      if (settings_.newest_only) skip_to_newest();
      follow_steps();
      follow_ticks();
    }
  } catch (const std::runtime_error& error) {
    view_.problem = error.what();
  }
  update(now, status);
  return view_;
}

std::string TestFollower::journal_path(const NodeStatus* status) const {
  namespace fs = std::filesystem;
  const std::string run = settings_.folder + "/" + kIntegratorJournal;
  std::error_code none;
  if (fs::exists(run, none)) return run;
  if (status != nullptr && !status->session.empty()) {
    const std::string site = settings_.folder + "/" + status->session + ".db";
    if (fs::exists(site, none)) return site;
  }
  // A run is about to write its record; a site may have older ones.
  if (status != nullptr && status->node == kIntegratorNode) return run;
  return newest_journal(settings_.folder);
}

void TestFollower::refresh(const NodeStatus* status) {
  const std::string path = journal_path(status);
  if (path.empty()) return;
  if (journal_ == nullptr || journal_->path() != path) {
    forget();
    journal_ = std::make_unique<journal::JournalFollower>(path);
  }
  if (!journal_->refresh()) return;
  if (!is_set_up_ && journal_->has_stream(stream_name::kResult)) set_up();
  for (Site& site : sites_) {
    if (!site.follows_ticks)
      find_ticks(site);
    else if (site.ticks != nullptr)
      site.ticks->refresh();
  }
  keep_events();
  view_.held = find_held_record(settings_.folder, journal_->path(), last_state_);
}

void TestFollower::forget() {
  is_set_up_ = false;
  sites_.clear();
  traces_.clear();
  events_.clear();
  last_state_.reset();
  view_.held.reset();
  remaining_ = {};
  stated_pace_ = 0.0;
  recent_ = 0;
  view_.actuators.clear();
  view_.steps_done = 0;
}

void TestFollower::set_up() {
  view_.test = journal_->meta(meta_key::kTest).value_or("");
  view_.mode = journal_->meta(meta_key::kMode).value_or("");
  view_.node = journal_->meta(meta_key::kNode).value_or("");
  view_.twins = read_twins(journal_->meta(meta_key::kTwins).value_or(""));
  view_.time_step = fact_as_number(journal_->meta(meta_key::kTimeStep));
  view_.steps_planned =
      static_cast<std::int64_t>(fact_as_number(journal_->meta(meta_key::kStepsPlanned)));
  if (!(view_.time_step > 0.0)) return;
  if (view_.node == kIntegratorNode)
    for (const std::string& site :
         words_between_commas(journal_->meta(meta_key::kSites).value_or("")))
      add_site(site, journal_->meta(meta_key::kContractOf + site).value_or(""));
  else
    add_site(view_.node, journal_->meta(meta_key::kContract).value_or(""));
  start_streams();
  is_set_up_ = true;
}

void TestFollower::add_site(const std::string& name, const std::string& contract) {
  const std::optional<ExecutionMode> mode = parse_execution_mode(view_.mode);
  double scale = 1.0;  // wall time over test time
  if (mode == ExecutionMode::kContinuous)
    scale = std::max(fact_as_number(contract_value(contract, "continuous.scale")), 1.0);
  const double ticks =
      std::max(fact_as_number(contract_value(contract, "ticks_per_step")), 1.0);
  if (mode == ExecutionMode::kContinuous || mode == ExecutionMode::kRealTime)
    stated_pace_ = 1.0 / (view_.time_step * scale);
  const std::vector<AgreedActuator> actuators = read_agreed_actuators(contract);
  std::vector<double> delay_limits;
  for (std::size_t number = 1; number <= actuators.size(); ++number)
    delay_limits.push_back(
        parse_number(
            journal_->meta(meta_key::kDelayLimitOf + name + "." + std::to_string(number))
                .value_or(""))
            .value_or(ActuatorView::kUnknown));
  SiteMonitor monitor({.site = name,
                       .actuators = actuators,
                       .time_step = view_.time_step,
                       .tick = view_.time_step * scale / ticks,
                       .tick_of_test = view_.time_step / ticks,
                       .steps_tell_rates = mode == ExecutionMode::kSimulated ||
                                           mode == ExecutionMode::kRealTime,
                       .delay_limits = std::move(delay_limits)});
  if (!monitor.find_step_columns(journal_->channels(stream_name::kResult))) return;
  const std::size_t first = traces_.size();
  for (std::size_t i = 0; i < monitor.actuators(); ++i)
    traces_.emplace_back(std::max(view_.time_step, kShortestPiece));
  sites_.push_back({std::move(monitor), nullptr, false, first});
}

/// The ticks of a site of this process are in its own journal beside the integrator's.
void TestFollower::find_ticks(Site& site) {
  journal::JournalFollower* journal = journal_.get();
  if (view_.node == kIntegratorNode) {
    site.ticks = std::make_unique<journal::JournalFollower>(settings_.folder + "/" +
                                                            site.monitor.site() + ".db");
    const bool same = site.ticks->refresh() && site.ticks->meta(meta_key::kSession) ==
                                                   journal_->meta(meta_key::kSession);
    if (!same) return site.ticks.reset();
    journal = site.ticks.get();
  }
  if (!journal->has_stream(stream_name::kTick) ||
      !site.monitor.find_tick_columns(journal->channels(stream_name::kTick)))
    return site.ticks.reset();
  if (const auto newest = journal->newest_index(stream_name::kTick)) {
    const double ticks = settings_.history_s / site.monitor.tick_of_test();
    const auto history =
        static_cast<std::int64_t>(std::min(ticks, static_cast<double>(kMaxHistory)));
    journal->start(stream_name::kTick, *newest - history);
  }
  site.follows_ticks = true;
}

void TestFollower::start_streams() {
  const auto newest = journal_->newest_index(stream_name::kResult);
  if (!newest) return;
  const double steps = settings_.history_s / view_.time_step;
  const auto history =
      static_cast<std::int64_t>(std::min(steps, static_cast<double>(kMaxHistory)));
  recent_ = *newest - history;
  journal_->start(stream_name::kResult,
                  settings_.whole_work ? *newest - kMaxHistory : recent_);
}

void TestFollower::skip_to_newest() {
  const auto skip = [](journal::JournalFollower& journal, const char* stream) {
    if (const auto newest = journal.newest_index(stream)) journal.start(stream, *newest);
  };
  skip(*journal_, stream_name::kResult);
  for (const Site& site : sites_)
    if (site.follows_ticks)
      skip(site.ticks != nullptr ? *site.ticks : *journal_, stream_name::kTick);
}

void TestFollower::follow_steps() {
  const journal::JournalFollower::Taken taken = journal_->follow(
      stream_name::kResult, [this](const RecordRow& row) { take_step(row); });
  view_.rows_skipped += taken.skipped;
}

void TestFollower::take_step(const RecordRow& row) {
  view_.steps_done = row.index + 1;
  const double time = static_cast<double>(row.index + 1) * view_.time_step;
  for (Site& site : sites_) {
    if (row.index < recent_) {
      site.monitor.add_work(row);
      continue;
    }
    site.monitor.add_step(row);
    for (std::size_t i = 0; i < site.monitor.actuators(); ++i)
      traces_[site.first_actuator + i].add(time, site.monitor.measured(i));
  }
}

void TestFollower::follow_ticks() {
  for (Site& site : sites_) {
    if (!site.follows_ticks) continue;
    journal::JournalFollower& journal = site.ticks != nullptr ? *site.ticks : *journal_;
    const journal::JournalFollower::Taken taken = journal.follow(
        stream_name::kTick, [&site](const RecordRow& row) { site.monitor.add_tick(row); });
    view_.rows_skipped += taken.skipped;
  }
}

void TestFollower::keep_events() {
  for (journal::JournalEvent& event : journal_->take_events()) {
    // Of several holds behind each other the first says why.
    const bool again = last_state_ && last_state_->text.starts_with("HOLDING: ") &&
                       event.text.starts_with("HOLDING: ");
    if ((event.kind == "state" || event.kind == "fault") && !again) last_state_ = event;
    events_.push_back(std::move(event));
  }
  while (events_.size() > kEvents) events_.pop_front();
  view_.events.assign(events_.begin(), events_.end());
}

void TestFollower::update(double now, const NodeStatus* status) {
  view_.served = status != nullptr;
  view_.ended = journal_ != nullptr && journal_->meta(meta_key::kEnded).has_value();
  if (status != nullptr) {
    view_.status = *status;
    view_.node = status->node;
    if (!status->test.empty()) view_.test = status->test;
    if (status->steps > 0) view_.steps_planned = status->steps;
    if (status->time_step > 0.0) view_.time_step = status->time_step;
    view_.steps_done = std::max(view_.steps_done, status->step + 1);
  } else {
    view_.status = {};
    view_.status.node = view_.node;
    view_.status.test = view_.test;
  }
  const bool running = status == nullptr || status->state == "RUNNING";
  remaining_.add(now, view_.steps_done, running);
  view_.rate = remaining_.rate();
  view_.stands_still = remaining_.stands_still();
  view_.left = view_.steps_planned > 0
                   ? remaining_.left(view_.steps_planned - view_.steps_done, stated_pace_)
                   : std::nullopt;
  view_.actuators.clear();
  for (Site& site : sites_)
    for (ActuatorView& actuator : site.monitor.take_views())
      view_.actuators.push_back(std::move(actuator));
}

}  // namespace trestle::live
