#include "composition/processes/gateway_process.h"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "composition/processes/connection_events.h"
#include "composition/processes/disk_wait_status.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/processes/rig_return.h"
#include "composition/processes/run_folder.h"
#include "core/base/shell_word.h"
#include "core/base/twin_notice.h"
#include "gateway/openfresco_server/tcp_port.h"
#include "gateway/openfresco_server/udp_port.h"

namespace trestle::composition {
namespace {

constexpr Duration kBetweenPeople = std::chrono::milliseconds(1);
constexpr Duration kBetweenCalls = std::chrono::milliseconds(20);

}  // namespace

GatewayProcess::GatewayProcess(const GatewaySetup& setup,
                               openfresco_server::ClientPort& port, Settings settings)
    : setup_(setup),
      port_(port),
      settings_(std::move(settings)),
      log_(settings_.folder),
      operators_({.folder = settings_.folder}),
      bus_to_clients_(nullptr, port.descriptor()),
      clock_(bus_to_clients_),
      gateway_(setup.settings, port, clock_),
      idle_(setup.test.test(), gateway_) {}

void GatewayProcess::announce() {
  log_.say("gateway " + setup_.test.test() + " listens at " +
           (port_.datagrams() ? "udp " : "tcp ") + port_.address() +
           " for OpenSees and OpenFresco");
  log_.say("records go to " + settings_.folder);
  for (const config::Site& site : setup_.test.sites())
    if (site.twin()) log_.warn(twin_notice(site.name()));
  if (!port_.address().starts_with("127.") && setup_.file.allow().empty())
    log_.warn("INSECURE, as the file says: any program that reaches " + port_.address() +
              " moves the rigs: these protocols know no keys; list the clients under "
              "`allow`");
}

void GatewayProcess::log_notices() {
  for (const std::string& notice : gateway_.take_notices()) log_.warn(notice);
}

/// The first signal holds real equipment; a test of simulated rigs, or the next, ends it.
void GatewayProcess::follow(const AskedBySignal& asked,
                            integrator_node::IntegratorNode& integrator) {
  const SignalWord word = word_of(asked, settings_.person);
  if (integrator.begun() && integrator.real_equipment() &&
      integrator.hold(word.by, word.from, asked.name()).empty())
    return log_.warn(word.reason +
                     ": all rigs hold, and the client waits. Resume: trestle resume " +
                     shell_word(settings_.folder) +
                     ". End the test for good: once more, or trestle stop " +
                     shell_word(settings_.folder) + ". This gateway ends after it");
  integrator.stop(word.by, word.from, asked.name());
}

bool GatewayProcess::await_client() {
  while (!StopSignals::asked()) {
    if (gateway_.look()) return true;
    log_notices();
    operators_.poll(idle_);
    clock_.advance_to(clock_.now() + kBetweenCalls);
  }
  return false;
}

/// Between two ticks of a client's test.
void GatewayProcess::attend(ClientSession& test) {
  integrator_node::IntegratorNode& integrator = test.nodes().integrator();
  test.wait_for_space();
  // Operators must be served even if a quick client sends one command after the other.
  if (const TimePoint now = clock_.now(); now - people_heard_ >= kBetweenPeople) {
    people_heard_ = now;
    operators_.poll(integrator);
    for (const std::string& line : test.rigs().follow(test.nodes())) log_.warn(line);
    if (const std::string line = slow_disk_.due(test.closing(), now); !line.empty())
      log_.warn(line);
    log_notices();
    record_connection_events(test.elsewhere(), test.log(), integrator.steps_done(),
                             [this](const bus::ConnectionEvent& event) {
                               print_connection_event(log_.terminal(), event);
                             });
  }
  if (AskedBySignal asked; StopSignals::take(asked)) follow(asked, integrator);
  // A running test notices by itself, and halts the sites.
  if (!gateway_.attend() && integrator.status().state != "RUNNING")
    integrator.stop(gateway_.disconnect_reason());
}

evaluation::RunReport GatewayProcess::conduct(const std::string& folder,
                                              const SessionId& session) {
  DiskWaitStatus at_disk(
      "the gateway serves its next client; the rest of the record is in the ring file");
  std::optional<ClientSession> test;
  test.emplace(
      setup_, gateway_,
      ClientSession::Settings{
          .folder = folder,
          .session = session,
          .person = settings_.person,
          .spin = settings_.spin,
          .while_waiting = [&](const std::string& file, Duration waited, Duration left) {
            at_disk.wait_for(file, waited, left);
            operators_.poll(at_disk);
          }});
  people_heard_ = {};
  evaluation::RunReport report = test->run([&] { attend(*test); });
  at_disk.keep(test->nodes().integrator().status());
  waits_expired_ = test->waits_expired();
  const RigReturn giving_back;
  test.reset();
  return report;
}

evaluation::RunResult GatewayProcess::serve() {
  char number[16];
  std::snprintf(number, sizeof number, "-%04d", ++clients_);
  const std::string who = gateway_.who();
  ClientRun run{.folder = settings_.folder + "/" + utc_timestamp() + number,
                .session = new_session(),
                .report = {}};
  make_run_folder(run.folder);
  log_.say(who + " begins; record " + run.folder);
  const TimePoint begin = clock_.now();
  run.report = conduct(run.folder, run.session);
  run.wall = seconds(clock_.now() - begin);
  settings_.summarise(run);
  const evaluation::RunReport& report = run.report;
  const std::string line = who + ": " + evaluation::result_name(report.result) + " after " +
                           std::to_string(report.steps_done) + " moves and " +
                           std::to_string(gateway_.commits()) + " commits (" +
                           std::to_string(gateway_.replies()) + " answers, " +
                           std::to_string(waits_expired_) + " waits ran out)";
  report.result == evaluation::RunResult::kComplete
      ? log_.say(line)
      : log_.warn(line + ": " + report.reason);
  return report.result;
}

/// The protocol has no error message: a client that is still connected gets the last
/// values.
void GatewayProcess::drain_client() {
  bool told = false;
  log_notices();
  while (gateway_.linger() && !StopSignals::asked()) {
    if (!told)
      log_.warn(gateway_.who() +
                " is answered with the values measured last until it leaves; stop it");
    told = true;
    log_notices();
    operators_.poll(idle_);
    clock_.advance_to(clock_.now() + kBetweenCalls);
  }
  gateway_.disconnect();
}

std::optional<evaluation::RunResult> GatewayProcess::run() {
  // Any of its clients' tests may drive real equipment in this process.
  const StopSignals signals(nullptr, nullptr, StopSignals::Scope::kRig);
  announce();
  while (await_client()) {
    const evaluation::RunResult result = serve();
    drain_client();
    if (settings_.once) return result;
  }
  return std::nullopt;
}

std::unique_ptr<openfresco_server::ClientPort> open_client_port(const GatewaySetup& setup,
                                                                const std::string& listen,
                                                                const std::string& file,
                                                                bool datagrams) {
  const Result<openfresco_server::ClientPort::Settings> where =
      openfresco_server::port_settings(listen);
  if (!where) throw std::runtime_error("--listen: " + where.error().detail);
  openfresco_server::ClientPort::Settings settings = where.value();
  settings.allow = {setup.file.allow().begin(), setup.file.allow().end()};
  if (settings.allow.empty() && !setup.file.security().insecure() &&
      openfresco_server::open_to_the_network(settings))
    throw std::runtime_error(
        "--listen: " + listen +
        " is open to the network, and these protocols know no keys: any program that "
        "reaches it "
        "moves the rigs. List the clients under `allow` in " +
        file +
        ", listen at 127.0.0.1, or say `security: {insecure: true}` there, for a network "
        "that is yours alone");
  return datagrams ? openfresco_server::udp_port(settings)
                   : openfresco_server::tcp_port(settings);
}

}  // namespace trestle::composition
