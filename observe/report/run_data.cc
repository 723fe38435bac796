#include "observe/report/run_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include "core/base/journal_names.h"
#include "core/base/number_text.h"
#include "core/base/sha256.h"
#include "core/types/execution_mode.h"
#include "core/types/record_names.h"

namespace trestle::report {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string digest_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 digest;
  std::vector<char> piece(kReadBytes);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.add(std::string_view(piece.data(), static_cast<std::size_t>(file.gcount())));
  }
  return digest.to_hex();
}

/// Digest over each stream's name, then each row's index and values as in the journal.
std::string digest_of_rows(const journal::JournalReader& journal, std::int64_t& rows) {
  static_assert(std::endian::native == std::endian::little);
  Sha256 digest;
  for (const std::string& stream : journal.streams()) {
    digest.add_field(stream);
    journal::RowCursor cursor = journal.rows(stream);
    while (const std::optional<RecordRow> row = cursor.next()) {
      digest.add_number(static_cast<std::uint64_t>(row->index));
      digest.add(std::as_bytes(row->values));
      ++rows;
    }
  }
  return digest.to_hex();
}

/// @param with_digests  they need every byte of the file
RecordedFile recorded_file(const journal::JournalReader& journal, const std::string& name,
                           bool with_digests) {
  RecordedFile file{.name = name,
                    .node = journal.meta(meta_key::kNode).value_or(""),
                    .digest = {},
                    .rows_digest = {}};
  file.finished = journal.meta(meta_key::kEnded).has_value();
  if (with_digests) {
    file.rows_digest = digest_of_rows(journal, file.rows);
    file.digest = digest_of_file(journal.path());
  } else {
    for (const std::string& stream : journal.streams())
      file.rows += journal.row_count(stream);
  }
  return file;
}

/// Steps of a record of which not all rows were read: the initial measurement is none.
std::int64_t count_of_steps(const journal::JournalReader& journal) {
  std::int64_t steps = journal.row_count(stream_name::kResult);
  journal::RowCursor cursor = journal.rows(stream_name::kResult);
  for (auto row = cursor.next(); row && row->index < 0; row = cursor.next()) --steps;
  return steps;
}

/// Columns `<prefix>.target_m` and so on.
MotionSignals motion_of(const StreamTable& result, const std::string& prefix,
                        const std::string& name) {
  MotionSignals motion;
  motion.name = name;
  for (std::size_t i = 0; i < result.channels().size(); ++i) {
    const Channel& channel = result.channels()[i];
    if (!channel.name.starts_with(prefix + ".")) continue;
    const std::string quantity = channel.name.substr(prefix.size() + 1);
    const std::vector<double>* column = &result.column(i);
    if (quantity.starts_with("target_")) motion.target = column, motion.unit = channel.unit;
    if (quantity.starts_with("command_")) motion.command = column;
    if (quantity.starts_with("measured_")) motion.measured = column;
    if (quantity.starts_with("force_"))
      motion.force = column, motion.force_unit = channel.unit;
  }
  return motion;
}

/// The time on the rig's clock that a second of the test takes, as agreed. A record has its
/// control ticks in the time of the test.
double time_scale(const RecordedSiteData& site) {
  if (site.contract.value("mode") != name(ExecutionMode::kContinuous)) return 1.0;
  return std::max(site.contract.number("continuous.scale").value_or(1.0), 1.0);
}

/// A summary of the same session that covers all of the record's steps.
bool belongs_to(const nlohmann::ordered_json& summary, const std::string& session,
                std::int64_t steps) {
  return summary.is_object() && summary.value("session", "") == session &&
         summary.value("steps_done", std::int64_t{-1}) == steps &&
         summary.contains("sites") && summary.contains("criteria");
}

}  // namespace

RunData::RunData(const std::string& run_folder, const ReadBounds& bounds)
    : folder(run_folder) {
  const records::RunRecord run(folder);
  const journal::JournalReader& integrator = run.integrator();
  facts = integrator.meta();
  time_step = integrator.required_number(meta_key::kTimeStep);
  outline.is_long = reported_values(run) > bounds.most_values;
  read_streams(integrator, bounds);
  events = integrator.events();
  files.push_back(recorded_file(integrator, kIntegratorJournal, !outline.is_long));
  missing_sites = run.missing_sites();
  read_sites(run, bounds);
  read_initial(integrator);
  std::stable_sort(events.begin(), events.end(),
                   [](const journal::JournalEvent& a, const journal::JournalEvent& b) {
                     return a.time < b.time;
                   });
  for (records::AuditTable& table : records::audit_tables(folder))
    if (table.file.find('/') == std::string::npos) audits.push_back(std::move(table));
  notes = records::notes_of(audits);
  calibrations = records::calibrations_of(run.integrator());
  specimens = records::specimens_of(run.integrator());
  read_texts();
}

void RunData::read_streams(const journal::JournalReader& integrator,
                           const ReadBounds& bounds) {
  if (integrator.has_stream(stream_name::kResult)) {
    if (outline.is_long) {
      PartOfStream part = read_part(integrator, stream_name::kResult, bounds);
      result = std::move(part.rows);
      outline.result = std::move(part.envelope);
      outline.window_of = std::move(part.window_of);
    } else {
      result = StreamTable(integrator, stream_name::kResult);
    }
  }
  if (integrator.has_stream(stream_name::kLedger)) {
    if (!outline.is_long || is_short_stream(integrator, stream_name::kLedger, bounds)) {
      ledger = StreamTable(integrator, stream_name::kLedger);
    } else {
      ledger = read_samples(integrator, stream_name::kLedger, bounds);
      outline.ledger_rows = integrator.row_count(stream_name::kLedger);
    }
  }
  for (const std::int64_t step : result.index())
    time_.push_back(static_cast<double>(step) * time_step);
  steps_ =
      is_window() ? count_of_steps(integrator) : static_cast<std::int64_t>(time_.size());
}

void RunData::read_ticks(const journal::JournalReader& journal, RecordedSiteData& site,
                         const ReadBounds& bounds) const {
  site.tick_times = records::TickTimes(journal);
  site.rig_tick_s = journal.required_number(meta_key::kTick) * time_scale(site);
  if (!outline.is_long) {
    site.ticks = StreamTable(journal, stream_name::kTick);
    return;
  }
  // About the largest target of the ticks themselves: a step of a pseudo-dynamic test takes
  // any number of them, and the window of the steps may lie beside it at an end of the
  // test.
  PartOfStream part = read_part(journal, stream_name::kTick, bounds);
  site.ticks = std::move(part.rows);
  site.tick_envelope = std::move(part.envelope);
}

void RunData::read_sites(const records::RunRecord& run, const ReadBounds& bounds) {
  std::string names = meta(meta_key::kSites);
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    RecordedSiteData site;
    site.name = names.substr(0, comma);
    names.erase(0, comma + 1);
    site.contract_text = meta("contract." + site.name);
    site.contract = ContractReader(site.contract_text);
    for (const std::string& dof : site.contract.names("interface"))
      site.interface.push_back(motion_of(result, site.name + "." + dof, dof));
    for (const std::string& actuator : site.contract.names("actuators"))
      site.actuators.push_back(motion_of(result, site.name + "." + actuator, actuator));
    sites.push_back(std::move(site));
  }
  for (const records::RecordedSite& recorded : run.sites()) {
    const journal::JournalReader& journal = recorded.journal;
    files.push_back(recorded_file(journal, recorded.site + ".db", !outline.is_long));
    const std::vector<journal::JournalEvent> theirs = journal.events();
    events.insert(events.end(), theirs.begin(), theirs.end());
    for (RecordedSiteData& site : sites) {
      if (site.name != recorded.site) continue;
      if (journal.has_stream(stream_name::kTick) && journal.meta(meta_key::kTick))
        read_ticks(journal, site, bounds);
    }
  }
}

void RunData::read_initial(const journal::JournalReader& integrator) {
  for (const char* stream : {"opening", "initial"}) {
    if (!integrator.has_stream(stream)) continue;
    const Channels& channels = integrator.channels(stream);
    journal::RowCursor cursor = integrator.rows(stream);
    const std::optional<RecordRow> row = cursor.next();
    if (!row) continue;
    const auto take = [&](const std::string& beginning, double& value) {
      for (std::size_t i = 0; i < channels.size(); ++i)
        if (channels[i].name.starts_with(beginning)) value = row->values[i];
    };
    for (RecordedSiteData& site : sites)
      for (auto* motions : {&site.interface, &site.actuators})
        for (MotionSignals& motion : *motions) {
          const std::string prefix = site.name + "." + motion.name;
          take(prefix + ".measured_", motion.initial_measured);
          take(prefix + ".force_", motion.initial_force);
        }
  }
}

void RunData::read_texts() {
  effective = file_text(folder + "/effective.yaml");
  const std::string text = file_text(folder + "/summary.json");
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_discarded() && belongs_to(json, meta(meta_key::kSession), steps()))
    summary = json;
}

std::string RunData::meta(const std::string& key) const {
  const auto found = facts.find(key);
  return found == facts.end() ? std::string() : found->second;
}

double RunData::end_time() const noexcept {
  if (is_window()) return static_cast<double>(outline.result.last()) * time_step;
  return time_.empty() ? 0.0 : time_.back();
}

std::int64_t RunData::steps_planned() const {
  const std::optional<double> planned = parse_number(meta("steps_planned"));
  return planned ? static_cast<std::int64_t>(*planned) : steps();
}

}  // namespace trestle::report
