#include "studies/rehearsal/memory_recorder.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace trestle::rehearsal {
namespace {

constexpr std::size_t kRowsAtFirst = 64;

class MemoryRecollection final : public RecordedSession {
 public:
  explicit MemoryRecollection(const MemorySession& session) : session_(session) {}

  std::string fact(const std::string& key) const override {
    for (const auto& [name, value] : session_.facts)
      if (name == key) return value;
    return {};
  }
  Channels channels(const std::string& stream) const override {
    const MemorySession::Stream* found = session_.stream(stream);
    return found == nullptr ? Channels() : found->channels;
  }
  std::int64_t last(const std::string& stream) const override {
    const MemorySession::Stream* found = session_.stream(stream);
    return found == nullptr || found->index.empty() ? kNone : found->index.back();
  }
  bool row(const std::string& stream, std::int64_t index,
           std::vector<double>& into) override {
    const MemorySession::Stream* found = session_.stream(stream);
    if (found == nullptr) return false;
    const auto at = std::lower_bound(found->index.begin(), found->index.end(), index);
    if (at == found->index.end() || *at != index) return false;
    const auto row = found->row(static_cast<std::size_t>(at - found->index.begin()));
    into.assign(row.begin(), row.end());
    return true;
  }
  /// A process here ends as by a loss of power: data that was not synced is lost.
  bool whole() const override { return false; }
  std::vector<std::string> events(const std::string& kind) const override {
    std::vector<std::string> texts;
    for (const MemorySession::Event& event : session_.events)
      if (event.kind == kind) texts.push_back(event.text);
    return texts;
  }
  std::vector<AuditEntry> audits() const override {
    std::vector<AuditEntry> entries;
    for (const MemorySession::Audit& audit : session_.audits)
      entries.push_back(audit.entry);
    return entries;
  }
  std::optional<State> state() const override {
    if (session_.states.empty()) return std::nullopt;
    const MemorySession::State& newest = session_.states.back();
    return State{newest.step, newest.values};
  }

 private:
  const MemorySession& session_;
};

}  // namespace

class MemoryRecorder::Sink final : public RowSink {
 public:
  Sink(MemoryRecorder& record, std::size_t stream) : record_(record), stream_(stream) {}

  bool push(const RecordRow& row) noexcept override {
    if (!record_.lives()) return true;
    if (record_.session_ == nullptr) return false;
    MemorySession::Stream& stream = record_.session_->streams[stream_];
    if (!stream.index.empty() && row.index <= stream.index.back())
      return refuse(stream, row.index);
    const std::uint64_t number = record_.take((row.values.size() + 1) * sizeof(double));
    if (number == 0) return false;
    stream.index.push_back(row.index);
    stream.number.push_back(number);
    stream.values.insert(stream.values.end(), row.values.begin(), row.values.end());
    return true;
  }

 private:
  /// As the journal does with an index that is not above the one before it.
  bool refuse(const MemorySession::Stream& stream, std::int64_t index) noexcept {
    record_.store_.disorders_.push_back("row " + std::to_string(index) + " of " +
                                        stream.name + " came behind row " +
                                        std::to_string(stream.index.back()));
    record_.failed_ = true;
    return false;
  }

  MemoryRecorder& record_;
  std::size_t stream_;
};

MemoryRecorder::MemoryRecorder(SimulatedDisk& store, ProcessLifetime* life)
    : store_(store), life_(life) {}

MemoryRecorder::~MemoryRecorder() = default;

std::vector<RowSink*> MemoryRecorder::open(const SessionId& session,
                                           const RecordMetadata& facts,
                                           const RecordStreams& streams) {
  failed_ = false;
  session_ = lives() ? &store_.begin(session) : &nowhere_;
  session_->facts = facts;
  session_->streams.clear();
  for (const auto& [name, channels] : streams) {
    MemorySession::Stream& stream = session_->streams.emplace_back();
    stream.name = name;
    stream.channels = channels;
    stream.index.reserve(kRowsAtFirst);
    stream.number.reserve(kRowsAtFirst);
    stream.values.reserve(kRowsAtFirst * channels.size());
  }
  store_.sync_now();
  return make_sinks();
}

std::vector<RowSink*> MemoryRecorder::resume(const SessionId& session,
                                             const RecordStreams& streams,
                                             std::span<const std::int64_t> last) {
  failed_ = false;
  if (!lives()) {
    session_ = &nowhere_;
    session_->streams.resize(streams.size());
    return make_sinks();
  }
  MemorySession* held = store_.held(session);
  if (held == nullptr) throw std::runtime_error("there is no record of this session");
  if (store_.full()) throw std::runtime_error("the disk is full: the record cannot go on");
  if (last.size() != streams.size() || held->streams.size() != streams.size())
    throw std::runtime_error("the record has " + std::to_string(held->streams.size()) +
                             " streams, not " + std::to_string(streams.size()));
  for (std::size_t i = 0; i < streams.size(); ++i) {
    MemorySession::Stream& stream = held->streams[i];
    if (stream.name != streams[i].first || stream.channels != streams[i].second)
      throw std::runtime_error("stream " + stream.name + " has other channels");
    const auto end = std::upper_bound(stream.index.begin(), stream.index.end(), last[i]);
    stream.keep_first(static_cast<std::size_t>(end - stream.index.begin()));
  }
  held->ended = false;
  session_ = held;
  store_.sync_now();
  return make_sinks();
}

std::vector<RowSink*> MemoryRecorder::make_sinks() {
  std::vector<RowSink*> sinks;
  for (std::size_t i = 0; i < session_->streams.size(); ++i) {
    sinks_.push_back(std::make_unique<Sink>(*this, i));
    sinks.push_back(sinks_.back().get());
  }
  return sinks;
}

std::unique_ptr<RecordedSession> MemoryRecorder::open_session(const SessionId& session) {
  const MemorySession* held = store_.find(session);
  if (held == nullptr || !lives()) return nullptr;
  return std::make_unique<MemoryRecollection>(*held);
}

std::optional<SessionId> MemoryRecorder::find_interrupted() {
  const auto& sessions = store_.sessions();
  for (auto session = sessions.rbegin(); session != sessions.rend(); ++session)
    if (!(*session)->ended) return (*session)->id;
  return std::nullopt;
}

bool MemoryRecorder::is_unfinished(const SessionId& session) {
  const MemorySession* held = store_.find(session);
  return held != nullptr && !held->ended;
}

std::uint64_t MemoryRecorder::take(std::size_t bytes) noexcept {
  const std::uint64_t number = failed_ ? 0 : store_.take(bytes);
  if (number == 0) failed_ = true;
  return number;
}

void MemoryRecorder::save_state(std::int64_t step, std::span<const double> state) noexcept {
  if (!lives() || session_ == nullptr) return;
  const std::uint64_t number = take(state.size() * sizeof(double));
  if (number == 0) return;
  store_.settle();
  // Of the durable ones only the newest can be restored.
  std::vector<MemorySession::State>& states = session_->states;
  while (states.size() > 1 && states[1].number <= store_.safe_)
    states.erase(states.begin());
  states.push_back({step, {state.begin(), state.end()}, number});
}

std::uint64_t MemoryRecorder::request_sync() noexcept {
  return lives() ? store_.sync() : 0;
}

bool MemoryRecorder::is_durable(std::uint64_t ticket) const noexcept {
  // The belief of a dead node has no effect.
  return (life_ != nullptr && !life_->alive()) || store_.synced(ticket);
}

void MemoryRecorder::event(std::int64_t step, const std::string& kind,
                           const std::string& text) {
  if (!lives() || session_ == nullptr) return;
  if (listener_) listener_(kind, text);
  if (const std::uint64_t number = take(text.size()))
    session_->events.push_back({step, kind, text, number});
}

void MemoryRecorder::audit(const AuditEntry& entry) {
  if (!lives() || session_ == nullptr) return;
  if (const std::uint64_t number = take(entry.text.size()))
    session_->audits.push_back({entry, number});
}

std::string MemoryRecorder::audit_digest() const {
  if (session_ == nullptr || session_->audits.empty()) return {};
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto add = [&hash](const std::string& text) {
    for (const char letter : text + '\n')
      hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  };
  for (const MemorySession::Audit& audit : session_->audits) {
    add(audit.entry.who);
    add(audit.entry.from);
    add(audit.entry.what);
    add(audit.entry.text);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string MemoryRecorder::error_message() const {
  return store_.full() ? "the disk is full: the record can no longer be kept"
                       : "a row came whose number is not above that of the one before it";
}

void MemoryRecorder::close() {
  if (!lives() || session_ == nullptr) return;
  session_->ended = !failed_;
  session_ = nullptr;
  store_.sync_now();
}

}  // namespace trestle::rehearsal
