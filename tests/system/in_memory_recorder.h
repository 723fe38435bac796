#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"

namespace trestle::testing {

/// Keeps all rows of one stream, and forgets those of the others.
class InMemoryRecorder final : public Recorder {
 public:
  /// @param stream  by its name: "result"
  explicit InMemoryRecorder(std::string stream) : stream_(std::move(stream)) {}

  std::vector<RowSink*> open(
      const SessionId&, const RecordMetadata&,
      const std::vector<std::pair<std::string, Channels>>& streams) override {
    std::vector<RowSink*> sinks;
    for (const auto& [name, columns] : streams) {
      if (name == stream_) channels = columns;
      sinks.push_back(name == stream_ ? static_cast<RowSink*>(&kept_) : &lost_);
    }
    return sinks;
  }
  void event(std::int64_t, const std::string&, const std::string&) override {}
  bool wait_for_space(Duration) override { return true; }
  bool failed() const noexcept override { return false; }
  std::string error_message() const override { return {}; }
  void close() override {}

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
  Keeper kept_;
  Loser lost_;
};

}  // namespace trestle::testing
