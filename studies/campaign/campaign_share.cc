#include "studies/campaign/campaign_share.h"

#include <charconv>
#include <stdexcept>

namespace trestle::campaign {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

CampaignShare share_of_array(const EnvironmentLookup& environment) {
  const auto number = [&](const char* name) {
    const auto text = environment(name);
    return text ? whole_number(*text) : std::nullopt;
  };
  const auto task = number("SLURM_ARRAY_TASK_ID");
  const auto first = number("SLURM_ARRAY_TASK_MIN");
  const auto last = number("SLURM_ARRAY_TASK_MAX");
  const auto count = number("SLURM_ARRAY_TASK_COUNT");
  if (!task || !first || !count)
    throw std::runtime_error(
        "--share array needs a task of a Slurm job array (SLURM_ARRAY_TASK_ID, _MIN and "
        "_COUNT are not set); outside of one give --share 1/4");
  const CampaignShare share{*task - *first + 1, *count};
  if ((last && *last - *first + 1 != *count) || share.part < 1 || share.part > share.of)
    throw std::runtime_error(
        "--share array needs an array without gaps, as --array=1-4; this one has " +
        std::to_string(*count) + " tasks from " + std::to_string(*first) +
        (last ? " to " + std::to_string(*last) : "") + ", and this is task " +
        std::to_string(*task));
  return share;
}

}  // namespace

std::int64_t CampaignShare::count(std::int64_t runs) const noexcept {
  return runs < part ? 0 : (runs - part) / of + 1;
}

std::string CampaignShare::stem() const {
  return is_whole() ? "campaign"
                    : "share-" + std::to_string(part) + "-of-" + std::to_string(of);
}

CampaignShare parse_share(std::string_view text, const EnvironmentLookup& environment) {
  if (text == "array") return share_of_array(environment);
  const std::size_t slash = text.find('/');
  const auto part = whole_number(text.substr(0, slash));
  const auto of =
      slash == std::string_view::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (!part || !of || *part < 1 || *of < *part)
    throw std::runtime_error("--share is " + std::string(text) +
                             "; must be `array`, or a/b with 1 <= a <= b, as 3/64");
  return {*part, *of};
}

std::optional<std::string> several_copies(const EnvironmentLookup& environment) {
  const auto text = environment("SLURM_STEP_NUM_TASKS");
  const auto tasks = text ? whole_number(*text) : std::nullopt;
  if (!tasks || *tasks <= 1) return std::nullopt;
  return "this job step has " + std::to_string(*tasks) +
         " tasks (SLURM_STEP_NUM_TASKS), each of which would run the whole campaign; start "
         "one task with --jobs N, or a job array with --share array";
}

}  // namespace trestle::campaign
