#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/journal/journal_follower.h"
#include "core/record/ledger_accounts.h"
#include "core/types/record.h"

namespace trestle::live {

/// How long one account took, step by step: counted, and the median of the last steps.
struct AccountTimes {
  /// Upper ends of the classes [s]; above the last one is one more.
  static constexpr std::array<double, 12> kEnds{1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3,
                                                1e-2, 3e-2, 0.1,  0.3,  1.0,  10.0};
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  const char* name = "";
  std::array<std::uint64_t, kEnds.size() + 1> counts{};
  double sum = 0.0;          ///< [s]
  double median = kUnknown;  ///< of the last thousand steps [s]
};

/// What the ledger tells of one site.
struct SiteAccounts {
  std::string site;
  std::vector<AccountTimes> accounts;
  std::uint64_t steps = 0;   ///< counted
  std::uint64_t missed = 0;  ///< of these: responses that were not in by their deadline
  /// How wrong the site's clock may be, of the newest response [s].
  double clock_bound = AccountTimes::kUnknown;
};

/// Follows the delay ledger of a run: where the time of its steps goes. Without a ledger
/// (lock-step under the virtual clock, a site's record) there is no site.
///
/// Thread: one at a time. Blocks on the file system only.
class StepLedger {
 public:
  /// Of a longer record the steps before these are not counted.
  static constexpr std::int64_t kMostHistory = 60'000;

  /// @param journal  path of the integrator's database
  explicit StepLedger(std::string journal) : journal_(std::move(journal)) {}

  /// Looks once: counts the rows that are new. @param now  of any clock [s]
  /// @throws std::runtime_error with one sentence if the record cannot be read
  void look(double now);

  const std::vector<SiteAccounts>& sites() const noexcept { return sites_; }
  /// Responses missed, of all sites; nothing if there is no ledger.
  std::optional<std::uint64_t> missed() const noexcept;

 private:
  static constexpr std::size_t kRecent = 1000;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Columns {
    std::array<std::size_t, record::kLedgerAccounts.size()> from{};
    std::array<std::size_t, record::kLedgerAccounts.size()> to{};
    std::size_t sent = kNone;
    std::size_t answered = kNone;
    std::size_t joined = kNone;
    std::size_t bound = kNone;
  };

  void set_up();
  void take(const RecordRow& row);
  void find_medians();

  journal::JournalFollower journal_;
  std::optional<double> refreshed_;
  bool is_set_up_ = false;
  std::vector<SiteAccounts> sites_;
  std::vector<Columns> columns_;             // of each site
  std::vector<std::vector<double>> recent_;  // of each account of each site
  std::size_t rows_ = 0;
  bool is_new_ = false;  // rows since the medians
};

}  // namespace trestle::live
