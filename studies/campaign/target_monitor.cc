#include "studies/campaign/target_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/types/record_names.h"

namespace trestle::campaign {

TargetMonitor::TargetMonitor(std::vector<double> limits) {
  results_.limits = std::move(limits);
}

std::vector<RowSink*> TargetMonitor::open(const SessionId& /*session*/,
                                          const RecordMetadata& /*facts*/,
                                          const RecordStreams& streams) {
  std::vector<RowSink*> sinks;
  for (const auto& [name, channels] : streams) {
    sinks.push_back(&nowhere_);
    if (name != stream_name::kResult) continue;
    sinks.back() = &results_;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].name.find(".target_") == std::string::npos) continue;
      results_.columns.push_back(i);
      names_.push_back(channels[i].name);
    }
  }
  results_.largest.assign(results_.columns.size(), 0.0);
  results_.limits.resize(results_.columns.size(), 0.0);
  return sinks;
}

std::vector<RowSink*> TargetMonitor::resume(const SessionId& session,
                                            const RecordStreams& streams,
                                            std::span<const std::int64_t> last) {
  return nothing_.resume(session, streams, last);
}

std::unique_ptr<RecordedSession> TargetMonitor::open_session(const SessionId& session) {
  return nothing_.open_session(session);
}

std::optional<SessionId> TargetMonitor::find_interrupted() {
  return nothing_.find_interrupted();
}

bool TargetMonitor::is_unfinished(const SessionId& session) {
  return nothing_.is_unfinished(session);
}

std::string TargetMonitor::what() const {
  const auto which = static_cast<std::size_t>(results_.exceeded);
  char text[200];
  std::snprintf(text, sizeof text,
                "%s grew to %.3g at step %lld, beyond %.3g, where a run counts as unstable",
                names_[which].c_str(), results_.largest[which],
                static_cast<long long>(results_.step), results_.limits[which]);
  return text;
}

bool TargetMonitor::Watched::push(const RecordRow& row) noexcept {
  if (row.index < 0) return true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double size = std::abs(row.values[columns[i]]);
    largest[i] = std::max(largest[i], size);
    if (exceeded >= 0 || limits[i] <= 0.0 || size <= limits[i]) continue;
    exceeded = static_cast<int>(i);
    step = row.index;
  }
  return true;
}

}  // namespace trestle::campaign
