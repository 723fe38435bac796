#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/conduct.h"
#include "cli/connection_events.h"
#include "cli/exit_code.h"
#include "cli/interruption.h"
#include "cli/progress_line.h"
#include "cli/questions.h"
#include "cli/rigs_here.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "cli/verbs.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/model_hash.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/journal_names.h"
#include "core/bus/zmq_transport.h"
#include "core/host/line_writer.h"
#include "core/host/person.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/ring_file.h"
#include "core/journal/unfinished_journal.h"
#include "core/yaml/yaml_writer.h"
#include "gateway/operator/operator_server.h"
#include "observe/report/run_summary.h"
#include "studies/pretest/stability_factory.h"
#include "studies/pretest/stability_words.h"

namespace trestle {
namespace {

// Rows of ring per stream: enough for many rounds, whatever the ticks per step.
constexpr std::size_t kRingRows = 8192;
// For the operator, where nobody else is waited for.
constexpr std::chrono::milliseconds kBetweenLooks{10};

std::unique_ptr<ZmqTransport> connect_remote_sites(const HybridTestSetup& setup) {
  if (std::none_of(setup.remote.begin(), setup.remote.end(), [](bool far) { return far; }))
    return nullptr;
  return ZmqTransport::for_integrator(integrator_endpoint(setup.test, setup.where));
}

std::size_t ring_rows(const IntegratorSettings& settings) {
  int most = 1;
  for (const SiteSpecification& site : settings.sites)
    most = std::max(most, site.ticks_per_step);
  return std::max(kRingRows, static_cast<std::size_t>(most) * 64);
}

int exit_code(RunResult result) {
  switch (result) {
    case RunResult::kComplete:
      return kExitComplete;
    case RunResult::kStopped:
    case RunResult::kHeld:
      return kExitStopped;
    case RunResult::kSiteLost:
      return kExitPeerLost;
    case RunResult::kRejected:
      return kExitConfiguration;
    case RunResult::kNotFinished:
      break;
  }
  return kExitInternal;
}

/// In lock-step with simulated rigs nothing can break, and the run itself shows it sooner.
bool worth_assessing(const HybridTestSetup& setup) {
  const bool remote =
      std::any_of(setup.remote.begin(), setup.remote.end(), [](bool far) { return far; });
  const ExecutionMode mode = setup.integrator.mode;
  return !setup.test.undivided() && mode != ExecutionMode::kPseudoDynamic &&
         (remote || mode != ExecutionMode::kSimulated);
}

/// Builds the closed loop before anything is armed.
StabilityReport assess(HybridTestSetup& setup) {
  if (!worth_assessing(setup)) return {};
  StabilityReport report = assess_stability(setup.test);
  if (report.known && !report.stable())
    setup.integrator.unstable =
        "the closed loop is computed to be unstable: " + in_words(report).front();
  setup.integrator.allow_unstable = setup.test.arming().allow_unstable();
  return report;
}

/// "   west 0.4 ms late, 1.1 % error, margin 1.9 ms", site by site; nothing of an actuator
/// that has moved too little to be judged.
std::string tracking_text(const IntegratorNode& integrator,
                          const StabilityReport& stability) {
  std::string text;
  std::size_t number = 0;
  for (const SiteReport& site : integrator.tracking_now()) {
    double late = 0.0, wrong = 0.0, more = 0.0;
    bool judged = false;
    for (const ActuatorTracking& actuator : site.tracking) {
      const std::size_t place = number++;
      if (!actuator.judged) continue;
      judged = true;
      if (std::abs(actuator.delay) > std::abs(late)) late = actuator.delay;
      wrong = std::max(wrong, std::abs(actuator.amplitude - 1.0));
      if (place < stability.actuators.size())
        more = std::max(more, actuator.delay - stability.actuators[place].left);
    }
    if (!judged) continue;
    char part[120];
    std::snprintf(part, sizeof part, "   %s %.1f ms late, %.1f %% amplitude error",
                  site.name.c_str(), late * 1e3, wrong * 1e2);
    text += part;
    if (stability.known && !stability.cases.empty()) {
      const double margin = stability.cases.front().compensated.margin.delay - more;
      std::snprintf(part, sizeof part, ", margin %.1f ms", margin * 1e3);
      text += part;
    }
  }
  return text;
}

/// What the operator has to say, and where.
std::string operator_awaited(const IntegratorNode& integrator, const std::string& folder) {
  const NodeStatus standing = integrator.status();
  if (standing.reason.empty())
    return "the operator's word to arm real equipment: trestle arm " + folder;
  return "the operator: trestle resume " + folder + ", or trestle stop " + folder +
         "; it holds: " + standing.reason;
}

/// Where a run is paced by the wall, so much of its record a power failure may take [s].
double power_loss_age(const HybridTestSetup& setup) {
  const ExecutionMode mode = setup.integrator.mode;
  if (setup.integrator.pace.virtual_clock ||
      (mode != ExecutionMode::kContinuous && mode != ExecutionMode::kRealTime))
    return 0.0;
  const config::Recording& recording = setup.test.recording();
  return recording.has_power_loss() ? recording.power_loss() : kMaxUnsyncedAge;
}

/// Gives each site of this process a journal of its own.
std::vector<Recorder*> record_sites(HybridTestSetup& setup,
                                    JournalRecorder::Settings recording) {
  std::vector<Recorder*> recorders;
  recording.ring_rows = ring_rows(setup.integrator);
  for (LocalSite& site : setup.sites_here) {
    recording.name = recording.node = site.settings.name;
    site.recorder = std::make_unique<JournalRecorder>(recording);
    recorders.push_back(site.recorder.get());
  }
  return recorders;
}

/// Drives a test that is set up, and keeps an eye on journals, operator and terminal.
RunReport conduct(HybridTestSetup& setup, OperatorServer& operators,
                  const ConductOptions& options, double* wall) {
  const std::string& folder = options.folder;
  const StabilityReport stability = assess(setup);
  setup.integrator.model = model_hash(setup.test);
  if (!options.unattended) setup.integrator.by = this_person(options.as).text;
  setup.integrator.resumable = true;
  RigsHere rigs(setup.test, setup.sites_here, folder);
  const std::unique_ptr<ZmqTransport> elsewhere = connect_remote_sites(setup);
  const auto wake = [&elsewhere] {
    if (elsewhere != nullptr) elsewhere->wake();
  };
  const JournalRecorder::Settings recording{.folder = folder,
                                            .name = "journal",
                                            .node = "integrator",
                                            .ring_rows = kRingRows,
                                            .max_pages = 0,
                                            .facts = {},
                                            .max_unsynced_age_s = power_loss_age(setup),
                                            .on_durable = wake};
  JournalRecorder recorder(recording);
  std::vector<Recorder*> recorders = record_sites(setup, recording);
  recorders.push_back(&recorder);
  IntegratorProcess lab(setup.integrator, *setup.substructure, recorder,
                        std::move(setup.sites_here), elsewhere.get(), setup.remote);
  const StopSignals signals(
      [](void* transport) {
        if (transport != nullptr) static_cast<ZmqTransport*>(transport)->wake();
      },
      elsewhere.get(), rigs.any() ? StopSignals::Scope::kRig : StopSignals::Scope::kTest);
  LineWriter terminal(STDERR_FILENO);
  ProgressLine progress(setup.integrator.steps, setup.integrator.time_step, terminal);
  Interruption interruption(folder, options.as, rigs.any());
  rigs.start();
  const auto begin = std::chrono::steady_clock::now();
  lab.run([&] {
    for (Recorder* each : recorders) each->wait_for_space(kMaxSpaceWait);
    IntegratorNode& integrator = lab.integrator();
    operators.poll(integrator);
    for (const std::string& line : rigs.follow(lab)) progress.say(line);
    // Virtual time has no patience of its own.
    if (integrator.waits_for_operator() && setup.integrator.pace.virtual_clock)
      std::this_thread::sleep_for(kBetweenLooks);
    record_connection_events(elsewhere.get(), recorder, integrator.steps_done(),
                             [&](const ConnectionEvent& notice) { progress.say(notice); });
    if (const std::string line = interruption.follow(integrator); !line.empty())
      progress.say(line);
    if (!progress.due()) return true;
    if (integrator.waits_for_operator())
      progress.show_wait(integrator.steps_done(), operator_awaited(integrator, folder));
    else
      progress.show(integrator.steps_done(), integrator.waiting_for(),
                    tracking_text(integrator, stability));
    return true;
  });
  *wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  progress.end();
  rigs.stop();
  RunReport report = lab.integrator().report();
  if (report.result == RunResult::kSiteLost && elsewhere != nullptr)
    for (const std::string& name : elsewhere->unknown_peers())
      report.reason += "; somebody called " + name + " spoke, who is not in this test";
  return report;
}

/// `20261120T101500Z`, as utc_timestamp() makes it, or `20261120T101500Z-2`.
bool is_stamp(const std::string& text) {
  const std::string digits = text.substr(0, 16);
  return digits.size() == 16 && digits[8] == 'T' && digits[15] == 'Z' &&
         digits.find_first_not_of("0123456789TZ") == std::string::npos &&
         (text.size() == 16 ||
          (text[16] == '-' && text.size() > 17 &&
           text.find_first_not_of("0123456789", 17) == std::string::npos));
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An older program wrote the same test without the keys that came later, which have their
/// defaults then.
bool is_of_this_test(const std::string& file, const std::string& effective) {
  const std::string there = whole_file(file);
  if (there.empty()) return false;
  if (there == effective) return true;
  try {
    return write_yaml(load_hybrid_test(file, {}, software_version())->test) == effective;
  } catch (const ConfigError&) {
    return false;
  }
}

/// This very test was begun in the folder, and was cut off; no process lives that runs it.
bool holds_cut_off_run(const std::string& folder, const std::string& effective) {
  const std::string journal = folder + "/" + kIntegratorJournal;
  try {
    std::optional<RingFile> ring;
    return find_interrupted_session(journal) &&
           RingFile::find(RingFile::path_beside(journal), ring) !=
               RingFile::Status::kLocked &&
           is_of_this_test(folder + "/effective.yaml", effective);
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// Of the folders that runs of this name have by default, the newest with a run of this
/// very test that was cut off; empty: there is none.
std::string cut_off_run(const std::string& name, const std::string& effective) {
  namespace fs = std::filesystem;
  std::string newest;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("runs", none)) {
    const std::string folder = entry.path().filename();
    if (!folder.starts_with(name + "-") || !is_stamp(folder.substr(name.size() + 1)))
      continue;
    const std::string path = "runs/" + folder;
    if (path > newest && holds_cut_off_run(path, effective)) newest = path;
  }
  return newest;
}

/// A run that was cut off is taken up, or its owner is told how; it is never left behind
/// for a second one.
int found_cut_off(const std::string& folder, const RunOptions& options) {
  if (options.resume)
    return resume_run(folder, options.as, options.json, /*unattended=*/true);
  std::fprintf(stderr,
               "%s: holds a run of this very test that was cut off; to go on with it: "
               "trestle resume %s; to begin another one: name a folder with --out\n",
               folder.c_str(), folder.c_str());
  return kExitConfiguration;
}

}  // namespace

int run_and_report(HybridTestSetup& setup, OperatorServer& operators,
                   const ConductOptions& options) {
  const std::string& folder = options.folder;
  RunMetadata facts{.test = setup.test.test(),
                    .mode = name(setup.integrator.mode),
                    .folder = folder,
                    .session = to_hex(setup.integrator.session),
                    .software = software_version(),
                    .time_step = setup.integrator.time_step};
  RunReport report;
  try {
    report = conduct(setup, operators, options, &facts.wall);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  // What only the computed loop knows: growth that the run's limit cut short.
  if (report.limit_met && report.criteria.stable && !setup.test.undivided())
    report.criteria.stable = !computed_unstable(setup.test);
  const std::string json = summary_json(report, facts);
  try {
    // A run that was not gone on with is not over.
    if (!report.withdrawn) write_file(facts.folder + "/summary.json", json);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fputs(options.json ? json.c_str() : format_summary(report, facts).c_str(), stdout);
  if (options.json && !report.reason.empty())
    std::fprintf(stderr, "%s\n", report.reason.c_str());
  return exit_code(report.result);
}

int run(const RunOptions& options) {
  const std::unique_ptr<HybridTestSetup> setup = load_hybrid_test(
      options.test, parse_command_line_overrides(options.overrides), software_version());
  setup->integrator.session = new_session();
  // Told before a folder is made.
  if (!setup->test.undivided()) integrator_endpoint(setup->test, setup->where);
  ask_before_run(*setup);
  const std::string effective = write_yaml(setup->test);
  const std::string name = to_folder_name(setup->test.test());
  std::string folder = options.out.empty() ? cut_off_run(name, effective) : options.out;
  if (!folder.empty() && holds_cut_off_run(folder, effective))
    return found_cut_off(folder, options);
  try {
    if (folder.empty()) folder = new_run_folder(name);
    make_run_folder(folder);
    OperatorServer operators({.folder = folder});
    make_run_folder(folder);  // whoever served it until now may have begun a record
    write_file(folder + "/effective.yaml", effective);
    return run_and_report(*setup, operators, {folder, options.as, options.json, false});
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace trestle
