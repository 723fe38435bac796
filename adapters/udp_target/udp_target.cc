#include "adapters/udp_target/udp_target.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "adapters/udp_target/spin_try_lock.h"

namespace trestle::udp_target {
namespace {

constexpr int kMostFramesPerRead = 256;
constexpr double kUsualWatchdog = 0.05;  // [s], with the target's echo
constexpr int kKnock = 10;               // [ms] between two frames that wake a target
// A rig at rest is read occasionally, and has not moved.
constexpr double kStaleAtRest = 0.1;  // [s]
// Largest accepted jump of the sequence: kMostLost frames plus kMostQuicker times the
// number that `rate` sends meanwhile.
constexpr double kMostLost = 1024.0;
constexpr double kMostQuicker = 16.0;
constexpr int kKeeperPeriod = 5;                   // [ms]
constexpr std::int64_t kNobodyTicks = 20'000'000;  // [ns] without a read or write

sockaddr_in address_of(const std::string& text, const char* key) {
  const std::size_t colon = text.rfind(':');
  const std::string host = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (port.empty() || port.find_first_not_of("0123456789") != std::string::npos ||
      getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0)
    throw std::runtime_error(std::string(key) + ": is " + text +
                             "; must be HOST:PORT of a host that is known");
  sockaddr_in address{};
  std::memcpy(&address, found->ai_addr, sizeof(address));
  freeaddrinfo(found);
  return address;
}

/// Connected: what comes from any other address or port does not even wake us.
int bound_socket(const sockaddr_in& here, const std::string& listen,
                 const sockaddr_in& from, const std::string& peer) {
  const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const bool bound =
      made >= 0 && bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof(here)) == 0;
  if (bound && connect(made, reinterpret_cast<const sockaddr*>(&from), sizeof(from)) == 0)
    return made;
  const std::string why = std::generic_category().message(errno);
  if (made >= 0) close(made);
  throw std::runtime_error(bound ? "from: " + peer + " cannot be reached from " + listen +
                                       ": " + why
                                 : "listen: cannot listen at " + listen + ": " + why);
}

/// With a key sequences go on where those of an earlier run can have come, at a million
/// frames a second: a frame that was recorded then is an old one.
std::uint64_t first_sequence(const FrameSeal& seal) noexcept {
  if (!seal.on()) return 0;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000U;
}

/// Returns the destination of a field of the frame; null: none.
double* array_of(const trestle_sensed& sensed, FieldRole meaning) noexcept {
  switch (meaning) {
    case FieldRole::kDisplacement:
      return sensed.displacement;
    case FieldRole::kForce:
      return sensed.force;
    case FieldRole::kVelocity:
      return sensed.velocity;
    case FieldRole::kAcceleration:
      return sensed.acceleration;
    case FieldRole::kReaction:
      return sensed.reaction;
    case FieldRole::kAuxiliary:
      return sensed.auxiliary;
    default:
      return nullptr;
  }
}

}  // namespace

UdpTarget::UdpTarget(TargetSettings settings)
    : settings_(std::move(settings)),
      target_(address_of(settings_.target, "target")),
      newest_(settings_.receive.fields.size()) {
  const sockaddr_in here = address_of(settings_.listen, "listen");
  const std::size_t size = settings_.send.size + settings_.seal.size();
  outgoing_.resize(size);
  for (auto& frame : standing_) frame.resize(size);
  sent_ = sent_before_ = first_sequence(settings_.seal);
  socket_ = bound_socket(here, settings_.listen, address_of(settings_.from, "from"),
                         settings_.from);
  ticked_at_ns_ = monotonic_ns();
  keep_alive_thread_ = std::thread([this] { keep(); });
}

UdpTarget::~UdpTarget() {
  leaving_ = true;
  keep_alive_thread_.join();
  close(socket_);
}

/// Body of the sending thread.
void UdpTarget::keep() noexcept {
  // The target's watchdog must not bite before the first frame.
  const double watchdog = settings_.watchdog > 0.0 ? settings_.watchdog : kUsualWatchdog;
  const std::int64_t nobody =
      std::min(kNobodyTicks, static_cast<std::int64_t>(2.5e8 * watchdog));
  const int period = std::clamp(static_cast<int>(125.0 * watchdog), 1, kKeeperPeriod);
  while (!leaving_.load(std::memory_order_relaxed)) {
    poll(nullptr, 0, period);
    if (monotonic_ns() - ticked_at_ns_.load(std::memory_order_relaxed) < nobody) continue;
    const SpinTryLock turn(taken_, 1);
    if (!turn) continue;
    take_all();
    if (!stands()) continue;
    // The number before the check: a drive that is written in between has a later one, so
    // this different frame counts as old if it arrives after it.
    const std::uint64_t number = next_sequence();
    if (stands()) send_last_frame(Command::kHold, number);
  }
}

std::uint16_t UdpTarget::port() const noexcept {
  sockaddr_in here{};
  socklen_t length = sizeof(here);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &length);
  return ntohs(here.sin_port);
}

void UdpTarget::describe(trestle_rig_capabilities& is) const noexcept {
  const FrameLayout& in = settings_.receive;
  is.actuators = settings_.actuators;
  is.reactions = in.count(FieldRole::kReaction);
  is.auxiliary_channels = in.count(FieldRole::kAuxiliary);
  is.real_equipment = 1;
  is.hardware_watchdog = settings_.watchdog > 0.0 ? 1 : 0;
  is.measures_velocity = in.find(FieldRole::kVelocity) != nullptr ? 1 : 0;
  is.measures_acceleration = in.find(FieldRole::kAcceleration) != nullptr ? 1 : 0;
  is.max_rate_hz = settings_.rate;
}

void UdpTarget::prepare() {
  for (;;)
    if (const SpinTryLock turn(taken_, kPatience); turn) return prepare_link();
}

void UdpTarget::prepare_link() {
  take_all();  // what waits there is old
  any_ = false;
  driven_ = false;
  held_ = false;
  counts_ = {};
  last_foreign_ = "";
  drive_.fill(0.0);
  sent_before_ = sent_;
  const std::int64_t begun = monotonic_ns();
  while (!any_ && !held_.load(std::memory_order_relaxed) &&
         1e-9 * static_cast<double>(monotonic_ns() - begun) < settings_.connect) {
    send_last_frame(Command::kIdle);
    pollfd waiting{socket_, POLLIN, 0};
    poll(&waiting, 1, kKnock);
    take_all();
  }
  if (!any_) {
    std::array<char, 300> text{};
    tell(text.data(), static_cast<std::uint32_t>(text.size()));
    throw std::runtime_error(text.data());
  }
  if (newest_.status() != 0)
    throw std::runtime_error("the target " + settings_.target + " says status " +
                             std::to_string(newest_.status()) + "; clear it there");
  echo_at_ns_ = monotonic_ns();
  ticked_at_ns_ = monotonic_ns();
}

trestle_adapter_status UdpTarget::read(std::int64_t now_ns,
                                       trestle_sensed& sensed) noexcept {
  ticked_at_ns_.store(monotonic_ns(), std::memory_order_relaxed);
  // If the keeper thread was preempted while it held the lock, its last published data must
  // suffice.
  if (const SpinTryLock turn(taken_, kPatience); turn) take_all();
  // While nothing is written, a target must still receive frames from the site, and may
  // need a request.
  const bool at_rest = held_.load(std::memory_order_relaxed) || !driven_;
  if (at_rest) send_last_frame(Command::kHold);
  if (!any_) return TRESTLE_ADAPTER_LATE;
  const std::vector<Field>& fields = settings_.receive.fields;
  SeqLockFrame::Head head;
  const bool whole = newest_.read(head, [&](std::size_t i, double number) {
    if (double* const array = array_of(sensed, fields[i].meaning); array != nullptr)
      array[fields[i].index] = number;
  });
  if (!whole) return TRESTLE_ADAPTER_LATE;
  if (head.status != 0 || is_unacknowledged()) return TRESTLE_ADAPTER_TRIPPED;
  const std::int64_t old = monotonic_ns() - head.taken_at_ns;
  if (1e-9 * static_cast<double>(old) >
      (at_rest ? std::max(settings_.stale, kStaleAtRest) : settings_.stale))
    return TRESTLE_ADAPTER_LATE;
  sensed.measured_at_ns = now_ns - old;
  return TRESTLE_ADAPTER_OK;
}

/// Everything that came since the last read.
void UdpTarget::take_all() noexcept {
  for (int n = 0; n < kMostFramesPerRead; ++n) {
    const ssize_t size =
        recv(socket_, incoming_.data(), incoming_.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0) {
      if (errno == EINTR || errno == ECONNREFUSED) continue;
      return;
    }
    const auto bytes = static_cast<std::size_t>(size);
    const std::size_t length = settings_.receive.size;
    const char* wrong = nullptr;
    const std::span<const std::uint8_t> sealed(incoming_.data(),
                                               std::min(bytes, incoming_.size()));
    if (bytes != length + settings_.seal.size())
      wrong = "its length is another";
    else if (!settings_.seal.genuine(sealed, Sender::kTarget))
      wrong = "its keyed hash is wrong";
    const std::span<const std::uint8_t> frame =
        sealed.first(std::min(length, sealed.size()));
    if (wrong == nullptr) wrong = validate_frame(frame);
    if (wrong == nullptr) {
      take(frame);
      continue;
    }
    ++counts_.foreign;
    last_foreign_ = wrong;
    last_foreign_size_ = bytes;
  }
}

/// Why a frame of the right length is none of ours; null: it is.
const char* UdpTarget::validate_frame(std::span<const std::uint8_t> frame) const noexcept {
  const bool big = settings_.receive.big_endian;
  for (const Field& field : settings_.receive.fields) {
    const std::uint64_t bits = read_bits(frame, field, big);
    if (field.meaning == FieldRole::kConstant && bits != field.constant)
      return "a constant in it is another";
    if (field.meaning == FieldRole::kChecksum && bits != crc32(frame.first(field.at)))
      return "its checksum is wrong";
    if (field.meaning >= FieldRole::kDisplacement &&
        field.meaning <= FieldRole::kAuxiliary &&
        !std::isfinite(read_number(frame, field, big)))
      return "a number in it is not finite";
  }
  if (settings_.seal.on() && !answers_us(frame))
    return "it echoes no frame of this run, as one that was recorded before";
  return nullptr;
}

bool UdpTarget::take(std::span<const std::uint8_t> frame) noexcept {
  const bool big = settings_.receive.big_endian;
  const Field* const counted = settings_.receive.find(FieldRole::kSequence);
  if (!newer(read_bits(frame, *counted, big))) return false;
  ++counts_.taken;
  const Field* const status = settings_.receive.find(FieldRole::kStatus);
  newest_.publish(
      monotonic_ns(), status == nullptr ? 0 : read_bits(frame, *status, big),
      [&](std::size_t i) { return read_number(frame, settings_.receive.fields[i], big); });
  process_echo(frame);
  any_ = true;
  return true;
}

/// Returns true if a sequence is after the last one; it wraps, and half of its range counts
/// as earlier.
bool UdpTarget::newer(std::uint64_t sequence) noexcept {
  const std::size_t bits = 8 * size_of(settings_.receive.find(FieldRole::kSequence)->type);
  const std::uint64_t range = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  const std::uint64_t further = (sequence - sequence_) & range;
  if (any_ && (further == 0 || further > range / 2)) {
    ++counts_.old;
    return false;
  }
  if (any_ && static_cast<double>(further) > most_ahead()) {
    ++counts_.foreign;
    last_foreign_ = "its sequence is farther ahead than the target can have counted";
    last_foreign_size_ = settings_.receive.size + settings_.seal.size();
    return false;
  }
  if (any_) counts_.lost += further - 1;
  sequence_ = sequence;
  return true;
}

/// Frames that the target can have sent since the last one: taken for its own, one with a
/// sequence far ahead would make all that follow old.
double UdpTarget::most_ahead() const noexcept {
  return kMostLost + kMostQuicker * settings_.rate * age();
}

/// The frame was made after this run began: only a receiver of our frames knows their
/// numbers.
bool UdpTarget::answers_us(std::span<const std::uint8_t> frame) const noexcept {
  const Field* const field = settings_.receive.find(FieldRole::kEcho);
  const std::uint64_t echo = read_bits(frame, *field, settings_.receive.big_endian);
  return echo > sent_before_ && echo <= sent_.load(std::memory_order_relaxed);
}

void UdpTarget::process_echo(std::span<const std::uint8_t> frame) noexcept {
  const Field* const field = settings_.receive.find(FieldRole::kEcho);
  if (field == nullptr) return;
  const std::uint64_t echo = read_bits(frame, *field, settings_.receive.big_endian);
  if (echo == echo_ && any_) return;
  echo_ = echo;
  echo_at_ns_ = monotonic_ns();
}

/// Our frames do not arrive any more, though the target's do.
bool UdpTarget::is_unacknowledged() const noexcept {
  if (!driven_ || settings_.receive.find(FieldRole::kEcho) == nullptr) return false;
  const double allowed = settings_.watchdog > 0.0 ? settings_.watchdog : kUsualWatchdog;
  return 1e-9 * static_cast<double>(newest_.taken_at_ns() - echo_at_ns_) > allowed;
}

double UdpTarget::age() const noexcept {
  return 1e-9 * static_cast<double>(monotonic_ns() - newest_.taken_at_ns());
}

void UdpTarget::diagnose(char* text, std::uint32_t size) const noexcept {
  if (const SpinTryLock turn(taken_, kPatience); turn) return tell(text, size);
  std::snprintf(text, size, "the link to the target %s is being listened to",
                settings_.target.c_str());
}

void UdpTarget::tell(char* text, std::uint32_t size) const noexcept {
  std::array<char, 160> foreign{};
  if (counts_.foreign > 0)
    std::snprintf(foreign.data(), foreign.size(),
                  ", %" PRIu64 " not ours (the last had %zu bytes, a frame has %zu: %s)",
                  counts_.foreign, last_foreign_size_,
                  settings_.receive.size + settings_.seal.size(), last_foreign_);
  const char* const target = settings_.target.c_str();
  if (!any_)
    std::snprintf(
        text, size,
        "no frame came from the target %s%s (one that answers from another port is "
        "named by `from`)",
        settings_.from.c_str(), foreign.data());
  else if (newest_.status() != 0)
    std::snprintf(text, size, "the target %s says status %" PRIu64, target,
                  newest_.status());
  else if (is_unacknowledged())
    std::snprintf(text, size,
                  "the target %s hears nothing: it echoes frame %" PRIu64 ", %" PRIu64
                  " were sent",
                  target, echo_.load(std::memory_order_relaxed),
                  sent_.load(std::memory_order_relaxed));
  else
    std::snprintf(text, size,
                  "the last frame of the target %s is %.1f ms old; %" PRIu64
                  " taken, %" PRIu64 " lost, %" PRIu64 " old%s",
                  target, 1e3 * age(), counts_.taken, counts_.lost, counts_.old,
                  foreign.data());
}

}  // namespace trestle::udp_target
