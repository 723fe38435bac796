#include "observe/records/synchronisation_record.h"

#include <cmath>
#include <stdexcept>

#include "core/types/record_names.h"

namespace trestle::records {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t column(const Channels& channels, const std::string& name) {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return i;
  return kNone;
}

/// Columns of what is wanted and of what was measured.
struct Pair {
  std::size_t wanted;
  std::size_t measured;
};

}  // namespace

std::vector<SynchronisedPort> synchronised_ports(const RunRecord& run,
                                                 const SynchronisationQuery& question) {
  const journal::JournalReader& journal = run.integrator();
  const double period = journal.required_number(meta_key::kTimeStep);
  const Channels& channels = journal.channels(stream_name::kResult);
  std::vector<SynchronisedPort> ports;
  std::vector<Pair> columns;
  const std::string tail = ".measured_m";
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    if (!name.ends_with(tail)) continue;
    const std::string dof = name.substr(0, name.size() - tail.size());
    const std::size_t wanted = column(channels, dof + ".disp_m");
    if (wanted == kNone) continue;
    ports.push_back({.name = dof, .period = period, .wanted = {}, .measured = {}});
    columns.push_back({wanted, i});
  }
  if (ports.empty())
    throw std::runtime_error(journal.path() +
                             " records no port of a bond graph; run a test with "
                             "`numerical: {bond_graph: ...}`");
  journal::RowCursor rows = journal.rows(stream_name::kResult);
  while (const auto row = rows.next()) {
    const double time = static_cast<double>(row->index) * period;
    if (time < question.from - 1e-9 * period || time > question.until) continue;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (ports[i].wanted.empty()) ports[i].begins = time;
      ports[i].wanted.push_back(row->values[columns[i].wanted]);
      ports[i].measured.push_back(row->values[columns[i].measured]);
    }
  }
  if (ports.front().wanted.empty())
    throw std::runtime_error(journal.path() + " has no step in that part of the run");
  for (SynchronisedPort& port : ports)
    port.found = evaluation::synchronisation(port.wanted, port.measured, period,
                                             question.frequencies);
  return ports;
}

}  // namespace trestle::records
