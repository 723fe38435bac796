#include "adapters/udp_target/measurement_receiver.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <vector>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::udp_target {
namespace {

constexpr int kMostFramesPerRead = 256;
// A sequence may jump by this number of frames, and by this multiple of those that `rate`
// sends meanwhile.
constexpr double kMostLost = 1024.0;
constexpr double kMostQuicker = 16.0;

/// Where a field of the frame goes; null: nowhere.
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

MeasurementReceiver::MeasurementReceiver(const TargetSettings& settings,
                                         const TargetSocket& socket,
                                         const CommandSender& sender)
    : settings_(settings),
      socket_(socket),
      sender_(sender),
      newest_(settings.receive.fields.size()) {}

void MeasurementReceiver::begin_run() noexcept {
  any_ = false;
  counts_ = {};
  last_foreign_ = "";
}

bool MeasurementReceiver::read(trestle_sensed& sensed,
                               SeqLockFrame::Head& head) const noexcept {
  const std::vector<Field>& fields = settings_.receive.fields;
  return newest_.read(head, [&](std::size_t i, double number) {
    if (double* const array = array_of(sensed, fields[i].meaning); array != nullptr)
      array[fields[i].index] = number;
  });
}

void MeasurementReceiver::restart_echo_time() noexcept {
  echo_at_ns_ = plugin::monotonic_ns();
}

void MeasurementReceiver::take_all() noexcept {
  for (int n = 0; n < kMostFramesPerRead; ++n) {
    const ssize_t size = socket_.receive(incoming_);
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
const char* MeasurementReceiver::validate_frame(
    std::span<const std::uint8_t> frame) const noexcept {
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

bool MeasurementReceiver::take(std::span<const std::uint8_t> frame) noexcept {
  const bool big = settings_.receive.big_endian;
  const Field* const counted = settings_.receive.find(FieldRole::kSequence);
  if (!newer(read_bits(frame, *counted, big))) return false;
  ++counts_.taken;
  const Field* const status = settings_.receive.find(FieldRole::kStatus);
  newest_.publish(
      plugin::monotonic_ns(), status == nullptr ? 0 : read_bits(frame, *status, big),
      [&](std::size_t i) { return read_number(frame, settings_.receive.fields[i], big); });
  process_echo(frame);
  any_ = true;
  return true;
}

/// Whether a sequence comes after the last one; it goes round, half of its range is behind.
bool MeasurementReceiver::newer(std::uint64_t sequence) noexcept {
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
double MeasurementReceiver::most_ahead() const noexcept {
  return kMostLost + kMostQuicker * settings_.rate * age();
}

/// The frame was made after this run began: only who hears our frames can know their
/// numbers.
bool MeasurementReceiver::answers_us(std::span<const std::uint8_t> frame) const noexcept {
  const Field* const field = settings_.receive.find(FieldRole::kEcho);
  const std::uint64_t echo = read_bits(frame, *field, settings_.receive.big_endian);
  return echo > sender_.sent_before() && echo <= sender_.sent();
}

void MeasurementReceiver::process_echo(std::span<const std::uint8_t> frame) noexcept {
  const Field* const field = settings_.receive.find(FieldRole::kEcho);
  if (field == nullptr) return;
  const std::uint64_t echo = read_bits(frame, *field, settings_.receive.big_endian);
  if (echo == echo_ && any_) return;
  echo_ = echo;
  echo_at_ns_ = plugin::monotonic_ns();
}

bool MeasurementReceiver::is_unacknowledged() const noexcept {
  if (!sender_.is_driven() || settings_.receive.find(FieldRole::kEcho) == nullptr)
    return false;
  return 1e-9 * static_cast<double>(newest_.taken_at_ns() - echo_at_ns_) >
         echo_patience(settings_);
}

double MeasurementReceiver::age() const noexcept {
  return 1e-9 * static_cast<double>(plugin::monotonic_ns() - newest_.taken_at_ns());
}

void MeasurementReceiver::diagnose(char* text, std::uint32_t size) const noexcept {
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
                  target, echo_.load(std::memory_order_relaxed), sender_.sent());
  else
    std::snprintf(text, size,
                  "the last frame of the target %s is %.1f ms old; %" PRIu64
                  " taken, %" PRIu64 " lost, %" PRIu64 " old%s",
                  target, 1e3 * age(), counts_.taken, counts_.lost, counts_.old,
                  foreign.data());
}

}  // namespace trestle::udp_target
