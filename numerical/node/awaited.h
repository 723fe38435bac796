#pragma once

#include <cstdint>

namespace trestle::integrator_node {

/// The message that the integrator awaits from a site.
enum class Awaited : std::uint8_t {
  kNothing,
  kHello,
  kAgreement,
  kClock,  ///< to be known well enough
  kArmed,
  kOpeningRead,
  kGravity,  ///< the answer to step 0, which takes its specimen to the state under gravity
  kAnswer,
  kHolding,
  kReturn,
  kResumed,
  kRepetition,  ///< of a step that it lost
  kStopped,
};

/// Human-readable: "word that it is armed". @pre not kNothing
constexpr const char* words(Awaited awaited) noexcept {
  switch (awaited) {
    case Awaited::kNothing:
      break;
    case Awaited::kHello:
      return "hello";
    case Awaited::kAgreement:
      return "agreement to the configuration";
    case Awaited::kClock:
      return "comparison of clocks that is exact enough";
    case Awaited::kArmed:
      return "word that it is armed";
    case Awaited::kOpeningRead:
      return "opening read";
    case Awaited::kGravity:
      return "arrival in the state under gravity";
    case Awaited::kAnswer:
      return "answer";
    case Awaited::kHolding:
      return "word that it holds";
    case Awaited::kReturn:
      return "return";
    case Awaited::kResumed:
      return "word that it continues";
    case Awaited::kRepetition:
      return "repetition of a step that it lost";
    case Awaited::kStopped:
      return "word that it has stopped";
  }
  return "";
}

}  // namespace trestle::integrator_node
