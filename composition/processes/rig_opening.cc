#include "composition/processes/rig_opening.h"

#include "composition/processes/opening_signals.h"

namespace trestle::composition {
namespace {

constexpr SecondSignal::Words kOpens{
    "trestle: a signal came while a rig is being opened; it is followed as soon as the rig "
    "is open. If its driver hangs: Ctrl-C or SIGTERM once more, a second later, ends this "
    "program at once, and nothing asks the rig to hold\n",
    "trestle: asked again to end while a rig is being opened: ends at once; nothing "
    "confirms that the rig holds: see to the equipment\n"};

}  // namespace

RigOpening::RigOpening() {
  OpeningSignals* const program = OpeningSignals::of_this_program();
  if (program == nullptr) return;
  program->begin();
  second_.emplace(kOpens, program->exit_code());
  signals_.emplace(SecondSignal::hear, &*second_, StopSignals::Scope::kOpening);
}

RigOpening::~RigOpening() {
  if (!signals_) return;
  signals_.reset();
  OpeningSignals::of_this_program()->end(real_);
}

}  // namespace trestle::composition
