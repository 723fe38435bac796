#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ports/recorder.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"

namespace trestle {

/// The three streams that a site keeps of a session: intent before the actuators move for a
/// step, result after, and its ticks. Rows are sized at set-up; nothing here allocates per
/// step.
class SiteRecord {
 public:
  explicit SiteRecord(Recorder& recorder) : recorder_(recorder) {}

  /// @throws std::runtime_error where the record cannot be kept
  void open(const Configure& configure, const std::string& site,
            const std::string& software, const std::vector<ActuatorDescription>& actuators,
            const Channels& ticks);

  /// @returns false where the row was lost
  bool intent(const StepCommand& command) noexcept;
  bool result(const StepResponse& response) noexcept;
  void event(std::int64_t step, const std::string& kind, const std::string& text);
  void close();

  StepSink* ticks() const noexcept { return ticks_; }
  bool failed() const noexcept { return open_ && recorder_.failed(); }
  std::string failure() const { return recorder_.failure(); }

 private:
  Recorder& recorder_;
  bool open_ = false;
  StepSink* intent_ = nullptr;
  StepSink* result_ = nullptr;
  StepSink* ticks_ = nullptr;
  std::vector<double> intent_row_;
  std::vector<double> result_row_;
};

}  // namespace trestle
