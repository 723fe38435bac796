#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"

namespace trestle::testing {

/// Keeps all rows of one stream, and forgets those of the others.
class MemoryRecorder final : public Recorder {
 public:
  /// @param stream  by its name: "result"
  explicit MemoryRecorder(std::string stream) : stream_(std::move(stream)) {}

  std::vector<StepSink*> open(
      const SessionId&, const RecordFacts&,
      const std::vector<std::pair<std::string, Channels>>& streams) override {
    std::vector<StepSink*> sinks;
    for (const auto& [name, columns] : streams) {
      if (name == stream_) channels = columns;
      sinks.push_back(name == stream_ ? static_cast<StepSink*>(&kept_) : &lost_);
    }
    return sinks;
  }
  void event(std::int64_t, const std::string&, const std::string&) override {}
  bool make_room(Duration) override { return true; }
  bool failed() const noexcept override { return false; }
  std::string failure() const override { return {}; }
  void close() override {}

  /// Values of all rows from step 0 on, one after the other.
  const std::vector<double>& values() const noexcept { return kept_.values; }

  Channels channels;

 private:
  struct Keeper final : StepSink {
    bool push(const RecordRow& row) noexcept override {
      if (row.index >= 0) values.insert(values.end(), row.values.begin(), row.values.end());
      return true;
    }
    std::vector<double> values;
  };
  struct Loser final : StepSink {
    bool push(const RecordRow&) noexcept override { return true; }
  };

  std::string stream_;
  Keeper kept_;
  Loser lost_;
};

}  // namespace trestle::testing
