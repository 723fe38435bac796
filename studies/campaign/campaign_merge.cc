#include "studies/campaign/campaign_merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/base/number_text.h"

namespace trestle::campaign {
namespace {

constexpr std::size_t kMissingInText = 20;

bool same_value(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

std::string outcome_text(const FinishedRun& run) {
  const char* const words[] = {"stable", "unstable", "impossible"};
  return std::string(words[static_cast<std::size_t>(run.outcome)]) +
         (run.reason.empty() ? "" : " (" + run.reason + ")");
}

/// Where two results of one run differ first; nothing: nowhere.
std::optional<std::string> first_difference(const FinishedRun& one,
                                            const FinishedRun& other) {
  if (one.outcome != other.outcome || one.reason != other.reason)
    return "it is " + outcome_text(one) + " in the first and " + outcome_text(other) +
           " in the second";
  const auto differs = [](const FinishedRun& a,
                          const FinishedRun& b) -> std::optional<std::string> {
    for (const NamedResult& result : a.results) {
      const double* const found = find_result(b.results, result.name);
      if (found == nullptr && std::isnan(result.value)) continue;
      if (found == nullptr) return result.name + " is in only one of them";
      if (!same_value(*found, result.value)) return result.name;
    }
    return std::nullopt;
  };
  if (const auto name = differs(one, other)) {
    const double* const a = find_result(one.results, *name);
    const double* const b = find_result(other.results, *name);
    if (a == nullptr || b == nullptr) return name;
    return *name + " is " + format_number(*a) + " in the first and " + format_number(*b) +
           " in the second";
  }
  return differs(other, one);
}

}  // namespace

std::vector<std::string> share_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("share-") && name.ends_with(".db"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void merge_stores(CampaignStore& whole, const std::string& whole_file,
                  const std::vector<std::string>& shares,
                  const CampaignStore::CampaignIdentity& identity, std::int64_t last_run) {
  std::map<std::int64_t, std::string> from;  // of the runs that this call has copied
  for (const std::string& file : shares) {
    CampaignStore share(file, identity);
    for (const std::int64_t number : share.finished()) {
      if (number > last_run) break;
      const FinishedRun run = share.run(number);
      if (!whole.finished().contains(number)) {
        whole.add(run);
        from[number] = file;
        continue;
      }
      const auto difference = first_difference(whole.run(number), run);
      if (!difference) continue;
      const auto source = from.find(number);
      throw std::runtime_error(
          "run " + std::to_string(number) + " is in " +
          (source == from.end() ? whole_file : source->second) + " and in " + file +
          " with other results: " + *difference +
          ". Both cannot be right: find out which machine computed it, and move one of the "
          "files away");
    }
  }
}

std::string missing_runs(const CampaignStore& store, std::int64_t last_run,
                         std::int64_t& count) {
  count = 0;
  std::string text;
  std::size_t ranges = 0;
  for (std::int64_t run = 0; run <= last_run; ++run) {
    if (store.finished().contains(run)) continue;
    std::int64_t end = run;
    while (end < last_run && !store.finished().contains(end + 1)) ++end;
    count += end - run + 1;
    if (++ranges <= kMissingInText) {
      text += (text.empty() ? "" : ", ") + std::to_string(run);
      if (end > run) text += " to " + std::to_string(end);
    }
    run = end;
  }
  return ranges > kMissingInText ? text + ", ..." : text;
}

}  // namespace trestle::campaign
