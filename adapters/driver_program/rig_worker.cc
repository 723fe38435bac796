#include "adapters/driver_program/rig_worker.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/host/crash_handler.h"
#include "core/host/realtime_scheduling.h"

namespace trestle::driver_program {
namespace {

using driver::Call;
using driver::Request;

constexpr std::int64_t kBetweenRequests = 1'000'000'000;    // [ns], at most asleep
constexpr std::int64_t kPatienceWithHolds = 1'000'000'000;  // [ns]
const char* const kCorruptedState = "its driver received a state over a corrupted page";
const char* const kCorrupted = "its driver received a request over a corrupted page";

const char* name_of(Call call) noexcept {
  switch (call) {
    case Call::kDescribe:
      return "describe";
    case Call::kDescribeChannel:
      return "describe_channel";
    case Call::kPrepare:
      return "prepare";
    case Call::kRead:
      return "read";
    case Call::kWrite:
      return "write";
    case Call::kStop:
      return "stop";
    case Call::kSave:
      return "save";
    case Call::kRestore:
      return "restore";
    default:
      return "close";
  }
}

/// Priorities above it are those of the threads that hold the rig.
constexpr int kHighestPriority = host::kWatchPriority - 1;

bool is_possible(const trestle_rig_capabilities& is) noexcept {
  return is.actuators >= 1 && is.actuators <= TRESTLE_MOST_ACTUATORS &&
         is.reactions <= TRESTLE_MOST_REACTIONS &&
         is.auxiliary_channels <= TRESTLE_MOST_AUXILIARY;
}

}  // namespace

RigWorker::RigWorker(const trestle_adapter_v1& table, void* rig, driver::DriverPage& page,
                     HoldKeeper& keeper, DriverLog& log)
    : table_(table),
      rig_(rig),
      page_(page),
      keeper_(keeper),
      log_(log),
      seen_(page.requested.load()),
      state_(table.save != nullptr ? TRESTLE_MOST_STATE : 0) {
  describe();
  if (is_possible(is_)) reading_.emplace(is_);
}

void RigWorker::run() {
  const host::AlternateSignalStack last_words_need_room;
  while (true) {
    driver::wait_while(page_.requested, seen_, plugin::monotonic_ns() + kBetweenRequests);
    const std::uint32_t sequence = page_.requested.load(std::memory_order_acquire);
    if (sequence == seen_ || leaving_.load()) continue;
    seen_ = sequence;
    keeper_.heard();
    const Request request = page_.request;
    function_ = name_of(request.call);
    // Before the call: the site has to hear of a hold that the call itself is a reason for.
    answer_.held = keeper_.holds();
    serve(request, sequence);
    publish(sequence);
    function_ = nullptr;
    if (request.call == Call::kEnd && answer_.status == TRESTLE_ADAPTER_OK) return;
  }
}

void RigWorker::publish(std::uint32_t sequence) noexcept {
  answer_.sequence = sequence;
  answer_.digest = digest_of(answer_);
  page_.answer = answer_;
  page_.answered.store(sequence, std::memory_order_release);
  driver::wake(page_.answered);
}

void RigWorker::serve(const Request& request, std::uint32_t sequence) noexcept {
  answer_.status = TRESTLE_ADAPTER_OK;
  answer_.count = 0;
  answer_.text[0] = '\0';
  answer_.state = 0;
  answer_.known = answer_.closed = 0;
  if (request.sequence != sequence || request.digest != digest_of(request)) {
    keeper_.hold();
    return trip(kCorrupted);
  }
  switch (request.call) {
    case Call::kDescribe:
      return describe();
    case Call::kDescribeChannel:
      answer_.channel = {};
      answer_.channel.size = sizeof answer_.channel;
      table_.describe_channel(rig_, request.what, request.index, &answer_.channel);
      if (request.what == TRESTLE_ACTUATOR) guard_.know(request.index, answer_.channel);
      return;
    case Call::kPrepare:
      return prepare(request);
    case Call::kRead:
      return read(request);
    case Call::kWrite:
      return write(request);
    case Call::kStop:
      keeper_.done_until(plugin::monotonic_ns() + kPatienceWithHolds);
      return table_.stop(rig_);
    case Call::kSave:
      return save(request);
    case Call::kRestore:
      return restore(request);
    case Call::kEnd:
      if (outputs_ != nullptr && !outputs_->end())
        return trip("it has not returned from set_outputs()");
      return table_.close(rig_);
    default:
      return trip("it does not know what this site requests; install both again");
  }
}

void RigWorker::describe() noexcept {
  answer_.capabilities = {};
  answer_.capabilities.size = sizeof answer_.capabilities;
  table_.describe(rig_, &answer_.capabilities);
  if (table_.contacts != nullptr)
    table_.contacts->count(rig_, &answer_.inputs, &answer_.outputs);
  if (!reading_) is_ = answer_.capabilities;
}

void RigWorker::prepare(const Request& request) {
  prepared_ = true;
  guard_.begin(request.tick_s);
  passed_.reset();
  if (is_.real_equipment != 0) request_host_resources();
  trestle_run run{};
  run.size = sizeof run;
  run.tick_s = request.tick_s;
  run.seed = request.seed;
  answer_.status = table_.prepare(rig_, &run, answer_.text.data(), driver::kTextLength);
  answer_.text.back() = '\0';  // the digest ends with the text, and so does the site's copy
  answer_.held = keeper_.holds();  // a run begins with all of them
  // What a rig that is well says of itself; no tick has the time for it.
  if (answer_.status == TRESTLE_ADAPTER_OK) explain();
}

/// Those of a site's control thread. What the host refuses is told once: in the log, and to
/// each site that prepares a run.
void RigWorker::request_host_resources() {
  const HostWishes wishes{page_.priority, page_.cpu};
  if (made_ != wishes) {
    made_ = wishes;
    refused_.clear();
    std::vector<host::HostRequestError> answers{
        // Of what a plug-in takes and never uses, nothing is locked.
        host::lock_memory(host::LaterMemory::kWhenTouched),
        host::set_fifo_priority(std::clamp(wishes.priority, 0, kHighestPriority))};
    if (wishes.cpu >= 0) answers.push_back(host::pin_to_cpu(wishes.cpu));
    for (const host::HostRequestError& refusal : answers) {
      if (!refusal) continue;
      log_.tell("%s", refusal->c_str());
      refused_ += *refusal + '\n';
    }
  }
  std::snprintf(page_.refused.data(), page_.refused.size(), "%s", refused_.c_str());
}

void RigWorker::read(const Request& request) noexcept {
  if (!reading_) return trip("its description of itself is impossible");
  keeper_.call_begins(request.deadline_ns);
  trestle_sensed& sensed = reading_->clear();
  answer_.status = table_.read(rig_, request.now_ns, &sensed);
  read_inputs();
  keeper_.call_ends();
  if (const char* array = reading_->find_buffer_overrun()) {
    answer_.status = TRESTLE_ADAPTER_TRIPPED;
    std::snprintf(answer_.text.data(), answer_.text.size(),
                  "it wrote beyond the end of the array `%s` that it declared", array);
    return;
  }
  if (answer_.status != TRESTLE_ADAPTER_OK) return explain();
  answer_.measured_at_ns = sensed.measured_at_ns;
  auto to = answer_.numbers.begin();
  const auto take = [&to](const double* from, std::uint32_t count) {
    if (from != nullptr) to = std::copy_n(from, count, to);
  };
  take(sensed.displacement, is_.actuators);
  take(sensed.force, is_.actuators);
  take(sensed.reaction, is_.reactions);
  take(sensed.velocity, is_.actuators);
  take(sensed.acceleration, is_.actuators);
  take(sensed.auxiliary, is_.auxiliary_channels);
  answer_.count = static_cast<std::uint32_t>(to - answer_.numbers.begin());
}

/// Whatever read() returned: their freshness is their own.
void RigWorker::read_inputs() noexcept {
  if (table_.contacts == nullptr || answer_.inputs == 0) return;
  trestle_inputs said{};
  said.size = sizeof said;
  table_.contacts->inputs(rig_, &said);
  answer_.known = said.known;
  answer_.closed = said.closed;
}

void RigWorker::write(const Request& request) noexcept {
  // A hold behind it is done already; this thread need not hang in another one.
  if (!is_behind_its_holds(request)) return;
  const std::uint32_t holds = keeper_.holds();
  if (held_unknown_to(request)) {
    trip_by_own_hold();
    return keeper_.hold_again();
  }
  if (!accepts(request)) return keeper_.hold();
  keeper_.call_begins(request.deadline_ns);
  keeper_.moves();
  answer_.status = table_.write(rig_, request.drive.data());
  keeper_.call_ends();
  guard_.passed({request.drive.data(), request.count}, holds);
  passed_ = {request.holds, holds};
  // What comes back late must not undo a hold.
  if (keeper_.holds() != holds || plugin::monotonic_ns() > request.deadline_ns)
    keeper_.hold();
  if (answer_.status != TRESTLE_ADAPTER_OK) explain();
}

/// A hold that the site requested before this drive comes before it: the other way round it
/// would undo the drive, and this thread would hold again, for a reason that the site does
/// not hear of. Leaves the site half of its time to hear that it does not come.
/// @returns false: it is not done in time
bool RigWorker::is_behind_its_holds(const Request& request) noexcept {
  if (request.holds != page_.holds_asked.load()) return true;  // overtaken: see accepts()
  const std::int64_t now = plugin::monotonic_ns();
  if (keeper_.done_until(now + (request.deadline_ns - now) / 2)) return true;
  return refuses(
      "hold() of the plug-in has not returned yet, and the drive would come "
      "before it; see to the equipment");
}

/// Whether the driver has held by itself, and the site continues as if it had not.
bool RigWorker::held_unknown_to(const Request& request) const noexcept {
  if (request.holds != page_.holds_asked.load()) return false;
  const std::uint32_t holds = keeper_.holds();
  // A site that drove right behind its own hold learns the count afterwards, and with it
  // what the driver has held since that drive.
  if (passed_ && passed_->asked == request.holds && passed_->holds != holds) return true;
  return request.knows_held != 0 && request.held != holds;
}

void RigWorker::trip_by_own_hold() noexcept {
  answer_.status = TRESTLE_ADAPTER_TRIPPED;
  const std::int64_t silence = keeper_.silence_ns() / 1'000'000;
  if (silence == 0)
    return trip(
        "its driver has held it by itself: a call came back too late, or the page is "
        "corrupted");
  std::snprintf(answer_.text.data(), answer_.text.size(),
                "its driver has held it by itself: the site was silent for %lld ms "
                "(watchdog %lld ms)",
                static_cast<long long>(silence),
                static_cast<long long>(page_.watchdog_ns.load() / 1'000'000));
}

/// Whether the drive is passed on; otherwise the answer says why not.
bool RigWorker::accepts(const Request& request) noexcept {
  const std::int64_t late = plugin::monotonic_ns() - request.deadline_ns;
  if (late > 0) {
    answer_.status = TRESTLE_ADAPTER_TRIPPED;
    std::snprintf(
        answer_.text.data(), answer_.text.size(),
        "its driver received the drive %.1f ms too late; see what `trestle doctor` "
        "says of this host",
        1e-6 * static_cast<double>(late));
    return false;
  }
  if (request.holds != page_.holds_asked.load())
    return refuses("a hold overtook the drive");
  if (request.count != is_.actuators || !reading_) {
    answer_.status = TRESTLE_ADAPTER_TRIPPED;
    std::snprintf(answer_.text.data(), answer_.text.size(),
                  "its driver received a drive of %u actuators, and the rig has %u; start "
                  "the site again",
                  request.count, is_.actuators);
    return false;
  }
  // A copy: what is compared is what the digest is of.
  const driver::DriveLimits limits = page_.limits;
  if (request.protection != digest_of(limits, page_.watchdog_ns.load()))
    return refuses(kCorrupted);
  if (guard_.accepts({request.drive.data(), request.count}, limits, keeper_.holds(),
                     answer_.text))
    return true;
  answer_.status = TRESTLE_ADAPTER_TRIPPED;
  return false;
}

bool RigWorker::refuses(const char* why) noexcept {
  trip(why);
  return false;
}

/// Of a separate copy: what came from the plug-in is what the digest is of.
void RigWorker::save(const Request& request) noexcept {
  if (state_.empty()) return trip("it has no state");
  const std::uint32_t room = std::min(request.count, TRESTLE_MOST_STATE);
  answer_.count = table_.save(rig_, room > 0 ? state_.data() : nullptr, room);
  const std::span saved = std::span(state_).first(std::min(room, answer_.count));
  answer_.state = driver::digest_of(saved);
  std::copy(saved.begin(), saved.end(), page_.state.begin());
}

/// Likewise: nothing changes it before the plug-in has taken it.
void RigWorker::restore(const Request& request) noexcept {
  if (state_.empty()) return trip("it has no state");
  const std::uint32_t count = std::min(request.count, TRESTLE_MOST_STATE);
  std::copy_n(page_.state.begin(), count, state_.begin());
  if (request.state != driver::digest_of(std::span<const double>(state_).first(count)))
    return trip(kCorruptedState);
  answer_.status = table_.restore(rig_, state_.data(), count);
}

void RigWorker::trip(const char* why) noexcept {
  answer_.status = TRESTLE_ADAPTER_TRIPPED;
  std::snprintf(answer_.text.data(), answer_.text.size(), "%s", why);
}

/// The plug-in's own words.
void RigWorker::explain() noexcept {
  table_.diagnose(rig_, answer_.text.data(), driver::kTextLength);
  answer_.text.back() = '\0';
}

}  // namespace trestle::driver_program
