
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/exit_code.h"
#include "composition/processes/pending_acts.h"
#include "core/base/utc_text.h"
#include "observe/records/audit_table.h"

namespace trestle::cli {
namespace {

struct AuditOptions {
  std::string where;  ///< folder of a run or of a site server, or a site's name
  bool json = false;
};

/// What is in the records of a folder, and what no record has yet.
struct Audit {
  std::vector<composition::PendingAct> pending;
  std::vector<records::AuditTable> tables;
};

using Json = nlohmann::ordered_json;

/// Text from the bus must not control a terminal.
std::string printable(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = '?';
  return text;
}

using Row = std::array<std::string, 6>;

std::vector<Row> rows_of(const records::AuditTable& table) {
  std::vector<Row> rows{{"no", "time", "who", "from", "what", "text"}};
  for (const journal::AuditRecord& record : table.verdict.entries)
    rows.push_back({std::to_string(record.sequence), utc_text(record.utc_ns),
                    printable(record.entry.who), printable(record.entry.from),
                    printable(record.entry.what), printable(record.entry.text)});
  return rows;
}

void print_rows(const std::vector<Row>& rows) {
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    if (rows.size() == 1) break;
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      line += "  " + row[i] + std::string(widths[i] - row[i].size(), ' ');
    std::printf("%s  %s\n", line.c_str(), row.back().c_str());
  }
}

void print_audit(const records::AuditTable& table) {
  std::printf("%s: %s, test %s, session %s\n", table.file.c_str(),
              printable(table.node).c_str(), printable(table.test).c_str(),
              printable(table.session).c_str());
  print_rows(rows_of(table));
  if (table.problems.empty())
    std::printf("  %zu entries, the chain holds\n", table.verdict.entries.size());
  for (const std::string& problem : table.problems)
    std::printf("  NOT TO BE BELIEVED: %s\n", printable(problem).c_str());
}

/// No chain protects them before a record has them.
void print_pending(const std::vector<composition::PendingAct>& acts) {
  if (acts.empty()) return;
  std::printf("not in a record yet: the record of the next test takes this over\n");
  std::vector<Row> rows{{"no", "time", "who", "from", "what", "text"}};
  for (const composition::PendingAct& act : acts)
    rows.push_back({"-", printable(act.utc), printable(act.entry.who),
                    printable(act.entry.from), printable(act.entry.what),
                    printable(act.entry.text)});
  print_rows(rows);
}

Json audit_json(const records::AuditTable& table) {
  Json entries = Json::array();
  for (const journal::AuditRecord& record : table.verdict.entries)
    entries.push_back({{"number", record.sequence},
                       {"utc", utc_text(record.utc_ns)},
                       {"utc_ns", record.utc_ns},
                       {"who", record.entry.who},
                       {"from", record.entry.from},
                       {"what", record.entry.what},
                       {"text", record.entry.text},
                       {"digest", record.digest}});
  return {
      {"file", table.file},
      {"node", table.node},
      {"test", table.test},
      {"session", table.session},
      {"holds", table.problems.empty()},
      {"broken_entry", table.verdict.broken ? Json(*table.verdict.broken) : Json(nullptr)},
      {"problems", table.problems},
      {"digest", table.verdict.digest},
      {"entries", std::move(entries)}};
}

Json pending_json(const std::vector<composition::PendingAct>& acts) {
  Json json = Json::array();
  for (const composition::PendingAct& act : acts)
    json.push_back({{"rig", act.rig},
                    {"utc", act.utc},
                    {"who", act.entry.who},
                    {"from", act.entry.from},
                    {"what", act.entry.what},
                    {"text", act.entry.text}});
  return json;
}

void print_json(const Audit& audit, bool holds) {
  Json json{{"holds", holds}, {"journals", Json::array()}};
  for (const records::AuditTable& table : audit.tables)
    json["journals"].push_back(audit_json(table));
  json["not_in_a_record_yet"] = pending_json(audit.pending);
  // A name that is no UTF-8 is shown as far as it is.
  std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

/// The diary first: a record that takes it over meanwhile has the acts, too.
/// @throws std::runtime_error  there is nothing to show, or it cannot be read
Audit read_audit(const std::string& where) {
  std::string folder = where;
  if (!std::filesystem::is_directory(folder))
    if (const std::string of_site = operated_folder(where); !of_site.empty())
      folder = of_site;
  Audit found{composition::pending_acts(folder), {}};
  try {
    found.tables = records::audit_tables(folder);
  } catch (const std::exception&) {
    if (found.pending.empty()) throw;  // before the first test there is no record
  }
  return found;
}

/// @returns kExitInternal if one of the tables cannot be believed
int audit(const AuditOptions& options) {
  Audit found;
  try {
    found = read_audit(options.where);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  const bool holds =
      std::all_of(found.tables.begin(), found.tables.end(),
                  [](const records::AuditTable& table) { return table.problems.empty(); });
  if (options.json) {
    print_json(found, holds);
  } else {
    for (const records::AuditTable& table : found.tables) print_audit(table);
    print_pending(found.pending);
  }
  return holds ? kExitComplete : kExitInternal;
}

}  // namespace

void add_audit_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<AuditOptions>();
  CLI::App* const verb =
      app.add_subcommand("audit", "who armed, stopped, overrode, and when");
  verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
      ->required();
  verb->add_flag("--json", options->json, "print the tables as JSON");
  commands.add(verb, [options] { return audit(*options); });
}

}  // namespace trestle::cli
