#include "adapters/scpi_tcp/text_instrument.h"

#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::scpi_tcp {
namespace {

constexpr int kLook = 2;                       // [ms] of a preparation
constexpr std::int64_t kIdle = 1'000'000'000;  // [ns] without a connection
constexpr std::size_t kMostPlaces = 256;       // of a query
constexpr double kOverload = 9.9e37;           // SCPI's infinity; its not-a-number is above

/// Signals interrupt the program's own threads, not this one: a handler may hold.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

double* array_of(const trestle_sensed& sensed, ChannelKind kind) noexcept {
  switch (kind) {
    case ChannelKind::kDisplacement:
      return sensed.displacement;
    case ChannelKind::kForce:
      return sensed.force;
    case ChannelKind::kVelocity:
      return sensed.velocity;
    case ChannelKind::kAcceleration:
      return sensed.acceleration;
    case ChannelKind::kReaction:
      return sensed.reaction;
    case ChannelKind::kAuxiliary:
      return sensed.auxiliary;
  }
  return nullptr;
}

std::int64_t round_ns(double poll) noexcept {
  return static_cast<std::int64_t>(1e9 / std::max(poll, 1e-6));
}

std::string in_words(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", number);
  return text.data();
}

}  // namespace

TextInstrument::TextInstrument(InstrumentSettings settings)
    : settings_(std::move(settings)),
      link_(settings_),
      drives_(settings_.drives.size()),
      readings_(settings_.channels.size()),
      reading_(settings_.channels.size()),
      values_(settings_.channels.size()) {
  const SignalsBlocked none;
  thread_ = std::thread([this] { run(); });
}

TextInstrument::~TextInstrument() {
  leaving_ = true;
  link_.abandon();
  thread_.join();
  link_.leave();
}

void TextInstrument::describe(const InstrumentSettings& settings,
                              trestle_rig_capabilities& is) noexcept {
  is.actuators = static_cast<std::uint32_t>(settings.drives.size());
  is.reactions = settings.count(ChannelKind::kReaction);
  is.auxiliary_channels = settings.count(ChannelKind::kAuxiliary);
  is.real_equipment = 1;
  is.hardware_watchdog = settings.watchdog > 0.0 ? 1 : 0;
  is.measures_velocity = settings.count(ChannelKind::kVelocity) > 0 ? 1 : 0;
  is.measures_acceleration = settings.count(ChannelKind::kAcceleration) > 0 ? 1 : 0;
  is.max_rate_hz = settings.rate;
}

void TextInstrument::prepare() {
  const unsigned holds = holds_;
  refusal_.clear();
  link_.resume();
  const unsigned turn = ++asked_;
  link_.wake();
  while (done_.load() != turn) {
    if (is_held_since(holds)) link_.abandon();
    poll(nullptr, 0, kLook);
  }
  link_.resume();
  if (!is_up()) throw std::runtime_error(fault_.text());
  if (is_held_since(holds))
    throw std::runtime_error("the instrument " + settings_.server +
                             " is not waited for any more");
}

trestle_adapter_status TextInstrument::read(std::int64_t now_ns,
                                            trestle_sensed& sensed) noexcept {
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::kTripped) return TRESTLE_ADAPTER_TRIPPED;
  if (state == State::kUnprepared) return TRESTLE_ADAPTER_LATE;
  NewestValues::Stamp stamp;
  if (!readings_.read(stamp, reading_)) return TRESTLE_ADAPTER_LATE;
  const std::int64_t age = plugin::monotonic_ns() - stamp.at_ns;
  if (1e-9 * static_cast<double>(age) > settings_.stale) return TRESTLE_ADAPTER_LATE;
  for (std::size_t i = 0; i < reading_.size(); ++i) {
    const Channel& channel = settings_.channels[i];
    if (double* const array = array_of(sensed, channel.kind); array != nullptr)
      array[channel.index] = reading_[i];
  }
  sensed.measured_at_ns = now_ns - age;
  return TRESTLE_ADAPTER_OK;
}

bool TextInstrument::check_range(const double* drive) noexcept {
  for (std::size_t i = 0; i < settings_.drives.size(); ++i) {
    const NumberScale& scale = settings_.drives[i];
    const double value = drive[i] / scale.unit;
    if (scale.contains(value)) continue;
    refusal_.write("drive %zu is %.6g %s, outside its range [%.6g, %.6g] of the settings",
                   i + 1, value, scale.unit_name.c_str(), scale.low, scale.high);
    return false;
  }
  return true;
}

trestle_adapter_status TextInstrument::write(const double* drive) noexcept {
  const unsigned holds = holds_.load(std::memory_order_seq_cst);
  std::array<double, TRESTLE_MOST_ACTUATORS> asked{};
  std::copy_n(drive, settings_.drives.size(), asked.begin());
  if (!check_range(asked.data())) return TRESTLE_ADAPTER_TRIPPED;
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::kTripped) return TRESTLE_ADAPTER_TRIPPED;
  // A hold that came since, on another thread, is later than this drive.
  if (state == State::kUnprepared || is_held_since(holds)) return TRESTLE_ADAPTER_LATE;
  drives_.publish({plugin::monotonic_ns(), ++writes_, holds},
                  std::span(asked).first(settings_.drives.size()));
  link_.wake();
  return is_held_since(holds) ? TRESTLE_ADAPTER_LATE : TRESTLE_ADAPTER_OK;
}

void TextInstrument::hold() noexcept {
  holds_.fetch_add(1, std::memory_order_seq_cst);
  link_.hold();
}

void TextInstrument::stop() noexcept {
  hold();
  link_.stop();
}

void TextInstrument::diagnose(char* text, std::uint32_t size) const noexcept {
  if (refusal_.copy(text, size) || fault_.copy(text, size)) return;
  NewestValues::Stamp stamp;
  std::array<double, kMostPlaces> unused{};
  if (!readings_.read(stamp, std::span(unused).first(reading_.size())) ||
      stamp.number == 0) {
    std::snprintf(text, size, "the instrument %s was not asked yet",
                  settings_.server.c_str());
    return;
  }
  std::snprintf(
      text, size, "the instrument %s was asked %.1f ms ago; %" PRIu64 " rounds of queries",
      settings_.server.c_str(),
      1e-6 * static_cast<double>(plugin::monotonic_ns() - stamp.at_ns), stamp.number);
}

void TextInstrument::run() noexcept {
  while (!leaving_) {
    try {
      if (done_.load() != asked_.load())
        start_over();
      else if (is_up())
        take_turn();
      else
        link_.idle(plugin::monotonic_ns() + kIdle);
    } catch (const std::exception& error) {
      fall(error.what());
    }
  }
}

/// The end of the conversation: the rig holds until a preparation begins it again.
void TextInstrument::fall(const char* why) noexcept {
  if (leaving_) return;
  fault_.write("the instrument %s %s", settings_.server.c_str(), why);
  state_.store(State::kTripped, std::memory_order_release);
  link_.hold();
  link_.fall_silent();
}

void TextInstrument::start_over() {
  const unsigned turn = asked_;
  try {
    if (!is_up()) link_.open();
    skip_earlier_drives();
    for (const Command& start : settings_.start) {
      link_.say(start.send);
      link_.hear_answer(start.send, start.answer);
    }
    await_ready();
    ask_all(false);
    fault_.clear();
    state_.store(State::kUp, std::memory_order_release);
  } catch (const std::exception& error) {
    fall(error.what());
  }
  done_.store(turn);
}

/// Nothing moves before the next write().
void TextInstrument::skip_earlier_drives() {
  NewestValues::Stamp stamp;
  std::vector<double> unused(settings_.drives.size());
  if (drives_.read(stamp, unused)) taken_writes_ = stamp.number;
}

/// Asks for the status until the instrument is ready.
void TextInstrument::await_ready() {
  if (settings_.status.send.empty()) return;
  const std::int64_t until =
      plugin::monotonic_ns() +
      static_cast<std::int64_t>(1e9 * std::min(settings_.connect, 1e6));
  for (;;) {
    try {
      link_.say(settings_.status.send);
      return link_.hear_answer(settings_.status.send, settings_.status.answer);
    } catch (const WrongAnswer&) {
      const std::int64_t next = plugin::monotonic_ns() + round_ns(settings_.poll);
      if (next > until) throw;
      while (plugin::monotonic_ns() < next) link_.idle(next);
    }
  }
}

void TextInstrument::take_turn() {
  link_.hear_urgent_answers();
  send_newest_drive();
  if (plugin::monotonic_ns() < next_round_ns_) return link_.idle(next_round_ns_);
  if (!settings_.status.send.empty()) {
    link_.say(settings_.status.send);
    link_.hear_answer(settings_.status.send, settings_.status.answer);
  }
  ask_all(true);
}

void TextInstrument::send_newest_drive() {
  std::array<double, TRESTLE_MOST_ACTUATORS> room{};
  const auto numbers = std::span(room).first(settings_.drives.size());
  NewestValues::Stamp stamp;
  // One that is being written comes next time.
  if (!drives_.read(stamp, numbers) || stamp.number == taken_writes_) return;
  taken_writes_ = stamp.number;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = settings_.drives[i].number_of(numbers[i]);
  for (const MoveCommand& move : settings_.move) {
    const std::string line = move.send.line(numbers);
    if (is_held_since(stamp.holds)) return;
    link_.say(line);
    // A hold that came meanwhile sent its line before this one.
    if (is_held_since(stamp.holds)) link_.hold();
    link_.hear_answer(line, move.answer);
  }
}

void TextInstrument::ask_all(bool drives) {
  const std::int64_t begun = plugin::monotonic_ns();
  next_round_ns_ =
      std::max(next_round_ns_, begun - round_ns(settings_.poll)) + round_ns(settings_.poll);
  for (const Query& query : settings_.queries) {
    if (drives) send_newest_drive();
    ask(query);
  }
  readings_.publish({begun, ++rounds_}, values_);
}

void TextInstrument::ask(const Query& query) {
  std::array<double, kMostPlaces> numbers{};
  link_.say(query.send);
  link_.hear_answer(query.send, query.answer, numbers);
  for (std::size_t i = 0; i < query.channels.size(); ++i) {
    if (query.channels[i] == Query::kSkipped) continue;
    const Channel& channel = settings_.channels[query.channels[i]];
    const double value = channel.scale.in_unit(numbers[i]);
    if (!channel.scale.contains(value))
      throw std::runtime_error("answers `" + query.send + "` with " + in_words(value) +
                               " " + channel.scale.unit_name + " for {" +
                               query.answer.places()[i] + "}, outside the range [" +
                               in_words(channel.scale.low) + ", " +
                               in_words(channel.scale.high) + "]");
    if (std::abs(numbers[i]) >= kOverload)
      throw std::runtime_error("answers `" + query.send + "` with " + in_words(numbers[i]) +
                               " for {" + query.answer.places()[i] +
                               "}, which is SCPI's sign of an overload");
    values_[query.channels[i]] = value * channel.scale.unit;
  }
}

}  // namespace trestle::scpi_tcp
