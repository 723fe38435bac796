#include "adapters/openfresco_client/openfresco_lab.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "adapters/openfresco_client/lab_handshake.h"
#include "adapters/plugin/monotonic_ns.h"

namespace trestle::openfresco {
namespace {

// A move by less is none (OpenFresco EEGeneric).
constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr Duration kFarewell = std::chrono::seconds(1);

}  // namespace

OpenFrescoLab::OpenFrescoLab(const LabSettings& settings)
    : settings_(settings), messages_(settings_), reconnection_([this] { reconnect(); }) {
  const auto n = static_cast<std::size_t>(settings.actuators);
  for (std::vector<double>* each :
       {&drive_, &sent_, &measured_.displacement, &measured_.force, &place_})
    each->assign(n, 0.0);
}

OpenFrescoLab::~OpenFrescoLab() {
  reconnection_.stop();
  leave();
}

/// On the thread of the reconnection.
void OpenFrescoLab::reconnect() {
  link_.close();
  link_.give_up_when(&reconnection_.is_cancelled());
  try {
    resume_link();
  } catch (...) {
    link_.close();
    link_.give_up_when(nullptr);
    throw;
  }
  link_.give_up_when(nullptr);
}

/// Calls again and looks, without a trial. @throws std::runtime_error
void OpenFrescoLab::resume_link() {
  open_session(settings_, link_);
  ask_first();
  link_.hear(messages_.reply(), to_duration(settings_.connect), "first measurement");
  asked_ = false;
  messages_.clear_reply();
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const double now = messages_.displacement(i);
    // What was sent last may have been carried out unseen.
    const auto [low, high] = std::minmax(place_[i], moved_ ? sent_[i] : place_[i]);
    if (!(now >= low - settings_.same_place && now <= high + settings_.same_place))
      throw std::runtime_error("it answers again, but actuator " + std::to_string(i + 1) +
                               " stands at " + std::to_string(now) + ", not at " +
                               std::to_string(place_[i]) +
                               "; end the test, the next one begins from there");
  }
  const char* const was = lost_.exchange(nullptr);
  take_reply();
  if (const char* const wrong = lost_.exchange(was); wrong != nullptr)
    throw std::runtime_error(wrong);
}

/// Of the ticks' thread. Where the connection is back, nothing goes out before a new drive.
bool OpenFrescoLab::is_lost() noexcept {
  if (reconnection_.take_success()) {
    lost_ = nullptr;
    driven_ = moved_ = uncommitted_ = asked_ = false;
    return false;
  }
  return !reconnection_.is_idle() || lost_ != nullptr || !link_.is_open();
}

void OpenFrescoLab::prepare() {
  reconnection_.cancel();
  if (lost_ != nullptr) link_.close();
  lost_ = nullptr;
  gives_up_ = driven_ = measured_.any = false;
  link_.give_up_when(&gives_up_);
  try {
    prepare_link();
  } catch (...) {
    link_.close();
    link_.give_up_when(nullptr);
    throw;
  }
  link_.give_up_when(nullptr);
}

void OpenFrescoLab::prepare_link() {
  messages_.begin(plugin::monotonic_ns());
  if (!link_.is_open()) {
    asked_ = uncommitted_ = moved_ = false;
    messages_.clear_reply();
    open_session(settings_, link_);
  }
  if (!asked_) ask_first();
  link_.hear(messages_.missing(), to_duration(settings_.connect), "first measurement");
  take_reply();
  if (const char* const wrong = lost_; wrong != nullptr) throw std::runtime_error(wrong);
}

/// Where the specimen is, without a trial.
void OpenFrescoLab::ask_first() {
  messages_.write_state(0, MessageCode::kMeasured, sent_, plugin::monotonic_ns());
  link_.say(messages_.message(0));
  asked_ = true;
  asked_at_ns_ = plugin::monotonic_ns();
  messages_.clear_reply();
}

void OpenFrescoLab::lose(const char* why) noexcept {
  if (lost_ == nullptr) lost_ = why;
}

/// On the ticks' thread: an attempt may have the connection from here on. An element server
/// cannot say where its specimen stands.
void OpenFrescoLab::hand_over() noexcept {
  if (!reconnection_.is_idle() || lost_ == nullptr) return;
  if (!measured_.any || !messages_.has_displacement()) return;
  std::copy(measured_.displacement.begin(), measured_.displacement.end(), place_.begin());
  reconnection_.start();
}

void OpenFrescoLab::pump() noexcept {
  if (lost_ != nullptr || !link_.is_open()) return;
  hear();
  if (lost_ == nullptr && !asked_) ask();
  if (asked_ &&
      plugin::monotonic_ns() - asked_at_ns_ > to_duration(settings_.patience).count())
    lose("the OpenFresco server did not answer within `patience`");
}

void OpenFrescoLab::hear() noexcept {
  while (asked_) {
    const std::ptrdiff_t came = link_.receive(messages_.missing());
    if (came < 0) return lose("the OpenFresco server closed the connection");
    if (came == 0) return;
    messages_.add(static_cast<std::size_t>(came));
    if (messages_.is_whole()) take_reply();
  }
}

void OpenFrescoLab::take_reply() noexcept {
  asked_ = false;
  messages_.clear_reply();
  bool finite = true;
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const double at = messages_.has_displacement() ? messages_.displacement(i) : sent_[i];
    const double force = messages_.force(i);
    measured_.displacement[i] = at;
    measured_.force[i] = force;
    finite = finite && std::isfinite(at) && std::isfinite(force);
  }
  if (!finite) return lose("the OpenFresco server answered a number that is not finite");
  measured_.any = true;
  ++answers_;
  measured_.at_ns = plugin::monotonic_ns();
}

bool OpenFrescoLab::newer() const noexcept {
  if (!driven_ || held()) return false;
  for (std::size_t i = 0; i < drive_.size(); ++i)
    if (!moved_ || std::abs(drive_[i] - sent_[i]) > kRounding) return true;
  return false;
}

/// One write for all of it.
void OpenFrescoLab::ask() noexcept {
  std::size_t messages = 0;
  const auto add = [&](MessageCode code) {
    messages_.write_state(messages++, code, sent_, plugin::monotonic_ns());
  };
  if (newer()) {
    if (uncommitted_) add(MessageCode::kCommit);
    sent_ = drive_;
    add(MessageCode::kTrial);
    moved_ = uncommitted_ = true;
  } else if (plugin::monotonic_ns() - measured_.at_ns <
             to_duration(settings_.refresh).count()) {
    return;
  }
  add(MessageCode::kMeasured);
  // An answer that came twice would be taken for that to the next question.
  while (settings_.datagrams && link_.receive(messages_.reply()) > 0) {
  }
  asked_ = true;
  asked_at_ns_ = plugin::monotonic_ns();
  bool gone = true;
  if (settings_.datagrams)
    for (std::size_t i = 0; i < messages; ++i)
      gone = link_.send(messages_.message(i)) && gone;
  else
    gone = link_.send(messages_.first(messages));
  if (!gone) lose("the OpenFresco server closed the connection");
}

OpenFrescoLab::Reading OpenFrescoLab::read() noexcept {
  Reading reading;
  if (!is_lost()) pump();
  if (is_lost()) {
    hand_over();
    reading.status = AdapterStatus::kTripped;
    return reading;
  }
  if (!measured_.any) return reading;
  const std::int64_t now = plugin::monotonic_ns();
  reading.age = Duration{now - measured_.at_ns};
  // Before it was asked it stood still where it was measured last.
  if (asked_ && now - asked_at_ns_ > to_duration(settings_.stale).count()) return reading;
  reading.status = AdapterStatus::kOk;
  reading.displacement = measured_.displacement;
  reading.force = measured_.force;
  return reading;
}

/// A hold that came since, on another thread, is later than this drive.
AdapterStatus OpenFrescoLab::write(std::span<const double> drive) noexcept {
  const unsigned holds = holds_.load(std::memory_order_seq_cst);
  if (is_lost()) {
    hand_over();
    return AdapterStatus::kTripped;
  }
  std::copy_n(drive.begin(), drive_.size(), drive_.begin());
  driven_ = true;
  holds_before_write_ = holds;
  pump();
  if (!is_lost()) return held() ? AdapterStatus::kLate : AdapterStatus::kOk;
  hand_over();
  return AdapterStatus::kTripped;
}

void OpenFrescoLab::leave() noexcept {
  reconnection_.cancel();
  if (link_.is_open() && lost_ == nullptr) {
    std::size_t messages = 0;
    if (uncommitted_ && !asked_)
      messages_.write_state(messages++, MessageCode::kCommit, sent_,
                            plugin::monotonic_ns());
    messages_.write_end(messages++);
    for (std::size_t i = 0; i < messages; ++i) link_.send(messages_.message(i));
    if (settings_.kind == Server::kLab) receive_shutdown();
  }
  link_.close();
}

/// Only a laboratory server says one; the answer to a trial may come before it.
void OpenFrescoLab::receive_shutdown() noexcept {
  try {
    if (asked_) link_.hear(messages_.missing(), kFarewell, "last measurement");
    link_.hear(messages_.reply(), kFarewell, "farewell");
  } catch (const std::exception&) {
    return;  // it has heard the end, or is gone: there is nobody to tell
  }
}

void OpenFrescoLab::diagnose(std::span<char> text) const noexcept {
  const char* server = settings_.server.c_str();
  const Reconnection::Text trouble = reconnection_.last_failure();
  const char* const lost = lost_;
  if (lost != nullptr && !reconnection_.is_idle())
    std::snprintf(
        text.data(), text.size(),
        "%s (%s); it is called again every second, and the test can go on when it "
        "answers%s%s",
        lost, server, trouble[0] == '\0' ? "" : "; the last time: ", trouble.data());
  else if (lost != nullptr)
    std::snprintf(text.data(), text.size(), "%s (%s)", lost, server);
  else if (!link_.is_open())
    std::snprintf(text.data(), text.size(), "not connected to the OpenFresco server %s",
                  server);
  else if (asked_)
    std::snprintf(text.data(), text.size(),
                  "waits for the OpenFresco server %s for %.1f ms; %" PRIu64 " answers",
                  server, 1e-6 * static_cast<double>(plugin::monotonic_ns() - asked_at_ns_),
                  answers_);
  else
    std::snprintf(
        text.data(), text.size(),
        "the OpenFresco server %s answered %.1f ms ago; %" PRIu64 " answers", server,
        1e-6 * static_cast<double>(plugin::monotonic_ns() - measured_.at_ns), answers_);
}

}  // namespace trestle::openfresco
