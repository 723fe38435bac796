#include "composition/processes/busy_reply.h"

#include <array>
#include <ctime>

namespace trestle::composition {
namespace {

constexpr std::chrono::milliseconds kBetweenAnswers{100};

/// "2026-11-23 05:42:10 UTC".
std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

}  // namespace

void BusyReply::follow(const site_node::SiteNode& site, bus::ZmqTransport& transport) {
  if (site.in_session() && site.session() != session_) {
    session_ = site.session();
    since_ = utc_now();
  }
  if (!transport.somebody_waits() || !site.in_session()) {
    called_ = false;
    return;
  }
  if (!called_) {
    called_ = true;
    heard_before_ = site.heard();
    return;
  }
  const auto now = Steady::now();
  if (site.heard() == heard_before_ || site.comes_to_rest() ||
      now - told_ < kBetweenAnswers)
    return;
  told_ = now;
  called_ = false;
  Busy busy = site.busy();
  busy.since = since_;
  transport.answer_those_who_wait(busy);
}

}  // namespace trestle::composition
