#include "studies/campaign/campaign_store.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/base/number_text.h"
#include "core/journal/sqlite_error.h"

namespace trestle::campaign {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian");

constexpr const char* kComplete = "complete";  // of `meta`, no part of the identity
constexpr int kMostUncommitted = 64;           // runs
constexpr std::chrono::seconds kLongestUncommitted{1};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::span<const std::byte> bytes_of(const std::vector<double>& values) {
  return std::as_bytes(std::span<const double>(values));
}

std::vector<double> doubles_of(std::span<const std::byte> bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

}  // namespace

CampaignStore::CampaignStore(const std::string& path, const CampaignIdentity& identity)
    : lock_(path), database_(path, journal::SqliteDatabase::Access::kWrite, lock_.vfs()) {
  try {
    open(identity);
  } catch (const journal::SqliteError& error) {
    const std::string owner = lock_.owner_text();
    if (owner.empty() || !error.is_busy()) throw;
    throw std::runtime_error(error.what() + ("; it was locked" + owner));
  }
}

CampaignStore::~CampaignStore() {
  try {
    commit();
  } catch (const std::exception&) {  // commit() tells it
  }
}

void CampaignStore::open(const CampaignIdentity& identity) {
  // Before the first access: WAL then needs no memory that processes share.
  database_.execute("PRAGMA locking_mode = EXCLUSIVE");
  database_.execute("PRAGMA journal_mode = WAL");
  database_.execute("PRAGMA synchronous = FULL");
  database_.execute("BEGIN IMMEDIATE");
  lock_.take();
  database_.execute(
      "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT);"
      "CREATE TABLE IF NOT EXISTS name(id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
      "CREATE TABLE IF NOT EXISTS run(run INTEGER PRIMARY KEY, outcome INTEGER,"
      " reason TEXT, wall_s TEXT, results BLOB, targets BLOB)");
  check_identity(identity);
  database_.execute("COMMIT");
  journal::SqliteStatement names = database_.prepare("SELECT id, name FROM name");
  while (names.step()) columns_[names.text(1)] = static_cast<std::size_t>(names.integer(0));
  journal::SqliteStatement runs = database_.prepare("SELECT run, outcome FROM run");
  while (runs.step()) note(runs.integer(0), runs.integer(1));
}

void CampaignStore::note(std::int64_t run, std::int64_t outcome) {
  finished_.insert(run);
  by_outcome_.at(static_cast<std::size_t>(outcome)).insert(run);
}

void CampaignStore::check_identity(const CampaignIdentity& identity) {
  CampaignIdentity old;
  journal::SqliteStatement known = database_.prepare("SELECT key, value FROM meta");
  while (known.step())
    if (known.text(0) != kComplete) old.emplace_back(known.text(0), known.text(1));
  if (old.empty()) {
    for (const auto& [key, value] : identity)
      database_.prepare("INSERT INTO meta(key, value) VALUES(?, ?)")
          .bind(1, std::string_view(key))
          .bind(2, std::string_view(value))
          .run();
    return;
  }
  const std::string changed = identity_difference(old, identity);
  if (!changed.empty())
    throw std::runtime_error(database_.path() + " holds runs of another campaign (" +
                             changed +
                             "), which cannot stand in one table with these; name another "
                             "folder with --out");
}

void CampaignStore::begin() {
  if (database_.in_transaction()) return;
  database_.execute("BEGIN IMMEDIATE");
  begun_ = std::chrono::steady_clock::now();
  uncommitted_ = 0;
}

void CampaignStore::commit() {
  if (database_.in_transaction()) database_.execute("COMMIT");
}

void CampaignStore::commit_if_due() {
  if (database_.in_transaction() &&
      (uncommitted_ >= kMostUncommitted ||
       std::chrono::steady_clock::now() - begun_ >= kLongestUncommitted))
    commit();
}

void CampaignStore::set_complete(std::int64_t last_run) {
  if (complete_to() >= last_run) return;
  begin();
  database_.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)")
      .bind(1, std::string_view(kComplete))
      .bind(2, std::string_view(std::to_string(last_run)))
      .run();
}

std::int64_t CampaignStore::complete_to() {
  return database_.number(
      "SELECT coalesce(max(CAST(value AS INTEGER)), -1) FROM meta "
      "WHERE key = 'complete'");
}

std::size_t CampaignStore::column(const std::string& name) {
  const auto found = columns_.find(name);
  if (found != columns_.end()) return found->second;
  const std::size_t id = columns_.size();
  database_.prepare("INSERT INTO name(id, name) VALUES(?, ?)")
      .bind(1, static_cast<std::int64_t>(id))
      .bind(2, std::string_view(name))
      .run();
  columns_[name] = id;
  return id;
}

void CampaignStore::add(const FinishedRun& run) {
  begin();
  std::vector<double> values;
  for (const NamedResult& result : run.results) {
    const std::size_t at = column(result.name);
    if (values.size() <= at) values.resize(at + 1, kNone);
    values[at] = result.value;
  }
  journal::SqliteStatement insert = database_.prepare(
      "INSERT INTO run(run, outcome, reason, wall_s, results, targets) "
      "VALUES(?, ?, ?, ?, ?, ?)");
  insert.bind(1, run.run)
      .bind(2, static_cast<std::int64_t>(run.outcome))
      .bind(3, std::string_view(run.reason))
      .bind(4, std::string_view(format_number(run.wall)))
      .bind(5, bytes_of(values))
      .bind(6, bytes_of(run.largest_targets))
      .run();
  note(run.run, static_cast<std::int64_t>(run.outcome));
  ++uncommitted_;
}

std::int64_t CampaignStore::count(RunOutcome outcome, std::int64_t last_run) {
  return database_.number(
      "SELECT count(*) FROM run WHERE run > 0 AND run <= " + std::to_string(last_run) +
      " AND outcome = " + std::to_string(static_cast<int>(outcome)));
}

FinishedRun CampaignStore::run(std::int64_t number) {
  journal::SqliteStatement row = database_.prepare(
      "SELECT outcome, reason, wall_s, results, targets FROM run WHERE run = ?");
  row.bind(1, number);
  row.step();
  const std::vector<double> values = doubles_of(row.blob(3));
  std::vector<std::string> names(columns_.size());
  for (const auto& [name, id] : columns_) names[id] = name;
  FinishedRun run{number,      static_cast<RunOutcome>(row.integer(0)),
                  row.text(1), parse_number(row.text(2)).value_or(0.0),
                  {},          doubles_of(row.blob(4))};
  for (std::size_t i = 0; i < values.size(); ++i)
    run.results.push_back({names[i], values[i]});
  return run;
}

CampaignRecord CampaignStore::read(std::int64_t last_run) {
  CampaignRecord record;
  journal::SqliteStatement rows = database_.prepare(
      "SELECT run, outcome, reason, wall_s, results, targets FROM run WHERE run <= ? "
      "ORDER BY run");
  rows.bind(1, last_run);
  while (rows.step())
    record.runs.push_back({rows.integer(0), static_cast<RunOutcome>(rows.integer(1)),
                           rows.text(2), parse_number(rows.text(3)).value_or(0.0),
                           doubles_of(rows.blob(4)), doubles_of(rows.blob(5))});
  std::vector<std::string> names(columns_.size());
  for (const auto& [name, id] : columns_) names[id] = name;
  // Run 0 is stored first, so that its names are the first ones.
  const bool has_nominal = !record.runs.empty() && record.runs.front().run == 0;
  const std::size_t first = has_nominal ? record.runs.front().values.size() : 0;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  for (const std::size_t id : order) record.names.push_back(names[id]);
  for (StoredRun& run : record.runs) {
    run.values.resize(names.size(), kNone);
    std::vector<double> sorted;
    for (const std::size_t id : order) sorted.push_back(run.values[id]);
    run.values = std::move(sorted);
  }
  return record;
}

}  // namespace trestle::campaign
