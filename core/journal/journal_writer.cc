#include "core/journal/journal_writer.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>
#include <stdexcept>

#include "core/journal/journal_names.h"
#include "core/journal/row_layout.h"

namespace trestle {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// How often the writing thread looks at the rings: the step path has no means to wake it
/// that would not cost a system call.
constexpr auto kPollPeriod = std::chrono::milliseconds(10);
constexpr std::size_t kEvents = 256;

std::chrono::duration<double> poll_period(const JournalSettings& settings) {
  return std::min<std::chrono::duration<double>>(
      kPollPeriod, std::chrono::duration<double>(settings.transaction_s));
}

}  // namespace

JournalWriter::JournalWriter(const JournalSettings& settings)
    : settings_(settings), events_(kEvents) {
  if (!(settings.transaction_s > 0.0))
    throw std::runtime_error("journal " + settings.path +
                             ": the longest transaction must be above 0 s");
  journal_.emplace(settings.path, settings.durable, settings.max_pages);
}

JournalWriter::~JournalWriter() {
  close();
}

StepSink& JournalWriter::add_stream(const std::string& name, const Channels& channels) {
  assert(!thread_.joinable());
  const int number = journal_->add_stream(name, channels);
  streams_.push_back(
      {number, name, std::make_unique<RowRing>(channels.size(), settings_.ring_rows)});
  return *streams_.back().ring;
}

void JournalWriter::set_meta(const std::string& key, const std::string& value) {
  const std::lock_guard lock(journal_mutex_);
  assert(journal_);
  journal_->set_meta(key, value);
}

void JournalWriter::start() {
  assert(!thread_.joinable());
  thread_ = std::thread([this] { write_until_stopped(); });
}

bool JournalWriter::event(TimePoint time, std::string_view node, std::string_view kind,
                          std::string_view text) noexcept {
  return events_.push(time, node, kind, text);
}

bool JournalWriter::make_room(Duration at_most) {
  if (failed()) return false;
  if (has_room()) return true;
  std::unique_lock lock(mutex_);
  ++requested_;
  wake_.notify_one();
  served_more_.wait_for(lock, at_most, [this] { return failed() || has_room(); });
  return !failed() && has_room();
}

bool JournalWriter::flush() {
  if (!thread_.joinable()) {
    drain();
    return !failed();
  }
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++requested_;
  wake_.notify_one();
  served_more_.wait(lock, [this, mine] { return served_ >= mine; });
  return !failed();
}

bool JournalWriter::close() noexcept {
  if (!journal_) return !failed();
  try {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(mutex_);
        stop_ = true;
      }
      wake_.notify_one();
      thread_.join();
    }
    const std::lock_guard lock(journal_mutex_);
    write_transaction();
    std::uint64_t lost = 0;
    for (const Stream& stream : streams_) lost += stream.ring->lost();
    if (lost > 0) journal_->set_meta(meta_key::kLostRows, std::to_string(lost));
    journal_->finish();
  } catch (const std::exception& error) {
    fail(error.what());
  }
  journal_.reset();
  return !failed();
}

bool JournalWriter::failed() const noexcept {
  if (failed_.load(std::memory_order_acquire) || events_.lost() > 0) return true;
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.ring->lost() > 0; });
}

std::optional<std::string> JournalWriter::failure() const {
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
  const auto period = poll_period(settings_);
  auto last = SteadyClock::now();
  std::unique_lock lock(mutex_);
  while (!stop_) {
    wake_.wait_for(lock, period, [this] { return stop_ || requested_ > served_; });
    if (requested_ == served_ && !is_due(last)) continue;
    const std::uint64_t serving = requested_;
    lock.unlock();
    if (!failed_.load(std::memory_order_relaxed)) drain();
    last = SteadyClock::now();
    lock.lock();
    served_ = serving;
    served_more_.notify_all();
  }
}

bool JournalWriter::is_due(SteadyClock::time_point last) const noexcept {
  if (std::chrono::duration<double>(SteadyClock::now() - last).count() >=
      settings_.transaction_s)
    return true;
  if (events_.size() > 0) return true;  // rare, and somebody may be waiting to read it
  return std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 4 >= stream.ring->capacity();
  });
}

bool JournalWriter::has_room() const noexcept {
  return std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 2 <= stream.ring->capacity();
  });
}

void JournalWriter::drain() noexcept {
  try {
    const std::lock_guard lock(journal_mutex_);
    write_transaction();
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

// Rows leave their ring only when they are committed, so that a transaction that failed has
// lost none of them. @pre journal_mutex_ is held
void JournalWriter::write_transaction() {
  const std::size_t events = events_.size();
  bool any = events > 0;
  for (const Stream& stream : streams_) any = any || stream.ring->size() > 0;
  if (!any) return;
  try {
    journal_->begin();
    for (std::size_t at = 0; at < events; ++at) journal_->add_event(events_.event(at));
    for (Stream& stream : streams_) {
      stream.taken = 0;
      for (const std::span<const std::byte> rows : stream.ring->rows()) {
        journal_->append(stream.number, rows);
        stream.taken += rows.size() / stream.ring->row_bytes();
      }
    }
    journal_->commit();
  } catch (...) {
    journal_->rollback();
    throw;
  }
  events_.pop(events);
  for (const Stream& stream : streams_) stream.ring->pop(stream.taken);
}

void JournalWriter::fail(const std::string& sentence) noexcept {
  {
    const std::lock_guard lock(failure_mutex_);
    if (failed_.load(std::memory_order_relaxed)) return;  // the first says why
    failure_ = sentence;
    failed_.store(true, std::memory_order_release);
  }
  for (const Stream& stream : streams_) stream.ring->abandon();
}

std::string JournalWriter::loss() const {
  for (const Stream& stream : streams_)
    if (stream.ring->lost() > 0)
      return "journal " + settings_.path + ": " + std::to_string(stream.ring->lost()) +
             " rows of `" + stream.name +
             "` were lost, the disk was slower than the test; use a faster disk, or keep "
             "fewer ticks (recording.ticks)";
  return "journal " + settings_.path + ": " + std::to_string(events_.lost()) +
         " events were lost, the disk was slower than the test; use a faster disk";
}

}  // namespace trestle
