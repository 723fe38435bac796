#include "core/journal/journal_writer.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>
#include <stdexcept>

#include "core/base/lost_record.h"
#include "core/journal/leftovers.h"
#include "core/journal/row_layout.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// How often the writing thread looks at the rings: pushing a row has no means to wake it
/// that would not cost a system call.
constexpr auto kPollPeriod = std::chrono::milliseconds(10);

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
  link_.emplace(settings.path);
  queues_.emplace(settings.path, settings.session, settings.ring_rows, *journal_);
}

JournalWriter::~JournalWriter() {
  close();
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
  return queues_->add_rows(number, name, channels);
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
  return queues_->events().push(time, node, kind, text);
}

bool JournalWriter::audit(const AuditEntry& entry, std::int64_t utc_ns) {
  return queues_->audits().push(entry, utc_ns);
}

void JournalWriter::save_state(std::int64_t step, std::span<const double> state) noexcept {
  try {
    queues_->save_state(step, state);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

std::uint64_t JournalWriter::request_sync() noexcept {
  return requests_.request_sync();
}

bool JournalWriter::wait_for_space(Duration at_most) {
  if (failed()) return false;
  const auto done = [this] {
    return failed() || queues_->has_room();
  };
  if (queues_->has_room()) {
    full_since_.reset();
    return true;
  }
  if (!full_since_) full_since_ = SteadyClock::now();
  if (requests_.wait_until(done, at_most))
    full_since_.reset();
  else if (SteadyClock::now() - *full_since_ >= settings_.longest_stall)
    fail("journal " + settings_.path + ": there was no room for rows for " +
         std::to_string(settings_.longest_stall / std::chrono::seconds(1)) +
         " s: its disk hangs or is too slow; nothing is lost, the rest is in the ring file "
         "beside it: see to the disk, "
         "then trestle resume");
  return !failed() && !full_since_;
}

bool JournalWriter::flush(Duration at_most) {
  if (!thread_.joinable())
    drain(false);
  else if (!requests_.wait_until_written(at_most))
    return false;
  return !failed();
}

bool JournalWriter::close(std::int64_t ended_utc_ns) noexcept {
  begin_close(ended_utc_ns);
  if (thread_.joinable()) thread_.join();
  return !failed();
}

void JournalWriter::begin_close(std::int64_t ended_utc_ns) noexcept {
  if (requests_.stopped()) return;
  ended_utc_ns_ = ended_utc_ns;
  requests_.request_stop();
  if (!thread_.joinable()) finish();
}

/// What cannot be written stays in the ring file, for the next life.
void JournalWriter::finish() noexcept {
  const bool deleted = link_->deleted();  // it takes everything as long as it is open
  try {
    const std::lock_guard lock(journal_mutex_);
    write_transaction(false);
    // Earlier lives of the record may have lost some, too.
    journal_->add_to_count(meta_key::kLostRows, queues_->lost_rows());
    journal_->add_to_count(meta_key::kLostEvents, queues_->lost_events());
    if (ended_utc_ns_ != 0)
      journal_->set_meta(meta_key::kEnded, std::to_string(ended_utc_ns_));
    if (const std::string elsewhere = journal_->finish(deleted); !elsewhere.empty()) {
      fail(link_->sentence());
      failure_.replace("the record " + settings_.path +
                       " was deleted while it was written, and its place is taken or "
                       "cannot be written; " +
                       std::string(kElsewhere) + elsewhere +
                       ": put that file in its place before the test is resumed");
    }
    if (!deleted) link_->require();
    requests_.set_synced(requests_.pending().sync);
    queues_->remove_ring_file();
    journal_.reset();
  } catch (const std::exception& error) {
    fail(error.what());
    if (link_->deleted())
      failure_.replace(std::string(error.what()) + "; " + link_->sentence() + "; " +
                       std::string(kStillOpen) + " process " + std::to_string(::getpid()) +
                       " ends, copy it, its -wal and its .ring from its /proc/.../fd");
    else
      journal_.reset();
  }
  requests_.set_finished();
  if (settings_.on_durable) settings_.on_durable();
}

bool JournalWriter::failed() const noexcept {
  return failure_ || queues_->lost_any();
}

std::optional<std::string> JournalWriter::error_message() const {
  if (failure_) return failure_.sentence();
  if (queues_->lost_any()) return queues_->loss();
  return std::nullopt;
}

void JournalWriter::write_until_stopped() {
  // The thread that made this one may run in real time; writing files never does.
  const sched_param ordinary{};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
  last_written_ = last_durable_ = SteadyClock::now();
  while (!requests_.stopped()) {
    requests_.wait_for_work(poll_period(settings_));
    const WriterRequests::Pending pending = requests_.pending();
    const auto now = SteadyClock::now();
    const bool durable =
        requests_.wants_sync(pending) ||
        (settings_.max_unsynced_age_s > 0.0 &&
         seconds_since(last_durable_) >= kDurableShare * settings_.max_unsynced_age_s);
    if (!durable && !requests_.wants_write(pending) && !queues_->is_due() &&
        seconds_since(last_written_) < settings_.transaction_s)
      continue;
    if (!failure_) drain(durable);
    last_written_ = now;
    if (durable) last_durable_ = now;
    if (durable && !failure_) requests_.set_synced(pending.sync);
    if (durable && settings_.on_durable) settings_.on_durable();
    requests_.set_served(pending);
  }
  finish();
}

void JournalWriter::drain(bool durable) noexcept {
  try {
    const std::lock_guard lock(journal_mutex_);
    write_transaction(durable);
    link_->require();  // after the rows: its content is as complete as it can be
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

// What is in the queues leaves them only when it is committed, so that a transaction that
// failed has lost none of it. @pre journal_mutex_ is held
void JournalWriter::write_transaction(bool durable) {
  const bool any = queues_->take();
  const bool only_sync = !any && durable && unsynced_;
  if (!any && !only_sync) return;
  try {
    journal_->begin(durable);
    if (only_sync) journal_->force_commit();
    queues_->write_to(*journal_);
    journal_->commit();
  } catch (...) {
    journal_->rollback();
    throw;
  }
  unsynced_ = !durable;
  queues_->remove_written();
}

void JournalWriter::fail(const std::string& sentence) noexcept {
  if (failure_.set(sentence)) queues_->mark_failed();  // the first says why
}

}  // namespace trestle::journal
