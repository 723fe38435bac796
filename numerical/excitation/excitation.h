#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerical/excitation/moving_load.h"
#include "numerical/excitation/support_history.h"
#include "numerical/structure/dof_terms.h"

namespace trestle::excitation {

/// Steps from time 0 to `duration` inclusive: floor(T/Δt) + 1.
std::int64_t step_count(double duration, double time_step);

/// The most steps that one run may have: a day at 1 kHz, as every step is held in memory.
inline constexpr std::int64_t kMostSteps = 100'000'000;

/// Checks a number of steps before room for them is made.
/// @throws SettingError  at `duration`, if there are more than kMostSteps, or not one
void require_countable_steps(double duration, double time_step);

/// One motion of the ground.
struct BaseMotion {
  Eigen::VectorXd load;  ///< per unit of its acceleration, one entry per equation
  std::vector<double> acceleration;  ///< at each step [m/s² | rad/s²]; zero after its end
  Eigen::VectorXd held{};  ///< load on the DOFs that supports hold; size zero: none
};

/// What a load on a member comes to at its ends.
struct MemberEndForces {
  std::size_t member = 0;  ///< place in the structure
  Eigen::VectorXd forces;  ///< one per end coordinate, in local axes [N | N·m]
};

/// Forces of fixed proportions.
struct TimedLoad {
  structure::DofTerms forces;              ///< equations, and their forces [N | N·m]
  std::vector<double> factors;             ///< at each step; zero after its end
  std::vector<MemberEndForces> members{};  ///< of the members that it acts on
  structure::DofTerms held{};              ///< rows of held DOFs, and their forces
};

/// Supports that move alike, by themselves.
struct SupportMotion {
  std::vector<int> rows;             ///< of held DOFs
  Eigen::VectorXd by_displacement;   ///< load on the equations per unit, −K_fs
  Eigen::VectorXd by_velocity;       ///< −C_fs
  Eigen::VectorXd by_acceleration;   ///< −M_fs
  std::vector<SupportState> states;  ///< at each step; stays at the last one
};

struct ExcitationParts {
  double time_step = 0.0;  ///< Δt [s]
  std::int64_t steps = 0;
  int equations = 0;
  std::vector<BaseMotion> motions{};
  std::vector<MovingLoad> moving_loads{};
  std::vector<TimedLoad> loads{};
  Eigen::VectorXd gravity{};  ///< acts at all times [N | N·m]; size zero: none
  std::vector<MemberEndForces> gravity_of_members{};
  Eigen::VectorXd held_gravity{};  ///< on the DOFs that supports hold; size zero: none
  std::vector<SupportMotion> supports{};
};

/// Everything that loads the structure from outside, at every step of one test: motions of
/// the ground, loads with a history, moving loads, gravity.
class Excitation {
 public:
  explicit Excitation(ExcitationParts parts);
  /// @param base_load     load per unit of base acceleration, one entry per equation [kg]
  /// @param acceleration  of the base at each step [m/s²]; zero after its end
  Excitation(double time_step, std::int64_t steps, Eigen::VectorXd base_load,
             std::vector<double> acceleration, std::vector<MovingLoad> moving_loads);

  std::int64_t steps() const noexcept { return parts_.steps; }
  /// True if both load a structure with the same bits. False also where that is not
  /// compared: moving loads, loads on members, gravity.
  bool surely_equals(const Excitation& other) const noexcept;
  /// Size zero: none.
  const Eigen::VectorXd& gravity() const noexcept { return parts_.gravity; }
  const std::vector<MemberEndForces>& gravity_of_members() const noexcept {
    return parts_.gravity_of_members;
  }
  const std::vector<TimedLoad>& loads() const noexcept { return parts_.loads; }
  /// Factor of a load at a step.
  double factor(std::size_t load, std::int64_t step) const noexcept {
    const std::vector<double>& factors = parts_.loads[load].factors;
    const auto at = static_cast<std::size_t>(step);
    return step >= 0 && at < factors.size() ? factors[at] : 0.0;
  }

  /// p_k, the external load at k·Δt [N | N·m]. Does not allocate.
  /// @param load  of the right size; overwritten
  void load(std::int64_t step, Eigen::VectorXd& load) const noexcept;

  /// The external load on the DOFs that supports hold, without that of moving loads. Does
  /// not allocate.
  /// @param inertia  with what the motions of the ground add to it
  /// @param load     of the right size; overwritten
  void held_load(std::int64_t step, bool inertia, Eigen::VectorXd& load) const noexcept;

  /// Supports move by themselves: all motions are absolute.
  bool moves_supports() const noexcept { return !parts_.supports.empty(); }
  /// Which derivative of the supports' displacement.
  enum class SupportDerivative { kDisplacement, kVelocity, kAcceleration };
  /// The motion of the DOFs that supports hold. Does not allocate.
  /// @param motion  one entry per held DOF, or of the first ones alone; overwritten
  void support_motion(std::int64_t step, SupportDerivative derivative,
                      Eigen::VectorXd& motion) const noexcept;

 private:
  static const SupportState& state_of(const SupportMotion& motion,
                                      std::int64_t step) noexcept;

  ExcitationParts parts_;
};

}  // namespace trestle::excitation
