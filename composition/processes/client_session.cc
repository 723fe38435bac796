#include "composition/processes/client_session.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "composition/hybrid_test/endpoint_factory.h"
#include "core/host/cpu_latency_request.h"
#include "core/host/person.h"

namespace trestle::composition {
namespace {

constexpr std::size_t kClientRingRows = 1 << 15;
constexpr Duration kClientJournalWait = std::chrono::milliseconds(500);

std::unique_ptr<bus::ZmqTransport> connect_client_sites(const GatewaySetup& setup) {
  if (std::find(setup.remote.begin(), setup.remote.end(), true) == setup.remote.end())
    return nullptr;
  return bus::ZmqTransport::for_integrator(integrator_endpoint(setup.test, setup.where));
}

integrator_node::IntegratorSettings integrator_of(
    const GatewaySetup& setup, openfresco_server::OpenFrescoGateway& gateway,
    const ClientSession::Settings& settings) {
  integrator_node::IntegratorSettings integrator = setup.integrator;
  integrator.session = settings.session;
  integrator.by = host::this_person(settings.person).text;
  integrator.targets = &gateway;
  return integrator;
}

}  // namespace

ClientSession::ClientSession(const GatewaySetup& setup,
                             openfresco_server::OpenFrescoGateway& gateway,
                             const Settings& settings)
    : gateway_(gateway),
      settings_(settings),
      recorder_(recorder_of("journal", "integrator")),
      journals_{recorder_.get()},
      sites_(recorded_sites(setup)),
      elsewhere_(connect_client_sites(setup)),
      bus_(elsewhere_.get(), gateway.port().descriptor(),
           [this] { return gateway_.take_unread(); },
           {.longest = settings.spin,
            .came =
                [this] {
                  return gateway_.overhears();
                }}),
      rigs_(setup.test, sites_, settings.folder),
      nodes_(integrator_of(setup, gateway, settings), gateway, recorder_->recording(),
             std::move(sites_), {&bus_, setup.remote}) {}

std::unique_ptr<journal::JournalRecorder> ClientSession::recorder_of(
    const std::string& file, const std::string& node) const {
  return std::make_unique<journal::JournalRecorder>(
      journal::JournalRecorder::Settings{.folder = settings_.folder,
                                         .name = file,
                                         .node = node,
                                         .ring_rows = kClientRingRows,
                                         .max_pages = 0,
                                         .facts = {{"client", gateway_.who()}},
                                         .max_unsynced_age_s = 0.0,
                                         .closes_in_background = true,
                                         .while_waiting = settings_.while_waiting});
}

std::vector<LocalSite> ClientSession::recorded_sites(const GatewaySetup& setup) {
  std::vector<LocalSite> sites = gateway_sites(setup);
  for (LocalSite& site : sites) {
    auto recorder = recorder_of(site.settings.name, site.settings.name);
    journals_.push_back(recorder.get());
    site.recorder = std::move(recorder);
  }
  return sites;
}

void ClientSession::wait_for_space() {
  for (journal::JournalRecorder* each : journals_) each->wait_for_space(kClientJournalWait);
}

std::string ClientSession::closing() const {
  for (const journal::JournalRecorder* each : journals_)
    if (std::string file = each->closing(); !file.empty()) return file;
  return {};
}

evaluation::RunReport ClientSession::run(const std::function<void()>& between) {
  // A thread that waits awake must be woken soon, too.
  std::optional<host::CpuLatencyRequest> awake;
  if (settings_.spin > Duration::zero()) awake.emplace(Duration::zero());
  rigs_.start();
  nodes_.run([&] {
    between();
    return true;
  });
  rigs_.stop();
  return nodes_.integrator().report();
}

}  // namespace trestle::composition
