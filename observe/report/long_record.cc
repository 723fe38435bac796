#include "observe/report/long_record.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/types/record_names.h"

namespace trestle::report {
namespace {

std::int64_t numbers_in(const journal::JournalReader& journal, const std::string& stream) {
  if (!journal.has_stream(stream)) return 0;
  return journal.row_count(stream) *
         (static_cast<std::int64_t>(journal.channels(stream).size()) + 1);
}

/// The column that decides which rows are shown.
std::optional<std::size_t> leading_column(const records::StreamEnvelope& envelope) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < envelope.channels().size(); ++i) {
    if (envelope.peak(i).index < 0) continue;
    if (envelope.channels()[i].name.find(".target_") != std::string::npos) return i;
    if (!first) first = i;
  }
  return first;
}

/// The window about a row, moved so that it lies within the record.
RowStretch window_about(std::int64_t centre, std::int64_t rows, std::int64_t last) {
  const std::int64_t latest = std::max<std::int64_t>(last - rows + 1, 0);
  const std::int64_t from = std::clamp<std::int64_t>(centre - rows / 2, 0, latest);
  return {from, from + rows - 1};
}

}  // namespace

std::int64_t reported_values(const records::RunRecord& run) {
  std::int64_t values = numbers_in(run.integrator(), stream_name::kResult) +
                        numbers_in(run.integrator(), stream_name::kLedger);
  for (const records::RecordedSite& site : run.sites())
    values += numbers_in(site.journal, stream_name::kTick);
  return values;
}

bool is_short_stream(const journal::JournalReader& journal, const std::string& stream,
                     const ReadBounds& bounds) {
  return numbers_in(journal, stream) <= bounds.short_stream;
}

PartOfStream read_part(const journal::JournalReader& journal, const std::string& stream,
                       const ReadBounds& bounds) {
  if (is_short_stream(journal, stream, bounds))
    return {.rows = StreamTable(journal, stream), .envelope = {}, .window_of = {}};
  PartOfStream part{
      .rows = {},
      .envelope = records::StreamEnvelope(journal, stream, bounds.envelope_parts),
      .window_of = {}};
  const records::StreamEnvelope& whole = part.envelope;
  std::int64_t centre = 0;
  if (const auto leading = leading_column(whole)) {
    part.window_of = whole.channels()[*leading].name;
    centre = whole.peak(*leading).index;
  }
  const auto width = static_cast<std::int64_t>(whole.channels().size()) + 1;
  const std::int64_t rows =
      std::max<std::int64_t>(std::min(bounds.window_rows, bounds.short_stream / width), 2);
  part.rows = StreamTable(journal, stream, {window_about(centre, rows, whole.last())});
  return part;
}

StreamTable read_samples(const journal::JournalReader& journal, const std::string& stream,
                         const ReadBounds& bounds) {
  const std::int64_t rows = journal.newest_index(stream).value_or(-1) + 1;
  const std::int64_t length = std::min(bounds.sample_rows, rows / bounds.samples);
  std::vector<RowStretch> stretches;
  for (std::int64_t i = 0; i < bounds.samples && length > 0; ++i) {
    // The first begins with the record, the last ends with it.
    const std::int64_t from =
        (rows - length) * i / std::max<std::int64_t>(bounds.samples - 1, 1);
    stretches.push_back({from, from + length - 1});
  }
  return {journal, stream, stretches};
}

}  // namespace trestle::report
