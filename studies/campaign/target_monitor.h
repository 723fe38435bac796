#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/journal/null_recorder.h"
#include "core/ports/recording.h"

namespace trestle::campaign {

/// Keeps nothing of an integrator's record but how large each target became, and notices
/// one that is above its limit or no number.
class TargetMonitor final : public RecordStore {
 public:
  /// @param limits  of the magnitude of each target [m | rad], in the order of the record's
  ///                channels; not positive: none. Fewer than targets: the others have none
  explicit TargetMonitor(std::vector<double> limits);

  std::vector<RowSink*> open(const SessionId& session, const RecordMetadata& facts,
                             const RecordStreams& streams) override;
  std::vector<RowSink*> resume(const SessionId& session, const RecordStreams& streams,
                               std::span<const std::int64_t> last) override;
  std::unique_ptr<RecordedSession> open_session(const SessionId& session) override;
  std::optional<SessionId> find_interrupted() override;
  bool is_unfinished(const SessionId& session) override;
  void close() override {}
  std::string closing() const override { return {}; }

  /// This as a node's record, of which nothing else is kept.
  Recording recording() noexcept { return {*this, nothing_, nothing_, nothing_}; }

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

  journal::NullRecorder nothing_;
  Nowhere nowhere_;
  Watched results_;
  std::vector<std::string> names_;
};

}  // namespace trestle::campaign
