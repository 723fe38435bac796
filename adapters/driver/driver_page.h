#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "adapters/plugin/site_adapter_abi.h"

namespace trestle::driver {

constexpr std::uint64_t kPageMagic = 0x7472'6573'7464'7234ULL;
constexpr std::uint32_t kMostNumbers =
    4 * TRESTLE_MOST_ACTUATORS + TRESTLE_MOST_REACTIONS + TRESTLE_MOST_AUXILIARY;
constexpr std::uint32_t kTextLength = 1024;

/// A function of the plug-in, which the driver calls for the site.
enum class Call : std::uint32_t {
  kNone,
  kDescribe,
  kDescribeChannel,
  kPrepare,
  kRead,
  kWrite,
  kStop,
  kSave,
  kRestore,
  kEnd,  ///< hold, stop, close; then the driver ends
};

/// What the site requests. Plain values: the counter behind it publishes them.
struct Request {
  Call call = Call::kNone;
  std::uint32_t what = 0;   ///< of describe_channel
  std::uint32_t index = 0;  ///< of describe_channel
  std::uint32_t count = 0;  ///< of the drives, or of the state
  /// Holds that the site had requested when it made this request: a later one overtakes it.
  std::uint32_t holds = 0;
  /// Holds of the rig that the site knows of (Answer::held): a drive behind one that the
  /// driver made by itself is refused.
  std::uint32_t held = 0;
  /// 0: a hold that the site has requested itself is not done yet; `held` is not compared.
  std::uint32_t knows_held = 0;
  std::uint32_t sequence = 0;    ///< DriverPage::requested
  std::int64_t now_ns = 0;       ///< session time, of read
  std::int64_t deadline_ns = 0;  ///< CLOCK_MONOTONIC; 0: none
  double tick_s = 0.0;
  std::uint64_t seed = 0;
  std::uint64_t protection = 0;  ///< digest of the page's limits and watchdog
  std::uint64_t state = 0;       ///< of restore: digest of the page's state
  std::array<double, TRESTLE_MOST_ACTUATORS> drive{};
  std::uint64_t digest = 0;  ///< of everything above, the spare drives apart
};

/// What the driver returns.
struct Answer {
  std::uint32_t sequence = 0;  ///< of its request
  std::int32_t status = 0;     ///< trestle_adapter_status
  std::uint32_t count = 0;     ///< of the numbers, or of the state
  /// All holds of the rig until the request came, or the run was prepared, the driver's own
  /// too.
  std::uint32_t held = 0;
  std::int64_t measured_at_ns = 0;
  /// Of a reading: displacement, force, reaction, velocity, acceleration, auxiliary, each
  /// if the rig has it.
  std::array<double, kMostNumbers> numbers{};
  trestle_rig_capabilities capabilities{};
  trestle_channel channel{};
  std::array<char, kTextLength> text{};  ///< the plug-in's words; ends with a zero
  std::uint64_t state = 0;               ///< of save: digest of the page's state
  std::uint32_t inputs = 0;              ///< digital ones of the rig
  std::uint32_t outputs = 0;             ///< the same
  std::uint32_t known = 0;               ///< of a reading: trestle_inputs
  std::uint32_t closed = 0;              ///< the same
  std::uint64_t digest = 0;              ///< of everything above, the spare numbers apart
};

/// The largest drives that the driver passes on; infinite: no limit.
struct DriveLimits {
  std::array<double, TRESTLE_MOST_ACTUATORS> displacement{};  ///< [m | rad]
  std::array<double, TRESTLE_MOST_ACTUATORS> rate{};          ///< [m/s | rad/s]
};

/// Levels of the digital outputs, with their complement: a corrupted page does not say that
/// a site is ready.
constexpr std::uint64_t outputs_word(std::uint32_t closed) noexcept {
  return std::uint64_t{~closed} << 32 | closed;
}
/// @returns 0, all outputs open, of a word that is corrupted
constexpr std::uint32_t outputs_of(std::uint64_t word) noexcept {
  const auto closed = static_cast<std::uint32_t>(word);
  return word == outputs_word(closed) ? closed : 0;
}

/// The memory that a site and its driver share. No pointers; a counter publishes what is
/// written before it, and is what the other side sleeps on (futex).
struct DriverPage {
  std::uint64_t magic = kPageMagic;
  std::uint64_t size = sizeof(DriverPage);
  std::uint32_t keeps_state = 0;  ///< 1: the plug-in has save and restore
  alignas(64) std::atomic<std::uint32_t> requested{0};      ///< sequence of `request`
  alignas(64) std::atomic<std::uint32_t> answered{0};       ///< sequence of `answer`
  alignas(64) std::atomic<std::uint32_t> holds_asked{0};    ///< by whichever side
  std::atomic<std::uint32_t> holds_done{0};                 ///< of those
  alignas(64) std::atomic<std::uint32_t> outputs_asked{0};  ///< how often, by either side
  std::atomic<std::uint64_t> outputs{outputs_word(0)};
  std::atomic<std::uint32_t> site{0};  ///< LifeSign of the site; 0: there is none
  /// Silence of the site after which the driver holds real equipment [ns]; 0: no watchdog.
  std::atomic<std::int64_t> watchdog_ns{0};
  DriveLimits limits{};
  std::int32_t priority = 0;  ///< SCHED_FIFO, of the thread that calls the plug-in; 0: none
  std::int32_t cpu = -1;      ///< that it stays on; negative: any
  Request request{};
  Answer answer{};
  /// What the host refused to that thread before the last run: a line each, a zero at the
  /// end. Words alone: nothing depends on them.
  std::array<char, kTextLength> refused{};
  std::array<double, TRESTLE_MOST_STATE> state{};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// FNV-1a, by words.
class Digest {
 public:
  void add(std::uint64_t word) noexcept {
    value_ = (value_ ^ word) * 1099511628211ULL;
    value_ ^= value_ >> 32;
  }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037ULL;
};

/// Differs if a byte of a plain value does. Its words must have no gaps between them.
template <typename Value>
void add_bytes(Digest& digest, const Value& value) noexcept {
  static_assert(sizeof value % sizeof(std::uint64_t) == 0);
  for (const std::uint64_t word :
       std::bit_cast<std::array<std::uint64_t, sizeof value / sizeof(std::uint64_t)>>(
           value))
    digest.add(word);
}

/// Differs if a number of a state does, or how many there are.
inline std::uint64_t digest_of(std::span<const double> state) noexcept {
  Digest digest;
  digest.add(std::uint64_t{state.size()});
  for (const double number : state) digest.add(number);
  return digest.value();
}

/// Differs if a value of the answer does, or a letter of its text.
inline std::uint64_t digest_of(const Answer& answer) noexcept {
  Digest digest;
  digest.add(std::uint64_t{answer.sequence});
  digest.add(std::uint64_t{static_cast<std::uint32_t>(answer.status)});
  digest.add(std::uint64_t{answer.count});
  digest.add(std::uint64_t{answer.held});
  digest.add(static_cast<std::uint64_t>(answer.measured_at_ns));
  for (std::uint32_t i = 0; i < answer.count && i < kMostNumbers; ++i)
    digest.add(answer.numbers[i]);
  add_bytes(digest, answer.capabilities);
  add_bytes(digest, answer.channel);
  for (const char letter : answer.text) {
    digest.add(std::uint64_t{static_cast<unsigned char>(letter)});
    if (letter == '\0') break;
  }
  digest.add(answer.state);
  digest.add(std::uint64_t{answer.inputs} << 32 | answer.outputs);
  digest.add(std::uint64_t{answer.known} << 32 | answer.closed);
  return digest.value();
}

/// Differs if a value of the limits does, or the watchdog.
inline std::uint64_t digest_of(const DriveLimits& limits,
                               std::int64_t watchdog_ns) noexcept {
  Digest digest;
  for (const double most : limits.displacement) digest.add(most);
  for (const double most : limits.rate) digest.add(most);
  digest.add(static_cast<std::uint64_t>(watchdog_ns));
  return digest.value();
}

/// Differs if a value of the request does.
inline std::uint64_t digest_of(const Request& request) noexcept {
  Digest digest;
  digest.add(std::uint64_t{static_cast<std::uint32_t>(request.call)});
  digest.add(std::uint64_t{request.what});
  digest.add(std::uint64_t{request.index});
  digest.add(std::uint64_t{request.count});
  digest.add(std::uint64_t{request.holds});
  digest.add(std::uint64_t{request.held});
  digest.add(std::uint64_t{request.knows_held});
  digest.add(std::uint64_t{request.sequence});
  digest.add(static_cast<std::uint64_t>(request.now_ns));
  digest.add(static_cast<std::uint64_t>(request.deadline_ns));
  digest.add(request.tick_s);
  digest.add(request.seed);
  digest.add(request.protection);
  digest.add(request.state);
  for (std::uint32_t i = 0; i < request.count && i < TRESTLE_MOST_ACTUATORS; ++i)
    digest.add(request.drive[i]);
  return digest.value();
}

}  // namespace trestle::driver
