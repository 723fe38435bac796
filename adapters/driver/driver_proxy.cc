#include "adapters/driver/driver_proxy.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"

namespace trestle::driver {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kBetweenLooks = 20 * kMs;  // whether the driver still exists
constexpr std::int64_t kPatience = 5'000 * kMs;   // with a function that is no tick's
constexpr std::int64_t kPatienceToPrepare = 60'000 * kMs;
constexpr std::int64_t kPatienceToStop = 10'000 * kMs;
// With a driver that may be about to come back, before it is ended.
constexpr std::int64_t kPatienceWithReturn = 500 * kMs;
constexpr std::int64_t kPatienceOfSimulated = 2'500 * kMs;
// Half the patience of the site's own watchdog of its control loop.
constexpr std::int64_t kMostPatience = 50 * kMs;
constexpr double kMostPatienceTicks = 10.0;
constexpr std::int64_t kLeastForHold = 20 * kMs;
constexpr std::int64_t kWatchdog = 100 * kMs;
constexpr double kWatchdogTicks = 20.0;
// Of a sentence that another one follows.
constexpr std::uint32_t kLongestCause = plugin::FaultMessage::kLength - 100;

void copy_text(const char* from, char* to, std::uint32_t size) noexcept {
  if (to == nullptr || size == 0) return;
  std::strncpy(to, from, size - 1);
  to[size - 1] = '\0';
}

double in_ms(std::int64_t ns) noexcept {
  return 1e-6 * static_cast<double>(ns);
}

/// Whether the driver has done all holds that were requested.
bool has_held(const DriverPage& page) noexcept {
  return page.holds_done.load() == page.holds_asked.load();
}

/// Of a reading.
std::uint32_t numbers_of(const trestle_rig_capabilities& is) noexcept {
  const std::uint32_t per_actuator = 2U + (is.measures_velocity != 0 ? 1U : 0U) +
                                     (is.measures_acceleration != 0 ? 1U : 0U);
  return per_actuator * is.actuators + is.reactions + is.auxiliary_channels;
}

/// Whether a tick may reach the rig after the last save(). What is untold is told once.
bool is_known(StateSaved& saved) noexcept {
  if (saved == StateSaved::kUntold) {
    saved = StateSaved::kKnown;
    return false;
  }
  return saved == StateSaved::kKnown;
}

/// Set as long as it lives.
class Flag {
 public:
  explicit Flag(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  std::atomic<bool>& flag_;
};

DriverProxy& proxy_of(void* rig) noexcept {
  return *static_cast<DriverProxy*>(rig);
}

}  // namespace

/// The functions of the table. describe() may throw: only PluginRig calls it, in C++.
struct DriverProxy::Functions {
  static void describe(void* rig, trestle_rig_capabilities* capabilities) {
    proxy_of(rig).describe(*capabilities);
  }
  static void describe_channel(void* rig, std::uint32_t what, std::uint32_t index,
                               trestle_channel* channel) {
    proxy_of(rig).describe_channel(what, index, *channel);
  }
  static trestle_adapter_status prepare(void* rig, const trestle_run* run, char* why,
                                        std::uint32_t why_size) {
    return proxy_of(rig).prepare(*run, why, why_size);
  }
  static trestle_adapter_status read(void* rig, std::int64_t now_ns,
                                     trestle_sensed* sensed) {
    return proxy_of(rig).read(now_ns, *sensed);
  }
  static trestle_adapter_status write(void* rig, const double* drive) {
    return proxy_of(rig).write(drive);
  }
  static void hold(void* rig) { proxy_of(rig).hold(); }
  static void stop(void* rig) { proxy_of(rig).stop(); }
  static void diagnose(void* rig, char* text, std::uint32_t text_size) {
    proxy_of(rig).diagnose(text, text_size);
  }
  static std::uint32_t save(void* rig, double* state, std::uint32_t room) {
    return proxy_of(rig).save(state, room);
  }
  static trestle_adapter_status restore(void* rig, const double* state,
                                        std::uint32_t count) {
    return proxy_of(rig).restore(state, count);
  }
  static void close(void* rig) { proxy_of(rig).close(); }

  static void count(void* rig, std::uint32_t* inputs, std::uint32_t* outputs) {
    *inputs = proxy_of(rig).answer_.inputs;
    *outputs = proxy_of(rig).answer_.outputs;
  }
  /// They come with the answer to read(). If that did not come, none is known.
  static void inputs(void* rig, trestle_inputs* said) {
    const DriverProxy& proxy = proxy_of(rig);
    const bool answered = proxy.answer_.sequence == proxy.sequence_;
    said->known = answered ? proxy.answer_.known : 0;
    said->closed = answered ? proxy.answer_.closed : 0;
  }
  /// Another thread of the driver sets them, whatever its function is doing.
  static void set_outputs(void* rig, std::uint32_t closed) {
    DriverPage& page = proxy_of(rig).page();
    page.outputs.store(outputs_word(closed));
    page.outputs_asked.fetch_add(1);
    wake(page.outputs_asked);
  }
};

DriverProxy::DriverProxy(const DriverSettings& settings, const std::string& path)
    : settings_(settings),
      path_(path),
      process_(std::make_unique<DriverProcess>(settings, path)),
      page_(&process_->page()),
      keeps_state_(page().keeps_state != 0),
      patience_ns_(kPatienceOfSimulated),
      protection_(settings) {
  adopt();
}

/// The driver is new, and has been asked nothing.
void DriverProxy::adopt() noexcept {
  DriverPage& page = process_->page();
  page.priority = settings_.priority;
  page.cpu = settings_.cpu;
  sequence_ = page.requested.load();
  call_.function = nullptr;
  hold_asked_ns_ = 0;
  responds_ = true;
  page_ = &page;
  holds_.accept(page);
  // That of the site before, until a run is prepared.
  protection_.set_watchdog(page.watchdog_ns.load());
  protection_.put_on(page);
}

const trestle_adapter_v1& DriverProxy::table() const noexcept {
  return functions(keeps_state_);
}

const trestle_adapter_v1& DriverProxy::functions(bool keeps_state) noexcept {
  static constexpr trestle_contacts_v1 contacts{sizeof(trestle_contacts_v1), 0,
                                                Functions::count, Functions::inputs,
                                                Functions::set_outputs};
  static constexpr auto made = [](bool with_state) {
    return trestle_adapter_v1{TRESTLE_SITE_ADAPTER_ABI,
                              sizeof(trestle_adapter_v1),
                              nullptr,
                              Functions::describe,
                              Functions::describe_channel,
                              Functions::prepare,
                              Functions::read,
                              Functions::write,
                              Functions::hold,
                              Functions::stop,
                              Functions::diagnose,
                              with_state ? Functions::save : nullptr,
                              with_state ? Functions::restore : nullptr,
                              Functions::close,
                              &contacts};
  };
  static constexpr trestle_adapter_v1 with = made(true);
  static constexpr trestle_adapter_v1 without = made(false);
  return keeps_state ? with : without;
}

void DriverProxy::describe(trestle_rig_capabilities& capabilities) {
  if (!exchange({.call = Call::kDescribe}, "describe", kPatience))
    throw std::runtime_error("the plug-in's " + note_.text());
  if (answer_.status != TRESTLE_ADAPTER_OK) throw std::runtime_error(answer_.text.data());
  is_ = answer_.capabilities;
  capabilities = is_;
}

void DriverProxy::describe_channel(std::uint32_t what, std::uint32_t index,
                                   trestle_channel& channel) {
  if (!exchange({.call = Call::kDescribeChannel, .what = what, .index = index},
                "describe_channel", kPatience))
    throw std::runtime_error("the plug-in's " + note_.text());
  if (answer_.status != TRESTLE_ADAPTER_OK) throw std::runtime_error(answer_.text.data());
  channel = answer_.channel;
}

trestle_adapter_status DriverProxy::prepare(const trestle_run& run, char* why,
                                            std::uint32_t why_size) {
  prepared_ = true;
  try {
    replace_lost_driver();
  } catch (const std::exception& error) {
    copy_text(error.what(), why, why_size);
    return TRESTLE_ADAPTER_TRIPPED;
  }
  set_times(1e9 * run.tick_s);
  if (is_free()) protection_.put_on(page());
  holds_.accept(page());
  if (!exchange({.call = Call::kPrepare, .tick_s = run.tick_s, .seed = run.seed}, "prepare",
                kPatienceToPrepare)) {
    diagnose(why, why_size);
    return TRESTLE_ADAPTER_TRIPPED;
  }
  saved_ = StateSaved::kKnown;
  if (answer_.status == TRESTLE_ADAPTER_OK)
    said_ready_ = answer_.text;
  else
    copy_text(answer_.text.data(), why, why_size);
  return answer_.status;
}

void DriverProxy::replace_lost_driver() {
  if (!is_lost()) return;
  start_.given_up = false;
  const Flag starting(start_.under_way);
  process_->fence();
  auto next = std::make_unique<DriverProcess>(settings_, path_, &start_.given_up);
  lost_.push_back(std::exchange(process_, std::move(next)));
  adopt();
  if ((page().keeps_state != 0) != keeps_state_)
    throw std::runtime_error("the plug-in " + settings_.file +
                             " says something else of its rig than when it was opened");
}

/// Whether the driver has ended, or still does not come back from a function: from hold(),
/// too, while it answers otherwise.
bool DriverProxy::is_lost() noexcept {
  if (responds_ && has_held(page()) && !process_->ended()) return false;
  const std::int64_t deadline = plugin::monotonic_ns() + kPatienceWithReturn;
  while (!process_->ended()) {
    if (is_free() && has_held(page())) return false;
    const std::int64_t now = plugin::monotonic_ns();
    if (now >= deadline) break;
    const std::uint32_t answered = page().answered.load();
    wait_while(page().answered, answered, now + kBetweenLooks);
  }
  return true;
}

/// How long the site waits for the driver, and the driver for the site.
void DriverProxy::set_times(double tick_ns) noexcept {
  if (is_.real_equipment == 0) {
    patience_ns_ = kPatienceOfSimulated;
    protection_.set_watchdog(0);
    return;
  }
  const double most =
      std::max(static_cast<double>(kMostPatience), kMostPatienceTicks * tick_ns);
  const double allowed = tick_ns * (1.0 + static_cast<double>(settings_.overruns));
  patience_ns_ = static_cast<std::int64_t>(std::min(allowed, most));
  protection_.set_watchdog(static_cast<std::int64_t>(
      std::max(static_cast<double>(kWatchdog), kWatchdogTicks * tick_ns)));
}

trestle_adapter_status DriverProxy::read(std::int64_t now_ns,
                                         trestle_sensed& sensed) noexcept {
  if (!is_known(saved_)) return TRESTLE_ADAPTER_TRIPPED;
  if (!exchange({.call = Call::kRead, .now_ns = now_ns}, "read", patience_ns_) ||
      !holds_in_time())
    return TRESTLE_ADAPTER_TRIPPED;
  if (answer_.status != TRESTLE_ADAPTER_OK) return answer_.status;
  if (const std::uint32_t numbers = numbers_of(is_); answer_.count != numbers) {
    note_.write("driver returned %u numbers for a reading of %u; asked it to hold",
                answer_.count, numbers);
    hold();
    return TRESTLE_ADAPTER_TRIPPED;
  }
  take_numbers(sensed);
  return TRESTLE_ADAPTER_OK;
}

/// Whether the driver has done the holds that were requested, or still has time to.
bool DriverProxy::holds_in_time() noexcept {
  const std::int64_t since = hold_asked_ns_.load();
  if (has_held(page())) {
    hold_asked_ns_ = 0;
    return true;
  }
  const std::int64_t now = plugin::monotonic_ns();
  if (since == 0) hold_asked_ns_ = now;
  if (since == 0 || now - since <= std::max(patience_ns_, kLeastForHold)) return true;
  note_.write("driver (process %d) has not returned from hold() for %.0f ms",
              static_cast<int>(driver()), in_ms(now - since));
  responds_ = false;
  return false;
}

/// @pre the answer has as many numbers as the rig, which PluginRig has checked
void DriverProxy::take_numbers(trestle_sensed& sensed) const noexcept {
  const double* from = answer_.numbers.data();
  const auto take = [&from](double* to, std::uint32_t count) {
    if (to == nullptr) return;
    std::copy_n(from, count, to);
    from += count;
  };
  sensed.measured_at_ns = answer_.measured_at_ns;
  take(sensed.displacement, is_.actuators);
  take(sensed.force, is_.actuators);
  take(sensed.reaction, is_.reactions);
  take(sensed.velocity, is_.actuators);
  take(sensed.acceleration, is_.actuators);
  take(sensed.auxiliary, is_.auxiliary_channels);
}

trestle_adapter_status DriverProxy::write(const double* drive) noexcept {
  if (!is_known(saved_)) return TRESTLE_ADAPTER_TRIPPED;
  // Before the drive is read: a hold that comes meanwhile overtakes it.
  const std::uint32_t holds = holds_.asked();
  Request request{.call = Call::kWrite, .count = is_.actuators};
  std::copy_n(drive, std::min(is_.actuators, TRESTLE_MOST_ACTUATORS),
              request.drive.begin());
  request.holds = holds;
  if (!exchange(request, "write", patience_ns_)) return TRESTLE_ADAPTER_TRIPPED;
  // The page may be corrupted; the test is resumed without another preparation.
  if (answer_.status != TRESTLE_ADAPTER_OK) protection_.put_on(page());
  return answer_.status;
}

void DriverProxy::hold() noexcept {
  if (start_.under_way.load()) start_.given_up = true;
  std::int64_t none = 0;
  hold_asked_ns_.compare_exchange_strong(none, plugin::monotonic_ns());
  holds_.ask(page());
}

std::vector<std::string> DriverProxy::host_refusals() const {
  std::array<char, kTextLength> text = page_.load()->refused;
  text.back() = '\0';
  std::vector<std::string> sentences;
  std::istringstream lines(text.data());
  for (std::string line; std::getline(lines, line);) sentences.push_back(line);
  return sentences;
}

void DriverProxy::stop() noexcept {
  // A rig that was not prepared was only looked at: it stays as the site before left it.
  if (process_->taken_up() && !prepared_) return;
  // Nobody may take a rig for released whose driver did not do it.
  if (exchange({.call = Call::kStop}, "stop", kPatienceToStop) &&
      answer_.status != TRESTLE_ADAPTER_OK)
    responds_ = false;
}

std::uint32_t DriverProxy::save(double* state, std::uint32_t room) noexcept {
  room = state != nullptr ? std::min(room, TRESTLE_MOST_STATE) : 0;
  if (!exchange({.call = Call::kSave, .count = room}, "save", kPatienceOfSimulated)) {
    std::array<char, kLongestCause> why{};
    note_.copy(why.data(), kLongestCause);
    note_.write("%s. The record has no state of the rig of that step", why.data());
    saved_ = StateSaved::kUntold;
    responds_ = false;
    return 0;
  }
  const std::span<double> saved(state, std::min(room, answer_.count));
  std::copy_n(page().state.begin(), saved.size(), saved.begin());
  if (answer_.status != TRESTLE_ADAPTER_OK || answer_.state == digest_of(saved))
    return answer_.count;
  saved_ = StateSaved::kCorrupted;
  note_.write(
      "driver (process %d) returned a corrupted page from save(); asked it to hold. Start "
      "the site again",
      static_cast<int>(driver()));
  hold();
  return 0;
}

trestle_adapter_status DriverProxy::restore(const double* state,
                                            std::uint32_t count) noexcept {
  if (count > TRESTLE_MOST_STATE || !is_free()) return TRESTLE_ADAPTER_TRIPPED;
  std::copy_n(state, count, page().state.begin());
  if (!exchange({.call = Call::kRestore,
                 .count = count,
                 .state = digest_of(std::span<const double>(state, count))},
                "restore", kPatience))
    return TRESTLE_ADAPTER_TRIPPED;
  if (answer_.status == TRESTLE_ADAPTER_OK) saved_ = StateSaved::kKnown;
  return answer_.status;
}

void DriverProxy::diagnose(char* text, std::uint32_t text_size) const noexcept {
  if (note_.copy(text, text_size)) return;
  if (answer_.text[0] != '\0' || said_ready_[0] == '\0')
    return copy_text(answer_.text.data(), text, text_size);
  if (text != nullptr && text_size > 0)
    std::snprintf(text, text_size, "when it was made ready: %s", said_ready_.data());
}

void DriverProxy::close() noexcept {
  if (process_->taken_up() && !prepared_) return;
  const bool ends = exchange({.call = Call::kEnd}, "close", kPatienceToStop);
  process_->end(ends ? static_cast<int>(kPatience / kMs) : 0);
}

/// Makes the request known and waits for its answer, at most `patience_ns`.
/// @returns false: there is no valid answer, `note_` says why
bool DriverProxy::exchange(const Request& request, const char* function,
                           std::int64_t patience_ns) noexcept {
  if (!is_free()) return lose(call_.function);
  call_.begun_ns = plugin::monotonic_ns();
  Request& made = page().request;
  made = request;
  holds_.add_to(made, page(),
                request.call == Call::kWrite ? request.holds : holds_.asked());
  made.sequence = sequence_ + 1;
  made.protection = protection_.digest();
  made.deadline_ns = call_.begun_ns + patience_ns;
  made.digest = digest_of(made);
  call_.function = function;
  page().requested.store(++sequence_, std::memory_order_release);
  wake(page().requested);
  return await_answer(call_.begun_ns + patience_ns);
}

/// Whether the driver has come back from the last request; what came late is not used.
bool DriverProxy::is_free() noexcept {
  if (call_.function != nullptr &&
      page().answered.load(std::memory_order_acquire) == sequence_)
    call_.function = nullptr;
  return call_.function == nullptr;
}

bool DriverProxy::await_answer(std::int64_t deadline_ns) noexcept {
  while (true) {
    const std::uint32_t answered = page().answered.load(std::memory_order_acquire);
    if (answered == sequence_) return take_answer();
    const std::int64_t now = plugin::monotonic_ns();
    if (now >= deadline_ns || answered != sequence_ - 1) break;
    wait_while(page().answered, answered, std::min(deadline_ns, now + kBetweenLooks));
    if (plugin::monotonic_ns() - now >= kBetweenLooks && process_->ended()) break;
  }
  hold();
  return lose(call_.function);
}

bool DriverProxy::take_answer() noexcept {
  answer_ = page().answer;
  answer_.text.back() = '\0';
  const char* const function = call_.function;
  call_.function = nullptr;
  responds_ = true;
  if (answer_.sequence == sequence_ && answer_.count <= TRESTLE_MOST_STATE &&
      answer_.digest == digest_of(answer_)) {
    holds_.learn(answer_);
    note_.clear();
    return true;
  }
  note_.write(
      "driver (process %d) returned a corrupted page from %s() (sequence %u of %u, %u "
      "numbers); asked it to hold",
      static_cast<int>(driver()), function, answer_.sequence, sequence_, answer_.count);
  hold();
  return false;
}

/// There is no answer: says why. @returns false
bool DriverProxy::lose(const char* function) noexcept {
  responds_ = false;
  const auto number = static_cast<int>(driver());
  const std::uint32_t answered = page().answered.load();
  const double spent = in_ms(plugin::monotonic_ns() - call_.begun_ns);
  if (process_->ended()) {
    const int how = process_->end_status();
    std::array<char, 40> words{};
    if (how >= 0 && WIFSIGNALED(how))
      std::snprintf(words.data(), words.size(), " by signal %d", WTERMSIG(how));
    else if (how >= 0)
      std::snprintf(words.data(), words.size(), " with code %d", WEXITSTATUS(how));
    note_.write("driver trestle-driver (process %d, of process %d) ended%s", number,
                static_cast<int>(getpid()), words.data());
  } else if (answered != sequence_ && answered != sequence_ - 1) {
    note_.write(
        "driver (process %d) returned a corrupted page in %s() (sequence %u of %u); asked "
        "it to hold",
        number, function, answered, sequence_);
  } else {
    note_.write(
        "driver (process %d) has not returned from %s() for %.0f ms; asked it to hold",
        number, function, spent);
  }
  return false;
}

}  // namespace trestle::driver
