#pragma once

#include <memory>
#include <string>
#include <vector>

namespace trestle::config {
class Test;
}

namespace trestle::pushover {

/// Proportions of the loads that push a structure.
enum class Pattern {
  kMass,   ///< as the masses that move along the direction of the DOF
  kMode1,  ///< as masses times the first mode
  kLoads,  ///< those of excitation.loads that do not belong to gravity
};

struct PushoverSettings {
  std::string dof;            ///< `<node>.<dof>`, a translation
  double displacement = 0.0;  ///< beyond gravity, with its sign [m]; not zero
  int steps = 200;            ///< >= 1
  Pattern pattern = Pattern::kMass;
};

/// What a specimen resists with along the curve.
enum class SpecimenForce {
  kLaw,               ///< the law of its rig in the test's file
  kInitialStiffness,  ///< K_e alone: it has force-only DOFs, or too many
  kNone,              ///< nothing: the file has no rig of it
};

/// A specimen's DOF along the curve, as its actuators have it: from the specimen's zero,
/// which is the state under gravity if it stands preloaded.
struct PushedDof {
  std::string site;
  std::string dof;
  bool rotation = false;
  SpecimenForce by = SpecimenForce::kNone;
  std::vector<double> displacement;  ///< [m | rad]
  std::vector<double> force;         ///< [N | N·m]
};

/// Statics of a structure that is pushed, state by state; the first is that under gravity.
struct PushoverCurve {
  PushoverSettings settings;
  std::vector<double> displacement;  ///< of the DOF, beyond gravity [m]
  std::vector<double> factor;        ///< of the pattern
  std::vector<double> shear;         ///< sum of the loads along the DOF's direction [N]
  std::vector<PushedDof> specimens;
  std::string ended;  ///< why it ends before its displacement; empty: it does not
};

/// Pushes the structure of a test by displacement control behind its gravity: the
/// numerical part and the specimens with their laws. Under gravity a specimen has its
/// initial stiffness, as in a run; one that gravity is applied to takes it with its law.
/// @throws SettingError if the DOF is no free translation, the pattern has no load, or the
///         structure does not carry gravity
PushoverCurve push_over(const config::Test& test, const PushoverSettings& settings);

/// Reads a test with all its checks, and pushes it.
/// @param overrides  `path=value`
/// @throws ConfigError with all problems of the file, SettingError  as push_over()
PushoverCurve push_over_file(const std::string& file,
                             const std::vector<std::string>& overrides,
                             const std::string& software, const PushoverSettings& settings);

}  // namespace trestle::pushover
