#include "composition/processes/integrator_process.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/model_hash.h"
#include "composition/processes/connection_events.h"
#include "composition/processes/stop_signals.h"
#include "core/host/person.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::composition {
namespace {

// Rows of the ring per stream: enough for many rounds, whatever the ticks per step.
constexpr std::size_t kRunRingRows = 8192;
// For the operator, if the run waits for no one else.
constexpr std::chrono::milliseconds kOperatorPollInterval{10};

std::unique_ptr<bus::ZmqTransport> connect_remote_sites(const HybridTestSetup& setup) {
  if (std::none_of(setup.remote.begin(), setup.remote.end(), [](bool far) { return far; }))
    return nullptr;
  return bus::ZmqTransport::for_integrator(integrator_endpoint(setup.test, setup.where));
}

std::size_t ring_rows(const integrator_node::IntegratorSettings& settings) {
  int most = 1;
  for (const integrator_node::SiteSpecification& site : settings.sites)
    most = std::max(most, site.ticks_per_step);
  return std::max(kRunRingRows, static_cast<std::size_t>(most) * 64);
}

/// Age of the rows that a power failure may take from the record of a run that is paced by
/// the wall [s].
double power_loss_age(const HybridTestSetup& setup) {
  const ExecutionMode mode = setup.integrator.mode;
  if (setup.integrator.pace.virtual_clock ||
      (mode != ExecutionMode::kContinuous && mode != ExecutionMode::kRealTime))
    return 0.0;
  const config::Recording& recording = setup.test.recording();
  return recording.has_power_loss() ? recording.power_loss() : journal::kMaxUnsyncedAge;
}

/// The settings of the integrator, completed by what only this process knows.
HybridTestSetup& completed(HybridTestSetup& setup,
                           const IntegratorProcess::Settings& settings) {
  setup.integrator.model = model_hash(setup.test);
  if (!settings.unattended) setup.integrator.by = host::this_person(settings.person).text;
  setup.integrator.resumable = true;
  return setup;
}

}  // namespace

IntegratorProcess::IntegratorProcess(HybridTestSetup& setup,
                                     operators::OperatorServer& operators,
                                     Settings settings)
    : setup_(completed(setup, settings)),
      operators_(operators),
      settings_(std::move(settings)),
      terminal_(STDERR_FILENO),
      at_disk_("this process ends, and trestle resume completes the record"),
      rigs_(setup.test, setup.sites_here, settings_.folder),
      elsewhere_(connect_remote_sites(setup)),
      recorder_(journal_settings()),
      journals_(record_sites(journal_settings())),
      nodes_(setup.integrator, *setup.substructure, recorder_.recording(),
             std::move(setup.sites_here), {elsewhere_.get(), setup.remote}) {
  journals_.push_back(&recorder_);
}

journal::JournalRecorder::Settings IntegratorProcess::journal_settings() {
  return {.folder = settings_.folder,
          .name = "journal",
          .node = "integrator",
          .ring_rows = kRunRingRows,
          .max_pages = 0,
          .facts = {},
          .max_unsynced_age_s = power_loss_age(setup_),
          .on_durable =
              [this] {
                if (elsewhere_ != nullptr) elsewhere_->wake();
              },
          // Under virtual time a node that waited for the disk would use up its deadlines.
          .closes_in_background = !setup_.integrator.pace.virtual_clock,
          .say = [this](const std::string& line) { terminal_.write(line + "\n"); },
          .while_waiting =
              [this](const std::string& file, Duration waited, Duration left) {
                answer_behind_disk(file, waited, left);
              }};
}

/// In a wait of a journal of this process: the node that owns it cannot be commanded.
void IntegratorProcess::answer_behind_disk(const std::string& file, Duration waited,
                                           Duration left) {
  if (runs_) at_disk_.keep(nodes_.integrator().status());
  at_disk_.wait_for(file, waited, left);
  operators_.poll(at_disk_);
}

/// Gives each site of this process a separate journal.
std::vector<JournalCapacity*> IntegratorProcess::record_sites(
    journal::JournalRecorder::Settings each) {
  std::vector<JournalCapacity*> journals;
  each.ring_rows = ring_rows(setup_.integrator);
  for (LocalSite& site : setup_.sites_here) {
    each.name = each.node = site.settings.name;
    site.recorder = std::make_unique<journal::JournalRecorder>(each);
    journals.push_back(site.recorder.get());
  }
  return journals;
}

RunProgress IntegratorProcess::progress() {
  integrator_node::IntegratorNode& integrator = nodes_.integrator();
  RunProgress now;
  now.status = integrator.status();
  now.waits_for_operator = integrator.waits_for_operator();
  if (!now.waits_for_operator) {
    now.waiting_for = integrator.waiting_for();
    now.tracking = integrator.tracking_now();
  }
  return now;
}

/// Between two ticks: journals, operators, rigs, signals and the terminal.
void IntegratorProcess::attend(RunDisplay& display, Interruption& interruption) {
  for (JournalCapacity* each : journals_) each->wait_for_space(journal::kMaxSpaceWait);
  integrator_node::IntegratorNode& integrator = nodes_.integrator();
  for (const std::string& line : rigs_.follow(nodes_)) display.say(line);
  if (const Announcement& said = integrator.said(); said.number != said_) {
    said_ = said.number;
    display.say(operators::single_line_text(said.by + " says: " + said.text));
  }
  operators_.poll(integrator);
  // Under virtual time nothing else makes this thread wait for the operator.
  if (integrator.waits_for_operator() && setup_.integrator.pace.virtual_clock)
    std::this_thread::sleep_for(kOperatorPollInterval);
  record_connection_events(elsewhere_.get(), recorder_, integrator.steps_done(),
                           [&](const bus::ConnectionEvent& event) { display.show(event); });
  if (const std::string line = interruption.follow(integrator); !line.empty())
    display.say(line);
  if (display.due()) display.show(progress());
}

evaluation::RunReport IntegratorProcess::run(RunDisplay& display) {
  const StopSignals signals(
      [](void* transport) {
        if (transport != nullptr) static_cast<bus::ZmqTransport*>(transport)->wake();
      },
      elsewhere_.get(), rigs_.any() ? StopSignals::Scope::kRig : StopSignals::Scope::kTest);
  Interruption interruption(settings_.folder, settings_.person, rigs_.any());
  rigs_.start();
  runs_ = true;
  const auto begin = std::chrono::steady_clock::now();
  nodes_.run([&] {
    attend(display, interruption);
    return true;
  });
  wall_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  display.end();
  rigs_.stop();
  at_disk_.keep(nodes_.integrator().status());
  runs_ = false;
  evaluation::RunReport report = nodes_.integrator().report();
  if (report.result == evaluation::RunResult::kSiteLost && elsewhere_ != nullptr)
    for (const std::string& name : elsewhere_->unknown_peers())
      report.reason += "; somebody called " + name + " spoke, who is not in this test";
  return report;
}

}  // namespace trestle::composition
