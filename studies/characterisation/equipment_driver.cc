#include "studies/characterisation/equipment_driver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/host/crash_handler.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::characterisation {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{5};
// Both clocks are read one after the other: less may be no sleep.
constexpr std::chrono::milliseconds kSlept{50};

}  // namespace

EquipmentDriver::EquipmentDriver(const EquipmentDriverSettings& settings,
                                 SiteAdapter& adapter)
    : settings_(settings),
      adapter_(adapter),
      tick_(std::llround(settings.tick * 1e9)),
      overruns_(settings.overrun > Duration::zero() ? settings.overrun : tick_,
                settings.most_overruns) {
  settings_.longest_tick = std::max(settings_.longest_tick, 20 * tick_);
}

EquipmentDriver::~EquipmentDriver() {
  end();
  adapter_.hold();
}

/// Starts the thread, which ticks from now on.
void EquipmentDriver::begin() {
  if (thread_.joinable()) return;
  leave_ = left_ = false;
  thread_ = std::thread([this] {
    const host::AlternateSignalStack last_words_need_room;
    request_host_resources();
    asked_host_ = true;
    asked_host_.notify_one();
    run();
  });
  asked_host_.wait(false);
}

void EquipmentDriver::end() noexcept {
  leave_ = true;
  if (!thread_.joinable()) return;
  while (!left_) {
    watch();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  thread_.join();
}

void EquipmentDriver::request_host_resources() {
  std::vector<host::HostRequestError> answers{host::lock_memory(),
                                              host::minimise_timer_slack()};
  if (settings_.thread.cpu) answers.push_back(host::pin_to_cpu(*settings_.thread.cpu));
  if (settings_.thread.priority > 0)
    answers.push_back(host::set_fifo_priority(settings_.thread.priority));
  for (const host::HostRequestError& refusal : answers)
    if (refusal) notes_.push_back(*refusal);
}

void EquipmentDriver::run() noexcept {
  TimePoint due = clock_.now();
  Duration slept = asleep();
  while (!leave_.load(std::memory_order_relaxed)) {
    host::sleep_until(clock_.steady(due), settings_.thread.spin);
    const TimePoint now = clock_.now();
    const Task task = task_.load(std::memory_order_acquire);
    const Duration newly = asleep() - slept;
    slept += newly;
    if (task != Task::kNone && task != Task::kOver) {
      overruns_.add(now - due);
      if (newly >= kSlept) slept_ = seconds(newly);
      begun_at_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
      const std::int64_t count = ticks_.load(std::memory_order_relaxed);
      const Task next = tick(task, TimePoint{count * tick_});
      ticks_.store(count + 1, std::memory_order_relaxed);
      begun_at_.store(0, std::memory_order_relaxed);
      Task expected = task;  // where the other thread has given none meanwhile
      if (next != task)
        task_.compare_exchange_strong(expected, next, std::memory_order_acq_rel);
    }
    // Ticks that came too late are not made up for: the rig would move faster than asked.
    due += tick_;
    if (due <= now) due = now + tick_;
  }
  left_ = true;
}

/// Of the host, up to now.
Duration EquipmentDriver::asleep() const noexcept {
  return settings_.asleep ? settings_.asleep() : clock_.asleep();
}

/// Before any drive after it: of a host that slept, and of ticks that came too late.
Fault EquipmentDriver::host_fault() const noexcept {
  if (slept_ > 0.0) return {FaultKind::kSuspended, -1, slept_, 0.0};
  if (!overruns_.too_many()) return {};
  return {FaultKind::kOverrun, -1, seconds(overruns_.last()), seconds(overruns_.limit())};
}

/// @returns what comes next
EquipmentDriver::Task EquipmentDriver::tick(Task task, TimePoint now) noexcept {
  const Fault host = host_fault();
  if (task == Task::kCheck) {
    if (!stop_ && !host && checks_->tick(adapter_, now)) return task;
    adapter_.hold();  // at their end, too: no tick follows until the next task
    return Task::kOver;
  }
  if (stop_) exercise_->hold();
  if (host) exercise_->stop(host);
  if (exercise_->fault()) return Task::kOver;
  switch (task) {
    case Task::kOpen:
      return exercise_->open(now) ? Task::kOver : Task::kStand;
    case Task::kStand:
      return exercise_->stand(now) ? task : Task::kOver;
    case Task::kBegin:
      exercise_->begin(*move_, std::move(room_));
      [[fallthrough]];
    case Task::kMove:
      if (exercise_->tick(now)) return Task::kMove;
      if (exercise_->fault()) return Task::kOver;
      // The read that closed it opens the next, or the standing.
      return exercise_->stand(now) ? Task::kStand : Task::kOver;
    case Task::kNone:
    case Task::kCheck:
    case Task::kOver:
      break;
  }
  return task;
}

/// Until the thread has come there, or to its end.
void EquipmentDriver::wait_for(Task wanted) {
  for (;;) {
    const Task now = task_.load(std::memory_order_acquire);
    if (now == wanted || now == Task::kOver) return;
    look_after();
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

/// Handles requests of operators.
void EquipmentDriver::look_after() {
  if (settings_.attend) {
    std::string why = settings_.attend(ticks());
    if (!why.empty() && asked_.empty()) {
      asked_ = std::move(why);
      stop_ = true;
    }
  }
  watch();
}

/// Checks that the rig's thread runs.
void EquipmentDriver::watch() {
  const std::int64_t begun = begun_at_.load(std::memory_order_relaxed);
  if (begun == 0 || clock_.now() - TimePoint{Duration{begun}} < settings_.longest_tick)
    return;
  adapter_.hold();
  settings_.stuck("the rig has not come back from a control tick for " +
                  std::to_string(settings_.longest_tick / std::chrono::milliseconds(1)) +
                  " ms; it was told to hold");
}

std::string EquipmentDriver::check(checks::StartupChecks& checks) {
  checks_ = &checks;
  task_.store(Task::kCheck, std::memory_order_release);
  begin();
  wait_for(Task::kOver);
  if (!asked_.empty()) return asked_ + "; the rig holds where it was";
  if (slept_ > 0.0)
    return "the host was suspended for " + std::to_string(slept_) +
           " s during the start-up checks; switch off sleep and hibernation on this host";
  if (overruns_.too_many())
    return "control ticks come too late during the start-up checks, the last by " +
           std::to_string(1e3 * seconds(overruns_.last())) +
           " ms; see what `trestle doctor` says of this host";
  return checks.refusal();
}

void EquipmentDriver::open(GatedExcitation& exercise) {
  exercise_ = &exercise;
  task_.store(Task::kOpen, std::memory_order_release);
  begin();
  wait_for(Task::kStand);
}

bool EquipmentDriver::drive(GatedExcitation& exercise, const ExcitationSegment& move) {
  move_ = &move;
  room_ = exercise.room_for(move);
  Task standing = Task::kStand;  // it may have tripped meanwhile
  if (task_.compare_exchange_strong(standing, Task::kBegin, std::memory_order_acq_rel))
    wait_for(Task::kStand);
  return !exercise.fault();
}

void EquipmentDriver::rest(GatedExcitation& exercise) {
  end();
  task_ = Task::kOver;
  if (!exercise.fault()) adapter_.hold();
}

}  // namespace trestle::characterisation
