#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/types/message.h"

namespace trestle::rehearsal {

/// The requests to one site and its answers on the bus, step by step: the same step must
/// always have the same bits.
class ExchangeLog {
 public:
  struct Answer {
    std::vector<double> measured;
    std::vector<double> force;
  };

  explicit ExchangeLog(std::string site) : site_(std::move(site)) {}

  void asked(const StepCommand& command);
  void answered(const StepResponse& response);
  /// Discards the exchanges that a loss of power removed: the next ones may differ.
  void forget() noexcept;

  /// By step, from 0; without numbers where there was none.
  const std::vector<Answer>& answers() const noexcept { return answers_; }
  /// Step that was answered last, at least once.
  std::int64_t last() const noexcept {
    return static_cast<std::int64_t>(answers_.size()) - 1;
  }
  const std::vector<std::string>& complaints() const noexcept { return complaints_; }

 private:
  std::string site_;
  std::vector<std::vector<double>> targets_;
  std::vector<Answer> answers_;
  std::vector<std::string> complaints_;
};

}  // namespace trestle::rehearsal
