#include "core/journal/journal_recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/lost_record.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorded_session.h"
#include "core/journal/leftovers.h"
#include "core/journal/ring_file.h"
#include "core/journal/unfinished_journal.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

// Longest wait of a reader for what was pushed and is not yet in the file.
constexpr Duration kLongestFlush = std::chrono::seconds(1);
// Between two sentences while the end of a record waits for the disk.
constexpr Duration kBetweenSentences = std::chrono::seconds(5);
// Between two calls of Settings::while_waiting: an operator sees no delay.
constexpr Duration kBetweenLooks = std::chrono::milliseconds(20);

/// Until the end of the process.
void leave_to_its_thread(std::unique_ptr<JournalWriter> writer) {
  static std::mutex mutex;
  static auto* const left = new std::vector<std::unique_ptr<JournalWriter>>;
  const std::lock_guard lock(mutex);
  left->push_back(std::move(writer));
}

std::string file_of(const JournalRecorder::Settings& settings, const std::string& session) {
  return settings.folder + "/" + (settings.name.empty() ? session : settings.name) + ".db";
}

/// Wall-clock time, for display only.
std::int64_t utc_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::vector<RowSink*> JournalRecorder::open(const SessionId& session,
                                            const RecordMetadata& facts,
                                            const RecordStreams& streams) {
  const std::string id = to_hex(session);
  refuse_while_closing();
  release();  // a record that cannot be opened leaves none behind
  auto writer = std::make_unique<JournalWriter>(writer_settings(id));
  // Before the session: a record that ends between the two was begun by nobody. With the
  // session alone it would look as if the system had been restarted.
  if (!writer->meta(meta_key::kSession))
    writer->set_meta(meta_key::kBoot, RingFile::boot_id());
  writer->set_meta(meta_key::kSession, id);
  writer->forget_meta(meta_key::kEnded);
  if (!writer->meta(meta_key::kBegun))
    writer->set_meta(meta_key::kBegun, std::to_string(utc_ns()));
  if (!writer->meta(meta_key::kNumber))
    writer->set_meta(meta_key::kNumber, std::to_string(next_number()));
  writer->set_meta(meta_key::kBoot, RingFile::boot_id());
  RecordMetadata all = settings_.facts;
  all.insert(all.end(), facts.begin(), facts.end());
  for (const auto& [key, value] : all) writer->set_meta(key, value);
  std::vector<RowSink*> sinks;
  for (const auto& [name, channels] : streams)
    sinks.push_back(&writer->add_stream(name, channels));
  writer->settle();
  start(std::move(writer), session);
  return sinks;
}

std::vector<RowSink*> JournalRecorder::resume(const SessionId& session,
                                              const RecordStreams& streams,
                                              std::span<const std::int64_t> last) {
  const std::string id = to_hex(session);
  const std::string file = file_of(settings_, id);
  if (streams.size() != last.size())
    throw std::runtime_error("journal " + file + " is to be resumed with " +
                             std::to_string(streams.size()) + " streams, and " +
                             std::to_string(last.size()) + " last rows were stated");
  refuse_while_closing();
  release();
  if (!std::filesystem::exists(file))
    throw std::runtime_error("there is no journal " + file + " to resume");
  auto writer = std::make_unique<JournalWriter>(writer_settings(id));
  if (const auto held = writer->meta(meta_key::kSession); held != id)
    throw std::runtime_error("journal " + file + " holds session " +
                             held.value_or("(none)") + ", session " + id +
                             " cannot go on there");
  std::vector<RowSink*> sinks;
  for (std::size_t i = 0; i < streams.size(); ++i)
    sinks.push_back(&writer->reopen_stream(streams[i].first, streams[i].second, last[i]));
  writer->forget_meta(meta_key::kEnded);
  // A line for the audit alone does not make good what was lost with the power.
  if (!streams.empty()) writer->set_meta(meta_key::kBoot, RingFile::boot_id());
  start(std::move(writer), session);
  return sinks;
}

std::unique_ptr<RecordedSession> JournalRecorder::open_session(const SessionId& session) {
  const std::string id = to_hex(session);
  const std::string file = file_of(settings_, id);
  if (!std::filesystem::exists(file)) return nullptr;
  if (open_ && session == session_) {
    // A slow disk: a reader that asks again finds it later.
    if (!writer_->flush(kLongestFlush) && !writer_->failed()) return nullptr;
  } else if (!open_ || file_of(settings_, to_hex(session_)) != file) {
    recover_ring_file(file);
  }
  auto recollection = std::make_unique<JournalRecordedSession>(file);
  if (recollection->fact(meta_key::kSession) != id) return nullptr;
  return recollection;
}

std::optional<SessionId> JournalRecorder::find_interrupted() {
  if (open_) return session_;
  const std::optional<UnfinishedJournal> found =
      settings_.name.empty() ? newest_unfinished(settings_.folder)
                             : find_interrupted_session(file_of(settings_, ""));
  if (!found) return std::nullopt;
  if (!recover_ring_file(found->path))
    throw std::runtime_error("journal " + found->path +
                             " is being written by another program; end that one first");
  return parse_session_id(found->session);
}

bool JournalRecorder::is_unfinished(const SessionId& session) {
  if (open_ && session == session_) return true;
  const std::string id = to_hex(session);
  const std::optional<UnfinishedJournal> found =
      find_interrupted_session(file_of(settings_, id));
  return found && found->session == id;
}

/// The system's clock may be set back at any time: records are counted.
std::int64_t JournalRecorder::next_number() {
  if (!last_number_)
    last_number_ = settings_.name.empty() ? highest_number(settings_.folder) : 0;
  return ++*last_number_;
}

void JournalRecorder::save_state(std::int64_t step,
                                 std::span<const double> state) noexcept {
  if (open_) writer_->save_state(step, state);
}

std::uint64_t JournalRecorder::request_sync() noexcept {
  return open_ ? writer_->request_sync() : 0;
}

bool JournalRecorder::is_durable(std::uint64_t ticket) const noexcept {
  return writer_ == nullptr || writer_->is_durable(ticket);
}

void JournalRecorder::event(std::int64_t step, const std::string& kind,
                            const std::string& text) {
  if (!open_) return;
  const double at = static_cast<double>(step < 0 ? 0 : step) * time_step_;
  writer_->event(TimePoint{Duration{std::llround(at * 1e9)}}, settings_.node, kind, text);
}

std::size_t JournalRecorder::room_for_events() const noexcept {
  return open_ ? writer_->queues().events().room() : kUnbounded;
}

void JournalRecorder::audit(const AuditEntry& entry) {
  if (open_) writer_->audit(entry, utc_ns());
}

std::string JournalRecorder::audit_digest() const {
  return writer_ == nullptr ? std::string() : writer_->queues().audits().digest();
}

bool JournalRecorder::wait_for_space(Duration at_most) {
  if (!open_ || writer_->wait_for_space(at_most)) {
    sentence_due_.reset();
    return true;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!sentence_due_) sentence_due_ = now + kBetweenSentences;
  if (settings_.say && now >= *sentence_due_ && !writer_->failed()) {
    sentence_due_ = now + kBetweenSentences;
    settings_.say("still waits for the disk of " + file_of(settings_, to_hex(session_)) +
                  " to take rows");
  }
  return false;
}

std::string JournalRecorder::error_message() const {
  return writer_ == nullptr ? std::string()
                            : writer_->error_message().value_or(std::string());
}

void JournalRecorder::close() {
  if (!open_) return;
  // No step follows that would fail for it.
  if (const std::uint64_t lost = writer_->queues().lost_events(); lost > 0 && settings_.say)
    settings_.say("the record " + file_of(settings_, to_hex(session_)) + " ends without " +
                  std::to_string(lost) +
                  " of its events: its disk was slower than the test; use a faster disk");
  begin_close(utc_ns());
  if (!settings_.closes_in_background) wait_for_disk();
}

std::string JournalRecorder::closing() const {
  return writer_ == nullptr || open_ || writer_->closed()
             ? std::string()
             : file_of(settings_, to_hex(session_));
}

std::string JournalRecorder::missing(const SessionId& session) const {
  const std::string file = file_of(settings_, to_hex(session));
  std::error_code none;
  if (std::filesystem::exists(file, none)) return {};
  std::string left;
  for (const std::string& part : {file + "-wal", RingFile::path_beside(file)})
    if (std::filesystem::exists(part, none)) left += (left.empty() ? "" : " and ") + part;
  return file + " is not there" + (left.empty() ? "" : " (left of it: " + left + ")");
}

void JournalRecorder::begin_close(std::int64_t ended_utc_ns) noexcept {
  open_ = false;
  close_begun_ = std::chrono::steady_clock::now();
  writer_->begin_close(ended_utc_ns);
}

/// At most `longest_close` since the close began. Not in system calls itself: those are the
/// writing thread's.
void JournalRecorder::wait_for_disk() noexcept {
  const auto end = close_begun_ + settings_.longest_close;
  const std::string file = file_of(settings_, to_hex(session_));
  const Duration slice = settings_.while_waiting ? kBetweenLooks : kBetweenSentences;
  auto sentence_due = std::chrono::steady_clock::now() + kBetweenSentences;
  for (;;) {
    const Duration left = end - std::chrono::steady_clock::now();
    if (left <= Duration::zero() || writer_->closed(std::min(left, slice))) return;
    const auto now = std::chrono::steady_clock::now();
    if (settings_.while_waiting)
      settings_.while_waiting(file, now - close_begun_, end - now);
    if (!settings_.say || (now < sentence_due && now < end)) continue;
    sentence_due = now + kBetweenSentences;
    settings_.say("still waits for the disk of " + file + " to take the end of the record");
  }
}

/// A record ends before the next one begins: its writer owns the ring file.
void JournalRecorder::refuse_while_closing() const {
  const std::string file = closing();
  if (!file.empty() && !writer_->closed(kLongestFlush))
    throw std::runtime_error("the disk has not yet taken the end of the last record, " +
                             file + "; try again when it has");
}

JournalSettings JournalRecorder::writer_settings(const std::string& session) const {
  JournalSettings settings;
  settings.path = file_of(settings_, session);
  settings.ring_rows = settings_.ring_rows;
  settings.max_pages = settings_.max_pages;
  settings.max_unsynced_age_s = settings_.max_unsynced_age_s;
  settings.longest_stall = settings_.longest_stall;
  settings.session = session;
  settings.on_durable = [call = on_durable_] {
    call->call();
  };
  return settings;
}

void JournalRecorder::start(std::unique_ptr<JournalWriter> writer,
                            const SessionId& session) {
  const std::string time_step = writer->meta(meta_key::kTimeStep).value_or("0");
  time_step_ = std::strtod(time_step.c_str(), nullptr);
  writer->start();
  writer_ = std::move(writer);
  session_ = session;
  open_ = true;
}

/// The session that is open stays unfinished.
void JournalRecorder::release() noexcept {
  if (writer_ == nullptr) return;
  if (open_) begin_close(0);
  wait_for_disk();
  const std::string failure = writer_->error_message().value_or("");
  if (settings_.say && writer_->closed() && is_elsewhere(failure)) settings_.say(failure);
  if (!writer_->closed() || is_still_open(failure)) {
    // A thread in a system call cannot be ended: it keeps what it uses. A deleted file is
    // there for a person as long as it is open.
    if (on_durable_) on_durable_->revoke();
    on_durable_ = std::make_shared<RevocableCall>(settings_.on_durable);  // of the next
    leave_to_its_thread(std::move(writer_));
  }
  writer_.reset();
}

}  // namespace trestle::journal
