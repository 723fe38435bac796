#include "bench/real_time/raw_exchange.h"

#include <zmq.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "core/host/realtime_scheduling.h"

namespace trestle::bench {
namespace {

using Steady = std::chrono::steady_clock;
using Handle = std::unique_ptr<void, int (*)(void*)>;

/// Echoes until the address is silent for a second. Uses a separate context, as a process
/// has.
void echo(const std::string& address, int peer, const RawExchange& settings) {
  host::set_fifo_priority(settings.priority);
  host::minimise_timer_slack();
  const Handle context(zmq_ctx_new(), zmq_ctx_term);
  const Handle socket(zmq_socket(context.get(), ZMQ_DEALER), zmq_close);
  const std::string name = "peer" + std::to_string(peer);
  zmq_setsockopt(socket.get(), ZMQ_ROUTING_ID, name.data(), name.size());
  const int patience = 1000;
  zmq_setsockopt(socket.get(), ZMQ_RCVTIMEO, &patience, sizeof patience);
  zmq_connect(socket.get(), address.c_str());
  std::vector<char> in(settings.bytes_out);
  const std::vector<char> out(settings.bytes_back, 'x');
  zmq_send(socket.get(), "hello", 5, 0);
  while (zmq_recv(socket.get(), in.data(), in.size(), 0) >= 0)
    zmq_send(socket.get(), out.data(), out.size(), 0);
}

/// One message off the ROUTER. @returns the peer's number, or -1
int take(void* router, std::vector<char>& room) {
  std::array<char, 16> name{};
  if (zmq_recv(router, name.data(), name.size(), 0) < 5) return -1;
  zmq_recv(router, room.data(), room.size(), 0);
  return name[4] - '0';
}

}  // namespace

std::vector<double> measure_raw_exchange(const RawExchange& settings) {
  const Handle context(zmq_ctx_new(), zmq_ctx_term);
  Handle router(zmq_socket(context.get(), ZMQ_ROUTER), zmq_close);
  zmq_bind(router.get(), "tcp://127.0.0.1:*");
  std::array<char, 128> address{};
  std::size_t size = address.size();
  zmq_getsockopt(router.get(), ZMQ_LAST_ENDPOINT, address.data(), &size);

  std::vector<std::thread> peers;
  for (int i = 0; i < settings.peers; ++i)
    peers.emplace_back(echo, std::string(address.data()), i, settings);
  std::vector<char> room(settings.bytes_back);
  for (int i = 0; i < settings.peers; ++i) take(router.get(), room);

  std::thread conductor;
  std::vector<double> times;
  conductor = std::thread([&] {
    host::set_fifo_priority(settings.priority);
    host::minimise_timer_slack();
    const std::vector<char> out(settings.bytes_out, 'x');
    const auto period =
        std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / settings.rate));
    const auto ticks = static_cast<std::int64_t>(settings.seconds * settings.rate);
    times.reserve(static_cast<std::size_t>(ticks * settings.peers));
    Steady::time_point due = Steady::now();
    std::vector<Steady::time_point> sent(static_cast<std::size_t>(settings.peers));
    for (std::int64_t tick = 0; tick < ticks; ++tick) {
      due += period;
      host::sleep_until(due, {});
      for (int i = 0; i < settings.peers; ++i) {
        const std::string name = "peer" + std::to_string(i);
        sent[static_cast<std::size_t>(i)] = Steady::now();
        zmq_send(router.get(), name.data(), name.size(), ZMQ_SNDMORE);
        zmq_send(router.get(), out.data(), out.size(), 0);
      }
      for (int i = 0; i < settings.peers; ++i) {
        const int peer = take(router.get(), room);
        if (peer < 0 || peer >= settings.peers) continue;
        const auto passed = Steady::now() - sent[static_cast<std::size_t>(peer)];
        times.push_back(std::chrono::duration<double, std::micro>(passed).count());
      }
    }
  });
  conductor.join();
  for (std::thread& peer : peers) peer.join();
  return times;
}

}  // namespace trestle::bench
