#include "adapters/openfresco/laboratory.h"

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

Laboratory::Laboratory(const LaboratorySettings& settings)
    : settings_(settings), sizes_(settings.sizes()) {
  const auto n = static_cast<std::size_t>(settings.actuators);
  const auto data = static_cast<std::size_t>(settings.data) * kRealBytes;
  out_.assign(kMessagesAtOnce * data, std::byte{0});
  in_.assign(data, std::byte{0});
  for (std::vector<double>* each : {&drive_, &sent_, &measured_, &forces_})
    each->assign(n, 0.0);
}

Laboratory::~Laboratory() {
  leave();
}

double Laboratory::length(std::size_t actuator) const noexcept {
  const bool turns = actuator < settings_.rotates.size() && settings_.rotates[actuator];
  return turns ? 1.0 : settings_.length;
}

double Laboratory::force(std::size_t actuator) const noexcept {
  const bool turns = actuator < settings_.rotates.size() && settings_.rotates[actuator];
  return turns ? settings_.force * settings_.length : settings_.force;
}

void Laboratory::prepare() {
  if (lost_ != nullptr) link_.close();
  lost_ = nullptr;
  held_ = driven_ = any_ = false;
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
  if (lost_ != nullptr) throw std::runtime_error(lost_);
}

void Laboratory::connect() {
  link_.open(settings_.server, settings_.datagrams, in_time(settings_.connect));
  try {
    greet();
    if (settings_.kind == Server::kLab) return open_lab();
    std::byte bytes[kSizesBytes];
    write_sizes(sizes_, bytes);
    link_.say(bytes);
  } catch (...) {
    link_.close();
    throw;
  }
}

void Laboratory::greet() {
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

void Laboratory::open_lab() {
  std::vector<std::byte> bytes(static_cast<std::size_t>(kUsualData) * kRealBytes);
  set_real(bytes, 0, static_cast<double>(Code::kOpen));
  set_real(bytes, 1, kOurTag);
  set_real(bytes, 2, settings_.version);
  link_.say(bytes);
  link_.hear(bytes, in_time(settings_.connect), "answer to open");
  const double version = real_at(bytes, 2);
  if (std::abs(version - settings_.version) > 1e-6)
    throw std::runtime_error("version: the OpenFresco server " + settings_.server + " is " +
                             std::to_string(version) + "; state that");
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  set_real(bytes, 0, static_cast<double>(Code::kSetup));
  set_real(bytes, 1, settings_.data);
  link_.say(bytes);
  std::byte responses[kResponsesBytes];
  write_responses(sizes_.control, responses);
  link_.say(responses);
  write_responses(sizes_.measured, responses);
  link_.say(responses);
}

/// Where the specimen is, without a trial.
void Laboratory::ask_first() {
  vector(Code::kMeasured, 0);
  link_.say(message(0));
  asked_ = true;
  asked_at_ns_ = monotonic_ns();
  came_ = 0;
}

std::span<std::byte> Laboratory::message(std::size_t index) noexcept {
  return std::span(out_).subspan(index * in_.size(), in_.size());
}

/// Every message carries the whole state.
void Laboratory::vector(Code code, std::size_t index) noexcept {
  const std::span<std::byte> bytes = message(index);
  set_real(bytes, 0, static_cast<double>(code));
  for (std::size_t i = 0; i < sent_.size(); ++i)
    set_real(bytes, 1 + i, sent_[i] / length(i));
  set_real(bytes, 1 + sizes_.control.time_at(),
           1e-9 * static_cast<double>(monotonic_ns() - begun_at_ns_));
}

void Laboratory::lose(const char* why) noexcept {
  if (lost_ == nullptr) lost_ = why;
}

void Laboratory::pump() noexcept {
  if (lost_ != nullptr || !link_.is_open()) return;
  hear();
  if (lost_ == nullptr && !asked_) ask();
  if (asked_ && monotonic_ns() - asked_at_ns_ > in_time(settings_.patience).count())
    lose("the OpenFresco server did not answer within `patience`");
}

void Laboratory::hear() noexcept {
  while (asked_) {
    const std::ptrdiff_t came = link_.receive(std::span(in_).subspan(came_));
    if (came < 0) return lose("the OpenFresco server closed the connection");
    if (came == 0) return;
    came_ += static_cast<std::size_t>(came);
    if (came_ == in_.size()) take_reply();
  }
}

void Laboratory::take_reply() noexcept {
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

bool Laboratory::newer() const noexcept {
  if (!driven_ || held_.load(std::memory_order_relaxed)) return false;
  for (std::size_t i = 0; i < drive_.size(); ++i)
    if (!moved_ || std::abs(drive_[i] - sent_[i]) > kRounding) return true;
  return false;
}

/// One write for all of it.
void Laboratory::ask() noexcept {
  std::size_t messages = 0;
  if (newer()) {
    if (uncommitted_) vector(Code::kCommit, messages++);
    sent_ = drive_;
    vector(Code::kTrial, messages++);
    moved_ = uncommitted_ = true;
  } else if (monotonic_ns() - measured_at_ns_ < in_time(settings_.refresh).count()) {
    return;
  }
  vector(Code::kMeasured, messages++);
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

Laboratory::Reading Laboratory::read() noexcept {
  pump();
  Reading reading;
  if (lost_ != nullptr || !link_.is_open()) {
    reading.status = AdapterStatus::kTripped;
    return reading;
  }
  if (!any_) return reading;
  const std::int64_t now = monotonic_ns();
  reading.age = Duration{now - measured_at_ns_};
  // Before it was asked it stood still where it was measured last.
  if (asked_ && now - asked_at_ns_ > in_time(settings_.stale).count()) return reading;
  reading.status = AdapterStatus::kOk;
  reading.displacement = measured_;
  reading.force = forces_;
  return reading;
}

AdapterStatus Laboratory::write(std::span<const double> drive) noexcept {
  std::copy_n(drive.begin(), drive_.size(), drive_.begin());
  driven_ = true;
  held_.store(false, std::memory_order_relaxed);
  pump();
  return lost_ == nullptr && link_.is_open() ? AdapterStatus::kOk : AdapterStatus::kTripped;
}

void Laboratory::leave() noexcept {
  if (link_.is_open() && lost_ == nullptr) {
    std::size_t messages = 0;
    if (uncommitted_ && !asked_) vector(Code::kCommit, messages++);
    vector(Code::kEnd, messages++);
    for (std::size_t i = 0; i < messages; ++i) link_.send(message(i));
    if (settings_.kind == Server::kLab) hear_farewell();
  }
  link_.close();
}

/// Only a laboratory server says one; the answer to a trial may come before it.
void Laboratory::hear_farewell() noexcept {
  try {
    if (asked_) link_.hear(std::span(in_).subspan(came_), kFarewell, "last measurement");
    link_.hear(in_, kFarewell, "farewell");
  } catch (const std::exception&) {
    return;  // it has heard the end, or is gone: there is nobody to tell
  }
}

void Laboratory::diagnose(std::span<char> text) const noexcept {
  const char* server = settings_.server.c_str();
  if (lost_ != nullptr)
    std::snprintf(text.data(), text.size(), "%s (%s)", lost_, server);
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
