#include "observe/export/export_ledger.h"

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/record/ledger_columns.h"
#include "core/types/record_names.h"
#include "observe/export/csv_table.h"
#include "observe/records/run_record.h"

namespace trestle::exports {
namespace {

using Stamps = std::vector<const char*>;

constexpr std::size_t kWriteBytes = 1U << 18U;

const Channels& ledger_of(const journal::JournalReader& journal) {
  if (!journal.has_stream(stream_name::kLedger))
    throw std::runtime_error(
        "this run has no delay ledger: in lock-step under the virtual clock no time passes "
        "that could be accounted for; run it with --set clock=wall, or in another mode");
  return journal.channels(stream_name::kLedger);
}

/// A ledger of before knows no stamp of the record.
Stamps stamps_of(const Channels& channels) {
  constexpr std::size_t kRecorded = record::LedgerColumns::kRecorded;
  const std::span<const char* const> names = record::LedgerColumns::names();
  Stamps stamps(names.begin(), names.end());
  if (channels.size() > kRecorded &&
      !channels[kRecorded].name.ends_with(std::string(".") + names[kRecorded]))
    stamps.erase(stamps.begin() + kRecorded);
  return stamps;
}

/// One per site, in their order.
std::vector<std::string> sites_of(const journal::JournalReader& journal,
                                  const Stamps& stamps) {
  const Channels& channels = ledger_of(journal);
  std::vector<std::string> sites;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    const std::string stamp = std::string(".") + stamps[i % stamps.size()];
    if (i % stamps.size() == 0) sites.push_back(name.substr(0, name.rfind('.')));
    if (name != sites.back() + stamp)
      throw std::runtime_error("the ledger of " + journal.path() + " has a column " + name +
                               " where " + sites.back() + stamp + " should stand");
  }
  if (sites.size() * stamps.size() != channels.size())
    throw std::runtime_error("the ledger of " + journal.path() + " lacks columns of " +
                             sites.back());
  return sites;
}

void append_whole(std::string& text, double value) {
  if (std::isnan(value)) return;
  std::array<char, 400> digits;  // of any double
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::fixed, 0);
  text.append(digits.data(), end.ptr);
}

void append_row(std::string& text, std::int64_t step, const std::string& site,
                std::span<const double> stamps) {
  text += std::to_string(step) + ',';
  append_csv_name(text, site);
  for (const double stamp : stamps) {
    text += ',';
    append_whole(text, stamp);
  }
  text += '\n';
}

}  // namespace

void export_ledger(const std::string& run_dir, const std::string& file) {
  const records::RunRecord run(run_dir);
  const Stamps stamps = stamps_of(ledger_of(run.integrator()));
  const std::vector<std::string> sites = sites_of(run.integrator(), stamps);
  AtomicFile out(file);
  std::string text = "step,site";
  for (const char* stamp : stamps) text += std::string(",") + stamp;
  text += '\n';
  journal::RowCursor rows = run.integrator().rows(stream_name::kLedger);
  while (const auto row = rows.next()) {
    for (std::size_t i = 0; i < sites.size(); ++i)
      append_row(text, row->index, sites[i],
                 row->values.subspan(i * stamps.size(), stamps.size()));
    if (text.size() < kWriteBytes) continue;
    out.write(text);
    text.clear();
  }
  out.write(text);
  out.keep();
}

}  // namespace trestle::exports
