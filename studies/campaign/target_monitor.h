#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/ports/recorder.h"

namespace trestle {

/// Keeps nothing of an integrator's record but how large each target became, and notices
/// one that is above its limit or no number.
class TargetMonitor final : public Recorder {
 public:
  /// @param limits  of the magnitude of each target [m | rad], in the order of the record's
  ///                channels; not positive: none. Fewer than targets: the others have none
  explicit TargetMonitor(std::vector<double> limits);

  std::vector<RowSink*> open(
      const SessionId& session, const RecordMetadata& facts,
      const std::vector<std::pair<std::string, Channels>>& streams) override;
  void event(std::int64_t step, const std::string& kind, const std::string& text) override;
  bool wait_for_space(Duration at_most) override;
  bool failed() const noexcept override { return false; }
  std::string error_message() const override { return {}; }
  void close() override {}

  const std::vector<double>& largest() const noexcept { return results_.largest; }
  bool exceeded() const noexcept { return results_.exceeded >= 0; }
  /// One sentence. @pre exceeded()
  std::string what() const;

 private:
  struct Nowhere final : RowSink {
    bool push(const RecordRow& /*row*/) noexcept override { return true; }
  };
  struct Watched final : RowSink {
    bool push(const RecordRow& row) noexcept override;

    std::vector<std::size_t> columns;  // of the targets
    std::vector<double> limits;
    std::vector<double> largest;
    int exceeded = -1;      // which target
    std::int64_t step = 0;  // when
  };

  Nowhere nowhere_;
  Watched results_;
  std::vector<std::string> names_;
};

}  // namespace trestle
