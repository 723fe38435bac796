#include "core/journal/journal_writer.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>
#include <stdexcept>

#include "core/journal/leftovers.h"
#include "core/journal/row_layout.h"
#include "core/types/record_names.h"

namespace trestle {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// How often the writing thread looks at the rings: pushing a row has no means to wake it
/// that would not cost a system call.
constexpr auto kPollPeriod = std::chrono::milliseconds(10);
constexpr std::size_t kEvents = 256;
constexpr std::size_t kAudits = 64;

/// A durable commit begins when this much of its age has passed; the rest is for the disk.
constexpr double kDurableShare = 0.5;

std::chrono::nanoseconds poll_period(const JournalSettings& settings) {
  using Seconds = std::chrono::duration<double>;
  Seconds period = std::min<Seconds>(kPollPeriod, Seconds(settings.transaction_s));
  if (settings.max_unsynced_age_s > 0.0)
    period = std::min(period, Seconds(settings.max_unsynced_age_s * 0.1));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period);
}

double seconds_since(SteadyClock::time_point then) {
  return std::chrono::duration<double>(SteadyClock::now() - then).count();
}

}  // namespace

JournalWriter::JournalWriter(const JournalSettings& settings) : settings_(settings) {
  if (!(settings.transaction_s > 0.0))
    throw std::runtime_error("journal " + settings.path +
                             ": the longest transaction must be above 0 s");
  if (!(settings.max_unsynced_age_s >= 0.0))
    throw std::runtime_error("journal " + settings.path +
                             ": the age that survives power loss must not be below 0 s");
  if (!recover_ring_file(settings.path))
    throw std::runtime_error("journal " + settings.path +
                             " is being written by another program; end that one first");
  journal_.emplace(settings.path, settings.durable, settings.max_pages);
  using Kind = RingFile::Kind;
  rings_.emplace(RingFile::path_beside(settings.path), settings.session);
  events_.emplace(kEvents,
                  QueueMemory(rings_->add(Kind::kEvents, "", 0, kEvents,
                                          EventQueue::area_bytes(kEvents))),
                  journal_->last_event());
  audits_.emplace(kAudits,
                  QueueMemory(rings_->add(Kind::kAudit, "", 0, kAudits,
                                          AuditQueue::area_bytes(kAudits))),
                  journal_->last_audit());
  ::sem_init(&wake_, 0, 0);
}

JournalWriter::~JournalWriter() {
  close();
  ::sem_destroy(&wake_);
}

RowSink& JournalWriter::add_stream(const std::string& name, const Channels& channels) {
  return sink_of(journal_->add_stream(name, channels), name, channels.size());
}

RowSink& JournalWriter::reopen_stream(const std::string& name, const Channels& channels,
                                      std::int64_t last) {
  return sink_of(journal_->reopen_stream(name, channels, last), name, channels.size());
}

RowSink& JournalWriter::sink_of(int number, const std::string& name, std::size_t channels) {
  assert(!thread_.joinable());
  const std::size_t rows = settings_.ring_rows;
  QueueMemory area(rings_->add(RingFile::Kind::kRows, name, channels, rows,
                               RowQueue::area_bytes(channels, rows)));
  streams_.push_back(
      {number, name, std::make_unique<RowQueue>(channels, rows, std::move(area))});
  return *streams_.back().ring;
}

void JournalWriter::set_meta(const std::string& key, const std::string& value) {
  const std::lock_guard lock(journal_mutex_);
  assert(journal_);
  unsynced_ = true;
  journal_->set_meta(key, value);
}

std::optional<std::string> JournalWriter::meta(const std::string& key) {
  const std::lock_guard lock(journal_mutex_);
  return journal_->meta(key);
}

void JournalWriter::forget_meta(const std::string& key) {
  const std::lock_guard lock(journal_mutex_);
  unsynced_ = true;
  journal_->forget_meta(key);
}

void JournalWriter::settle() {
  const std::lock_guard lock(journal_mutex_);
  journal_->settle();
  unsynced_ = false;
}

void JournalWriter::start() {
  assert(!thread_.joinable());
  thread_ = std::thread([this] { write_until_stopped(); });
}

bool JournalWriter::event(TimePoint time, std::string_view node, std::string_view kind,
                          std::string_view text) noexcept {
  return events_->push(time, node, kind, text);
}

bool JournalWriter::audit(const AuditEntry& entry, std::int64_t utc_ns) {
  return audits_->push(entry, utc_ns);
}

void JournalWriter::save_state(std::int64_t step, std::span<const double> state) noexcept {
  StateBuffer* to = state_.load(std::memory_order_relaxed);
  if (to == nullptr || to->capacity() < state.size()) to = make_state(state.size());
  if (to != nullptr) to->put(++state_sequence_, step, state);
}

StateBuffer* JournalWriter::make_state(std::size_t values) noexcept {
  try {
    const std::size_t room = values + values / 2 + 64;
    if (state_count_ == kMostStates)
      throw std::runtime_error("journal " + settings_.path + ": the state of step after " +
                               "step grows without end, to " + std::to_string(values) +
                               " values");
    states_[state_count_] = std::make_unique<StateBuffer>(
        room,
        rings_->add(RingFile::Kind::kState, "", 1, room, StateBuffer::area_bytes(room)));
    StateBuffer* const made = states_[state_count_++].get();
    state_.store(made, std::memory_order_release);
    return made;
  } catch (const std::exception& error) {
    fail(error.what());
    return nullptr;
  }
}

std::uint64_t JournalWriter::request_sync() noexcept {
  const std::uint64_t ticket = secure_asked_.fetch_add(1, std::memory_order_acq_rel) + 1;
  ::sem_post(&wake_);
  return ticket;
}

bool JournalWriter::wait_for_space(Duration at_most) {
  if (failed()) return false;
  if (has_room()) return true;
  std::unique_lock lock(mutex_);
  ++requested_;
  ::sem_post(&wake_);
  flush_completed_.wait_for(lock, at_most, [this] { return failed() || has_room(); });
  return !failed() && has_room();
}

bool JournalWriter::flush() {
  if (!thread_.joinable()) {
    drain(false);
    return !failed();
  }
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++requested_;
  ::sem_post(&wake_);
  flush_completed_.wait(lock, [this, mine] { return served_ >= mine; });
  return !failed();
}

bool JournalWriter::close(std::int64_t ended_utc_ns) noexcept {
  if (!journal_) return !failed();
  try {
    if (thread_.joinable()) {
      stop_.store(true, std::memory_order_release);
      ::sem_post(&wake_);
      thread_.join();
    }
    const std::lock_guard lock(journal_mutex_);
    finish(ended_utc_ns);
  } catch (const std::exception& error) {
    fail(error.what());
  }
  journal_.reset();
  return !failed();
}

/// What cannot be written stays in the ring file, for the next life.
void JournalWriter::finish(std::int64_t ended_utc_ns) {
  write_transaction(false);
  std::uint64_t lost = 0;
  for (const Stream& stream : streams_) lost += stream.ring->lost();
  if (lost > 0) journal_->set_meta(meta_key::kLostRows, std::to_string(lost));
  if (ended_utc_ns != 0) journal_->set_meta(meta_key::kEnded, std::to_string(ended_utc_ns));
  journal_->finish();
  secured_.store(secure_asked_.load());
  rings_->remove();
}

bool JournalWriter::failed() const noexcept {
  if (failed_.load(std::memory_order_acquire) || events_->lost() > 0 || audits_->lost() > 0)
    return true;
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.ring->lost() > 0; });
}

std::optional<std::string> JournalWriter::error_message() const {
  if (failed_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(failure_mutex_);
    return failure_;
  }
  if (failed()) return loss();
  return std::nullopt;
}

void JournalWriter::write_until_stopped() {
  // Whoever made this thread may run in real time; writing files never does.
  const sched_param ordinary{};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
  last_written_ = last_durable_ = SteadyClock::now();
  while (!stop_.load(std::memory_order_acquire)) {
    wait_for_work();
    const std::uint64_t serving = requested_.load();
    const std::uint64_t asked = secure_asked_.load(std::memory_order_acquire);
    const auto now = SteadyClock::now();
    const bool durable =
        asked > secured_.load(std::memory_order_relaxed) ||
        (settings_.max_unsynced_age_s > 0.0 &&
         seconds_since(last_durable_) >= kDurableShare * settings_.max_unsynced_age_s);
    if (!durable && serving == served_ && !is_due()) continue;
    if (!failed_.load(std::memory_order_relaxed)) drain(durable);
    last_written_ = now;
    if (durable) last_durable_ = now;
    if (durable && !failed_.load(std::memory_order_relaxed))
      secured_.store(asked, std::memory_order_release);
    if (durable && settings_.on_durable) settings_.on_durable();
    const std::lock_guard lock(mutex_);
    served_ = serving;
    flush_completed_.notify_all();
  }
}

/// Until somebody wakes this thread, or it is time to look at the rings.
void JournalWriter::wait_for_work() noexcept {
  timespec until{};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t at = until.tv_nsec + poll_period(settings_).count();
  until.tv_sec += at / kSecond;
  until.tv_nsec = at % kSecond;
  ::sem_clockwait(&wake_, CLOCK_MONOTONIC, &until);
  while (::sem_trywait(&wake_) == 0) continue;  // all of them are served at once
}

bool JournalWriter::is_due() const noexcept {
  if (seconds_since(last_written_) >= settings_.transaction_s) return true;
  // Rare, and somebody may be waiting to read it.
  if (events_->size() > 0 || audits_->size() > 0) return true;
  return std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 4 >= stream.ring->capacity();
  });
}

bool JournalWriter::has_room() const noexcept {
  return std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 2 <= stream.ring->capacity();
  });
}

void JournalWriter::drain(bool durable) noexcept {
  try {
    const std::lock_guard lock(journal_mutex_);
    write_transaction(durable);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

// What is in the rings leaves them only when it is committed, so that a transaction that
// failed has lost none of it. The state is taken before the rows, so that all that was
// pushed before it is committed with it. @pre journal_mutex_ is held
void JournalWriter::write_transaction(bool durable) {
  take_state();
  const std::size_t events = events_->size();
  const std::size_t audits = audits_->size();
  bool any = events > 0 || audits > 0 || state_to_write_;
  for (const Stream& stream : streams_) any = any || stream.ring->size() > 0;
  const bool only_sync = !any && durable && unsynced_;
  if (!any && !only_sync) return;
  try {
    journal_->begin(durable);
    if (only_sync) journal_->force_commit();
    fill_transaction(events, audits);
    journal_->commit();
  } catch (...) {
    journal_->rollback();
    throw;
  }
  unsynced_ = !durable;
  state_to_write_.reset();
  events_->pop(events);
  audits_->pop(audits);
  for (const Stream& stream : streams_) stream.ring->pop(stream.taken);
}

void JournalWriter::fill_transaction(std::size_t events, std::size_t audits) {
  if (state_to_write_) journal_->save_state(state_to_write_->step, state_to_write_->values);
  for (std::size_t at = 0; at < events; ++at)
    journal_->add_event(events_->number(at), events_->event(at));
  for (std::size_t at = 0; at < audits; ++at) journal_->add_audit(audits_->record(at));
  for (Stream& stream : streams_) {
    stream.taken = 0;
    for (const std::span<const std::byte> rows : stream.ring->rows()) {
      journal_->append(stream.number, rows);
      stream.taken += rows.size() / stream.ring->row_bytes();
    }
  }
}

void JournalWriter::take_state() noexcept {
  StateBuffer* const slots = state_.load(std::memory_order_acquire);
  if (slots == nullptr) return;
  if (const auto newest = slots->take()) state_to_write_ = newest;
}

void JournalWriter::fail(const std::string& sentence) noexcept {
  {
    const std::lock_guard lock(failure_mutex_);
    if (failed_.load(std::memory_order_relaxed)) return;  // the first says why
    failure_ = sentence;
    failed_.store(true, std::memory_order_release);
  }
  for (const Stream& stream : streams_) stream.ring->mark_failed();
}

std::string JournalWriter::loss() const {
  for (const Stream& stream : streams_)
    if (stream.ring->lost() > 0)
      return "journal " + settings_.path + ": " + std::to_string(stream.ring->lost()) +
             " rows of `" + stream.name +
             "` were lost, the disk was slower than the test; use a faster disk, or keep "
             "fewer ticks (recording.ticks)";
  return "journal " + settings_.path + ": " +
         std::to_string(events_->lost() + audits_->lost()) +
         " events were lost, the disk was slower than the test; use a faster disk";
}

}  // namespace trestle
