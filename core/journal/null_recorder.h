#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"

namespace trestle {

/// Keeps nothing: for runs of which only the report is wanted.
class NullRecorder final : public Recorder {
 public:
  std::vector<RowSink*> open(
      const SessionId& /*session*/, const RecordMetadata& /*facts*/,
      const std::vector<std::pair<std::string, Channels>>& streams) override {
    return std::vector<RowSink*>(streams.size(), &nowhere_);
  }
  bool keeps_state() const noexcept override { return false; }
  void event(std::int64_t /*step*/, const std::string& /*kind*/,
             const std::string& /*text*/) override {}
  bool wait_for_space(Duration /*at_most*/) override { return true; }
  bool failed() const noexcept override { return false; }
  std::string error_message() const override { return {}; }
  void close() override {}

 private:
  struct NullSink final : RowSink {
    bool push(const RecordRow& /*row*/) noexcept override { return true; }
  };

  NullSink nowhere_;
};

}  // namespace trestle
