#include "observe/live/step_ledger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/types/record_names.h"

namespace trestle::live {
namespace {

constexpr double kBetweenLooksAtFiles = 1.0;  // [s]
constexpr double kNanosecond = 1e-9;          // [s]
constexpr const char* kFirstStamp = ".i0_ns";

std::size_t place_of(const Channels& channels, const std::string& name, std::size_t none) {
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&](const Channel& one) { return one.name == name; });
  return found == channels.end() ? none
                                 : static_cast<std::size_t>(found - channels.begin());
}

}  // namespace

void StepLedger::look(double now) {
  const bool due = !refreshed_ || now - *refreshed_ >= kBetweenLooksAtFiles;
  if (due) {
    refreshed_ = now;
    if (!journal_.refresh()) return;
    if (!is_set_up_ && journal_.has_stream(stream_name::kLedger)) set_up();
  }
  if (!is_set_up_) return;
  journal_.follow(stream_name::kLedger, [this](const RecordRow& row) { take(row); });
  if (due && std::exchange(is_new_, false)) find_medians();
}

std::optional<std::uint64_t> StepLedger::missed() const noexcept {
  if (sites_.empty()) return std::nullopt;
  return std::accumulate(
      sites_.begin(), sites_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const SiteAccounts& one) { return sum + one.missed; });
}

void StepLedger::set_up() {
  const Channels& channels = journal_.channels(stream_name::kLedger);
  for (const Channel& channel : channels) {
    if (!channel.name.ends_with(kFirstStamp)) continue;
    SiteAccounts& site = sites_.emplace_back();
    site.site = channel.name.substr(0, channel.name.rfind('.'));
    const auto column = [&](const std::string& stamp) {
      return place_of(channels, site.site + "." + stamp + "_ns", kNone);
    };
    Columns& columns = columns_.emplace_back();
    columns.sent = column("i2");
    columns.answered = column("i3");
    columns.joined = column("ij");
    columns.bound = column("clock_bound");
    for (std::size_t i = 0; i < record::kLedgerAccounts.size(); ++i) {
      columns.from[i] = column(record::kLedgerAccounts[i].from);
      columns.to[i] = column(record::kLedgerAccounts[i].to);
      site.accounts.push_back({.name = record::kLedgerAccounts[i].name});
      recent_.emplace_back().assign(kRecent, AccountTimes::kUnknown);
    }
  }
  if (const auto newest = journal_.newest_index(stream_name::kLedger))
    journal_.start(stream_name::kLedger, *newest - kMostHistory + 1);
  is_set_up_ = true;
}

void StepLedger::take(const RecordRow& row) {
  const std::size_t place = rows_++ % kRecent;
  is_new_ = true;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    SiteAccounts& site = sites_[s];
    const Columns& columns = columns_[s];
    const auto value = [&row](std::size_t at) {
      return at == kNone ? AccountTimes::kUnknown : row.values[at];
    };
    ++site.steps;
    const bool missed = std::isnan(value(columns.answered));
    if (missed) ++site.missed;
    const double bound = kNanosecond * value(columns.bound);
    if (!std::isnan(bound)) site.clock_bound = bound;
    for (std::size_t i = 0; i < site.accounts.size(); ++i) {
      // The accounts of a site that was missed end in join: from sending to the deadline.
      const bool waits = missed && columns.to[i] == columns.joined;
      const double time = kNanosecond * (value(columns.to[i]) -
                                         value(waits ? columns.sent : columns.from[i]));
      recent_[s * site.accounts.size() + i][place] = time;
      if (std::isnan(time)) continue;
      AccountTimes& account = site.accounts[i];
      const auto end =
          std::lower_bound(AccountTimes::kEnds.begin(), AccountTimes::kEnds.end(), time);
      ++account.counts[static_cast<std::size_t>(end - AccountTimes::kEnds.begin())];
      account.sum += time;
    }
  }
}

void StepLedger::find_medians() {
  std::vector<double> known;
  std::size_t number = 0;
  for (SiteAccounts& site : sites_)
    for (AccountTimes& account : site.accounts) {
      known.clear();
      for (const double time : recent_[number])
        if (!std::isnan(time)) known.push_back(time);
      ++number;
      account.median = AccountTimes::kUnknown;
      if (known.empty()) continue;
      const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
      std::nth_element(known.begin(), middle, known.end());
      account.median = *middle;
    }
}

}  // namespace trestle::live
