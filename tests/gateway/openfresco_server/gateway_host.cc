#include "tests/gateway/openfresco_server/gateway_host.h"

#include <poll.h>

#include <algorithm>

#include "gateway/openfresco_server/tcp_port.h"
#include "gateway/openfresco_server/udp_port.h"

namespace trestle::openfresco_server {
namespace {

std::unique_ptr<ClientPort> any_port(bool datagrams) {
  const ClientPort::Settings settings{.host = "127.0.0.1", .port = 0};
  return datagrams ? udp_port(settings) : tcp_port(settings);
}

}  // namespace

GatewaySettings one_spring(int dofs) {
  GatewaySettings settings;
  InterfaceLayout layout;
  for (int i = 0; i < dofs; ++i)
    layout.push_back({"tip" + std::to_string(i) + ".x", DofKind::kTranslation});
  settings.sites = {layout};
  const auto n = static_cast<std::size_t>(dofs);
  for (std::size_t i = 0; i < n * n; ++i)
    settings.initial_stiffness.push_back(2.8 + static_cast<double>(i));
  settings.tangent_stiffness = settings.initial_stiffness;
  settings.damping.assign(n * n, 0.0);
  settings.mass.assign(n * n, 0.0);
  return settings;
}

GatewayHost::GatewayHost(const GatewaySettings& settings, bool datagrams, double stiffness)
    : stiffness_(stiffness),
      port_(any_port(datagrams)),
      gateway_(settings, *port_, clock_) {
  const auto n = static_cast<Eigen::Index>(settings.controlled());
  requests_.push_back({InterfaceMotion::zero(n), {}, {}});
  answers_.push_back({InterfaceVector::Zero(n), InterfaceVector::Zero(n)});
  thread_ = std::thread([this] { serve(); });
}

GatewayHost::~GatewayHost() {
  stop_ = true;
  thread_.join();
}

void GatewayHost::serve() {
  const auto pass = [this] {
    pollfd look{.fd = port_->descriptor(), .events = POLLIN, .revents = 0};
    poll(&look, 1, 5);
  };
  while (!stop_) {
    const bool there = gateway_.look();
    tell();
    if (!there) {
      pass();
      continue;
    }
    run_test();
    ++tests_;
    tests_.notify_all();
    while (!stop_ && gateway_.linger()) pass();
    tell();
    gateway_.disconnect();
  }
}

void GatewayHost::tell() {
  const std::scoped_lock lock(told_busy_);
  for (const std::string& each : gateway_.take_notices()) told_ += each + "\n";
}

bool GatewayHost::told(const std::string& words) const {
  for (int looks = 0; looks < 10000; ++looks) {
    {
      const std::scoped_lock lock(told_busy_);
      if (told_.find(words) != std::string::npos) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

std::ptrdiff_t GatewayHost::lines_told() const {
  const std::scoped_lock lock(told_busy_);
  return std::count(told_.begin(), told_.end(), '\n');
}

void GatewayHost::run_test() {
  gateway_.prepare();
  gateway_.correct(-1, answers_);
  while (!stop_) {
    tell();
    const ExternalTargetSource::State word = gateway_.next();
    last_ = word;
    const bool over = word == ExternalTargetSource::State::kCompleted;
    const bool wrong = word == ExternalTargetSource::State::kDisconnected ||
                       word == ExternalTargetSource::State::kInvalidTarget;
    if (wrong) why_ = gateway_.disconnect_reason();
    if (wrong || over) return;
    if (word == ExternalTargetSource::State::kPending &&
        gateway_.time_to_timeout() <= Duration::zero()) {
      last_ = ExternalTargetSource::State::kDisconnected;
      return;
    }
    if (word == ExternalTargetSource::State::kPending) {
      pollfd look{.fd = port_->descriptor(), .events = POLLIN, .revents = 0};
      poll(&look, 1, 5);
      continue;
    }
    gateway_.predict(moves_, requests_);
    if (tripped_) return;
    answers_[0].measured = requests_[0].target.displacement;
    answers_[0].force = stiffness_ * answers_[0].measured;
    gateway_.correct(moves_++, answers_);
  }
}

ExternalTargetSource::State GatewayHost::ended(int tests) const {
  for (int now = tests_; now < tests; now = tests_) tests_.wait(now);
  return last_;
}

}  // namespace trestle::openfresco_server
