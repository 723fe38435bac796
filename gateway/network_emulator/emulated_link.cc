#include "gateway/network_emulator/emulated_link.h"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace trestle::network_emulator {
namespace {

using ErrorCode = boost::system::error_code;

constexpr std::size_t kMostConnections = 64;
constexpr std::chrono::milliseconds kAcceptAgain(100);

std::string seconds_text(Duration duration) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3f s", seconds(duration));
  return buffer.data();
}

}  // namespace

EmulatedLink::EmulatedLink(boost::asio::io_context& context, RelaySettings settings,
                           EventCallback say)
    : settings_(std::move(settings)),
      say_(std::move(say)),
      acceptor_(context),
      outage_timer_(context),
      accept_timer_(context),
      out_{network::LinkModel(settings_.link, network::LinkDirection::kToSite), {}},
      back_{network::LinkModel(settings_.link, network::LinkDirection::kToIntegrator), {}} {
  try {
    Tcp::resolver resolver(context);
    const Tcp::endpoint place =
        resolver
            .resolve(settings_.listen.host, std::to_string(settings_.listen.port),
                     Tcp::resolver::passive)
            .begin()
            ->endpoint();
    acceptor_.open(place.protocol());
    acceptor_.set_option(Tcp::acceptor::reuse_address(true));
    acceptor_.bind(place);
    acceptor_.listen();
    settings_.listen = {acceptor_.local_endpoint().address().to_string(),
                        acceptor_.local_endpoint().port()};
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen at " + text(settings_.listen) + ": " +
                             error.code().message());
  }
}

void EmulatedLink::begin(Steady::time_point zero) {
  zero_ = zero;
  await_outage();
  accept();
}

TimePoint EmulatedLink::now() const {
  return TimePoint{Steady::now() - zero_};
}

void EmulatedLink::accept() {
  acceptor_.async_accept([this](const ErrorCode& error, Tcp::socket caller) {
    if (error) {  // no descriptor left: there may be one soon
      accept_timer_.expires_after(kAcceptAgain);
      accept_timer_.async_wait([this](const ErrorCode&) { accept(); });
      return;
    }
    if (!down_ && connections_.size() < kMostConnections) take(std::move(caller));
    accept();
  });
}

void EmulatedLink::take(Tcp::socket caller) {
  connections_.push_back(std::make_unique<RelayedConnection>(
      std::move(caller), out_, back_, zero_,
      [this](RelayedConnection& connection) { drop(connection); }));
  connections_.back()->call(settings_.to,
                            [this](const std::string& problem) { tell(problem); });
}

/// Reports only changes: a caller that retries endlessly would fill the screen.
void EmulatedLink::tell(const std::string& problem) {
  if (problem.empty()) say_(settings_.name, "connected");
  if (!problem.empty() && problem != problem_)
    say_(settings_.name, "cannot reach " + text(settings_.to) + ": " + problem);
  problem_ = problem;
}

void EmulatedLink::drop(RelayedConnection& connection) {
  const bool passed = connection.passed();
  connections_.remove_if([&](const auto& kept) { return kept.get() == &connection; });
  if (passed) say_(settings_.name, "disconnected");
}

void EmulatedLink::await_outage() {
  const network::Outage outage = out_.model.outage(now());
  if (outage.begin == TimePoint::max()) return;
  outage_timer_.expires_at(zero_ + outage.begin.time_since_epoch());
  outage_timer_.async_wait([this, outage](const ErrorCode&) { begin_outage(outage); });
}

void EmulatedLink::begin_outage(const network::Outage& outage) {
  down_ = true;
  ++outages_;
  say_(settings_.name, "outage of " + seconds_text(outage.end - outage.begin) + " begins");
  for (const auto& connection : connections_) connection->close();
  outage_timer_.expires_at(zero_ + outage.end.time_since_epoch());
  outage_timer_.async_wait([this](const ErrorCode&) { end_outage(); });
}

void EmulatedLink::end_outage() {
  down_ = false;
  say_(settings_.name, "outage ends");
  await_outage();
}

RelayStatus EmulatedLink::status() const {
  return {settings_.name,
          text(settings_.listen),
          text(settings_.to),
          connections_.size(),
          down_,
          outages_,
          out_.count,
          back_.count};
}

}  // namespace trestle::network_emulator
