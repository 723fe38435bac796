#include "adapters/driver_program/output_keeper.h"

#include <chrono>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/host/crash_handler.h"

namespace trestle::driver_program {
namespace {

constexpr std::int64_t kBetweenOutputLooks = 20'000'000;  // [ns]
constexpr std::chrono::seconds kPatienceWithOutputs(1);

}  // namespace

void OutputKeeper::run() {
  const host::AlternateSignalStack last_words_need_room;
  while (true) look();
}

void OutputKeeper::look() {
  const std::uint32_t asked = page_.outputs_asked.load();
  if (asked != seen_) {
    seen_ = asked;
    return set(page_.outputs.load());
  }
  if (site_fell_silent()) {
    log_.tell("the site was silent; all digital outputs are open");
    set(driver::outputs_word(0));
  }
  driver::wait_while(page_.outputs_asked, asked,
                     plugin::monotonic_ns() + kBetweenOutputLooks);
}

bool OutputKeeper::end() {
  const std::unique_lock turn(turn_, kPatienceWithOutputs);
  if (turn) ended_ = true;
  return turn.owns_lock();
}

/// Since the last look: the keeper of holds has the watchdog. A hold that repeats one for
/// silence is for the same silence: the site is back, and says what its outputs are.
bool OutputKeeper::site_fell_silent() noexcept {
  const std::int64_t silence = keeper_.silence_ns();
  if (silence == 0 || silence == opened_for_) return false;
  opened_for_ = silence;
  return true;
}

void OutputKeeper::set(std::uint64_t word) {
  const std::uint32_t closed = driver::outputs_of(word);
  if (word != driver::outputs_word(closed))
    log_.tell("the site asked for digital outputs over a corrupted page; all are open");
  const std::scoped_lock turn(turn_);
  if (!ended_) table_.contacts->set_outputs(rig_, closed);
}

void OutputKeeper::open_all() noexcept {
  page_.outputs.store(driver::outputs_word(0));
  page_.outputs_asked.fetch_add(1);
  driver::wake(page_.outputs_asked);
}

}  // namespace trestle::driver_program
