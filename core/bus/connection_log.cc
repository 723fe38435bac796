#include "core/bus/connection_log.h"

#include <algorithm>
#include <utility>

namespace trestle::bus {
namespace {

constexpr auto kPeriod = std::chrono::seconds(10);
constexpr std::size_t kMostSentences = 32;

}  // namespace

void ConnectionLog::refuse(std::string text) {
  ++refused_;
  add(true, std::move(text));
}

void ConnectionLog::note(std::string text) {
  ++refused_;
  add(false, std::move(text));
}

void ConnectionLog::warn(std::string text) {
  add(true, std::move(text));
}

void ConnectionLog::tell(std::string text) {
  add(false, std::move(text));
}

void ConnectionLog::add(bool warning, std::string text) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(
      entries_, text,
      [](const Entry& entry) -> const std::string& { return entry.notice.text; });
  if (known != entries_.end())
    ++known->suppressed;
  else if (entries_.size() < kMostSentences)
    entries_.push_back({.notice = {warning, std::move(text)}, .suppressed = 1});
  else
    ++others_.suppressed;
  news_ = true;
}

std::vector<ConnectionEvent> ConnectionLog::take(Steady::time_point now) {
  std::vector<ConnectionEvent> said;
  if (!news_) return said;
  const std::scoped_lock lock(mutex_);
  others_.notice = {true, "more than " + std::to_string(kMostSentences) +
                              " different refusals came; others are counted alone"};
  bool left = false;
  const auto say = [&](Entry& entry) {
    if (entry.suppressed == 0) return;
    if (entry.said && now - entry.at < kPeriod) {
      left = true;
      return;
    }
    said.push_back(entry.notice);
    if (entry.suppressed > 1)
      said.back().text += " (" + std::to_string(entry.suppressed) + " times)";
    entry.said = true;
    entry.at = now;
    entry.suppressed = 0;
  };
  std::ranges::for_each(entries_, say);
  say(others_);
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.suppressed == 0 && now - entry.at >= kPeriod;
  });
  news_ = left;
  return said;
}

}  // namespace trestle::bus
