#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.h>

#include <stdexcept>

#include "core/bus/curve_authenticator.h"
#include "core/bus/zmq_endpoint.h"
#include "core/bus/zmq_transport_parts.h"

namespace trestle {

std::unique_ptr<ZmqTransport> ZmqTransport::for_integrator(
    const IntegratorEndpoint& endpoint) {
  check_endpoint(endpoint);
  std::unique_ptr<ZmqTransport> transport(
      new ZmqTransport(Side::kIntegrator, endpoint.security));
  for (const auto& site : endpoint.sites) transport->peers_.push_back(site.name);
  transport->routes_.resize(endpoint.sites.size());
  for (std::string& route : transport->routes_) route.reserve(kLongestName);
  transport->line_of_.resize(endpoint.sites.size());
  transport->watch_connections(endpoint.listen);
  if (transport->by_key_)
    transport->connect_curve(endpoint);
  else
    transport->connect_plain(endpoint);
  transport->begin();
  return transport;
}

/// One ROUTER serves all sites: a peer that gives a site's name is that site.
void ZmqTransport::connect_plain(const IntegratorEndpoint& endpoint) {
  Connection& line = add_line(ZMQ_ROUTER, -1, false);
  line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
  line.socket.option(ZMQ_PROBE_ROUTER, 1);  // a listening site learns who calls
  if (gatekeeper_ != nullptr) gatekeeper_->watch(line.socket.get(), "");
  if (!endpoint.listen.empty()) line.socket.listen(endpoint.listen);
  bound_endpoint_ = line.socket.bound_endpoint();
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    line_of_[i] = &line;
    routes_[i] = endpoint.sites[i].name;
    if (!endpoint.sites[i].address.empty()) line.socket.call(endpoint.sites[i].address, "");
  }
}

/// A ROUTER serves the sites that call, distinguished by their keys. Each site that is
/// called has a separate socket, so that no site can speak for another.
void ZmqTransport::connect_curve(const IntegratorEndpoint& endpoint) {
  Connection* called = nullptr;
  if (!endpoint.listen.empty()) {
    called = &add_line(ZMQ_ROUTER, -1, true);
    gatekeeper_->watch(called->socket.get(), "");
  }
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    const IntegratorEndpoint::Site& site = endpoint.sites[i];
    line_of_[i] = called;
    if (site.address.empty()) continue;
    Connection& line = add_line(ZMQ_DEALER, static_cast<int>(i), false);
    line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
    line.socket.option(ZMQ_PROBE_ROUTER, 1);
    gatekeeper_->watch(line.socket.get(), "site " + site.name + " (" + site.address + ")");
    line_of_[i] = &line;
  }
  if (called != nullptr) {
    called->socket.listen(endpoint.listen);
    bound_endpoint_ = called->socket.bound_endpoint();
  }
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i)
    if (!endpoint.sites[i].address.empty())
      line_of_[i]->socket.call(endpoint.sites[i].address, endpoint.sites[i].public_key);
}

std::unique_ptr<ZmqTransport> ZmqTransport::for_site(const SiteEndpoint& endpoint) {
  check_endpoint(endpoint);
  const bool listens = !endpoint.listen.empty();
  std::unique_ptr<ZmqTransport> transport(new ZmqTransport(
      listens ? Side::kListeningSite : Side::kCallingSite, endpoint.security));
  const bool by_key = transport->by_key_;
  transport->watch_connections(endpoint.listen);
  Connection& line =
      transport->add_line(listens ? ZMQ_ROUTER : ZMQ_DEALER, listens ? -1 : 0, listens);
  transport->line_of_ = {&line};
  // With keys, no peer can take a place whose id it cannot guess.
  line.socket.option(ZMQ_ROUTING_ID, by_key ? unique_id(endpoint.name) : endpoint.name);
  if (transport->gatekeeper_ != nullptr)
    transport->gatekeeper_->watch(
        line.socket.get(), listens ? "" : "the integrator (" + endpoint.integrator + ")");
  transport->begin();
  if (listens) line.socket.listen(endpoint.listen);
  transport->bound_endpoint_ = line.socket.bound_endpoint();
  if (!listens) line.socket.call(endpoint.integrator, endpoint.integrator_key);
  return transport;
}

ZmqTransport::ZmqTransport(Side side, const BusSecurity& security)
    : side_(side),
      security_(security),
      by_key_(!security.secret_key.empty()),
      context_(zmq_ctx_new(), zmq_ctx_term),
      arrived_(std::make_unique<PendingMessage>()) {
  caller_.reserve(kLongestName);
  waiting_.reserve(kLongestName);
  asker_.reserve(kLongestName);
  for (std::string& id : waiting_ids_) id.reserve(kLongestName);
  if (security_.insecure)
    refusals_.warn(
        "this end of the bus is insecure (security.insecure): whoever reaches it "
        "may command, unproven");
}

ZmqTransport::~ZmqTransport() {
  lines_.clear();
  gatekeeper_.reset();
  if (wake_event_ >= 0) close(wake_event_);
}

ZmqTransport::Connection& ZmqTransport::add_line(int type, int peer, bool listens) {
  lines_.push_back(std::make_unique<Connection>(Connection{
      ZmqSocket(context_.get(), type, security_), peer, type == ZMQ_ROUTER, listens}));
  return *lines_.back();
}

/// A plain end that other machines may reach also reports closed connections.
void ZmqTransport::watch_connections(const std::string& listen) {
  if (by_key_ || listen.starts_with("tcp://"))
    gatekeeper_ =
        std::make_unique<CurveAuthenticator>(context_.get(), security_, refusals_);
}

void ZmqTransport::begin() {
  if (gatekeeper_ != nullptr) gatekeeper_->begin();
  for (const auto& line : lines_)
    events_.push_back({.fd = line->socket.event(), .events = POLLIN, .revents = 0});
  wake_event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_event_ < 0) throw std::runtime_error("no descriptor to be woken by");
  events_.push_back({.fd = wake_event_, .events = POLLIN, .revents = 0});
}

}  // namespace trestle
