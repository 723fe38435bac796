#include "adapters/udp_target/udp_target.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "adapters/plugin/monotonic_ns.h"
#include "adapters/udp_target/spin_try_lock.h"

namespace trestle::udp_target {
namespace {

constexpr int kKnock = 10;  // [ms] between two frames that wake a target
// A rig that stands still is read now and then, and is where it was.
constexpr double kStaleAtRest = 0.1;               // [s]
constexpr int kKeeperPeriod = 5;                   // [ms]
constexpr std::int64_t kNobodyTicks = 20'000'000;  // [ns] without a read or write
constexpr int kStopFrames = 3;                     // one may be lost

}  // namespace

UdpTarget::UdpTarget(TargetSettings settings)
    : settings_(std::move(settings)),
      socket_(settings_),
      sender_(settings_, socket_),
      receiver_(settings_, socket_, sender_) {
  ticked_at_ns_ = plugin::monotonic_ns();
  keep_alive_thread_ = std::thread([this] { keep_alive(); });
}

UdpTarget::~UdpTarget() {
  leaving_ = true;
  keep_alive_thread_.join();
}

/// Runs on a separate thread.
void UdpTarget::keep_alive() noexcept {
  // The target's watchdog must not bite before the first frame.
  const double watchdog = echo_patience(settings_);
  const std::int64_t nobody =
      std::min(kNobodyTicks, static_cast<std::int64_t>(2.5e8 * watchdog));
  const int period = std::clamp(static_cast<int>(125.0 * watchdog), 1, kKeeperPeriod);
  while (!leaving_.load(std::memory_order_relaxed)) {
    poll(nullptr, 0, period);
    if (plugin::monotonic_ns() - ticked_at_ns_.load(std::memory_order_relaxed) < nobody)
      continue;
    const SpinTryLock turn(taken_, 1);
    if (!turn) continue;
    receiver_.take_all();
    if (!stands()) continue;
    // The number before the look: a drive that is written in between has a later one, and
    // this frame, which says another thing, is old where it arrives after it.
    const std::uint64_t number = sender_.next_sequence();
    if (stands()) sender_.send_last_frame(Command::kHold, number);
  }
}

void UdpTarget::describe(const TargetSettings& settings,
                         trestle_rig_capabilities& is) noexcept {
  const FrameLayout& in = settings.receive;
  is.actuators = settings.actuators;
  is.reactions = in.count(FieldRole::kReaction);
  is.auxiliary_channels = in.count(FieldRole::kAuxiliary);
  is.real_equipment = 1;
  is.hardware_watchdog = settings.watchdog > 0.0 ? 1 : 0;
  is.measures_velocity = in.find(FieldRole::kVelocity) != nullptr ? 1 : 0;
  is.measures_acceleration = in.find(FieldRole::kAcceleration) != nullptr ? 1 : 0;
  is.max_rate_hz = settings.rate;
}

void UdpTarget::prepare() {
  for (;;)
    if (const SpinTryLock turn(taken_, kPatience); turn) return prepare_link();
}

void UdpTarget::prepare_link() {
  receiver_.take_all();  // what waits there is old
  held_ = false;
  receiver_.begin_run();
  sender_.begin_run();
  const std::int64_t begun = plugin::monotonic_ns();
  while (!receiver_.has_frame() && !held_.load(std::memory_order_relaxed) &&
         1e-9 * static_cast<double>(plugin::monotonic_ns() - begun) < settings_.connect) {
    sender_.send_last_frame(Command::kIdle);
    socket_.wait(kKnock);
    receiver_.take_all();
  }
  if (!receiver_.has_frame()) {
    std::array<char, 300> text{};
    receiver_.diagnose(text.data(), static_cast<std::uint32_t>(text.size()));
    throw std::runtime_error(text.data());
  }
  if (receiver_.status() != 0)
    throw std::runtime_error("the target " + settings_.target + " says status " +
                             std::to_string(receiver_.status()) + "; clear it there");
  receiver_.restart_echo_time();
  ticked_at_ns_ = plugin::monotonic_ns();
}

trestle_adapter_status UdpTarget::read(std::int64_t now_ns,
                                       trestle_sensed& sensed) noexcept {
  ticked_at_ns_.store(plugin::monotonic_ns(), std::memory_order_relaxed);
  // Where the keeper was taken off in its turn, what it published last has to do.
  if (const SpinTryLock turn(taken_, kPatience); turn) receiver_.take_all();
  // While nothing is written a target must hear that the site lives, and may have to be
  // asked.
  const bool at_rest = held_.load(std::memory_order_relaxed) || !sender_.is_driven();
  if (at_rest) sender_.send_last_frame(Command::kHold);
  SeqLockFrame::Head head;
  if (!receiver_.has_frame() || !receiver_.read(sensed, head)) return TRESTLE_ADAPTER_LATE;
  if (head.status != 0 || receiver_.is_unacknowledged()) return TRESTLE_ADAPTER_TRIPPED;
  const std::int64_t old = plugin::monotonic_ns() - head.taken_at_ns;
  if (1e-9 * static_cast<double>(old) >
      (at_rest ? std::max(settings_.stale, kStaleAtRest) : settings_.stale))
    return TRESTLE_ADAPTER_LATE;
  sensed.measured_at_ns = now_ns - old;
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status UdpTarget::write(const double* drive) noexcept {
  const unsigned holds = holds_.load(std::memory_order_seq_cst);
  ticked_at_ns_.store(plugin::monotonic_ns(), std::memory_order_relaxed);
  if (!sender_.encode_drive(drive)) return TRESTLE_ADAPTER_TRIPPED;
  // A hold that came since, on another thread, is later than this drive.
  const auto overtaken = [this, holds] {
    return holds_.load(std::memory_order_seq_cst) != holds;
  };
  // The frames of a hold repeat the last drive: this one does not become it.
  if (overtaken()) return TRESTLE_ADAPTER_LATE;
  if (!sender_.is_driven()) receiver_.restart_echo_time();
  sender_.store_hold_frame();
  held_.store(false, std::memory_order_seq_cst);
  const bool sent = !overtaken() && sender_.send_drive();
  if (!overtaken()) return sent ? TRESTLE_ADAPTER_OK : TRESTLE_ADAPTER_LATE;
  held_.store(true, std::memory_order_relaxed);
  sender_.send_last_frame(Command::kHold);
  return TRESTLE_ADAPTER_LATE;
}

void UdpTarget::hold() noexcept {
  holds_.fetch_add(1, std::memory_order_seq_cst);
  held_.store(true, std::memory_order_relaxed);
  sender_.send_last_frame(Command::kHold);
}

void UdpTarget::count_contacts(std::uint32_t& inputs,
                               std::uint32_t& outputs) const noexcept {
  inputs = 0;
  outputs = settings_.send.count(FieldRole::kOutput);
}

void UdpTarget::stop() noexcept {
  set_outputs(0);
  held_.store(true, std::memory_order_relaxed);
  for (int n = 0; n < kStopFrames; ++n)
    sender_.send_last_frame(sender_.has_command_field() ? Command::kStop : Command::kHold);
}

void UdpTarget::diagnose(char* text, std::uint32_t size) const noexcept {
  if (const SpinTryLock turn(taken_, kPatience); turn)
    return receiver_.diagnose(text, size);
  std::snprintf(text, size, "the link to the target %s is being listened to",
                settings_.target.c_str());
}

}  // namespace trestle::udp_target
