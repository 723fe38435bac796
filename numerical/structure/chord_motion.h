#pragma once

namespace trestle::structure {

/// How the chord of a member follows its ends.
enum class ChordMotion {
  kSmall,         ///< to first order: the chord keeps its length and direction
  kCorotational,  ///< exactly: it turns and lengthens with its ends
};

}  // namespace trestle::structure
