#include "observe/export/export_hdf5.h"

#include <cstddef>
#include <string>
#include <vector>

#include "core/types/record_names.h"
#include "observe/export/hdf5_file.h"
#include "observe/records/audit_table.h"
#include "observe/records/calibration_table.h"
#include "observe/records/note_table.h"
#include "observe/records/run_record.h"
#include "observe/records/specimen_table.h"
#include "observe/records/tick_records.h"

namespace trestle::exports {
namespace {

/// Rows that are turned into columns at a time.
constexpr std::size_t kRows = 4096;

/// Rows without those of negative index: the initial measurement is no step.
std::uint64_t exported_rows(const journal::JournalReader& journal, const char* stream) {
  auto count = static_cast<std::uint64_t>(journal.row_count(stream));
  journal::RowCursor rows = journal.rows(stream);
  for (auto row = rows.next(); row && row->index < 0; row = rows.next()) --count;
  return count;
}

void write_hdf5_stream(Hdf5File& file, const std::string& path,
                       const journal::JournalReader& journal, const char* stream,
                       double period) {
  const Hdf5Handle group = file.group(path);
  file.attribute(group, "dt", period);
  const std::uint64_t total = exported_rows(journal, stream);
  std::vector<Hdf5Handle> columns;
  columns.push_back(file.column(group, "time_s", "s", total));
  for (const Channel& channel : journal.channels(stream))
    columns.push_back(file.column(group, channel.name, channel.unit, total));

  std::vector<std::vector<double>> values(columns.size());
  std::uint64_t written = 0;
  const auto write_columns = [&] {
    for (std::size_t i = 0; i < columns.size(); ++i)
      file.write(columns[i], written, values[i]);
    written += values.front().size();
    for (std::vector<double>& column : values) column.clear();
  };
  journal::RowCursor rows = journal.rows(stream);
  while (const auto row = rows.next()) {
    if (row->index < 0) continue;
    values[0].push_back(static_cast<double>(row->index) * period);
    for (std::size_t i = 0; i < row->values.size(); ++i)
      values[i + 1].push_back(row->values[i]);
    if (values.front().size() == kRows) write_columns();
  }
  write_columns();
}

void write_events(Hdf5File& file, const journal::JournalReader& journal) {
  const std::vector<journal::JournalEvent> events = journal.events();
  std::vector<double> times;
  std::vector<std::string> nodes;
  std::vector<std::string> kinds;
  std::vector<std::string> texts;
  for (const journal::JournalEvent& event : events) {
    times.push_back(seconds(event.time.time_since_epoch()));
    nodes.push_back(event.node);
    kinds.push_back(event.kind);
    texts.push_back(event.text);
  }
  const Hdf5Handle group = file.group("/event");
  file.write(file.column(group, "time_s", "s", times.size()), 0, times);
  file.strings(group, "node", nodes);
  file.strings(group, "kind", kinds);
  file.strings(group, "text", texts);
}

void write_hdf5_calibrations(Hdf5File& file, const journal::JournalReader& integrator) {
  const auto columns = records::calibration_columns(records::calibrations_of(integrator));
  if (columns.empty()) return;
  const Hdf5Handle group = file.group("/calibration");
  for (const auto& [name, texts] : columns) file.strings(group, name, texts);
}

void write_hdf5_specimens(Hdf5File& file, const journal::JournalReader& integrator) {
  const auto columns = records::specimen_columns(records::specimens_of(integrator));
  if (columns.empty()) return;
  const Hdf5Handle group = file.group("/specimen");
  for (const auto& [name, texts] : columns) file.strings(group, name, texts);
}

void write_hdf5_notes(Hdf5File& file, const std::string& run_dir) {
  const records::NoteColumns notes =
      records::note_columns(records::notes_of(records::audit_tables(run_dir)));
  if (notes.time.empty()) return;
  const Hdf5Handle group = file.group("/note");
  file.write(file.column(group, "time_s", "s", notes.time.size()), 0, notes.time);
  file.write(file.column(group, "step", "", notes.step.size()), 0, notes.step);
  for (const auto& [name, texts] : notes.texts) file.strings(group, name, texts);
}

}  // namespace

void export_hdf5(const std::string& run_dir, const std::string& file_name,
                 const ExportOptions& options) {
  const records::RunRecord run(run_dir);
  const journal::JournalReader& integrator = run.integrator();
  const double time_step = integrator.required_number(meta_key::kTimeStep);
  const std::vector<const records::RecordedSite*> sites =
      options.ticks ? records::tick_records(run)
                    : std::vector<const records::RecordedSite*>{};

  Hdf5File file(file_name);
  {
    const Hdf5Handle root = file.group("/");
    for (const auto& [key, value] : integrator.meta()) file.attribute(root, key, value);
    file.attribute(root, "dt", time_step);
  }
  write_hdf5_stream(file, "/result", integrator, stream_name::kResult, time_step);
  for (const records::RecordedSite* site : sites)
    write_hdf5_stream(file, "/tick/" + site->site, site->journal, stream_name::kTick,
                      site->journal.required_number(meta_key::kTick));
  write_events(file, integrator);
  write_hdf5_calibrations(file, integrator);
  write_hdf5_specimens(file, integrator);
  write_hdf5_notes(file, run_dir);
  file.keep();
}

}  // namespace trestle::exports
