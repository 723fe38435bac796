#include "observe/report/record_chapters.h"

#include "core/base/number_text.h"
#include "core/base/time.h"
#include "core/base/utc_text.h"
#include "observe/plot/number_format.h"
#include "observe/records/note_file.h"

namespace trestle::report {
namespace {

constexpr std::size_t kMostEvents = 400;
constexpr std::size_t kLongDigest = 64;
constexpr std::size_t kDayLetters = 10;           // 2026-10-30
constexpr std::size_t kLargestPhoto = 8U << 20U;  // that the report shows [bytes]

/// A UTC time of the journal's facts; empty: it has none.
std::string recorded_utc(const RunData& run, const char* key) {
  const std::optional<double> time = parse_number(run.meta(key));
  if (!time) return {};
  return utc_text(static_cast<std::int64_t>(std::stoll(run.meta(key))));
}

/// Half a digest on a line, so that a table stays within a page.
std::string two_lines(const std::string& digest) {
  if (digest.size() != kLongDigest) return digest;
  return digest.substr(0, kLongDigest / 2) + " " + digest.substr(kLongDigest / 2);
}

/// Two facts with what joins them; one alone if the other is not stated.
std::string both_facts(const std::string& first, const std::string& joint,
                       const std::string& second) {
  if (second.empty()) return first;
  if (!first.empty()) return first + joint + second;
  const std::size_t word = joint.find_first_not_of(", ");
  return (word == std::string::npos ? "" : joint.substr(word)) + second;
}

/// Where to look in the video of a note.
std::string video_sentence(const Note& note) {
  const double within = note.time - *note.video_starts;
  std::string text = "Video files/" + note.file + ": it starts at " +
                     plot::format_fixed(*note.video_starts, 3) + " s of the test";
  if (within >= 0.0)
    text += "; the note \"" + note.text + "\" is about " + plot::format_fixed(within, 3) +
            " s after its start";
  return text + ".";
}

}  // namespace

void write_notes_chapter(document::HtmlDocument& document, const RunData& run) {
  if (run.notes.empty()) return;
  document.chapter("Notes");
  document::HtmlTable table{
      .caption = "By the step that a note is about; UTC: when it was written",
      .heads = {"time", "step", "note", "who", "UTC", "record", "file", "site"},
      .words_from = 2};
  for (const records::RecordedNote& one : run.notes)
    table.rows.push_back(
        {plot::format_fixed(one.note.time, 3) + " s", std::to_string(one.note.step),
         one.note.text,
         one.who +
             (one.from.find("after the end") != std::string::npos ? ", after the end" : ""),
         utc_text(one.utc_ns), one.node,
         one.note.file.empty() ? "" : one.note.file + ", SHA-256 " + one.note.sha256,
         one.note.site});
  document.table(table);
  for (const records::RecordedNote& one : run.notes) {
    if (one.note.file.empty()) continue;
    const std::string content = records::read_note_file(run.folder, one.note);
    if (content.empty())
      document.paragraph("The folder does not hold the file " + one.note.file +
                         " as it was when the note was written.");
    else if (one.note.video_starts)
      document.paragraph(video_sentence(one.note));
    else if (content.size() <= kLargestPhoto)
      document.photo(content, one.note.text + ", at step " + std::to_string(one.note.step) +
                                  " (" + one.note.file + ")");
  }
}

void write_events_chapter(document::HtmlDocument& document, const RunData& run) {
  if (run.events.empty()) return;
  document.chapter("Events");
  document::HtmlTable table{.caption = "By the time of the session",
                            .heads = {"time", "node", "kind", "event"},
                            .words_from = 1};
  for (const journal::JournalEvent& event : run.events) {
    if (table.rows.size() == kMostEvents) break;
    table.rows.push_back(
        {plot::format_fixed(seconds(event.time.time_since_epoch()), 3) + " s", event.node,
         event.kind, event.text});
  }
  document.table(table);
  if (run.events.size() > kMostEvents)
    document.paragraph("The first " + std::to_string(kMostEvents) + " of " +
                       std::to_string(run.events.size()) +
                       " events; `trestle export --hdf5` writes all.");
}

void write_audit_chapter(document::HtmlDocument& document, const RunData& run) {
  std::vector<const records::AuditTable*> tables;
  for (const records::AuditTable& table : run.audits)
    if (!table.verdict.entries.empty() || !table.problems.empty()) tables.push_back(&table);
  if (tables.empty()) return;
  document.chapter("Audit");
  for (const records::AuditTable* audit : tables) {
    document.heading(audit->node.empty() ? audit->file : audit->node);
    const std::size_t count = audit->verdict.entries.size();
    if (audit->problems.empty())
      document.paragraph(
          "The chain of " + std::to_string(count) + (count == 1 ? " entry" : " entries") +
          " is whole, and the digests that the other nodes noted are in it.");
    for (const std::string& problem : audit->problems)
      document.paragraph("The chain cannot be believed: " + problem);
    document::HtmlTable table{.heads = {"", "UTC", "who", "by way of", "act", "text"},
                              .words_from = 1};
    for (const journal::AuditRecord& record : audit->verdict.entries)
      table.rows.push_back({std::to_string(record.sequence), utc_text(record.utc_ns),
                            record.entry.who, record.entry.from, record.entry.what,
                            record.entry.text});
    document.table(table);
  }
}

void write_configuration_chapter(document::HtmlDocument& document, const RunData& run) {
  document.chapter("Configuration");
  if (!run.effective.empty()) document.file_text("effective.yaml", run.effective);
  for (const RecordedSiteData& site : run.sites)
    if (!site.contract_text.empty())
      document.file_text("Session contract with " + site.name, site.contract_text);
}

void write_specimen_chapter(document::HtmlDocument& document, const RunData& run) {
  if (run.specimens.empty()) return;
  document::HtmlTable table{.caption = "As each site stated it before the test",
                            .heads = {"site", "specimen", "drawing", "material", "made",
                                      "cast", "note", "papers"},
                            .words_from = 0};
  for (const records::RecordedSpecimen& each : run.specimens) {
    const auto fact = [&each](const char* name) {
      return each.papers.fact(name);
    };
    table.rows.push_back({each.site, fact("id"), fact("drawing"), fact("material"),
                          both_facts(fact("made"), " by ", fact("by")), fact("cast"),
                          fact("note"), fact("papers")});
  }
  document.chapter("Specimens");
  document.table(table);
}

void write_calibration_chapter(document::HtmlDocument& document, const RunData& run) {
  document::HtmlTable table{.caption = "As each site stated them before the test",
                            .heads = {"site", "channel", "sensor", "factor", "calibrated",
                                      "due", "range", "resolution", "filter and sampling"},
                            .words_from = 0};
  const std::string begun = recorded_utc(run, "begun_utc_ns");
  std::string missing;
  for (const records::RecordedCalibrations& site : run.calibrations) {
    for (const session::ChannelCalibration& one : site.channels) {
      const std::string due = one.fact("due");
      const bool expired = !due.empty() && !begun.empty() &&
                           due < std::string_view(begun).substr(0, kDayLetters);
      table.rows.push_back(
          {site.site, one.channel,
           both_facts(one.fact("sensor"), ", serial ", one.fact("serial")),
           one.fact("factor"),
           both_facts(both_facts(one.fact("done"), " by ", one.fact("by")),
                      ", certificate ", one.fact("certificate")),
           due + (expired ? ", expired before the test" : ""), one.fact("range"),
           one.fact("resolution"),
           both_facts(
               one.fact("filter"), ", ",
               one.fact("sampling_Hz").empty() ? "" : one.fact("sampling_Hz") + " Hz")});
    }
    for (const std::string& channel : site.missing)
      missing += (missing.empty() ? "" : ", ") + site.site + " " + channel;
  }
  if (table.rows.empty() && missing.empty()) return;
  document.chapter("Calibrations");
  if (!table.rows.empty()) document.table(table);
  if (!missing.empty())
    document.paragraph(
        "No calibration is stated of these channels of real equipment: " + missing + ".");
}

void write_provenance_chapter(document::HtmlDocument& document, const RunData& run,
                              const std::string& title) {
  document.chapter(title);
  document::HtmlTable facts{.heads = {"fact", "value"}, .words_from = 1};
  const auto add = [&facts](const std::string& name, const std::string& value) {
    if (!value.empty()) facts.rows.push_back({name, value});
  };
  add("session", run.meta("session"));
  add("begun", recorded_utc(run, "begun_utc_ns"));
  add("ended", recorded_utc(run, "ended_utc_ns"));
  add("integrator's software", run.meta("software"));
  for (const RecordedSiteData& site : run.sites)
    add("software of " + site.name, site.contract.value("site.software"));
  add("digest of the model", run.meta("model"));
  add("rows that were lost", run.meta("lost_rows"));
  add("events that were lost", run.meta("lost_events"));
  document.table(facts);
  document::HtmlTable files{
      .caption =
          "SHA-256 of each journal, and of the rows in it: of every stream "
          "its name, then of every row its index and its values",
      .heads = {"file", "node", "rows", "state", "digest of the file",
                "digest of the rows"},
      .words_from = 3};
  for (const RecordedFile& file : run.files)
    files.rows.push_back({file.name, file.node, plot::format_count(file.rows),
                          file.finished ? "ended" : "not ended", two_lines(file.digest),
                          two_lines(file.rows_digest)});
  document.table(files);
  if (run.outline.is_long)
    document.paragraph(
        "The digests of this long record are left out: they need every byte of it; "
        "`sha256sum FILE` gives that of a file.");
  if (!run.missing_sites.empty()) {
    std::string names;
    for (const std::string& name : run.missing_sites)
      names += (names.empty() ? "" : ", ") + name;
    document.paragraph("The folder does not hold the own journal of: " + names +
                       ". `trestle collect` brings it; then limits are seen at each "
                       "control tick.");
  }
  document.paragraph(
      "`trestle report FOLDER`, with the folder that holds this record, makes these very "
      "bytes again.");
}

}  // namespace trestle::report
