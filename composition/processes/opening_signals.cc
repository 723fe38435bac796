#include "composition/processes/opening_signals.h"

#include <csignal>

namespace trestle::composition {
namespace {

constexpr SecondSignal::Words kNobodyDrives{
    "trestle: a signal came while nobody drives the rigs, before their test or after it; "
    "this program ends as soon as it can. Ctrl-C or SIGTERM once more, a second later, "
    "ends "
    "it at once, and nothing asks a rig to hold\n",
    "trestle: asked again to end while nobody drives the rigs: ends at once; nothing "
    "confirms that a rig holds: see to the equipment\n"};

OpeningSignals* the_one = nullptr;  // NOLINT: signals are the program's

}  // namespace

OpeningSignals::OpeningSignals(int exit_code)
    : exit_code_(exit_code), before_(the_one), second_(kNobodyDrives, exit_code) {
  the_one = this;
}

OpeningSignals::~OpeningSignals() {
  the_one = before_;
}

OpeningSignals* OpeningSignals::of_this_program() noexcept {
  return the_one;
}

void OpeningSignals::begin() {
  if (!StopSignals::any())
    kept_.emplace(SecondSignal::hear, &second_, StopSignals::Scope::kOpening);
}

void OpeningSignals::end(bool real_equipment) {
  any_real_ = any_real_ || real_equipment;
  if (any_real_ || !kept_) return;
  kept_.reset();
  if (AskedBySignal asked; StopSignals::take(asked)) raise(asked.number);
}

}  // namespace trestle::composition
