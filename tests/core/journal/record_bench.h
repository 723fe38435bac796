#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/journal/journal_recorder.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::testing {

inline const SessionId kSession{7, 8, 9};
inline const RecordStreams kStreams{{"intent", {{"a_m", "m"}}},
                                    {"result", {{"a_m", "m"}, {"b_N", "N"}}}};

/// A folder, recorders on it as one process after the other would make them, and rows whose
/// values tell their index.
class RecordBench {
 public:
  journal::JournalRecorder::Settings settings() const {
    journal::JournalRecorder::Settings settings;
    settings.folder = folder_.path();
    settings.node = "west";
    settings.ring_rows = 256;
    return settings;
  }
  std::unique_ptr<journal::JournalRecorder> recorder() const {
    return std::make_unique<journal::JournalRecorder>(settings());
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string database(const SessionId& session = kSession) const {
    return file(to_hex(session) + ".db");
  }
  std::string ring(const SessionId& session = kSession) const {
    return file(to_hex(session) + ".ring");
  }

  static bool push(RowSink& intent, std::int64_t index) {
    const double value = 0.5 * static_cast<double>(index);
    return intent.push({index, std::span<const double>(&value, 1)});
  }

  /// Indices of `intent`, asked for in order; values that do not belong are a failure.
  static std::vector<std::int64_t> intents(RecordedSession& record, std::int64_t begin,
                                           std::int64_t end) {
    std::vector<std::int64_t> found;
    std::vector<double> values;
    for (std::int64_t index = begin; index < end; ++index)
      if (record.row("intent", index, values) &&
          values == std::vector<double>{0.5 * static_cast<double>(index)})
        found.push_back(index);
    return found;
  }

 private:
  TemporaryFolder folder_;
};

inline std::vector<std::int64_t> from_to(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> all;
  for (std::int64_t index = begin; index < end; ++index) all.push_back(index);
  return all;
}

}  // namespace trestle::testing
