#include "composition/processes/rig_return.h"

#include "composition/processes/opening_signals.h"

namespace trestle::composition {
namespace {

constexpr SecondSignal::Words kReturns{
    "trestle: a signal came while rigs are given back; it is followed as soon as they are. "
    "If a driver hangs: Ctrl-C or SIGTERM once more, a second later, ends this program at "
    "once\n",
    "trestle: asked again to end while rigs are given back: ends at once; nothing confirms "
    "that they hold: see to the equipment\n"};

}  // namespace

RigReturn::RigReturn() {
  const OpeningSignals* const program = OpeningSignals::of_this_program();
  if (program == nullptr) return;
  second_.emplace(kReturns, program->exit_code());
  signals_.emplace(SecondSignal::hear, &*second_, StopSignals::Scope::kOpening);
}

}  // namespace trestle::composition
