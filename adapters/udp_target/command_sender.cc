#include "adapters/udp_target/command_sender.h"

#include <algorithm>
#include <cstddef>
#include <ctime>

namespace trestle::udp_target {
namespace {

/// With a key sequences go on where those of an earlier run can have come, at a million
/// frames a second: a frame that was recorded then is an old one.
std::uint64_t first_sequence(const FrameSeal& seal) noexcept {
  if (!seal.on()) return 0;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec) / 1'000U;
}

}  // namespace

CommandSender::CommandSender(const TargetSettings& settings, const TargetSocket& socket)
    : settings_(settings), socket_(socket) {
  const std::size_t size = settings.send.size + settings.seal.size();
  outgoing_.resize(size);
  for (auto& frame : standing_) frame.resize(size);
  sent_ = sent_before_ = first_sequence(settings.seal);
}

void CommandSender::begin_run() noexcept {
  driven_ = false;
  drive_.fill(0.0);
  sent_before_ = sent_;
}

bool CommandSender::encode_drive(const double* drive) noexcept {
  std::copy_n(drive, settings_.actuators, drive_.begin());
  return encode(outgoing_, Command::kFollow, drive_.data());
}

/// Made while no other thread writes.
void CommandSender::store_hold_frame() noexcept {
  const int next = 1 - which_.load(std::memory_order_relaxed);
  std::vector<std::uint8_t>& frame = standing_[static_cast<std::size_t>(next)];
  if (encode(frame, Command::kHold, drive_.data()))
    which_.store(next, std::memory_order_release);
  driven_ = true;
}

bool CommandSender::send_drive() noexcept {
  return send(outgoing_, next_sequence());
}

/// All but sequence and checksum. @returns false where a drive does not fit its field
bool CommandSender::encode(std::span<std::uint8_t> frame, Command command,
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

bool CommandSender::send(std::span<std::uint8_t> frame,
                         std::uint64_t number) const noexcept {
  const bool big = settings_.send.big_endian;
  const std::uint32_t outputs = outputs_.load(std::memory_order_relaxed);
  for (const Field& field : settings_.send.fields) {
    if (field.meaning == FieldRole::kSequence) write_bits(frame, field, big, number);
    if (field.meaning == FieldRole::kOutput)
      write_bits(frame, field, big, outputs >> field.index & 1U);
    if (field.meaning == FieldRole::kChecksum)
      write_bits(frame, field, big, crc32(frame.first(field.at)));
  }
  settings_.seal.seal(frame, Sender::kSite);
  return socket_.send(frame);
}

void CommandSender::send_last_frame(Command command) noexcept {
  send_last_frame(command, next_sequence());
}

void CommandSender::send_last_frame(Command command, std::uint64_t number) noexcept {
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

}  // namespace trestle::udp_target
