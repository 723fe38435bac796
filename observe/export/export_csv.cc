#include "observe/export/export_csv.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/number_text.h"
#include "core/base/utc_text.h"
#include "core/types/record_names.h"
#include "observe/export/csv_table.h"
#include "observe/records/calibration_table.h"
#include "observe/records/note_table.h"
#include "observe/records/run_record.h"
#include "observe/records/specimen_table.h"
#include "observe/records/tick_records.h"

namespace trestle::exports {
namespace {

using TextColumns = std::vector<std::pair<std::string, std::vector<std::string>>>;

void write_csv_stream(const journal::JournalReader& journal, const char* stream,
                      double period, const std::string& file) {
  CsvTable table(file);
  table.head(journal.channels(stream));
  journal::RowCursor rows = journal.rows(stream);
  while (const auto row = rows.next()) {
    if (row->index < 0) continue;
    table.begin_row(static_cast<double>(row->index) * period);
    table.values(row->values);
    table.end_row();
  }
  table.keep();
}

/// One site's rows while several are walked side by side.
struct Column {
  journal::RowCursor rows;
  std::size_t channels;
  std::optional<RecordRow> row;
};

void write_joined(const std::vector<const records::RecordedSite*>& sites, double period,
                  const std::string& file) {
  CsvTable table(file);
  Channels head;
  std::vector<Column> columns;
  for (const records::RecordedSite* site : sites) {
    const Channels& channels = site->journal.channels(stream_name::kTick);
    head.insert(head.end(), channels.begin(), channels.end());
    columns.push_back({site->journal.rows(stream_name::kTick), channels.size(), {}});
    columns.back().row = columns.back().rows.next();
  }
  table.head(head);
  for (;;) {
    std::optional<std::int64_t> tick;  // the earliest that any site has
    for (const Column& column : columns)
      if (column.row) tick = std::min(tick.value_or(column.row->index), column.row->index);
    if (!tick) break;
    table.begin_row(static_cast<double>(*tick) * period);
    for (Column& column : columns) {
      if (!column.row || column.row->index != *tick) {
        table.empty_cells(column.channels);
        continue;
      }
      table.values(column.row->values);
      column.row = column.rows.next();
    }
    table.end_row();
  }
  table.keep();
}

/// `frame.csv` -> `frame.west.csv`
std::string file_of_site(const std::string& file, const std::string& site) {
  const std::filesystem::path path(file);
  return path.parent_path() /
         (path.stem().string() + "." + site + path.extension().string());
}

void write_ticks(const records::RunRecord& run, const std::string& file) {
  const std::vector<const records::RecordedSite*> sites = records::tick_records(run);
  std::vector<double> periods;
  for (const records::RecordedSite* site : sites)
    periods.push_back(site->journal.required_number(meta_key::kTick));
  const bool common = std::all_of(periods.begin(), periods.end(),
                                  [&](double period) { return period == periods.front(); });
  if (common) {
    write_joined(sites, periods.front(), file);
    return;
  }
  if (file == "-")
    throw std::runtime_error(
        "the sites' control ticks differ, so each needs a separate file; name a file");
  for (std::size_t i = 0; i < sites.size(); ++i)
    write_csv_stream(sites[i]->journal, stream_name::kTick, periods[i],
                     file_of_site(file, sites[i]->site));
}

void append_field(std::string& line, const std::string& field) {
  line += ',';
  append_csv_name(line, field);
}

/// A device or a pipe has no place beside it.
bool is_pipe_or_device(const std::string& file) {
  std::error_code none;
  return file == "-" || (std::filesystem::exists(file, none) &&
                         !std::filesystem::is_regular_file(file, none));
}

/// A table of texts beside `file`: `x.csv` -> `x.<name>.csv`.
void write_texts(const TextColumns& columns, const std::string& file,
                 const std::string& name) {
  if (columns.empty() || is_pipe_or_device(file)) return;
  AtomicFile table(file_of_site(file, name));
  std::string text;
  for (const auto& [head, texts] : columns) text += (text.empty() ? "" : ",") + head;
  text += "\n";
  for (std::size_t row = 0; row < columns.front().second.size(); ++row) {
    append_csv_name(text, columns.front().second[row]);
    for (std::size_t i = 1; i < columns.size(); ++i)
      append_field(text, columns[i].second[row]);
    text += "\n";
  }
  table.write(text);
  table.keep();
}

void write_notes(const std::string& run_dir, const std::string& file) {
  const std::vector<records::RecordedNote> notes =
      records::notes_of(records::audit_tables(run_dir));
  if (notes.empty() || is_pipe_or_device(file)) return;
  AtomicFile table(file_of_site(file, "notes"));
  table.write("time_s,step,node,who,utc,text,file,sha256,site,video_starts_s\n");
  for (const records::RecordedNote& one : notes) {
    std::string line;
    append_number(line, one.note.time);
    line += "," + std::to_string(one.note.step);
    for (const std::string& field :
         {one.node, one.who, utc_text(one.utc_ns), one.note.text, one.note.file,
          one.note.sha256, one.note.site, records::video_starts_text(one.note)})
      append_field(line, field);
    table.write(line + "\n");
  }
  table.keep();
}

}  // namespace

void export_csv(const std::string& run_dir, const std::string& file,
                const ExportOptions& options) {
  const records::RunRecord run(run_dir);
  write_notes(run_dir, file);
  write_texts(records::calibration_columns(records::calibrations_of(run.integrator())),
              file, "calibration");
  write_texts(records::specimen_columns(records::specimens_of(run.integrator())), file,
              "specimen");
  if (options.ticks) {
    write_ticks(run, file);
    return;
  }
  write_csv_stream(run.integrator(), stream_name::kResult,
                   run.integrator().required_number(meta_key::kTimeStep), file);
}

}  // namespace trestle::exports
