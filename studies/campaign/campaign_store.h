#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/journal/sqlite_database.h"
#include "studies/campaign/campaign_identity.h"
#include "studies/campaign/run_results.h"
#include "studies/campaign/store_lock.h"

namespace trestle::campaign {

/// The outcome of a run.
enum class RunOutcome {
  kStable = 0,
  kUnstable = 1,
  kInvalid = 2,  ///< its draw makes no test: a negative mass, a hinge that cannot be
};

/// One run that is over.
struct FinishedRun {
  std::int64_t run = 0;  ///< 0: the nominal test
  RunOutcome outcome = RunOutcome::kStable;
  std::string reason;  ///< why not stable; else empty
  double wall = 0.0;   ///< [s]
  Results results;
  std::vector<double> largest_targets;  ///< [m | rad]
};

/// A finished run as it is read back: one value per name of its record, NaN if it has
/// none.
struct StoredRun {
  std::int64_t run = 0;
  RunOutcome outcome = RunOutcome::kStable;
  std::string reason;
  double wall = 0.0;  ///< [s]
  std::vector<double> values;
  std::vector<double> largest_targets;  ///< [m | rad]
};

/// All that a campaign has, runs by their number.
struct CampaignRecord {
  std::vector<std::string> names;  ///< of the results
  std::vector<StoredRun> runs;
};

/// The finished runs of a campaign, in one SQLite file. A run is in it whole or not at all,
/// whenever the program is killed. What was added less than a second ago may be lost then,
/// and where the power fails. Used by one thread.
class CampaignStore {
 public:
  /// Opens the file, or makes it.
  /// @param identity  must be equal for the finished runs to count
  /// @throws std::runtime_error if it is of another campaign (the sentence says what
  ///         differs), or another program writes it, or the disk does not let it
  CampaignStore(const std::string& path, const CampaignIdentity& identity);
  /// What was added is safe.
  ~CampaignStore();
  CampaignStore(const CampaignStore&) = delete;
  CampaignStore& operator=(const CampaignStore&) = delete;

  void add(const FinishedRun& run);
  /// Says, together with the last run, that all up to this one are there.
  void set_complete(std::int64_t last_run);
  /// The last run of which that was said; -1: none.
  std::int64_t complete_to();
  /// What was added becomes safe: waits for the disk.
  void commit();
  /// The same where the first of it is a second old.
  void commit_if_due();

  const std::set<std::int64_t>& finished() const noexcept { return finished_; }
  const std::set<std::int64_t>& finished(RunOutcome outcome) const noexcept {
    return by_outcome_[static_cast<std::size_t>(outcome)];
  }
  /// Counts the drawn runs up to this number with the outcome.
  std::int64_t count(RunOutcome outcome, std::int64_t last_run);
  /// As it was added. @pre finished() has it
  FinishedRun run(std::int64_t number);
  /// Runs up to this number. Names stand in the order of run 0, others behind it by the
  /// alphabet: the same whichever run was over first.
  CampaignRecord read(std::int64_t last_run);

 private:
  void open(const CampaignIdentity& identity);
  void check_identity(const CampaignIdentity& identity);
  void begin();
  void note(std::int64_t run, std::int64_t outcome);
  std::size_t column(const std::string& name);

  StoreLock lock_;  // given back behind the database
  journal::SqliteDatabase database_;
  std::map<std::string, std::size_t> columns_;
  std::set<std::int64_t> finished_;
  std::array<std::set<std::int64_t>, 3> by_outcome_;
  std::chrono::steady_clock::time_point begun_;
  int uncommitted_ = 0;
};

}  // namespace trestle::campaign
