#include "studies/campaign/slurm_script.h"

#include <cctype>
#include <charconv>
#include <cstdio>
#include <stdexcept>

namespace trestle::campaign {
namespace {

[[noreturn]] void refuse_request(const std::string& what) {
  throw std::runtime_error("--slurm " + what +
                           "; it is like nodes=4,tasks=48,time=2h,account=ABC");
}

int positive_number(std::string_view key, std::string_view text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || value < 1 ||
      value > 100'000)
    refuse_request(std::string(key) + " is " + std::string(text) +
                   "; must be a whole number from 1 to 100000");
  return value;
}

/// `2h`, `90min` and Slurm's own forms, such as 1-12:00:00.
std::string slurm_time(std::string_view text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (error == std::errc{} && value > 0 && value <= 100'000 &&
      (unit == "h" || unit == "min")) {
    const int minutes = unit == "h" ? 60 * value : value;
    char written[40];
    std::snprintf(written, sizeof written, "%02d:%02d:00", minutes / 60, minutes % 60);
    return written;
  }
  if (text.empty() || text.find_first_not_of("0123456789:-") != std::string_view::npos)
    refuse_request("time is " + std::string(text) +
                   "; must be 2h, 90min or as sbatch takes it (1-12:00:00)");
  return std::string(text);
}

std::string plain_word(std::string_view key, std::string_view text) {
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' &&
        c != '.')
      refuse_request(std::string(key) + " is " + std::string(text) +
                     "; must have letters, digits, `-`, `_` and `.` only");
  return std::string(text);
}

/// For a line that begins with #SBATCH: blanks and signs would end the value.
std::string directive_path(const std::string& path) {
  if (path.find_first_of("\"\\\n") != std::string::npos)
    refuse_request("cannot write the path " + path + " into a job script");
  return "\"" + path + "\"";
}

std::string job_name(const std::string& name) {
  std::string text = "trestle-";
  for (const char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return text;
}

constexpr const char* kJob = R"(
# Runs that this share has, as it said last.
runs_done() {
  sed -n 's/^ *"done": *\([0-9]*\),*$/\1/p' "$status" 2>/dev/null | head -n 1
}

share=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))
status="$out/share-$share-of-$SLURM_ARRAY_TASK_COUNT.status.json"
[ "$SLURM_ARRAY_TASK_COUNT" -gt 1 ] || status="$out/campaign.status.json"
before=$(runs_done)
again=yes

# The time is nearly up: end safely, and go on in another start. Somebody cancels: end.
trap 'signalled=yes; kill -TERM "$campaign" 2>/dev/null' USR1
trap 'signalled=yes; again=no; kill -TERM "$campaign" 2>/dev/null' TERM INT

run_campaign &
campaign=$!
code=127
while :; do  # a signal ends the waiting, not the campaign
  signalled=no
  wait "$campaign"
  now=$?
  [ "$now" -eq 127 ] || code=$now
  [ "$signalled" = yes ] || break
done

after=$(runs_done)
if [ "$again" = yes ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ] &&
   { [ "$code" -eq 3 ] || [ "$code" -ge 128 ]; }; then
  if [ "${after:-0}" -gt "${before:-0}" ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && exit 0
  else
    echo "this start added no run: no other one is asked for" >&2
  fi
fi
exit "$code"
)";

}  // namespace

SlurmRequest parse_slurm_request(std::string_view text) {
  SlurmRequest request;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos)
      refuse_request("has `" + std::string(entry) + "`, which is no key=value");
    const std::string_view key = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    if (key == "nodes")
      request.nodes = positive_number(key, value);
    else if (key == "tasks")
      request.cores = positive_number(key, value);
    else if (key == "time")
      request.time = slurm_time(value);
    else if (key == "account")
      request.account = plain_word(key, value);
    else if (key == "partition")
      request.partition = plain_word(key, value);
    else
      refuse_request("has the key " + std::string(key) +
                     "; must be one of nodes, tasks, time, account, partition");
  }
  return request;
}

std::string slurm_script(const SlurmRequest& request, const SlurmCampaign& campaign) {
  std::string script = "#!/bin/bash\n";
  const auto directive = [&](const std::string& line) {
    script += "#SBATCH --" + line + "\n";
  };
  directive("job-name=" + job_name(campaign.name));
  directive("array=1-" + std::to_string(request.nodes));
  directive("nodes=1");
  directive("ntasks=1");
  directive("cpus-per-task=" + std::to_string(request.cores));
  directive("time=" + request.time);
  if (!request.account.empty()) directive("account=" + request.account);
  if (!request.partition.empty()) directive("partition=" + request.partition);
  directive("signal=B:USR1@120");
  directive("requeue");
  directive("open-mode=append");
  directive("chdir=" + directive_path(campaign.directory));
  directive("output=" + directive_path(campaign.folder + "/slurm-%A_%a.log"));
  script +=
      "# Each task of the array does one share of the campaign. When all are complete:\n#  "
      " " +
      shell_quoted(campaign.program) + " campaign merge " + shell_quoted(campaign.study) +
      " --out " + shell_quoted(campaign.folder) + campaign.options +
      "\n# How far it is, from any machine that sees the folder:\n#   " +
      shell_quoted(campaign.program) + " campaign " + shell_quoted(campaign.study) +
      " --out " + shell_quoted(campaign.folder) + campaign.options + " --status\n\n";
  script += "out=" + shell_quoted(campaign.folder) + "\nrun_campaign() {\n  exec " +
            shell_quoted(campaign.program) + " campaign " + shell_quoted(campaign.study) +
            " --out \"$out\"" + campaign.options +
            " --share array --jobs \"${SLURM_CPUS_PER_TASK:-" +
            std::to_string(request.cores) + "}\"\n}\n";
  return script + kJob;
}

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace trestle::campaign
