#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "observe/web/watched_record.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::web::testing {

inline constexpr double kTimeStep = 1.0 / 1024.0;
inline constexpr std::size_t kChannels = 4;

/// Row `index` of the record.
inline std::vector<double> row_values(std::int64_t index) {
  const auto at = static_cast<double>(index);
  return {std::sin(0.01 * at), std::cos(0.003 * at), at, std::sin(0.0001 * at * at)};
}

/// A folder with the integrator's record of a test of one site, of `rows` steps.
class WatchedFolder {
 public:
  explicit WatchedFolder(std::int64_t rows, const std::string& contract = "",
                         bool ended = true) {
    journal::JournalFile journal(folder_.file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "long one");
    journal.set_meta(meta_key::kMode, "real-time");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kTimeStep, std::to_string(kTimeStep));
    journal.set_meta(meta_key::kStepsPlanned, std::to_string(rows));
    journal.set_meta(meta_key::kBegun, "1795499727306812458");  // 2026-11-24
    journal.set_meta(meta_key::kContractOf + std::string("west"), contract);
    if (ended) journal.set_meta(meta_key::kEnded, "1795499999306812458");
    const int stream = journal.add_stream(
        stream_name::kResult, {{"a_m", "m"}, {"b_m", "m"}, {"c_N", "N"}, {"d_N", "N"}});
    constexpr std::int64_t kBlock = 1000;
    std::vector<std::byte> bytes;
    journal.begin();
    for (std::int64_t index = 0; index < rows; ++index) {
      const std::vector<double> values = row_values(index);
      const std::size_t at = bytes.size();
      bytes.resize(at + sizeof index + kChannels * sizeof(double));
      std::memcpy(bytes.data() + at, &index, sizeof index);
      std::memcpy(bytes.data() + at + sizeof index, values.data(),
                  kChannels * sizeof(double));
      if (index + 1 < rows && index % kBlock != kBlock - 1) continue;
      journal.append(stream, bytes);
      bytes.clear();
    }
    journal.commit();
  }

  std::string path() const { return folder_.path(); }
  std::string journal() const { return folder_.file("journal.db"); }

  /// Looked at once.
  WatchedRecords watched(NodeAnswer answer = {}) const {
    WatchedRecords records;
    records.push_back(std::make_unique<WatchedRecord>(path()));
    records.front()->look(1.0, std::move(answer));
    return records;
  }

 private:
  trestle::testing::TemporaryFolder folder_;
};

}  // namespace trestle::web::testing
