#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/journal/null_recorder.h"
#include "core/ports/recording.h"

namespace trestle::testing {

/// Keeps all rows of one stream, and forgets those of the others.
class InMemoryRecorder final : public RecordStore {
 public:
  /// @param stream  by its name: "result"
  explicit InMemoryRecorder(std::string stream) : stream_(std::move(stream)) {}

  std::vector<RowSink*> open(const SessionId&, const RecordMetadata&,
                             const RecordStreams& streams) override {
    std::vector<RowSink*> sinks;
    for (const auto& [name, columns] : streams) {
      if (name == stream_) channels = columns;
      sinks.push_back(name == stream_ ? static_cast<RowSink*>(&kept_) : &lost_);
    }
    return sinks;
  }
  std::vector<RowSink*> resume(const SessionId& session, const RecordStreams& streams,
                               std::span<const std::int64_t> last) override {
    return nothing_.resume(session, streams, last);
  }
  std::unique_ptr<RecordedSession> open_session(const SessionId&) override {
    return nullptr;
  }
  std::optional<SessionId> find_interrupted() override { return std::nullopt; }
  bool is_unfinished(const SessionId&) override { return false; }
  void close() override {}
  std::string closing() const override { return {}; }

  Recording recording() noexcept { return {*this, nothing_, nothing_, nothing_}; }

  /// Values of all rows from step 0 on, one after the other.
  const std::vector<double>& values() const noexcept { return kept_.values; }

  Channels channels;

 private:
  struct Keeper final : RowSink {
    bool push(const RecordRow& row) noexcept override {
      if (row.index >= 0) values.insert(values.end(), row.values.begin(), row.values.end());
      return true;
    }
    std::vector<double> values;
  };
  struct Loser final : RowSink {
    bool push(const RecordRow&) noexcept override { return true; }
  };

  std::string stream_;
  journal::NullRecorder nothing_;
  Keeper kept_;
  Loser lost_;
};

}  // namespace trestle::testing
