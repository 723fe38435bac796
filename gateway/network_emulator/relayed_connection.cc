#include "gateway/network_emulator/relayed_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace trestle::network_emulator {
namespace {

namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;

constexpr std::size_t kMostHeld = std::size_t{4} << 20;  // each way [bytes]
constexpr std::size_t kChunkCost = 128;                  // what one byte takes in memory

}  // namespace

RelayedConnection::RelayedConnection(Tcp::socket caller, RelayDirection& out,
                                     RelayDirection& back, Steady::time_point zero,
                                     Gone gone)
    : caller_(std::move(caller)),
      called_(caller_.get_executor()),
      resolver_(caller_.get_executor()),
      out_(caller_, called_, out),
      back_(called_, caller_, back),
      zero_(zero),
      gone_(std::move(gone)) {}

/// A handler that keeps the connection alive until it was called; none does anything once
/// the connection is closed.
template <typename... Results, typename Handler>
auto RelayedConnection::kept(Handler handler) {
  ++pending_;
  return [this, handler = std::move(handler)](const ErrorCode& error,
                                              const Results&... results) mutable {
    if (!closed_) handler(error, results...);
    release();
  };
}

void RelayedConnection::release() {
  if (--pending_ > 0 || !closed_) return;
  const Gone gone = std::move(gone_);  // survives what it destroys
  gone(*this);
}

TimePoint RelayedConnection::now() const {
  return TimePoint{Steady::now() - zero_};
}

void RelayedConnection::call(const HostPort& to, const Connected& connected) {
  using Found = Tcp::resolver::results_type;
  resolver_.async_resolve(
      to.host, std::to_string(to.port),
      kept<Found>([this, connected](const ErrorCode& error, const Found& found) {
        if (error) {
          connected(error.message());
          return close();
        }
        asio::async_connect(
            called_, found,
            kept<Tcp::endpoint>([this, connected](const ErrorCode& refused,
                                                  const Tcp::endpoint& /*there*/) {
              connected(refused ? refused.message() : "");
              if (refused) return close();
              begin();
            }));
      }));
}

void RelayedConnection::begin() {
  passed_ = true;
  ErrorCode ignored;  // a peer that is gone again shows at the first read
  caller_.set_option(Tcp::no_delay(true), ignored);
  called_.set_option(Tcp::no_delay(true), ignored);
  read(out_);
  read(back_);
}

void RelayedConnection::read(Side& side) {
  side.from.async_read_some(
      asio::buffer(side.room),
      kept<std::size_t>([this, &side](const ErrorCode& error, std::size_t bytes) {
        take(side, bytes, static_cast<bool>(error));
      }));
}

void RelayedConnection::take(Side& side, std::size_t bytes, bool end) {
  const network::LinkModel::Delivery passage = side.way.model.delivery(now(), bytes);
  if (passage.lost) {  // the outage closes the connection; until then nothing follows
    ++side.way.count.lost;
    return;
  }
  const auto first = side.room.begin();
  side.chunks.push_back(
      {{first, first + static_cast<std::ptrdiff_t>(bytes)}, passage.delivered});
  side.held += bytes + kChunkCost;
  side.way.count.on_their_way += bytes;
  if (side.chunks.size() == 1) wait(side);
  side.full = side.held > kMostHeld;
  if (!side.full && !end) read(side);
}

void RelayedConnection::wait(Side& side) {
  side.timer.expires_at(zero_ + side.chunks.front().delivered.time_since_epoch());
  side.timer.async_wait(kept([this, &side](const ErrorCode&) { deliver(side); }));
}

void RelayedConnection::deliver(Side& side) {
  const Chunk& chunk = side.chunks.front();
  DirectionStatistics& count = side.way.count;
  count.latest = std::max(count.latest, now() - chunk.delivered);
  if (chunk.bytes.empty()) return pass_end_on(side);
  asio::async_write(side.to, asio::buffer(chunk.bytes),
                    kept<std::size_t>([this, &side](const ErrorCode& error, std::size_t) {
                      if (error) return close();
                      delivered(side);
                    }));
}

void RelayedConnection::delivered(Side& side) {
  const std::size_t bytes = side.chunks.front().bytes.size();
  side.chunks.pop_front();
  side.held -= bytes + kChunkCost;
  side.way.count.on_their_way -= bytes;
  side.way.count.bytes += bytes;
  ++side.way.count.messages;
  if (!side.chunks.empty()) wait(side);
  if (side.full && side.held <= kMostHeld) {
    side.full = false;
    read(side);
  }
}

void RelayedConnection::pass_end_on(Side& side) {
  ErrorCode ignored;  // it may be closed from there already
  side.to.shutdown(Tcp::socket::shutdown_send, ignored);
  side.ended = true;
  if (out_.ended && back_.ended) close();
}

void RelayedConnection::close() {
  if (closed_) return;
  closed_ = true;
  for (Side* side : {&out_, &back_})
    for (const Chunk& chunk : side->chunks)
      side->way.count.on_their_way -= chunk.bytes.size();
  ErrorCode ignored;
  caller_.close(ignored);
  called_.close(ignored);
  resolver_.cancel();
  out_.timer.cancel();
  back_.timer.cancel();
  ++pending_;  // released later: the caller on the stack still uses it
  asio::post(caller_.get_executor(), [this] { release(); });
}

}  // namespace trestle::network_emulator
