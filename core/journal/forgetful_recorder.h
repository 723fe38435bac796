#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"

namespace trestle {

/// Keeps nothing: for runs of which only the report is wanted.
class ForgetfulRecorder final : public Recorder {
 public:
  std::vector<StepSink*> open(
      const SessionId& /*session*/, const RecordFacts& /*facts*/,
      const std::vector<std::pair<std::string, Channels>>& streams) override {
    return std::vector<StepSink*>(streams.size(), &nowhere_);
  }
  bool keeps_state() const noexcept override { return false; }
  void event(std::int64_t /*step*/, const std::string& /*kind*/,
             const std::string& /*text*/) override {}
  bool make_room(Duration /*at_most*/) override { return true; }
  bool failed() const noexcept override { return false; }
  std::string failure() const override { return {}; }
  void close() override {}

 private:
  struct Nowhere final : StepSink {
    bool push(const RecordRow& /*row*/) noexcept override { return true; }
  };

  Nowhere nowhere_;
};

}  // namespace trestle
