// The part of UdpTarget that speaks.
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "adapters/udp_target/spin_try_lock.h"
#include "adapters/udp_target/udp_target.h"

namespace trestle::udp_target {
namespace {

constexpr int kStopFrames = 3;  // one may be lost

}  // namespace

trestle_adapter_status UdpTarget::write(const double* drive) noexcept {
  const unsigned holds = holds_.load(std::memory_order_seq_cst);
  ticked_at_ns_.store(monotonic_ns(), std::memory_order_relaxed);
  std::copy_n(drive, settings_.actuators, drive_.begin());
  if (!encode(outgoing_, Command::kFollow, drive_.data())) return TRESTLE_ADAPTER_TRIPPED;
  if (!driven_) echo_at_ns_ = monotonic_ns();
  keep_hold_frame();
  driven_ = true;
  held_.store(false, std::memory_order_seq_cst);
  // A hold that came since, on another thread, is later than this drive.
  const auto overtaken = [this, holds] {
    return holds_.load(std::memory_order_seq_cst) != holds;
  };
  const bool sent = !overtaken() && send(outgoing_, next_sequence());
  if (!overtaken()) return sent ? TRESTLE_ADAPTER_OK : TRESTLE_ADAPTER_LATE;
  held_.store(true, std::memory_order_relaxed);
  send_last_frame(Command::kHold);
  return TRESTLE_ADAPTER_LATE;
}

/// All but sequence and checksum. @returns false if a drive does not fit its field
bool UdpTarget::encode(std::span<std::uint8_t> frame, Command command,
                       const double* drive) const noexcept {
  const bool big = settings_.send.big_endian;
  for (const Field& field : settings_.send.fields) {
    if (field.meaning == FieldRole::kConstant) {
      write_bits(frame, field, big, field.constant);
    } else if (field.meaning == FieldRole::kCommand) {
      write_bits(frame, field, big, static_cast<std::uint64_t>(command));
    } else if (field.meaning == FieldRole::kDrive) {
      if (!write_number(frame, field, big, drive[field.index])) return false;
    }
  }
  return true;
}

std::uint64_t UdpTarget::next_sequence() noexcept {
  return sent_.fetch_add(1, std::memory_order_seq_cst) + 1;
}

/// Also in a signal handler.
bool UdpTarget::send(std::span<std::uint8_t> frame, std::uint64_t number) noexcept {
  const bool big = settings_.send.big_endian;
  for (const Field& field : settings_.send.fields) {
    if (field.meaning == FieldRole::kSequence) write_bits(frame, field, big, number);
    if (field.meaning == FieldRole::kChecksum)
      write_bits(frame, field, big, crc32(frame.first(field.at)));
  }
  settings_.seal.seal(frame, Sender::kSite);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const ssize_t size =
        sendto(socket_, frame.data(), frame.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&target_), sizeof(target_));
    if (size == static_cast<ssize_t>(frame.size())) return true;
    if (errno != EINTR && errno != ECONNREFUSED) return false;
  }
  return false;
}

/// Prepares the frame of a hold while no other thread writes.
void UdpTarget::keep_hold_frame() noexcept {
  const int next = 1 - which_.load(std::memory_order_relaxed);
  std::vector<std::uint8_t>& frame = standing_[static_cast<std::size_t>(next)];
  if (encode(frame, Command::kHold, drive_.data()))
    which_.store(next, std::memory_order_release);
}

/// Sends a frame without motion. Without a command field, only a repetition of the last
/// drive means this; before the first drive nothing does, and nothing is sent.
void UdpTarget::send_last_frame(Command command) noexcept {
  send_last_frame(command, next_sequence());
}

void UdpTarget::send_last_frame(Command command, std::uint64_t number) noexcept {
  const Field* const field = settings_.send.find(FieldRole::kCommand);
  if (field == nullptr && !driven_) return;
  std::array<std::uint8_t, 2048> copy{};
  const std::span<std::uint8_t> frame(copy.data(),
                                      settings_.send.size + settings_.seal.size());
  if (driven_) {
    const auto& kept =
        standing_[static_cast<std::size_t>(which_.load(std::memory_order_acquire))];
    std::copy(kept.begin(), kept.end(), frame.begin());
  } else {
    static constexpr std::array<double, TRESTLE_MOST_ACTUATORS> kNone{};
    encode(frame, Command::kIdle, kNone.data());
  }
  if (field != nullptr)
    write_bits(frame, *field, settings_.send.big_endian,
               static_cast<std::uint64_t>(
                   driven_ || command == Command::kStop ? command : Command::kIdle));
  send(frame, number);
}

void UdpTarget::hold() noexcept {
  holds_.fetch_add(1, std::memory_order_seq_cst);
  held_.store(true, std::memory_order_relaxed);
  send_last_frame(Command::kHold);
}

void UdpTarget::stop() noexcept {
  held_.store(true, std::memory_order_relaxed);
  const bool commands = settings_.send.find(FieldRole::kCommand) != nullptr;
  for (int n = 0; n < kStopFrames; ++n)
    send_last_frame(commands ? Command::kStop : Command::kHold);
}

}  // namespace trestle::udp_target
