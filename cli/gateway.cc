#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cli/connection_events.h"
#include "cli/exit_code.h"
#include "cli/gateway_verbs.h"
#include "cli/process_log.h"
#include "cli/rigs_here.h"
#include "cli/run_folder.h"
#include "cli/signals.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/processes/gateway_setup.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/lasting_file.h"
#include "core/host/cpu_latency_request.h"
#include "core/host/person.h"
#include "core/journal/journal_recorder.h"
#include "core/timing/monotonic_clock.h"
#include "core/types/session_id_text.h"
#include "gateway/openfresco_server/interruptible_transport.h"
#include "gateway/openfresco_server/openfresco_gateway.h"
#include "gateway/operator/operator_server.h"
#include "observe/report/run_summary.h"

namespace trestle {
namespace {

constexpr Duration kGatewayJournalWait = std::chrono::milliseconds(500);
constexpr Duration kBetweenPeople = std::chrono::milliseconds(1);
constexpr Duration kBetweenLooks = std::chrono::milliseconds(20);
constexpr std::size_t kRingRows = 1 << 15;

/// What an operator is told while no test runs.
class IdleGatewayStatus final : public OperatorInterface {
 public:
  IdleGatewayStatus(const std::string& name, const OpenFrescoGateway& gateway)
      : name_(name), gateway_(gateway) {}

  NodeStatus status() const override {
    NodeStatus now;
    now.node = "gateway";
    now.test = name_;
    now.state = "WAITING";
    const bool called = !gateway_.port().client().empty();
    now.waits.push_back(
        {called ? gateway_.who() : "a client",
         called ? "its next word" : "a call at " + gateway_.port().address(), 0.0, 0.0,
         "nothing moves meanwhile"});
    return now;
  }
  std::string arm(const std::string&) override { return kNothing; }
  std::string hold(const std::string&, const std::string&) override { return kNothing; }
  std::string resume(const std::string&) override { return kNothing; }
  std::string stop(const std::string&, const std::string&) override { return kNothing; }
  std::string clear(const std::string&) override { return kNothing; }

 private:
  static constexpr const char* kNothing = "no client drives a test now";
  std::string name_;
  const OpenFrescoGateway& gateway_;
};

/// Serves one client after the other.
class GatewayProcess {
 public:
  GatewayProcess(GatewaySetup& setup, ClientPort& port, const std::string& folder,
                 std::string called, Duration spin)
      : setup_(setup),
        port_(port),
        called_(std::move(called)),
        spin_(spin),
        folder_(folder),
        log_(folder),
        operators_({.folder = folder}),
        bus_to_clients_(nullptr, port.descriptor()),
        clock_(bus_to_clients_),
        gateway_(setup.settings, port, clock_),
        idle_(setup.test.test(), gateway_) {}

  void tell_where();
  /// @returns false where a stop was asked for
  bool await_client();
  RunResult serve();
  void drain_client();

 private:
  RunReport conduct(const std::string& folder, const SessionId& session);
  void tell();
  void follow(const AskedBySignal& asked, IntegratorNode& integrator);

  GatewaySetup& setup_;
  ClientPort& port_;
  std::string called_;
  Duration spin_;
  std::string folder_;
  ProcessLog log_;
  OperatorServer operators_;
  InterruptibleTransport bus_to_clients_;
  MonotonicClock clock_;
  OpenFrescoGateway gateway_;
  IdleGatewayStatus idle_;
  int clients_ = 0;
  std::int64_t waits_expired_ = 0;
};

void GatewayProcess::tell_where() {
  log_.say("gateway " + setup_.test.test() + " listens at " +
           (port_.datagrams() ? "udp " : "tcp ") + port_.address() +
           " for OpenSees and OpenFresco");
  log_.say("records go to " + folder_);
  if (!port_.address().starts_with("127.") && setup_.file.allow().empty())
    log_.warn("INSECURE, as the file says: whoever reaches " + port_.address() +
              " moves the rigs: these protocols know no keys; list the clients under "
              "`allow`");
}

void GatewayProcess::tell() {
  for (const std::string& notice : gateway_.take_notices()) log_.warn(notice);
}

/// The first signal holds real equipment; a test of simulated rigs, or the next, ends it.
void GatewayProcess::follow(const AskedBySignal& asked, IntegratorNode& integrator) {
  const SignalWord word = word_of(asked, called_);
  if (integrator.begun() && integrator.real_equipment() &&
      integrator.hold(word.by, word.from, asked.name()).empty())
    return log_.warn(word.reason +
                     ": all rigs hold, and the client waits. Resume: trestle resume " +
                     folder_ + ". End the test for good: once more, or trestle stop " +
                     folder_ + ". This gateway ends after it");
  integrator.stop(word.by, word.from, asked.name());
}

bool GatewayProcess::await_client() {
  while (!StopSignals::asked()) {
    if (gateway_.look()) return true;
    tell();
    operators_.poll(idle_);
    clock_.advance_to(clock_.now() + kBetweenLooks);
  }
  return false;
}

RunReport GatewayProcess::conduct(const std::string& folder, const SessionId& session) {
  IntegratorSettings integrator = setup_.integrator;
  integrator.session = session;
  integrator.by = this_person(called_).text;
  integrator.targets = &gateway_;
  const auto recorder_of = [&](const std::string& file, const std::string& node) {
    return std::make_unique<JournalRecorder>(
        JournalRecorder::Settings{.folder = folder,
                                  .name = file,
                                  .node = node,
                                  .ring_rows = kRingRows,
                                  .max_pages = 0,
                                  .facts = {{"client", gateway_.who()}},
                                  .max_unsynced_age_s = 0.0});
  };
  const std::unique_ptr<JournalRecorder> recorder = recorder_of("journal", "integrator");
  std::vector<JournalCapacity*> journals{recorder.get()};
  std::vector<LocalSite> sites = gateway_sites(setup_);
  for (LocalSite& site : sites) {
    site.recorder = recorder_of(site.settings.name, site.settings.name);
    journals.push_back(site.recorder.get());
  }
  std::unique_ptr<ZmqTransport> elsewhere;
  if (std::find(setup_.remote.begin(), setup_.remote.end(), true) != setup_.remote.end())
    elsewhere =
        ZmqTransport::for_integrator(integrator_endpoint(setup_.test, setup_.where));
  InterruptibleTransport bus(elsewhere.get(), port_.descriptor(),
                             [this] { return gateway_.take_unread(); },
                             {.longest = spin_, .came = [this] {
                                return gateway_.overhears();
                              }});
  // A thread that waits awake is to be woken soon, too.
  std::optional<CpuLatencyRequest> awake;
  if (spin_ > Duration::zero()) awake.emplace(Duration::zero());
  RigsHere rigs(setup_.test, sites, folder);
  IntegratorProcess lab(integrator, gateway_, recorder->recording(), std::move(sites), &bus,
                        setup_.remote);
  rigs.start();
  TimePoint people_heard{};
  lab.run([&] {
    for (JournalCapacity* each : journals) each->wait_for_space(kGatewayJournalWait);
    // A quick client leaves no time for people between two of its words.
    if (const TimePoint now = clock_.now(); now - people_heard >= kBetweenPeople) {
      people_heard = now;
      operators_.poll(lab.integrator());
      for (const std::string& line : rigs.follow(lab)) log_.warn(line);
      tell();
      record_connection_events(elsewhere.get(), *recorder, lab.integrator().steps_done(),
                               [&](const ConnectionEvent& notice) {
                                 print_connection_event(log_.terminal(), notice);
                               });
    }
    if (AskedBySignal asked; StopSignals::take(asked)) follow(asked, lab.integrator());
    // A running test notices by itself, and halts the sites.
    if (!gateway_.attend() && lab.integrator().status().state != "RUNNING")
      lab.integrator().stop(gateway_.disconnect_reason());
    return true;
  });
  rigs.stop();
  waits_expired_ = bus.expired();
  return lab.integrator().report();
}

RunResult GatewayProcess::serve() {
  char number[16];
  std::snprintf(number, sizeof number, "-%04d", ++clients_);
  const std::string who = gateway_.who();
  const SessionId session = new_session();
  RunMetadata facts{.test = setup_.test.test(),
                    .mode = name(setup_.integrator.mode),
                    .folder = folder_ + "/" + utc_timestamp() + number,
                    .session = to_hex(session),
                    .software = software_version(),
                    .time_step = setup_.integrator.time_step};
  make_run_folder(facts.folder);
  log_.say(who + " begins; record " + facts.folder);
  const TimePoint begin = clock_.now();
  const RunReport report = conduct(facts.folder, session);
  facts.wall = seconds(clock_.now() - begin);
  write_file(facts.folder + "/summary.json", summary_json(report, facts));
  const std::string line = who + ": " + result_name(report.result) + " after " +
                           std::to_string(report.steps_done) + " moves and " +
                           std::to_string(gateway_.commits()) + " commits (" +
                           std::to_string(gateway_.replies()) + " answers, " +
                           std::to_string(waits_expired_) + " waits ran out)";
  report.result == RunResult::kComplete ? log_.say(line)
                                        : log_.warn(line + ": " + report.reason);
  return report.result;
}

/// The client that is still there knows nothing of an error: it gets the last values.
void GatewayProcess::drain_client() {
  bool told = false;
  tell();
  while (gateway_.linger() && !StopSignals::asked()) {
    if (!told)
      log_.warn(gateway_.who() +
                " is answered with the values measured last until it leaves; stop it");
    told = true;
    tell();
    operators_.poll(idle_);
    clock_.advance_to(clock_.now() + kBetweenLooks);
  }
  gateway_.disconnect();
}

}  // namespace

int openfresco_gateway(const GatewayOptions& options) {
  const bool datagrams = options.transport == "udp";
  const std::unique_ptr<GatewaySetup> setup =
      set_up_gateway(options.site, options.overrides, datagrams, software_version());
  const std::string folder = options.out.empty()
                                 ? "runs/gateway-" + to_folder_name(setup->test.test())
                                 : options.out;
  try {
    Result<ClientPort::Settings> where = port_settings(options.listen);
    if (!where) throw std::runtime_error("--listen: " + where.error().detail);
    ClientPort::Settings settings = where.value();
    settings.allow = {setup->file.allow().begin(), setup->file.allow().end()};
    if (settings.allow.empty() && !setup->file.security().insecure() &&
        open_to_the_network(settings))
      throw std::runtime_error("--listen: " + options.listen +
                               " is open to the network, and these protocols know no keys: "
                               "whoever reaches it moves "
                               "the rigs. List the clients under `allow` in " +
                               options.site +
                               ", listen at 127.0.0.1, or say `security: {insecure: true}` "
                               "there, for a network that "
                               "is yours alone");
    const std::unique_ptr<ClientPort> port =
        datagrams ? udp_port(settings) : tcp_port(settings);
    make_folders(folder);
    GatewayProcess service(*setup, *port, folder, options.as,
                           std::chrono::microseconds(options.spin));
    const StopSignals signals(nullptr, nullptr, StopSignals::Scope::kTest);
    service.tell_where();
    while (service.await_client()) {
      const RunResult result = service.serve();
      service.drain_client();
      if (options.once)
        return result == RunResult::kComplete   ? kExitComplete
               : result == RunResult::kSiteLost ? kExitPeerLost
                                                : kExitStopped;
    }
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  return kExitComplete;
}

}  // namespace trestle
