#include "observe/export/export_mat.h"

#include <string>
#include <utility>
#include <vector>

#include "core/types/record_names.h"
#include "observe/export/mat_file.h"
#include "observe/records/audit_table.h"
#include "observe/records/calibration_table.h"
#include "observe/records/note_table.h"
#include "observe/records/run_record.h"
#include "observe/records/specimen_table.h"
#include "observe/records/tick_records.h"

namespace trestle::exports {
namespace {

MatStruct stream(const std::string& name, const journal::JournalReader& journal,
                 const char* stream_name, double period) {
  const Channels& channels = journal.channels(stream_name);
  const auto total = static_cast<std::size_t>(journal.row_count(stream_name));
  std::vector<double> times;
  times.reserve(total);
  std::vector<std::vector<double>> values(channels.size());
  for (std::vector<double>& column : values) column.reserve(total);
  journal::RowCursor rows = journal.rows(stream_name);
  while (const auto row = rows.next()) {
    if (row->index < 0) continue;  // the initial measurement is no step
    times.push_back(static_cast<double>(row->index) * period);
    for (std::size_t i = 0; i < values.size(); ++i) values[i].push_back(row->values[i]);
  }
  MatStruct structure(name);
  structure.column("time_s", "s", std::move(times));
  for (std::size_t i = 0; i < channels.size(); ++i)
    structure.column(channels[i].name, channels[i].unit, std::move(values[i]));
  structure.number("dt", period);
  return structure;
}

MatStruct events(const journal::JournalReader& journal) {
  std::vector<double> times;
  std::vector<std::string> nodes;
  std::vector<std::string> kinds;
  std::vector<std::string> texts;
  for (const journal::JournalEvent& event : journal.events()) {
    times.push_back(seconds(event.time.time_since_epoch()));
    nodes.push_back(event.node);
    kinds.push_back(event.kind);
    texts.push_back(event.text);
  }
  MatStruct structure("event");
  structure.column("time_s", "s", std::move(times));
  structure.texts("node", nodes);
  structure.texts("kind", kinds);
  structure.texts("text", texts);
  return structure;
}

void write_mat_notes(MatFile& file, const std::string& run_dir) {
  records::NoteColumns notes =
      records::note_columns(records::notes_of(records::audit_tables(run_dir)));
  if (notes.time.empty()) return;
  MatStruct table("note");
  table.column("time_s", "s", std::move(notes.time));
  table.column("step", "", std::move(notes.step));
  for (const auto& [name, texts] : notes.texts) table.texts(name, texts);
  file.write(table);
}

}  // namespace

void export_mat(const std::string& run_dir, const std::string& file_name,
                const ExportOptions& options) {
  const records::RunRecord run(run_dir);
  const journal::JournalReader& integrator = run.integrator();
  const std::vector<const records::RecordedSite*> sites =
      options.ticks ? records::tick_records(run)
                    : std::vector<const records::RecordedSite*>{};
  MatFile file(file_name);
  file.write(stream("result", integrator, stream_name::kResult,
                    integrator.required_number(meta_key::kTimeStep)));
  if (!sites.empty()) {
    MatStruct ticks("tick");
    for (const records::RecordedSite* site : sites)
      ticks.structure(stream(site->site, site->journal, stream_name::kTick,
                             site->journal.required_number(meta_key::kTick)));
    file.write(ticks);
  }
  file.write(events(integrator));
  const auto calibrations =
      records::calibration_columns(records::calibrations_of(integrator));
  if (!calibrations.empty()) {
    MatStruct table("calibration");
    for (const auto& [name, texts] : calibrations) table.texts(name, texts);
    file.write(table);
  }
  if (const auto specimens = records::specimen_columns(records::specimens_of(integrator));
      !specimens.empty()) {
    MatStruct table("specimen");
    for (const auto& [name, texts] : specimens) table.texts(name, texts);
    file.write(table);
  }
  write_mat_notes(file, run_dir);
  MatStruct meta("meta");
  for (const auto& [key, value] : integrator.meta()) meta.text(key, value);
  file.write(meta);
  file.keep();
}

}  // namespace trestle::exports
