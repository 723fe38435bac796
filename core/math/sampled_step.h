#pragma once

#include <Eigen/Core>

namespace trestle::math {

/// The matrices and the state of a SampledSystem, and how a period moves the state on. A
/// template on the number: `double`, or a pack of one number per lane.
template <typename Real>
struct SampledStep {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  // x[n+1] = A x[n] + B u[n], y = C x + D u
  Matrix discrete_A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Matrix discrete_B;  // NOLINT(readability-identifier-naming)
  Matrix discrete_C;  // NOLINT(readability-identifier-naming)
  Matrix discrete_D;  // NOLINT(readability-identifier-naming)
  // dx/dt = A x + B u, dy/dt = C dx/dt, d²y/dt² = C A dx/dt
  Matrix A;             // NOLINT(readability-identifier-naming)
  Matrix B;             // NOLINT(readability-identifier-naming)
  Matrix C;             // NOLINT(readability-identifier-naming)
  Matrix rate_of_rate;  // C A
  Vector state;
  Vector next;  // the next state, then dx/dt
  Vector output;
  Vector rate;
  Vector acceleration;

  void reset() noexcept {
    for (Vector* values : {&state, &next, &output, &rate, &acceleration}) values->setZero();
  }

  /// @pre input.size() == inputs of the system, and unit stride
  template <typename Input>
  void advance(const Input& input) noexcept {
    move(input);
    next.noalias() = A.lazyProduct(state);
    next.noalias() += B.lazyProduct(input);
    rate.noalias() = C.lazyProduct(next);
    acceleration.noalias() = rate_of_rate.lazyProduct(next);
  }

  /// advance() without the rates.
  template <typename Input>
  void move(const Input& input) noexcept {
    next.noalias() = discrete_A.lazyProduct(state);
    next.noalias() += discrete_B.lazyProduct(input);
    state.swap(next);
    output.noalias() = discrete_C.lazyProduct(state);
    output.noalias() += discrete_D.lazyProduct(input);
  }

  /// All that a copy in another number type needs.
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit(self.discrete_A, self.discrete_B, self.discrete_C, self.discrete_D, self.A,
          self.B, self.C, self.rate_of_rate, self.state, self.next, self.output, self.rate,
          self.acceleration);
  }
};

}  // namespace trestle::math
