#include "studies/campaign/campaign_status.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/lasting_file.h"
#include "studies/campaign/run_failure.h"

namespace trestle::campaign {
namespace {

using StatusJson = nlohmann::ordered_json;

constexpr std::chrono::seconds kBetweenWrites{2};
constexpr double kSilentAfter = 60.0;  // [s]
constexpr const char* kStatusEnding = ".status.json";

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

/// Runs a second; 0: nothing can be said.
double rate_of(const CampaignStatus& part) {
  const double passed = part.updated - part.started;
  return passed > 0.0 ? static_cast<double>(part.progress.done_now) / passed : 0.0;
}

bool is_silent(const CampaignStatus& part, double now) {
  return part.state == "running" && now - part.updated > kSilentAfter;
}

/// Until the last of the running parts ends [s]; nothing: no part runs, or none has a rate.
std::optional<double> time_left(const std::vector<CampaignStatus>& parts, double now) {
  std::optional<double> left;
  for (const CampaignStatus& part : parts) {
    if (part.state != "running" || is_silent(part, now) || !(rate_of(part) > 0.0)) continue;
    left = std::max(
        left.value_or(0.0),
        static_cast<double>(part.progress.planned - part.progress.done) / rate_of(part));
  }
  return left;
}

std::string time_text(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, seconds < 120.0 ? "%.0f s" : "%.0f min",
                seconds < 120.0 ? seconds : seconds / 60.0);
  return text;
}

/// First and last of each row of numbers that are a step apart: a share has few such rows.
StatusJson rows_of(const std::set<std::int64_t>& runs, std::int64_t step) {
  StatusJson rows = StatusJson::array();
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const std::int64_t run : runs) {
    if (run < 1) continue;  // each part has the nominal run
    if (first > 0 && run != last + step) rows.push_back({first, last});
    if (first == 0 || run != last + step) first = run;
    last = run;
  }
  if (first > 0) rows.push_back({first, last});
  return rows;
}

std::set<std::int64_t> runs_of(const nlohmann::json& rows, std::int64_t step) {
  std::set<std::int64_t> runs;
  for (const nlohmann::json& row : rows)
    for (std::int64_t run = row.at(0); run <= row.at(1).get<std::int64_t>(); run += step)
      runs.insert(runs.end(), run);
  return runs;
}

/// The runs 1 … `last` that at least one part has.
std::int64_t different(const std::vector<CampaignStatus>& parts,
                       std::set<std::int64_t> RunNumbers::*which, std::int64_t last) {
  std::set<std::int64_t> all;
  for (const CampaignStatus& part : parts)
    all.insert((part.runs.*which).begin(), (part.runs.*which).upper_bound(last));
  return static_cast<std::int64_t>(all.size());
}

CampaignProgress sum_of(const std::vector<CampaignStatus>& parts, std::int64_t runs) {
  return {.planned = runs,
          .done = different(parts, &RunNumbers::done, runs),
          .unstable = different(parts, &RunNumbers::unstable, runs),
          .impossible = different(parts, &RunNumbers::impossible, runs),
          .done_now = 0};
}

/// Of the parts that run [1/s].
double rate_of_all(const std::vector<CampaignStatus>& parts, double now) {
  double rate = 0.0;
  for (const CampaignStatus& part : parts)
    if (part.state == "running" && !is_silent(part, now)) rate += rate_of(part);
  return rate;
}

std::string rate_text(double rate) {
  char text[40];
  std::snprintf(text, sizeof text, ", %.3g a second", rate);
  return rate > 0.0 ? text : "";
}

std::string state_text(const CampaignStatus& part, double now) {
  return is_silent(part, now) ? "silent for " + time_text(now - part.updated) : part.state;
}

}  // namespace

StatusFile::StatusFile(const std::string& folder, const CampaignShare& share,
                       std::function<RunNumbers()> runs)
    : file_(folder + "/" + share.stem() + kStatusEnding),
      share_(share),
      runs_(std::move(runs)),
      started_(unix_time()) {}

void StatusFile::show(const CampaignProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (last_.time_since_epoch().count() != 0 && now - last_ < kBetweenWrites) return;
  last_ = now;
  write(progress, "running");
}

void StatusFile::end(const CampaignProgress& progress, bool complete) {
  write(progress, complete ? "complete" : "stopped");
}

void StatusFile::write(const CampaignProgress& progress, const char* state) {
  StatusJson json;
  json["part"] = share_.stem();
  json["state"] = state;
  json["planned"] = progress.planned;
  json["done"] = progress.done;
  json["unstable"] = progress.unstable;
  json["impossible"] = progress.impossible;
  json["done_now"] = progress.done_now;
  const RunNumbers runs = runs_();
  json["step"] = share_.of;
  json["runs_done"] = rows_of(runs.done, share_.of);
  json["runs_unstable"] = rows_of(runs.unstable, share_.of);
  json["runs_impossible"] = rows_of(runs.impossible, share_.of);
  json["started_unix_s"] = started_;
  json["updated_unix_s"] = unix_time();
  json["host"] = host_name();
  json["pid"] = getpid();
  try {
    keep_file(file_, json.dump(2) + "\n");
  } catch (const std::runtime_error& error) {  // a full disk refuses no campaign
    throw RunFailure(error.what());
  }
}

std::vector<CampaignStatus> read_status(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().string().ends_with(kStatusEnding)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CampaignStatus> parts;
  for (const auto& file : files) {
    std::ifstream stream(file);
    try {
      const auto json = nlohmann::json::parse(stream);
      const std::int64_t step =
          std::max<std::int64_t>(1, json.at("step").get<std::int64_t>());
      parts.push_back({.stem = json.at("part"),
                       .state = json.at("state"),
                       .host = json.at("host"),
                       .progress = {.planned = json.at("planned"),
                                    .done = json.at("done"),
                                    .unstable = json.at("unstable"),
                                    .impossible = json.at("impossible"),
                                    .done_now = json.at("done_now")},
                       .runs = {.done = runs_of(json.at("runs_done"), step),
                                .unstable = runs_of(json.at("runs_unstable"), step),
                                .impossible = runs_of(json.at("runs_impossible"), step)},
                       .started = json.at("started_unix_s"),
                       .updated = json.at("updated_unix_s")});
    } catch (const nlohmann::json::exception&) {
      throw std::runtime_error(file.string() +
                               ": is no status of a campaign; move it away and start the "
                               "campaign again");
    }
  }
  return parts;
}

std::string status_text(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now) {
  std::string text;
  for (const CampaignStatus& part : parts) {
    char line[300];
    std::snprintf(line, sizeof line,
                  "%-18s %-10s %lld / %lld runs, %lld unstable, %lld impossible",
                  part.stem.c_str(), state_text(part, now).c_str(),
                  static_cast<long long>(part.progress.done),
                  static_cast<long long>(part.progress.planned),
                  static_cast<long long>(part.progress.unstable),
                  static_cast<long long>(part.progress.impossible));
    text += line + rate_text(rate_of(part)) + ", on " + part.host + "\n";
  }
  const CampaignProgress sum = sum_of(parts, runs);
  text += "all                " + std::to_string(sum.done) + " / " + std::to_string(runs) +
          " runs, " + std::to_string(sum.unstable) + " unstable, " +
          std::to_string(sum.impossible) + " impossible" +
          rate_text(rate_of_all(parts, now));
  if (const auto left = time_left(parts, now)) text += ", " + time_text(*left) + " left";
  return text + "\n";
}

std::string status_json(const std::vector<CampaignStatus>& parts, std::int64_t runs,
                        double now) {
  const CampaignProgress sum = sum_of(parts, runs);
  StatusJson json;
  json["runs"] = runs;
  json["done"] = sum.done;
  json["unstable"] = sum.unstable;
  json["impossible"] = sum.impossible;
  json["rate_per_s"] = rate_of_all(parts, now);
  if (const auto left = time_left(parts, now))
    json["left_s"] = *left;
  else
    json["left_s"] = nullptr;
  json["parts"] = StatusJson::array();
  for (const CampaignStatus& part : parts)
    json["parts"].push_back({{"part", part.stem},
                             {"state", is_silent(part, now) ? "silent" : part.state},
                             {"host", part.host},
                             {"planned", part.progress.planned},
                             {"done", part.progress.done},
                             {"unstable", part.progress.unstable},
                             {"impossible", part.progress.impossible},
                             {"rate_per_s", rate_of(part)},
                             {"age_s", now - part.updated}});
  return json.dump(2) + "\n";
}

}  // namespace trestle::campaign
