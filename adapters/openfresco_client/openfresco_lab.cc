#include "adapters/openfresco_client/openfresco_lab.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <stdexcept>

namespace trestle::openfresco {
namespace {

// A move by less is none (OpenFresco EEGeneric).
constexpr double kRounding = std::numeric_limits<double>::epsilon();
// Commit, trial and question leave in one piece.
constexpr std::size_t kMessagesAtOnce = 3;
constexpr double kOurTag = 1.0;
constexpr Duration kFarewell = std::chrono::seconds(1);
constexpr auto kBetweenCalls = std::chrono::seconds(1);
constexpr auto kMendersLook = std::chrono::milliseconds(20);

std::int64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

Duration in_time(double in_seconds) noexcept {
  return Duration{std::llround(in_seconds * 1e9)};
}

double real_at(std::span<const std::byte> bytes, std::size_t place) noexcept {
  return read_real(bytes.subspan(place * kRealBytes).first<kRealBytes>());
}

void set_real(std::span<std::byte> bytes, std::size_t place, double value) noexcept {
  write_real(value, bytes.subspan(place * kRealBytes).first<kRealBytes>());
}

}  // namespace

OpenFrescoLab::OpenFrescoLab(const LabSettings& settings)
    : settings_(settings), sizes_(settings.sizes()) {
  const auto n = static_cast<std::size_t>(settings.actuators);
  const auto data = static_cast<std::size_t>(settings.data) * kRealBytes;
  out_.assign(kMessagesAtOnce * data, std::byte{0});
  in_.assign(data, std::byte{0});
  for (std::vector<double>* each : {&drive_, &sent_, &measured_, &forces_, &place_})
    each->assign(n, 0.0);
  mender_ = std::thread([this] { keep_mending(); });
}

OpenFrescoLab::~OpenFrescoLab() {
  leaving_ = wanted_ = true;
  mender_.join();
  leave();
}

/// From the mender, for who may wait a moment.
void OpenFrescoLab::take_link_back() noexcept {
  wanted_ = true;
  for (;;) {
    Link turn = turn_;
    if (turn != Link::kMending && turn_.compare_exchange_strong(turn, Link::kWell)) break;
    std::this_thread::yield();
  }
  wanted_ = false;
}

/// An element server cannot report the position of its specimen.
bool OpenFrescoLab::mendable() const noexcept {
  return any_ && sizes_.measured.displacement > 0;
}

/// Body of the reconnecting thread: runs until the destructor ends it.
void OpenFrescoLab::keep_mending() noexcept {
  using Steady = std::chrono::steady_clock;
  Steady::time_point next{};
  while (!leaving_) {
    Link turn = Link::kLost;
    if (wanted_ || Steady::now() < next ||
        !turn_.compare_exchange_strong(turn, Link::kMending)) {
      std::this_thread::sleep_for(kMendersLook);
      continue;
    }
    bool mended = false;
    std::string trouble;
    try {
      mend();
      mended = true;
    } catch (const std::exception& error) {
      trouble = error.what();
      link_.close();
    }
    link_.give_up_when(nullptr);
    if (!trouble_busy_.test_and_set(std::memory_order_acquire)) {
      std::snprintf(trouble_.data(), trouble_.size(), "%s", trouble.c_str());
      trouble_busy_.clear(std::memory_order_release);
    }
    turn_.store(mended ? Link::kMended : Link::kLost);
    next = Steady::now() + kBetweenCalls;
  }
}

/// Connects again and reads the specimen, without a trial. @throws std::runtime_error
void OpenFrescoLab::mend() {
  link_.close();
  link_.give_up_when(&wanted_);
  connect();
  ask_first();
  link_.hear(in_, in_time(settings_.connect), "first measurement");
  asked_ = false;
  came_ = 0;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const double now = real_at(in_, i) * length(i);
    // The last sent target may have been executed without a reply.
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

/// Called by the thread of the ticks. After a reconnection, nothing is sent before a new
/// drive.
bool OpenFrescoLab::is_lost() noexcept {
  Link turn = Link::kMended;
  if (turn_.compare_exchange_strong(turn, Link::kWell)) {
    lost_ = nullptr;
    driven_ = moved_ = uncommitted_ = asked_ = false;
    return false;
  }
  return turn != Link::kWell || lost_ != nullptr || !link_.is_open();
}

double OpenFrescoLab::length(std::size_t actuator) const noexcept {
  const bool turns = actuator < settings_.rotates.size() && settings_.rotates[actuator];
  return turns ? 1.0 : settings_.length;
}

double OpenFrescoLab::force(std::size_t actuator) const noexcept {
  const bool turns = actuator < settings_.rotates.size() && settings_.rotates[actuator];
  return turns ? settings_.force * settings_.length : settings_.force;
}

void OpenFrescoLab::prepare() {
  take_link_back();
  if (lost_ != nullptr) link_.close();
  lost_ = nullptr;
  held_ = driven_ = any_ = false;
  link_.give_up_when(&held_);
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
  begun_at_ns_ = monotonic_ns();
  if (!link_.is_open()) {
    asked_ = uncommitted_ = moved_ = false;
    came_ = 0;
    connect();
  }
  if (!asked_) ask_first();
  const Duration patience = in_time(settings_.connect);
  link_.hear(std::span(in_).subspan(came_), patience, "first measurement");
  came_ = in_.size();
  take_reply();
  if (const char* const wrong = lost_; wrong != nullptr) throw std::runtime_error(wrong);
}

void OpenFrescoLab::connect() {
  link_.open(settings_.server, settings_.datagrams, in_time(settings_.connect));
  try {
    perform_handshake();
    if (settings_.kind == Server::kLab) return open_lab();
    std::byte bytes[kSizesBytes];
    write_sizes(sizes_, bytes);
    link_.say(bytes);
  } catch (...) {
    link_.close();
    throw;
  }
}

void OpenFrescoLab::perform_handshake() {
  const Duration patience = in_time(settings_.connect);
  if (settings_.datagrams && settings_.greeting) {
    const std::byte greeting = kGreeting;
    std::byte answer{};
    link_.say({&greeting, 1});
    link_.hear({&answer, 1}, patience, "greeting");
    if (answer != kGreetingAnswer)
      throw std::runtime_error("greeting: the OpenFresco server " + settings_.server +
                               " answers it with something else");
  }
  if (settings_.datagrams || settings_.kind != Server::kLab) return;
  std::byte one[kIntegerBytes];
  write_integer(1, one);
  link_.say(one);
  link_.hear(one, patience, "first word");
  if (read_integer(one) != 1)
    throw std::runtime_error("the server " + settings_.server +
                             " is no laboratory server of OpenFresco, or of another byte "
                             "order");
}

void OpenFrescoLab::open_lab() {
  std::vector<std::byte> bytes(static_cast<std::size_t>(kDefaultDataSize) * kRealBytes);
  set_real(bytes, 0, static_cast<double>(MessageCode::kOpen));
  set_real(bytes, 1, kOurTag);
  set_real(bytes, 2, settings_.version);
  link_.say(bytes);
  link_.hear(bytes, in_time(settings_.connect), "answer to open");
  const double version = real_at(bytes, 2);
  if (std::abs(version - settings_.version) > 1e-6)
    throw std::runtime_error("version: the OpenFresco server " + settings_.server + " is " +
                             std::to_string(version) + "; state that");
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  set_real(bytes, 0, static_cast<double>(MessageCode::kSetup));
  set_real(bytes, 1, settings_.data);
  link_.say(bytes);
  std::byte responses[kResponsesBytes];
  write_responses(sizes_.control, responses);
  link_.say(responses);
  write_responses(sizes_.measured, responses);
  link_.say(responses);
}

/// Requests the position of the specimen, without a trial.
void OpenFrescoLab::ask_first() {
  vector(MessageCode::kMeasured, 0);
  link_.say(message(0));
  asked_ = true;
  asked_at_ns_ = monotonic_ns();
  came_ = 0;
}

std::span<std::byte> OpenFrescoLab::message(std::size_t index) noexcept {
  return std::span(out_).subspan(index * in_.size(), in_.size());
}

/// Every message carries the whole state.
void OpenFrescoLab::vector(MessageCode code, std::size_t index) noexcept {
  const std::span<std::byte> bytes = message(index);
  set_real(bytes, 0, static_cast<double>(code));
  for (std::size_t i = 0; i < sent_.size(); ++i)
    set_real(bytes, 1 + i, sent_[i] / length(i));
  set_real(bytes, 1 + sizes_.control.time_at(),
           1e-9 * static_cast<double>(monotonic_ns() - begun_at_ns_));
}

void OpenFrescoLab::lose(const char* why) noexcept {
  if (lost_ == nullptr) lost_ = why;
}

/// On the ticks' thread: the mender may have the connection from here on.
void OpenFrescoLab::hand_over() noexcept {
  if (turn_ != Link::kWell || lost_ == nullptr || !mendable()) return;
  std::copy(measured_.begin(), measured_.end(), place_.begin());
  Link turn = Link::kWell;
  turn_.compare_exchange_strong(turn, Link::kLost);
}

void OpenFrescoLab::pump() noexcept {
  if (lost_ != nullptr || !link_.is_open()) return;
  hear();
  if (lost_ == nullptr && !asked_) ask();
  if (asked_ && monotonic_ns() - asked_at_ns_ > in_time(settings_.patience).count())
    lose("the OpenFresco server did not answer within `patience`");
}

void OpenFrescoLab::hear() noexcept {
  while (asked_) {
    const std::ptrdiff_t came = link_.receive(std::span(in_).subspan(came_));
    if (came < 0) return lose("the OpenFresco server closed the connection");
    if (came == 0) return;
    came_ += static_cast<std::size_t>(came);
    if (came_ == in_.size()) take_reply();
  }
}

void OpenFrescoLab::take_reply() noexcept {
  asked_ = false;
  came_ = 0;
  const bool told = sizes_.measured.displacement > 0;
  bool finite = true;
  for (std::size_t i = 0; i < measured_.size(); ++i) {
    measured_[i] = told ? real_at(in_, i) * length(i) : sent_[i];
    forces_[i] = real_at(in_, sizes_.measured.force_at() + i) * force(i);
    finite = finite && std::isfinite(measured_[i]) && std::isfinite(forces_[i]);
  }
  if (!finite) return lose("the OpenFresco server answered a number that is not finite");
  any_ = true;
  ++answers_;
  measured_at_ns_ = monotonic_ns();
}

bool OpenFrescoLab::newer() const noexcept {
  if (!driven_ || held_.load(std::memory_order_relaxed)) return false;
  for (std::size_t i = 0; i < drive_.size(); ++i)
    if (!moved_ || std::abs(drive_[i] - sent_[i]) > kRounding) return true;
  return false;
}

/// One write for all of it.
void OpenFrescoLab::ask() noexcept {
  std::size_t messages = 0;
  if (newer()) {
    if (uncommitted_) vector(MessageCode::kCommit, messages++);
    sent_ = drive_;
    vector(MessageCode::kTrial, messages++);
    moved_ = uncommitted_ = true;
  } else if (monotonic_ns() - measured_at_ns_ < in_time(settings_.refresh).count()) {
    return;
  }
  vector(MessageCode::kMeasured, messages++);
  // An answer that came twice would be taken for that to the next question.
  while (settings_.datagrams && link_.receive(in_) > 0) {
  }
  asked_ = true;
  asked_at_ns_ = monotonic_ns();
  bool gone = true;
  if (settings_.datagrams)
    for (std::size_t i = 0; i < messages; ++i) gone = link_.send(message(i)) && gone;
  else
    gone = link_.send(std::span(out_).first(messages * in_.size()));
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
  if (!any_) return reading;
  const std::int64_t now = monotonic_ns();
  reading.age = Duration{now - measured_at_ns_};
  // Before the request it was at rest at the last measured position.
  if (asked_ && now - asked_at_ns_ > in_time(settings_.stale).count()) return reading;
  reading.status = AdapterStatus::kOk;
  reading.displacement = measured_;
  reading.force = forces_;
  return reading;
}

AdapterStatus OpenFrescoLab::write(std::span<const double> drive) noexcept {
  if (is_lost()) {
    hand_over();
    return AdapterStatus::kTripped;
  }
  std::copy_n(drive.begin(), drive_.size(), drive_.begin());
  driven_ = true;
  held_.store(false, std::memory_order_relaxed);
  pump();
  if (!is_lost()) return AdapterStatus::kOk;
  hand_over();
  return AdapterStatus::kTripped;
}

void OpenFrescoLab::leave() noexcept {
  take_link_back();
  if (link_.is_open() && lost_ == nullptr) {
    std::size_t messages = 0;
    if (uncommitted_ && !asked_) vector(MessageCode::kCommit, messages++);
    say_end(messages++);
    for (std::size_t i = 0; i < messages; ++i) link_.send(message(i));
    if (settings_.kind == Server::kLab) receive_shutdown();
  }
  link_.close();
}

/// As OpenFresco's own clients: the code and, where ShadowSite puts it, the tag that open
/// gave; no state.
void OpenFrescoLab::say_end(std::size_t index) noexcept {
  const std::span<std::byte> bytes = message(index);
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  set_real(bytes, 0, static_cast<double>(MessageCode::kEnd));
  if (settings_.kind == Server::kLab) set_real(bytes, 1, kOurTag);
}

/// Only a laboratory server sends one; the reply to a trial may arrive before it.
void OpenFrescoLab::receive_shutdown() noexcept {
  try {
    if (asked_) link_.hear(std::span(in_).subspan(came_), kFarewell, "last measurement");
    link_.hear(in_, kFarewell, "farewell");
  } catch (const std::exception&) {
    return;  // it has received the end, or is disconnected
  }
}

void OpenFrescoLab::diagnose(std::span<char> text) const noexcept {
  const char* server = settings_.server.c_str();
  std::array<char, 160> trouble{};
  if (!trouble_busy_.test_and_set(std::memory_order_acquire)) {
    trouble = trouble_;
    trouble_busy_.clear(std::memory_order_release);
  }
  const char* const lost = lost_;
  if (lost != nullptr && turn_ != Link::kWell)
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
                  server, 1e-6 * static_cast<double>(monotonic_ns() - asked_at_ns_),
                  answers_);
  else
    std::snprintf(text.data(), text.size(),
                  "the OpenFresco server %s answered %.1f ms ago; %" PRIu64 " answers",
                  server, 1e-6 * static_cast<double>(monotonic_ns() - measured_at_ns_),
                  answers_);
}

}  // namespace trestle::openfresco
