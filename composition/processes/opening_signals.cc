#include "composition/processes/opening_signals.h"

#include <csignal>

namespace trestle::composition {
namespace {

OpeningSignals* the_one = nullptr;  // NOLINT: signals are the program's

}  // namespace

OpeningSignals::OpeningSignals(int exit_code) : exit_code_(exit_code) {
  the_one = this;
}

OpeningSignals::~OpeningSignals() {
  the_one = nullptr;
}

OpeningSignals* OpeningSignals::of_this_program() noexcept {
  return the_one;
}

void OpeningSignals::begin() {
  if (!StopSignals::any()) kept_.emplace(nullptr, nullptr, StopSignals::Scope::kRig);
}

void OpeningSignals::end(bool real_equipment) {
  any_real_ = any_real_ || real_equipment;
  if (any_real_ || !kept_) return;
  kept_.reset();
  if (AskedBySignal asked; StopSignals::take(asked)) raise(asked.number);
}

}  // namespace trestle::composition
