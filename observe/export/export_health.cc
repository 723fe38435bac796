#include "observe/export/export_health.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "core/base/atomic_file.h"
#include "core/base/number_text.h"
#include "core/types/record_names.h"
#include "observe/export/csv_table.h"
#include "observe/records/run_record.h"

namespace trestle::exports {
namespace {

constexpr std::size_t kBytesAtOnce = 1U << 18U;

}  // namespace

void export_health(const std::string& run_dir, const std::string& file) {
  const records::RunRecord run(run_dir);
  const journal::JournalReader& journal = run.integrator();
  if (!journal.has_stream(stream_name::kHealth))
    throw std::runtime_error(
        "the record " + journal.path() +
        " has no stream `health`: it is of a run under the virtual clock, or of an earlier "
        "version; run the test with --set clock=wall");
  AtomicFile out(file);
  std::string text = "heartbeat";
  for (const Channel& channel : journal.channels(stream_name::kHealth)) {
    text += ',';
    append_csv_name(text, channel.name);
  }
  text += '\n';
  journal::RowCursor rows = journal.rows(stream_name::kHealth);
  while (const auto row = rows.next()) {
    text += std::to_string(row->index);
    for (const double value : row->values) {
      text += ',';
      if (!std::isnan(value)) append_number(text, value);
    }
    text += '\n';
    if (text.size() < kBytesAtOnce) continue;
    out.write(text);
    text.clear();
  }
  out.write(text);
  out.keep();
}

}  // namespace trestle::exports
