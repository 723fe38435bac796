#include "composition/processes/interruption.h"

#include <unistd.h>

#include <csignal>
#include <utility>

#include "composition/processes/stop_signals.h"
#include "core/base/shell_word.h"

namespace trestle::composition {

Interruption::Interruption(std::string folder, std::string called, bool rigs_here)
    : folder_(std::move(folder)), called_(std::move(called)), rigs_here_(rigs_here) {}

std::string Interruption::follow(integrator_node::IntegratorNode& integrator) {
  // A test that has continued since then had no notice. Its step under way may have ended
  // after the notice.
  if (!integrator.holds()) told_ = false;
  AskedBySignal asked;
  if (!StopSignals::take(asked) || integrator.ends()) return {};
  const bool keyboard = asked.number == SIGINT;
  const SignalWord word = word_of(asked, called_);
  if (told_ && keyboard &&
      integrator.stop(word.by, word.from, asked.name() + ", twice").empty())
    return asked.name() + " again: the test is stopped for good";
  const bool stays = integrator.begun() && integrator.real_equipment() &&
                     (keyboard || (rigs_here_ && !told_));
  if (stays) {
    integrator.hold(word.by, word.from, asked.name());
    if (integrator.holds()) {
      told_ = true;
      return stay(integrator, word.reason);
    }
  }
  integrator.leave(word.by, word.from, word.reason);
  return {};
}

std::string Interruption::stay(integrator_node::IntegratorNode& integrator,
                               const std::string& reason) {
  return reason + ": all rigs hold behind step " +
         std::to_string(integrator.steps_done() - 1) +
         ", and this program stays.\n           Resume: trestle resume " +
         shell_word(folder_) +
         "\n           End the test for good: Ctrl-C again, or trestle stop " +
         shell_word(folder_) +
         "\n           Leave it held, to be resumed later: kill -TERM " +
         std::to_string(getpid()) +
         (rigs_here_ ? "; then only the equipment itself holds the rig of this process"
                     : "; the site servers go on holding their rigs");
}

}  // namespace trestle::composition
